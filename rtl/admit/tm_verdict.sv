// SPDX-License-Identifier: BSD-3-Clause
// The verdict on one arriving copy: limits first, then the law in the slot its ECN codepoint selects, then what the
// law's signal becomes for this frame (docs/verdict.md).
//
// Contract: inputs and `mark_o` are meaningful in the cycle of the verdict, `outcome_o` in the next. `stores_o` says in
// every cycle whether a frame is stored, and `changes_o` whether something else is held in the next: that, or with
// `abort_i` one is taken back. The bits of `may_store_i` are equal, and so are those of `changes_o`. `mark_o` counts
// for a frame that is stored only. `kind_i`, `enable_i` and `protect_i` are of one configuration. `class_ece_i` is
// looked at with FLAGS_VERDICT only. RED's signals come by slot, `red_forced_i` only with `red_signal_i`, and none
// where the law is another; `above_i` comes whatever the law is.
`include "tm_assert.svh"

module tm_verdict
  import tm_pkg::*;
  import tm_admit_pkg::*;
#(
    parameter bit FLAGS_VERDICT = 1'b0  // the class is known at the verdict, so protection can look at it
) (
    input  logic             clk_i,
    // from arrival
    input  logic             abort_i,         // a stored frame is taken back
    input  logic       [2:0] may_store_i,     // a frame is judged, and is not wrong
    // of the frame's codepoint; whether the step law is deferred is tm_admit's alone
    // verilator lint_off UNUSEDSIGNAL
    input  kind_t            kind_i,
    // verilator lint_on UNUSEDSIGNAL
    // from parse
    input  class_ece_t       class_ece_i,
    // from occupancy and buffer
    input  logic             over_bytes_i,
    input  logic             over_packets_i,
    input  logic             full_i,          // one of both, or no descriptor is left
    input  logic             no_room_i,
    input  logic       [1:0] above_i,         // B > K, by slot
    // from RED, by slot
    input  logic       [1:0] red_signal_i,    // with certainty (`red_forced_i`) or at random
    input  logic       [1:0] red_forced_i,
    // config
    input  logic             enable_i,
    input  class_ece_t       protect_i,
    // the verdict
    output outcome_e         outcome_o,
    output logic             stores_o,
    output logic       [1:0] changes_o,
    output logic             mark_o
);

  logic stepped, red_signal, red_forced;
  logic protected_frame;

  assign stepped         = |(above_i & kind_i.step);
  assign red_signal      = red_signal_i[kind_i.slot];
  assign red_forced      = red_forced_i[kind_i.slot];
  assign protected_frame = FLAGS_VERDICT && (protect_i & class_ece_i) != '0;

  // The limits and the signals come late: the outcome is worked out in the next cycle, from what this one saw.
  typedef struct packed {
    logic disabled;
    logic over_bytes;
    logic over_packets;
    logic no_room;
    logic stepped;
    logic [1:0] red_signal;
    logic [1:0] red_forced;
    logic slot;
    logic protected_frame;
    logic hard;
    logic markless;
    logic ce;
  } seen_t;

  seen_t seen_q;
  always_ff @(posedge clk_i) begin
    seen_q <= '{
        disabled: !enable_i,
        over_bytes: over_bytes_i,
        over_packets: over_packets_i,
        no_room: no_room_i || full_i,
        stepped: stepped,
        red_signal: red_signal_i,
        red_forced: red_forced_i,
        slot: kind_i.slot,
        protected_frame: protected_frame,
        hard: kind_i.hard,
        markless: kind_i.markless,
        ce: kind_i.ce
    };
  end

  // The first that applies, limits before laws.
  function automatic outcome_e outcome(input seen_t seen);
    logic forced, signal;
    forced = seen.stepped || seen.red_forced[seen.slot];
    signal = seen.stepped || seen.red_signal[seen.slot];
    if (seen.disabled) return Disabled;
    if (seen.over_bytes) return TailBytes;
    if (seen.over_packets) return TailPackets;
    if (seen.no_room) return NoRoom;
    if (!signal) return seen.ce ? PassCe : Pass;
    if (forced && seen.hard) return EarlyForced;
    if (seen.markless) return seen.protected_frame ? Protected : forced ? EarlyForced : EarlyProbability;
    return seen.ce ? CeSignalled : Mark;
  endfunction

  assign outcome_o = outcome(seen_q);

  // The same decision as `outcome_o`, in this cycle.
  logic refused, needs_protection;
  logic [2:0] stores;
  assign refused = no_room_i || full_i || !enable_i || (red_forced && kind_i.hard) || |(above_i & kind_i.step_hard);
  assign needs_protection = |(above_i & kind_i.step_drops) || (red_signal && kind_i.markless);

  // Some thirty registers follow this decision: B the first gate, P and the compares the second, what becomes of the
  // frame the third, each near to its gate. Their bits of `may_store_i` come from different registers, or Yosys would
  // make one gate of all.
  assign stores = (refused || (needs_protection && !protected_frame)) ? '0 : may_store_i;
  assign changes_o = {2{abort_i}} | stores[1:0];
  assign stores_o = stores[2];
  assign mark_o = kind_i.markable && (stepped || red_signal);

  `TM_ASSERT_STARTED(OneVerdict_A, changes_o == {2{abort_i || stores_o}},
                     "B, P and the frame do not follow the same verdict")

endmodule
