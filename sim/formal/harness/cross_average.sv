// SPDX-License-Identifier: BSD-3-Clause
// RED's average beside its reference, step by step: the twin keeps -avg and acts a cycle later.
//
// Contract: `step_i` with its `bytes_i`, and `reset_i`, in any cycle. Two cycles later `reference_o` and `twin_o` are
// the average after it; `reference_next_o` and `twin_next_o` are, a cycle later, the bytes of -avg after a step with
// those bytes, whether or not there was one. The weight is at most 24.
module cross_average #(
    parameter  int unsigned CountW   = 24,
    localparam int unsigned AverageW = CountW + 24
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic [  CountW-1:0] bytes_i,
    input  logic                step_i,
    input  logic                reset_i,
    input  logic [         4:0] weight_i,
    output logic [AverageW-1:0] reference_o,
    output logic [AverageW-1:0] twin_o,
    output logic [    CountW:0] reference_next_o,
    output logic [    CountW:0] twin_next_o
);

  logic step_q, reset_q;
  logic [1:0] began_q;  // two cycles after a reset both have been written
  logic [CountW-1:0] bytes_q;
  logic [AverageW-1:0] average_q;
  logic [47:0] next;
  logic [AverageW:0] minus, minus_next;

  spinal_red_average reference (
      .io_average  (48'(average_q)),
      .io_occupancy(24'(bytes_q)),
      .io_weight   (weight_i),
      .io_next     (next)
  );

  always_ff @(posedge clk_i) begin
    step_q  <= step_i;
    reset_q <= reset_i || rst_i;
    bytes_q <= bytes_i;
    began_q <= {began_q[0], began_q[0] || rst_i};
    if (reset_q) average_q <= '0;
    else if (step_q) average_q <= AverageW'(next);
  end

  tm_red_average #(
      .COUNT_W(CountW)
  ) twin (
      .clk_i,
      .rst_i,
      .bytes_i,
      .step_i,
      .reset_i,
      .idle_i       (1'b0),
      .linux_i      (1'b0),
      .weight_i,
      .decay_valid_i(1'b0),
      .decay_i      ('0),
      .minus_o      (minus),
      .next_o       (twin_next_o),
      .fraction_o   ()
  );

  assign minus_next       = -{1'b0, AverageW'(next)};
  assign reference_next_o = minus_next[AverageW:24];
  assign reference_o      = average_q;
  assign twin_o           = AverageW'(-minus);

  initial began_q = '0;
  always_ff @(posedge clk_i) begin
    Weight_M : assume (weight_i <= 5'd24);
    Began_A : assert (!began_q[1] || began_q[0]);
    if (began_q == 2'b01) First_A : assert (reset_q);
    if (began_q[0]) Pipeline_A : assert (twin.step_q == step_q && twin.reset_q == reset_q);
    if (began_q[1]) begin
      Distance_A : assert (twin.distance_q == {1'b0, bytes_q} + minus[AverageW:24]);
      Average_A : assert ({1'b0, reference_o} == -minus);
      Difference_A : assert (reference.difference == twin.distance);
      Share_A : assert (reference.share == twin.part);
      Next_A : assert (reset_q || reference_next_o == twin_next_o);
    end
  end

endmodule
