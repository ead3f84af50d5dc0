// SPDX-License-Identifier: BSD-3-Clause
// The verdict on one arriving copy: limits first, then the law in the slot its ECN codepoint selects, then what the
// law's signal becomes for this frame (docs/verdict.md).
//
// Contract: combinational; meaningful in the cycle of the verdict. `signal_i` and `forced_i` come from the law of the
// frame's slot, `linux_i` with RED_LINUX only: in a slot of RED that is spaced as in Linux, `harddrop_i` is stronger
// than protection.
module tm_verdict
  import tm_pkg::*;
#(
    parameter bit FLAGS_VERDICT = 1'b0,  // the class is known at the verdict, so protection can look at it
    parameter bit RED_LINUX     = 1'b0
) (
    // from parse
    // A verdict looks at the codepoint, the class and one flag only.
    // verilator lint_off UNUSEDSIGNAL
    input  meta_t               meta_i,
    // verilator lint_on UNUSEDSIGNAL
    // from occupancy and buffer
    input  logic                over_bytes_i,
    input  logic                over_packets_i,
    input  logic                no_room_i,
    // from the laws
    input  logic                signal_i,        // the law signals, with certainty (`forced`) or by chance
    input  logic                forced_i,
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
    output logic                store_o,
    output logic                mark_o
);

  logic protected_frame, ect, markless;

  assign ect = meta_i.ecn == Ect0 || meta_i.ecn == Ect1;
  assign markless = meta_i.ecn == NotEct || noecn_i;
  assign protected_frame = FLAGS_VERDICT && protect_i[meta_i.class_id][meta_i.flags.ece]
      && !(RED_LINUX && linux_i && forced_i && harddrop_i);

  // What the law makes of a frame for which there is room.
  outcome_e lawful;
  always_comb begin
    lawful = (meta_i.ecn == Ce) ? PassCe : Pass;
    if (signal_i) begin
      if (markless) lawful = protected_frame ? Protected : forced_i ? EarlyForced : EarlyProbability;
      else if (forced_i && harddrop_i) lawful = EarlyForced;
      else lawful = ect ? Mark : CeSignalled;
    end
  end

  always_comb begin
    outcome_o = lawful;
    if (!enable_i) outcome_o = Disabled;
    else if (over_bytes_i) outcome_o = TailBytes;
    else if (over_packets_i) outcome_o = TailPackets;
    else if (no_room_i) outcome_o = NoRoom;
  end

  // The same decision as `outcome_o`, written short: this is the path that closes the occupancy loop.
  logic early_drop;
  assign early_drop = lawful == EarlyForced || lawful == EarlyProbability;
  assign store_o = !(over_bytes_i || over_packets_i || no_room_i || !enable_i || early_drop);
  assign mark_o = lawful == Mark;

endmodule
