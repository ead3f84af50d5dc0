// SPDX-License-Identifier: BSD-3-Clause
// When RED signals, in one law slot: a random threshold is drawn at each signal, and the probabilities of the frames
// after it are taken off until nothing is left (docs/red.md).
//
// Contract: `step_i` is a verdict on a frame of this slot; `probable_o` and `forced_o` are what it is told, and
// registered. `between_i`, `beyond_i` and `probability_i` of one cycle count for the verdicts of the next. While
// `settling_i` there is no region: verdicts of the next cycle find the average below min.
module tm_red_spacing
  import tm_pkg::*;
(
    input  logic            clk_i,
    input  logic            step_i,
    input  logic            reset_i,
    input  logic            settling_i,
    input  logic     [23:0] word_i,
    input  spacing_e        spacing_i,
    // from the curve
    input  logic            between_i,
    input  logic            beyond_i,
    input  logic     [23:0] probability_i,
    // to the verdict
    output logic            probable_o,
    output logic            forced_o
);

  logic [24:0] left_q, left_d;  // what is left until the next signal, 2^-24
  logic [25:0] less_d;  // the same, less the probability now: negative is a signal
  logic [24:0] less_q;
  logic carries_q;  // a step goes on with what is left instead of drawing anew
  logic wait_spacing;

  assign wait_spacing = spacing_i == Wait;

  always_comb begin
    left_d = left_q;
    if (step_i) left_d = carries_q ? less_q : {wait_spacing, word_i};
    less_d = {1'b0, left_d} - {2'b00, probability_i};
  end

  always_ff @(posedge clk_i) begin
    left_q <= left_d;
    if (reset_i) left_q <= {wait_spacing, 1'b1, 23'b0};
    less_q     <= less_d[24:0];
    probable_o <= between_i && !settling_i && less_d[25];
    carries_q  <= between_i && !settling_i && !less_d[25] && spacing_i != Memoryless;
    forced_o   <= beyond_i && !settling_i;
  end

  // The curve says one thing at a time.
  OneRegion_A :
  assert property (@(posedge clk_i) disable iff (settling_i) !(between_i && beyond_i));

endmodule
