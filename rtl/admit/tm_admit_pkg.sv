// SPDX-License-Identifier: BSD-3-Clause
// What the ECN codepoint of a frame makes of it (docs/verdict.md), worked out of the configuration before the frame
// comes: what is held and what the laws say is known last, and meets it in few gates.
package tm_admit_pkg;
  import tm_pkg::*;

  typedef struct packed {
    logic       slot;        // whose law judges it
    logic       ce;          // it arrived CE
    logic       markable;    // a signal marks it
    logic       markless;    // a signal drops it, unless it is protected
    logic       hard;        // a forced signal drops it, whatever protects it
    logic       deferred;    // the step law judges it as it leaves
    // A bit for each slot; only that of the frame's slot can be set.
    logic [1:0] step;        // the step law judges it as it comes
    logic [1:0] step_drops;  // and its signal drops it, unless it is protected
    logic [1:0] step_hard;   // and its signal drops it, whatever protects it
  } kind_t;

  // In a slot of RED that is spaced as in Linux, `harddrop` is stronger than protection. Of a build and a configuration
  // few fields count here.
  // verilator lint_off UNUSEDSIGNAL
  function automatic kind_t kind_of(input build_t build, input cfg_t cfg, input ecn_e ecn);
    logic ect, slot, defers, linux;
    kind_t kind;
    ect             = ecn == Ect0 || ecn == Ect1;
    slot            = cfg.slot_of[ecn];
    defers          = build.mark_on_departure && cfg.mark_on_departure && ect;
    linux           = build.red_linux && cfg.law[slot] == LawRed && cfg.red[slot].spacing == Linux;
    kind.slot       = slot;
    kind.ce         = ecn == Ce;
    kind.markable   = ect && !cfg.noecn;
    kind.markless   = ecn == NotEct || cfg.noecn;
    kind.hard       = cfg.harddrop && (!kind.markless || linux);
    kind.deferred   = cfg.law[slot] == LawStep && defers;
    kind.step       = (cfg.law[slot] == LawStep && !defers) ? 2'b01 << slot : 2'b00;
    kind.step_drops = kind.markless ? kind.step : 2'b00;
    kind.step_hard  = kind.hard ? kind.step : 2'b00;
    return kind;
  endfunction
  // verilator lint_on UNUSEDSIGNAL

endpackage
