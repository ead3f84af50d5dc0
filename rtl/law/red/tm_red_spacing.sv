// SPDX-License-Identifier: BSD-3-Clause
// How far apart a port's signals are, slot by slot: a threshold is drawn at each signal, and the probabilities of the
// frames after it are taken off until nothing is left (docs/red-rules.md).
//
// Contract: `step_i` is a verdict on a frame of slot `slot_i`; `signal_o` and `forced_o` are what a frame of each slot
// is told, and registered. `between_i`, `beyond_i` and `probability_i` of one cycle count for the verdicts of the
// next. While `settling_i` there is no region: verdicts of the next cycle find the average below min.
`include "tm_assert.svh"

module tm_red_spacing
  import tm_pkg::*;
(
    input  logic                  clk_i,
    input  logic                  step_i,
    input  logic                  slot_i,
    input  logic     [ 1:0]       reset_i,
    input  logic                  settling_i,
    input  logic     [23:0]       word_i,
    input  spacing_e [ 1:0]       spacing_i,
    // from the curve
    input  logic     [ 1:0]       between_i,
    input  logic     [ 1:0]       beyond_i,
    input  logic     [ 1:0][23:0] probability_i,
    // to the verdict
    output logic     [ 1:0]       signal_o,
    output logic     [ 1:0]       forced_o
);

  logic [1:0][24:0] left_q, less_q;  // what is left until the next signal, 2^-24; the same less the probability now
  logic [1:0] carries_q;  // a step goes on with what is left instead of drawing again
  logic [1:0] wait_spacing;

  for (genvar s = 0; s < 2; s++) begin : gen_slot
    logic steps;
    logic [24:0] after, more_q;
    // The complement of what is left less the probability: its highest bit is 0 at a signal. With a step and without:
    // the verdict comes late and only chooses.
    (* keep *) logic [25:0] stepped, held;
    logic [25:0] more_d;

    assign wait_spacing[s] = spacing_i[s] == Wait;
    assign steps = step_i && slot_i == 1'(s);
    assign after = carries_q[s] ? less_q[s] : {wait_spacing[s], word_i};
    assign stepped = {2'b00, probability_i[s]} + ~{1'b0, after};
    assign held = {2'b00, probability_i[s]} + ~{1'b0, left_q[s]};
    assign more_d = steps ? stepped : held;
    assign less_q[s] = ~more_q;

    always_ff @(posedge clk_i) begin
      if (reset_i[s]) left_q[s] <= {wait_spacing[s], 1'b1, 23'b0};
      else if (steps) left_q[s] <= after;
      more_q       <= more_d[24:0];
      signal_o[s]  <= !settling_i && (beyond_i[s] || (between_i[s] && !more_d[25]));
      carries_q[s] <= between_i[s] && !settling_i && more_d[25] && spacing_i[s] != Memoryless;
      forced_o[s]  <= beyond_i[s] && !settling_i;
    end
  end

  `TM_ASSERT(OneRegion_A, (between_i & beyond_i) == '0, "the curve says two things at a time", settling_i)

endmodule
