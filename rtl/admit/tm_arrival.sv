// SPDX-License-Identifier: BSD-3-Clause
// Follows the frame now arriving through one port: taken, judged, stored or refused, and what becomes of it if it
// turns out wrong at its end.
//
// Contract: a frame's first and last row are told one cycle early, and so are the strobes, so that what this port makes
// of them stands in registers with the row. `take_o` says that the row is this port's to store. A verdict is asked
// for once per copy (`judge_o`), without `may_store_o` for its outcome alone, where the frame is wrong. Its answer is
// `outcome_i` in the next cycle; `stores_i` says in the same one that the frame is stored. A copy that another queue of
// its line takes (`elsewhere_i`) is let go of instead: no verdict, no tally. `rewind_o` follows that, a refusal or an
// abort by one cycle. `arrive_valid_o` is the copy's one tally, one cycle after its last row, and `arrive_outcome_o`
// one cycle later.
`include "tm_assert.svh"

module tm_arrival
  import tm_pkg::*;
#(
    parameter bit FLAGS_VERDICT = 1'b0
) (
    input  logic           clk_i,
    input  logic           rst_i,
    // from parse
    input  logic           next_first_i,        // in the next cycle there is a frame's first row
    input  logic           next_port_i,         // and it names this port
    input  logic           next_ecn_valid_i,
    input  logic           next_flags_valid_i,
    input  logic           next_end_i,          // in the next cycle there is a frame's last row
    input  logic           next_bad_i,          // and the frame is wrong
    // config
    input  logic           next_wait_flags_i,
    // from parse, in the cycle of the verdict
    input  logic           by_class_i,          // which queue takes the frame follows from its class
    input  logic           elsewhere_i,
    // the verdict
    output logic           judge_o,
    output logic     [2:0] may_store_o,         // and it may be stored: three times, from registers of their own
    input  logic           stores_i,
    input  outcome_e       outcome_i,
    // to buffer, occupancy, depart
    output logic           next_copy_o,         // a row in the next cycle is of a frame that has a copy for this port
    output logic           take_o,
    output logic           end_o,               // the copy ends with this cycle's row
    output logic           wrong_o,             // and is wrong
    output logic           rewind_o,            // the frame's rows are taken back: refused or aborted a cycle ago
    output logic           abort_o,             // a stored frame is taken back
    output logic           next_abort_o,        // if there is an event in the next cycle, it is an abort
    output logic           arriving_o,          // a stored frame has not ended before this cycle
    input  logic           leaving_i,           // it has begun to leave
    output logic           cut_o,               // it turned out wrong too late: the departing copy ends in error
    // events
    output logic           arrive_valid_o,
    output outcome_e       arrive_outcome_o,
    output logic           arrive_stored_o      // the tallied copy is held or leaving
);

  logic copy_q, end_q, wrong_q;  // the current frame has a copy for this port; it ends; it is wrong
  logic taken_q;  // and its rows are being stored
  logic judged_q;  // it has had its verdict before this cycle
  logic arriving_q;  // stored and not ended
  logic due_q, by_ecn_q;  // a strobe of a copy without a verdict; it is that of the ECN field alone
  // Due and not wrong, and the opposite: of gates that begin with the same registers Yosys makes one.
  logic storable_q, barred_q;
  logic next_due, next_wrong, later, own, due, let_go, refuse;
  // Kept, so that the answer comes last.
  (* keep *) logic may_store, aborts;

  assign next_copy_o = next_first_i ? next_port_i : copy_q && !end_q && !let_go;
  assign take_o = taken_q;
  assign end_o = end_q;
  assign wrong_o = wrong_q;

  // A port that stops waiting between the two strobes judges at the second: exactly one verdict whatever is committed.
  assign next_wrong = next_end_i && next_bad_i && next_copy_o;
  assign next_due = next_copy_o && !next_abort_o &&
      (FLAGS_VERDICT ? next_flags_valid_i || (next_ecn_valid_i && !next_wait_flags_i) : next_ecn_valid_i);
  assign later = FLAGS_VERDICT && by_ecn_q && by_class_i;
  assign own = !later && !elsewhere_i;
  assign due = due_q && !later;
  assign judge_o = due_q && own;
  assign let_go = due && elsewhere_i;
  assign may_store = judge_o && !wrong_q;
  assign may_store_o = {!barred_q && own, storable_q && own, may_store};
  assign aborts = wrong_q && arriving_q && !leaving_i;
  assign abort_o = aborts;
  assign cut_o = wrong_q && arriving_q && leaving_i;
  assign refuse = (due && !stores_i) || abort_o;
  assign next_abort_o = !next_first_i && (judged_q || judge_o);
  assign arriving_o = arriving_q;

  // What became of the frame, one cycle late.
  outcome_e outcome_d, outcome_q;
  logic was_judged_q, was_wrong_q, was_aborted_q, was_held, stored_q, kept_q;
  always_comb begin
    outcome_d = outcome_q;
    if (was_judged_q) outcome_d = outcome_i;
    // A frame that is wrong as it is judged is taken back, unless it would have been refused.
    was_held = is_stored(outcome_i);
    if (was_aborted_q || (was_judged_q && was_wrong_q && was_held)) outcome_d = Aborted;
  end

  always_ff @(posedge clk_i) begin
    copy_q         <= next_copy_o;
    end_q          <= next_end_i && next_copy_o;
    wrong_q        <= next_wrong;
    taken_q        <= next_first_i ? next_port_i : taken_q && !refuse && !end_q;
    judged_q       <= next_abort_o;
    due_q          <= next_due;
    storable_q     <= next_due && !next_wrong;
    barred_q       <= !next_due || next_wrong;
    by_ecn_q       <= !next_flags_valid_i;
    rewind_o       <= refuse;
    arriving_q     <= (stores_i || arriving_q) && !end_q;
    arrive_valid_o <= end_q && !let_go;
    stored_q       <= stores_i && !rst_i;
    kept_q         <= arriving_q && !abort_o;
    was_judged_q   <= judge_o;
    was_wrong_q    <= wrong_q;
    was_aborted_q  <= abort_o;
    outcome_q      <= outcome_d;
    if (rst_i) begin
      {copy_q, end_q, wrong_q, taken_q, judged_q, due_q, storable_q, rewind_o, arriving_q, arrive_valid_o} <= '0;
      barred_q <= 1'b1;
    end
  end
  assign arrive_outcome_o = outcome_q;
  // By what the cycle before did: the verdict comes late in its own.
  assign arrive_stored_o  = arrive_valid_o && (stored_q || kept_q);

  `TM_ASSERT_IF(JudgedByEnd_A, end_q, judged_q || due, "a copy is not judged by the end of its frame")
  `TM_ASSERT_IF(WrongNotStored_A, wrong_q, !stores_i, "a wrong frame is stored by the verdict of its last cycle")

endmodule
