// SPDX-License-Identifier: BSD-3-Clause
// What the shared unit knows of one law slot between its visits: whether the port has been idle since, whether ARED is
// due, asked for or at work, and whether it has moved maxp and the slope; and which average of it counts.
//
// Contract: of a visit in cycle v, `visited_i` is cycle v, `learns_i` v + 15 and `ends_i` v + 16. A commit in between
// voids what the visit would have brought; a law reset forgets everything. `takes_i`: the scan begins with the slot and
// takes steps; `waits_i`: some wait.
//
// The step that finds ARED due counts in the average that ARED goes by: the first visit after it only notes it, and the
// next one adapts, a round later, when the scan has taken the step.
`include "tm_assert.svh"

module tm_red_slot (
    input  logic clk_i,
    input  logic rst_i,
    // the visit
    input  logic visited_i,
    input  logic learns_i,
    input  logic ends_i,
    // from the port
    input  logic empty_i,
    input  logic judged_i,
    // from the scan
    input  logic takes_i,
    input  logic waits_i,
    // config
    input  logic red_i,          // the law is RED
    input  logic commit_i,
    input  logic law_reset_i,
    input  logic red_load_i,
    // what the visit found
    input  logic gone_i,         // nothing is left of the average
    input  logic due_i,
    input  logic adapts_i,       // ARED is on
    // state
    output logic stored_o,       // the average is what the last step left
    output logic faded_o,        // or what the idle time since then has left of that; with neither it is 0
    output logic fresh_o,        // law reset since the last visit
    output logic asks_o,         // a step has found ARED due, and a visit has noted it
    output logic busy_o,         // law reset or due, and not yet seen to
    output logic decay_valid_o,
    output logic soon_moves_o,   // it may, in the next cycle
    output logic moves_o,
    output logic adapted_o,
    output logic adapted_set_o   // which of two slopes is in force
);

  logic quiet_q, due_q, stands_q, moving_q, anew;  // quiet: neither a step nor a frame since the visit
  logic pending_q;  // a step has found ARED due
  assign anew          = rst_i || law_reset_i;
  assign busy_o        = fresh_o || pending_q;

  assign decay_valid_o = ends_i && quiet_q && (stored_o || faded_o) && !commit_i;
  assign soon_moves_o  = learns_i && moving_q;
  assign moves_o       = ends_i && moving_q && adapts_i && !commit_i;

  always_ff @(posedge clk_i) begin
    if (judged_i || commit_i || rst_i) quiet_q <= 1'b0;
    else if (visited_i) quiet_q <= empty_i && !waits_i;

    if (anew || decay_valid_o) stored_o <= 1'b0;
    else if (takes_i) stored_o <= 1'b1;
    if (anew || takes_i) faded_o <= 1'b0;
    else if (decay_valid_o) faded_o <= !gone_i;

    if (anew) fresh_o <= 1'b1;
    else if (visited_i) fresh_o <= 1'b0;

    if (anew || (visited_i && asks_o)) pending_q <= 1'b0;
    else if (judged_i && due_q) pending_q <= 1'b1;

    if (anew || (visited_i && asks_o)) asks_o <= 1'b0;
    else if (visited_i) asks_o <= pending_q;

    if (anew || (visited_i && asks_o)) due_q <= 1'b0;
    else if (learns_i) due_q <= due_i && red_i && stands_q && !commit_i && !fresh_o;
    else if (judged_i) due_q <= 1'b0;

    if (commit_i || rst_i) moving_q <= 1'b0;
    else if (visited_i) moving_q <= asks_o;

    // A commit since the visit: what it has seen of the configuration is void.
    if (commit_i || rst_i) stands_q <= 1'b0;
    else if (visited_i) stands_q <= 1'b1;

    if (anew || red_load_i) adapted_o <= 1'b0;
    else if (moves_o) adapted_o <= 1'b1;
    if (moves_o) adapted_set_o <= !adapted_set_o;
    if (rst_i) adapted_set_o <= 1'b0;
  end

  `TM_ASSERT_IF(DecayQuiet_A, decay_valid_o, empty_i, "a decayed average comes to a queue that was not left alone")
  `TM_ASSERT_IF(ResetWithCommit_A, law_reset_i || red_load_i, commit_i, "a law is reset without a commit")
  `TM_ASSERT_IF(DecayAlone_A, decay_valid_o, !takes_i, "an average is decayed in the cycle that begins with a step")

endmodule
