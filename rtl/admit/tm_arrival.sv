// SPDX-License-Identifier: BSD-3-Clause
// Follows the frame now arriving through one port: taken, judged, stored or refused, and what becomes of it if it
// turns out wrong at its end.
//
// Contract: `take_o` says that the row on the beat bus is this port's to store. A verdict is asked for once per copy
// (`judge_o`); `store_i` is its answer in the same cycle. `refuse_o` rewinds the ring in the cycle of the refusal or
// abort. `arrive_valid_o` is the copy's one tally, two cycles after its last row was on the bus.
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
    output logic     refuse_o,          // this cycle rewinds the frame
    output logic     abort_o,           // of these: a stored frame, its bytes are given back
    output logic     arriving_o,        // a stored frame has not ended yet
    input  logic     leaving_i,         // it has begun to leave
    output logic     cut_o,             // it turned out wrong too late: the departing copy ends in error
    // events
    output logic     arrive_valid_o,
    output outcome_e arrive_outcome_o,
    output logic     arrive_stored_o    // the tallied copy is held or leaving
);

  logic copy_q;  // rows of the current frame are being stored here
  logic offered_q;  // the current frame had a copy for this port
  logic arriving_q;  // stored and not ended
  outcome_e outcome_q;
  logic wrong_end, judged_wrong;

  // A port that stops waiting between the two strobes judges at the second: exactly one verdict whatever is committed.
  assign judge_o = FLAGS_VERDICT
      ? copy_q && !arriving_q && (flags_valid_i || (ecn_valid_i && !wait_flags_i))
      : copy_q && ecn_valid_i;
  assign wrong_end = end_valid_i && end_bad_i;
  assign judged_wrong = judge_o && store_i && wrong_end;

  assign stored_o = judge_o && store_i && !wrong_end;
  assign abort_o = wrong_end && arriving_q && !leaving_i;
  assign cut_o = wrong_end && arriving_q && leaving_i;
  assign refuse_o = (judge_o && !stored_o) || abort_o;
  assign take_o = beat_first_i ? beat_port_i : copy_q && !refuse_o;
  assign arriving_o = arriving_q;

  outcome_e outcome_d;
  always_comb begin
    outcome_d = outcome_q;
    if (judge_o) outcome_d = outcome_i;
    if (abort_o || judged_wrong) outcome_d = Aborted;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      copy_q         <= 1'b0;
      offered_q      <= 1'b0;
      arriving_q     <= 1'b0;
      arrive_valid_o <= 1'b0;
    end else begin
      if (beat_valid_i && beat_first_i) copy_q <= beat_port_i;
      else if (refuse_o || end_valid_i) copy_q <= 1'b0;
      if (beat_valid_i && beat_first_i) offered_q <= beat_port_i;
      if (stored_o) arriving_q <= !end_valid_i;
      else if (end_valid_i) arriving_q <= 1'b0;
      arrive_valid_o <= end_valid_i && offered_q;
    end
    outcome_q        <= outcome_d;
    arrive_outcome_o <= outcome_d;
    arrive_stored_o  <= !rst_i && end_valid_i && (stored_o || (arriving_q && !abort_o));
  end

  `TM_ASSERT_IF(JudgedByEnd_A, end_valid_i && copy_q && !arriving_q, judge_o,
                "a copy is not judged by the end of its frame")
  `TM_ASSERT_IF(WrongNotStored_A, wrong_end, !stored_o, "a wrong frame is stored by the verdict of its last cycle")

endmodule
