// SPDX-License-Identifier: BSD-3-Clause
// The decay of an idle average beside its reference: everything enters in one cycle, the result leaves after thirteen.
//
// Contract: the twin takes its inputs in the cycles in which it asks for them. `reference_o` and `twin_o` belong to the inputs of
// thirteen cycles before; `valid_o` from then on. The weight is at most 24.
module cross_decay
  import tm_pkg::*;
#(
    localparam int unsigned CountW = 24
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic [StampW-1:0] elapsed_i,
    input  logic [      16:0] reciprocal_i,
    input  logic [       5:0] shift_i,
    input  logic [       4:0] weight_i,
    input  logic [      47:0] average_i,
    output logic              valid_o,
    output logic [      47:0] reference_o,
    output logic [      47:0] twin_o
);

  localparam int unsigned Depth = 13;

  logic [1:0][5:0] shift_q;
  logic [3:0][4:0] weight_q;
  logic [8:0][47:0] average_q;
  logic [47:0] expected;
  logic [Depth-1:0][47:0] expected_q;
  logic [3:0] age_q;

  spinal_red_decay reference (
      .io_average   (average_i),
      .io_weight    (weight_i),
      .io_elapsed   (elapsed_i),
      .io_reciprocal(reciprocal_i),
      .io_shift     (shift_i),
      .io_next      (expected)
  );

  tm_red_decay #(
      .CountW(CountW)
  ) twin (
      .clk_i,
      .elapsed_i,
      .reciprocal_i,
      .shift_i  (shift_q[1]),
      .weight_i (weight_q[3]),
      .average_i(average_q[8]),
      .decayed_o(twin_o)
  );

  always_ff @(posedge clk_i) begin
    shift_q    <= {shift_q[0], shift_i};
    weight_q   <= {weight_q[2:0], weight_i};
    average_q  <= {average_q[7:0], average_i};
    expected_q <= {expected_q[Depth-2:0], expected};
    age_q      <= rst_i ? '0 : (age_q == 4'd14) ? age_q : age_q + 4'd1;
  end

  assign reference_o = expected_q[Depth-1];
  assign valid_o     = age_q == 4'd14;

endmodule
