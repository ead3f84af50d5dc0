// SPDX-License-Identifier: BSD-3-Clause
// RED's average next to its reference, slot by slot: what the twin makes of an average, whatever it was.
//
// Contract: all inputs are of the stage that the twin asks for them in. `reference_o` and `twin_o` are the average that
// is kept; `reference_next_o` and `twin_next_o` are, two cycles later, its bytes after one more step; both once
// `valid_o`. The weight is at most 24. Linux's rule is not the reference's; what counts, B or 64 P, is chosen here.
module cross_average
  import tm_red_pkg::*;
#(
    parameter  int unsigned CountW   = 24,
    localparam int unsigned FramesW  = CountW - 6,
    localparam int unsigned AverageW = CountW + 24
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  slot_t [ LastStage:0] place_i,
    input  logic                 stored_i,
    input  logic                 faded_i,
    input  logic                 any_i,
    input  logic  [         1:0] power_i,
    input  logic  [  CountW-1:0] bytes_i,
    input  logic  [ FramesW-1:0] packets_i,
    input  logic  [         4:0] weight_i,
    input  logic                 by_packets_i,
    input  logic  [  CountW-1:0] now_i,
    input  logic  [ FramesW-1:0] now_packets_i,
    input  logic                 decay_valid_i,
    input  slot_t                decay_place_i,
    input  logic  [AverageW-1:0] decay_i,
    output logic                 valid_o,
    output logic  [AverageW-1:0] reference_o,
    output logic  [AverageW-1:0] twin_o,
    output logic  [  CountW-1:0] reference_next_o,
    output logic  [  CountW-1:0] twin_next_o
);

  tm_red_average #(
      .COUNT_W (CountW),
      .FRAMES_W(FramesW)
  ) twin (
      .clk_i,
      .place_i,
      .stored_i,
      .faded_i,
      .any_i,
      .power_i,
      .idle_i    (1'b0),
      .bytes_i,
      .packets_i,
      .weight_i,
      .linux_i   (1'b0),
      .by_packets_i,
      .now_idle_i(1'b0),
      .now_i,
      .now_packets_i,
      .decay_valid_i,
      .decay_place_i,
      .decay_i,
      .keeps_o   (),
      .average_o (twin_o),
      .next_o    (twin_next_o)
  );

  // ---- what entered, by its stage ----
  logic [6:1] known_q;  // since the reset
  logic [AverageW-1:0] average, average2_q, average3_q, average4_q;
  logic [CountW-1:0] queue2_q, queue3_q, now4_q, now5_q;
  logic by_packets2_q, by_packets3_q;
  logic [4:0] lighter, lighter2_q, lighter3_q, weight2_q, weight3_q, weight4_q, weight5_q;
  logic any2_q, any3_q;
  logic [47:0] step3, next5;
  logic [AverageW-1:0] average5_q;
  assign average = twin.stored1_q | twin.faded1_q;
  assign lighter = (weight_i > 5'(power_i)) ? weight_i - 5'(power_i) : '0;

  spinal_red_average step_reference (
      .io_average  (48'(average3_q)),
      .io_occupancy(24'(queue3_q)),
      .io_weight   (lighter3_q),
      .io_next     (step3)
  );
  spinal_red_average next_reference (
      .io_average  (48'(average5_q)),
      .io_occupancy(24'(now5_q)),
      .io_weight   (weight5_q),
      .io_next     (next5)
  );

  always_ff @(posedge clk_i) begin
    known_q                           <= rst_i ? '0 : {known_q[5:1], 1'b1};
    {average2_q, average3_q}          <= {average, average2_q};
    {queue2_q, queue3_q}              <= {by_packets_i ? {packets_i, 6'd0} : bytes_i, queue2_q};
    {by_packets2_q, by_packets3_q}    <= {by_packets_i, by_packets2_q};
    {lighter2_q, lighter3_q}          <= {lighter, lighter2_q};
    {any2_q, any3_q}                  <= {any_i, any2_q};
    average4_q                        <= any3_q ? AverageW'(step3) : average3_q;
    average5_q                        <= average4_q;
    {now4_q, now5_q}                  <= {by_packets3_q ? {now_packets_i, 6'd0} : now_i, now4_q};
    {weight2_q, weight3_q, weight4_q} <= {weight_i, weight2_q, weight3_q};
    weight5_q                         <= weight4_q;
    reference_next_o                  <= next5[47-:CountW];
  end
  assign reference_o = average4_q;
  assign valid_o     = known_q[6];

  initial known_q = '0;
  always_comb begin
    Weight_M : assume (weight_i <= 5'd24);
    Known_A : assert ((known_q & (known_q + 6'd1)) == '0);
    if (known_q[2]) begin
      Second_A : assert ((twin.stored2_q | twin.faded2_q) == average2_q && twin.lighter_q == lighter2_q);
      Distance_A : assert (twin.distance_q[0] == {1'b0, queue2_q, 24'b0} - {1'b0, average2_q});
      Moves_A : assert (twin.moves2_q == any2_q && twin.weight2_q == weight2_q && !twin.linux2_q);
      Counts_A : assert (twin.by_packets2_q == by_packets2_q);
    end
    if (known_q[3]) begin
      Third_A : assert ((twin.stored3_q | twin.faded3_q) == average3_q && twin.weight3_q == weight3_q);
      Part_A : assert (twin.part3_q == (any3_q ? step_reference.share[AverageW:0] : '0));
      Linux_A : assert (!twin.linux3_q && twin.by_packets3_q == by_packets3_q);
    end
    if (known_q[4]) begin
      Kept_A : assert (twin_o == average4_q && twin.weight4_q == weight4_q && !twin.still4_q);
      Next_A : assert (twin.distance_q[1] == {1'b0, now4_q, 24'b0} - {1'b0, average4_q});
    end
    if (known_q[5]) begin
      Fifth_A : assert (twin.average5_q == average5_q);
      Share_A : assert (twin.part5_q == next_reference.share[AverageW:0]);
    end
    if (known_q[6]) Same_A : assert (twin_next_o == reference_next_o);
  end

endmodule
