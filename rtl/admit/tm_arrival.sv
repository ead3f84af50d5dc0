// SPDX-License-Identifier: BSD-3-Clause
// Follows the frame now arriving through one port: taken, judged, stored or refused, and what becomes of it if it
// turns out wrong at its end.
//
// Contract: strobes come with the row that tells them. `take_o` says that the row is this port's to store. A verdict
// is asked for once per copy (`judge_o`); `store_i` is its answer in the same cycle. `rewind_o` follows a refusal or
// an abort by one cycle. `arrive_valid_o` is the copy's one tally, one cycle after its last row.
`include "tm_assert.svh"

module tm_arrival
  import tm_pkg::*;
#(
    parameter bit FLAGS_VERDICT = 1'b0
) (
    input  logic     clk_i,
    input  logic     rst_i,
    // from parse
    input  logic     beat_valid_i,
    input  logic     beat_first_i,
    input  logic     beat_port_i,       // the frame's first beat names this port
    input  logic     next_first_i,      // in the next cycle there is a frame's first row
    input  logic     ecn_valid_i,
    input  logic     flags_valid_i,
    input  logic     end_valid_i,
    input  logic     end_bad_i,
    // config
    input  logic     wait_flags_i,
    // the verdict
    output logic     judge_o,
    input  logic     store_i,
    input  outcome_e outcome_i,
    // to buffer, occupancy, depart
    output logic     take_o,
    output logic     stored_o,          // this cycle's verdict stores the frame
    output logic     rewind_o,          // the frame's rows are taken back: it was refused or aborted a cycle ago
    output logic     abort_o,           // a stored frame is taken back
    output logic     next_abort_o,      // if there is an event in the next cycle, it is an abort
    output logic     arriving_o,        // a stored frame has not ended before this cycle
    input  logic     leaving_i,         // it has begun to leave
    output logic     cut_o,             // it turned out wrong too late: the departing copy ends in error
    // events
    output logic     arrive_valid_o,
    output outcome_e arrive_outcome_o,
    output logic     arrive_stored_o    // the tallied copy is held or leaving
);

  logic begins;
  logic copy, copy_q;  // the current frame has a copy for this port
  logic taken_q;  // and its rows are being stored
  logic judged, judged_q;  // it has had its verdict before this cycle
  logic arriving_q;  // stored and not ended
  outcome_e outcome_q;
  logic wrong_end, judged_wrong, refuse;

  assign begins = beat_valid_i && beat_first_i;
  assign copy = begins ? beat_port_i : copy_q;
  assign judged = judged_q && !begins;
  assign take_o = begins ? beat_port_i : taken_q;

  // A port that stops waiting between the two strobes judges at the second: exactly one verdict whatever is committed.
  assign judge_o = FLAGS_VERDICT
      ? copy && !judged && (flags_valid_i || (ecn_valid_i && !wait_flags_i))
      : copy && ecn_valid_i;
  assign wrong_end = end_valid_i && end_bad_i;
  assign judged_wrong = judge_o && store_i && wrong_end;

  assign stored_o = judge_o && store_i && !wrong_end;
  assign abort_o = wrong_end && arriving_q && !leaving_i;
  assign cut_o = wrong_end && arriving_q && leaving_i;
  assign refuse = (judge_o && !stored_o) || abort_o;
  assign next_abort_o = !next_first_i && (judged || judge_o);
  assign arriving_o = arriving_q;

  outcome_e outcome_d;
  always_comb begin
    outcome_d = outcome_q;
    if (judge_o) outcome_d = outcome_i;
    if (abort_o || judged_wrong) outcome_d = Aborted;
  end

  always_ff @(posedge clk_i) begin
    copy_q   <= copy && !end_valid_i;
    taken_q  <= take_o && !refuse && !end_valid_i;
    judged_q <= judged || judge_o;
    rewind_o <= refuse;
    if (stored_o) arriving_q <= !end_valid_i;
    else if (end_valid_i) arriving_q <= 1'b0;
    arrive_valid_o   <= end_valid_i && copy;
    outcome_q        <= outcome_d;
    arrive_outcome_o <= outcome_d;
    arrive_stored_o  <= end_valid_i && (stored_o || (arriving_q && !abort_o));
    if (rst_i) {copy_q, taken_q, judged_q, rewind_o, arriving_q, arrive_valid_o, arrive_stored_o} <= '0;
  end

  `TM_ASSERT_IF(JudgedByEnd_A, end_valid_i && copy, judged || judge_o, "a copy is not judged by the end of its frame")
  `TM_ASSERT_IF(WrongNotStored_A, wrong_end, !stored_o, "a wrong frame is stored by the verdict of its last cycle")

endmodule
