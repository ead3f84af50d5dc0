// SPDX-License-Identifier: BSD-3-Clause
// Which classes of which source must pause: the cells that each holds in a shared memory, against a limit that is fixed
// or follows what is free, by the rule of SAI's buffer profiles (`inc/saibuffer.h`). One engine for all.
//
// Contract:
// * In a cycle one cell may be taken for a class of a source, and one released. A stored frame's cells count once,
//   until its last copy has left.
// * xoff rises in the cycle after a cell was taken that brings a class above the limit. All are visited in turn, one a
//   cycle: there too it rises above the limit; and it falls at or below xon, max(`xon`, limit - `xon_offset`), but not
//   above the limit. None is visited in a cycle in which a cell raises xoff, or is taken for
//   the class whose turn it is.
// * The limit is `limit`, or 2^alpha of `free_i`, rounded down; it is that of the cycle before, and xon of two before.
// * What a class held when xoff rose is the measure of its headroom until xon: `overrun_o`, in the cycle after, says
//   that it holds more than that and `headroom_i` of its source.
`include "tm_assert.svh"

module tm_pfc_level
  import tm_pfc_pkg::*;
#(
    parameter  int unsigned SOURCES = 5,
    localparam int unsigned SourceW = (SOURCES > 1) ? $clog2(SOURCES) : 1
) (
    input  logic                                  clk_i,
    input  logic                                  rst_i,
    // from the pool
    input  logic                                  take_i,
    input  logic       [SourceW-1:0]              take_source_i,
    input  logic       [        2:0]              take_class_i,
    input  logic                                  release_i,
    input  logic       [SourceW-1:0]              release_source_i,
    input  logic       [        2:0]              release_class_i,
    input  logic       [ CellsW-1:0]              free_i,
    // config
    input  threshold_t                            threshold_i,
    input  logic       [SOURCES-1:0][ CellsW-1:0] headroom_i,
    input  logic       [Classes-1:0]              lossless_i,
    // to the ports
    output logic       [SOURCES-1:0][Classes-1:0] xoff_o,
    // events
    output logic                                  overrun_o
);

  localparam int unsigned Groups = SOURCES * Classes;  // {source, class}
  localparam int unsigned GroupW = $clog2(Groups);
  localparam int unsigned ShareW = CellsW + 3;
  typedef logic [GroupW-1:0] group_t;
  typedef logic [CellsW-1:0] cells_t;

  // ---- the limit and xon, for all ----
  cells_t limit_q, xon_q, below;
  logic [ShareW-1:0] share;
  logic [ShareW-1:0] available;
  assign available = ShareW'(free_i);
  assign share = threshold_i.alpha < 0 ? available >> 4'(-threshold_i.alpha) : available << threshold_i.alpha;
  assign below = limit_q > threshold_i.xon_offset ? limit_q - threshold_i.xon_offset : '0;

  always_ff @(posedge clk_i) begin
    if (!threshold_i.dynamic_limit) limit_q <= threshold_i.limit;
    else limit_q <= share[ShareW-1:CellsW] != '0 ? '1 : share[CellsW-1:0];
    xon_q <= below > threshold_i.xon ? below : threshold_i.xon;
  end

  // ---- what each holds, and held when xoff rose ----
  group_t taker, releaser, visited_q;
  cells_t [Groups-1:0] held_q, mark_q;
  cells_t taker_held, visited_held;
  logic [Groups-1:0] xoff_q;
  logic same, above, rises, visit, visit_above;

  assign taker        = group_t'({take_source_i, take_class_i});
  assign releaser     = group_t'({release_source_i, release_class_i});
  assign same         = take_i && release_i && taker == releaser;
  assign taker_held   = held_q[taker] + CellsW'(!same);
  assign above        = taker_held > limit_q && lossless_i[taker[2:0]];
  assign rises        = take_i && above && !xoff_q[taker];
  assign visited_held = held_q[visited_q];
  assign visit        = !rises && !(take_i && taker == visited_q);
  assign visit_above  = visited_held > limit_q && lossless_i[visited_q[2:0]];

  always_ff @(posedge clk_i) begin
    if (take_i && !same) held_q[taker] <= taker_held;
    if (release_i && !same) held_q[releaser] <= held_q[releaser] - 1'b1;
    if (visit) begin
      visited_q <= visited_q == group_t'(Groups - 1) ? '0 : visited_q + 1'b1;
      if (visit_above && !xoff_q[visited_q]) begin
        xoff_q[visited_q] <= 1'b1;
        mark_q[visited_q] <= visited_held;
      end
      if (!visit_above && (visited_held <= xon_q || !lossless_i[visited_q[2:0]])) xoff_q[visited_q] <= 1'b0;
    end
    if (rises) begin
      xoff_q[taker] <= 1'b1;
      mark_q[taker] <= held_q[taker];
    end
    overrun_o <= take_i && xoff_q[taker]
        && (CellsW + 1)'(taker_held) > (CellsW + 1)'(mark_q[taker]) + (CellsW + 1)'(headroom_i[take_source_i]);
    if (rst_i) begin
      held_q <= '0;
      {visited_q, xoff_q, overrun_o} <= '0;
    end
  end

  assign xoff_o = xoff_q;

  `TM_ASSERT_IF(Held_A, release_i, held_q[releaser] != '0, "a cell is released that the class does not hold")
  `TM_ASSERT(Threshold_A, !refused(threshold_i), "xon above xoff, or an alpha out of range: no configuration")

endmodule
