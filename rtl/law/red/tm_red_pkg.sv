// SPDX-License-Identifier: BSD-3-Clause
// What the parts of RED's shared unit tell each other: the visits to law slots (docs/red-rules.md, section "Cycles").
package tm_red_pkg;

  typedef logic [3:0] slot_t;  // port (of the up to eight of a unit) and slot

  // The scan of averages and curves (tm_red_turns): the last stage of a slot on its way, and in how many cycles each
  // slot begins once. What a step leaves must be kept before the slot begins again, so there are at least three ports.
  localparam int unsigned LastStage = 9;
  localparam int unsigned ScanSettle = 15;  // with a round: verdicts after a commit that find both slots below
  // With a round: verdicts after a draw as in Linux that signal nothing at random.
  localparam int unsigned ScanCount = 6;
  function automatic int unsigned scan_round(int unsigned ports);
    return (ports < 3) ? 6 : 2 * ports;
  endfunction

  // What a visit finds out about ARED, as soon as it is known.
  typedef struct packed {
    logic due;     // cycle 4: the interval has passed,
    logic rises;   // the average is above the band: maxp is to rise,
    logic falls;   // or below: to fall
    logic adapts;  // ARED is on; if not, nothing is due, rises or falls
  } found_t;

  typedef struct packed {
    slot_t  place;
    logic   asks;      // a step of the port has found ARED due
    logic   restarts;  // an interval of ARED begins
    logic   gone;      // from cycle 5: the port has been idle for so long that nothing is left of the average
    found_t found;
  } visit_t;

  // All visits under way. One begins in each phase 0 and is `here` in its cycles 0 to 2; `arrives` has its flags from
  // cycle 1 on. Then it is in a stage for three cycles each.
  typedef struct packed {
    logic [1:0] phase;
    slot_t      here;
    visit_t     arrives;
    visit_t     averaged;  // 2 to 4: average and passed time are compared
    visit_t     compared;  // 5 to 7: Linux's decay asks for its base
    visit_t     settled;   // 8 to 10: decay asks for its base, ARED for the maxp it has kept
    visit_t     moving;    // 11 to 13: maxp moves
    visit_t     ending;    // 14 to 16: the slot learns what is due, and takes what has changed
  } round_t;

  // Words of the configuration, each in the cycle of the visit in which it is shown.
  typedef struct packed {
    logic [31:0] first;   // 2 idle_reciprocal, 3 band_low, 4 idle_shift
    logic [31:0] second;  // 14 reciprocal, 3 band_high, 4 adapt_interval
    logic [31:0] third;   // 11 maxp, 3 settings, 13 bottom
  } words_t;

endpackage
