// SPDX-License-Identifier: BSD-3-Clause
// What the shared unit knows of one law slot between its visits: whether the port has been idle since, whether ARED is
// due, asked for or at work, and whether it has moved maxp and the slope.
//
// Contract: of a visit in cycle v, `visited_i` is cycle v, `averaged_i` v + 2, `learns_i` v + 15 and `ends_i` v + 16. A
// commit in between voids what the visit would have brought; a law reset forgets everything.
`include "tm_assert.svh"

module tm_red_slot (
    input  logic clk_i,
    input  logic rst_i,
    // the visit
    input  logic visited_i,
    input  logic averaged_i,
    input  logic learns_i,
    input  logic ends_i,
    // from the port
    input  logic empty_i,
    input  logic judged_i,
    // config
    input  logic red_i,          // the law is RED
    input  logic commit_i,
    input  logic law_reset_i,
    input  logic red_load_i,
    // what the visit found
    input  logic due_i,
    input  logic adapts_i,       // ARED is on
    // state
    output logic quiet_o,        // neither a step nor a frame since the visit
    output logic based_o,        // the average before the idle time has been kept
    output logic fresh_o,        // law reset since the last visit
    output logic pending_o,      // a step has found ARED due
    output logic decay_valid_o,
    output logic moves_o,
    output logic adapted_o
);

  logic due_q, stands_q, moving_q, anew;
  assign anew          = rst_i || law_reset_i;

  assign decay_valid_o = ends_i && quiet_o;
  assign moves_o       = ends_i && moving_q && adapts_i && !commit_i;

  always_ff @(posedge clk_i) begin
    if (judged_i || commit_i || rst_i) quiet_o <= 1'b0;
    else if (visited_i) quiet_o <= empty_i;

    if (judged_i || anew) based_o <= 1'b0;
    else if (averaged_i && quiet_o) based_o <= 1'b1;

    if (anew) fresh_o <= 1'b1;
    else if (visited_i) fresh_o <= 1'b0;

    if (anew || (visited_i && pending_o)) pending_o <= 1'b0;
    else if (judged_i && due_q) pending_o <= 1'b1;

    if (anew || (visited_i && pending_o)) due_q <= 1'b0;
    else if (learns_i) due_q <= due_i && red_i && stands_q && !commit_i && !fresh_o;
    else if (judged_i) due_q <= 1'b0;

    if (commit_i || rst_i) moving_q <= 1'b0;
    else if (visited_i) moving_q <= pending_o;

    // A commit since the visit: what it has seen of the configuration is void.
    if (commit_i || rst_i) stands_q <= 1'b0;
    else if (visited_i) stands_q <= 1'b1;

    if (anew || red_load_i) adapted_o <= 1'b0;
    else if (moves_o) adapted_o <= 1'b1;
  end

  `TM_ASSERT_IF(DecayQuiet_A, decay_valid_o, empty_i, "a decayed average comes to a queue that was not left alone")
  `TM_ASSERT_IF(ResetWithCommit_A, law_reset_i || red_load_i, commit_i, "a law is reset without a commit")

endmodule
