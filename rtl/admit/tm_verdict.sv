// SPDX-License-Identifier: BSD-3-Clause
// The verdict on one arriving copy: limits first, then the law in the slot its ECN codepoint selects, then what the
// law's signal becomes for this frame (docs/verdict.md).
//
// Contract: inputs and `mark_o` are meaningful in the cycle of the verdict, `outcome_o` in the next. `stores_o` says in
// every cycle whether a frame is stored, and `changes_o` whether something else is held in the next: that, or with
// `abort_i` one is taken back. No gate stands behind the latter, for it sets dozens of registers. Signals come from the
// law of the frame's slot, `red_forced_i` only with `red_signal_i`, and `linux_i` with RED_LINUX only: in a slot of RED
// that is spaced as in Linux, `harddrop_i` is stronger than protection.
module tm_verdict
  import tm_pkg::*;
#(
    parameter bit FLAGS_VERDICT = 1'b0,  // the class is known at the verdict, so protection can look at it
    parameter bit RED_LINUX     = 1'b0
) (
    input  logic                clk_i,
    // from arrival
    input  logic                abort_i,         // a stored frame is taken back
    input  logic                may_store_i,     // a frame is judged, and is not wrong
    // from parse
    // A verdict looks at the codepoint, the class and one flag only.
    // verilator lint_off UNUSEDSIGNAL
    input  meta_t               meta_i,
    // verilator lint_on UNUSEDSIGNAL
    // from occupancy and buffer
    input  logic                over_bytes_i,
    input  logic                over_packets_i,
    input  logic                full_i,          // one of both, or no descriptor is left
    input  logic                no_room_i,
    // from the laws
    input  logic                step_signal_i,   // by what is held: certain, and known late
    input  logic                red_signal_i,    // with certainty (`red_forced_i`) or at random
    input  logic                red_forced_i,
    // config
    input  logic                enable_i,
    input  logic     [6:0][1:0] protect_i,
    input  logic                noecn_i,
    input  logic                harddrop_i,
    // Without RED_LINUX nothing looks at it.
    // verilator lint_off UNUSEDSIGNAL
    input  logic                linux_i,
    // verilator lint_on UNUSEDSIGNAL
    // the verdict
    output outcome_e            outcome_o,
    output logic                stores_o,
    output logic                changes_o,
    output logic                mark_o
);

  logic ect, markless;
  // Kept, with those below: what is known last, of the class or of what is held, meets words that are ready.
  (* keep *)logic hard;  // what is forced drops the frame, whatever protects it
  (* keep *)logic protected_frame;

  assign ect = meta_i.ecn == Ect0 || meta_i.ecn == Ect1;
  assign markless = meta_i.ecn == NotEct || noecn_i;
  assign hard = harddrop_i && (!markless || (RED_LINUX && linux_i && red_forced_i));
  assign protected_frame = FLAGS_VERDICT && protect_i[meta_i.class_id][meta_i.flags.ece];

  // What becomes of a frame for which there is room, with a signal of a law.
  function automatic outcome_e signalled(input logic forced);
    if (forced && hard) return EarlyForced;
    if (markless) return protected_frame ? Protected : forced ? EarlyForced : EarlyProbability;
    return ect ? Mark : CeSignalled;
  endfunction

  // The limits and the signals come late: the outcome is put together in the next cycle.
  outcome_e stepped_q, drawn_q, passed_q;
  logic disabled_q, over_bytes_q, over_packets_q, no_room_q, step_signal_q, red_signal_q;
  always_ff @(posedge clk_i) begin
    {step_signal_q, red_signal_q} <= {step_signal_i, red_signal_i};
    stepped_q <= signalled(1'b1);
    drawn_q <= signalled(red_forced_i);
    passed_q <= (meta_i.ecn == Ce) ? PassCe : Pass;
    {disabled_q, over_bytes_q, over_packets_q} <= {!enable_i, over_bytes_i, over_packets_i};
    no_room_q <= no_room_i || full_i;
  end

  always_comb begin
    outcome_o = step_signal_q ? stepped_q : red_signal_q ? drawn_q : passed_q;
    if (disabled_q) outcome_o = Disabled;
    else if (over_bytes_q) outcome_o = TailBytes;
    else if (over_packets_q) outcome_o = TailPackets;
    else if (no_room_q) outcome_o = NoRoom;
  end

  // The same decision as `outcome_o`, in this cycle.
  (* keep *) logic refused, at_stake;
  (* keep *) logic fits, needs_protection;  // with protection it is stored; without, dropped
  (* keep *) logic stores, changes;  // two gates, so that each stands next to what it sets
  assign refused          = !may_store_i || no_room_i || !enable_i || (red_forced_i && hard);
  assign at_stake         = red_signal_i && markless;
  assign fits             = !(refused || full_i || (step_signal_i && hard));
  assign needs_protection = at_stake || (step_signal_i && markless);
  assign changes          = abort_i || (fits && (protected_frame || !needs_protection));
  assign stores           = fits && (protected_frame || !needs_protection);
  assign stores_o         = stores;
  assign changes_o        = changes;
  assign mark_o           = ect && !noecn_i && (step_signal_i ? !hard : red_signal_i && !(red_forced_i && hard));

endmodule
