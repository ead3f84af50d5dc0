// SPDX-License-Identifier: BSD-3-Clause
// Which classes of which source must pause: the cells that each holds in a shared memory, against a limit that is fixed
// or follows what is free, by the rule of SAI's buffer profiles (`inc/saibuffer.h`). One engine for all.
//
// Contract:
// * In a cycle a class of a source may take a cell or give back some (`take_i`, `back_i`), as its frame is written, and
//   another or the same may let go of a frame (`walk_i`): what tm_pool tells. A stored frame's cells count once, until
//   its last copy has left.
// * xoff rises six cycles after a cell was taken that brings a class above the limit. It falls six cycles after a
//   walk that leaves the class at or below xon, max(`xon`, limit - `xon_offset`), but not above the limit. In each
//   cycle without a walk the next class of all is visited: there too xoff rises or falls, as the limit may have moved.
// * The limit is `limit`, or 2^alpha of `free_i`, rounded down; it is that of four cycles after the event, and xon of
//   two.
// * What a class held before the cell that raised xoff, or at the visit that did, is the measure of its headroom until
//   xon: `overrun_o`, eight cycles after a cell was taken, says that it holds more than that and `headroom_i` of its
//   source.
`include "tm_assert.svh"

module tm_pfc_level
  import tm_pfc_pkg::*;
#(
    parameter  int unsigned SOURCES    = 5,
    parameter  int unsigned CELLS      = 40960,                                // of the memory
    parameter  int unsigned MOST_CELLS = 145,                                  // of a frame
    localparam int unsigned SourceW    = (SOURCES > 1) ? $clog2(SOURCES) : 1,
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned ManyW      = $clog2(MOST_CELLS + 1)
) (
    input  logic                                  clk_i,
    input  logic                                  rst_i,
    // from the pool
    input  logic                                  take_i,
    input  logic                                  back_i,
    input  logic       [SourceW-1:0]              frame_source_i,
    input  logic       [        2:0]              frame_class_i,
    input  logic       [  ManyW-1:0]              back_cells_i,
    input  logic                                  walk_i,
    input  logic       [SourceW-1:0]              walk_source_i,
    input  logic       [        2:0]              walk_class_i,
    input  logic       [  ManyW-1:0]              walk_cells_i,
    input  logic       [    CellW:0]              free_i,
    // config
    input  threshold_t                            threshold_i,
    input  logic       [SOURCES-1:0][ CellsW-1:0] headroom_i,
    input  logic       [SOURCES-1:0][Classes-1:0] lossless_i,
    // to the ports
    output logic       [SOURCES-1:0][Classes-1:0] xoff_o,
    // events
    output logic                                  overrun_o
);

  localparam int unsigned Groups = SOURCES * Classes;  // {source, class}
  localparam int unsigned GroupW = $clog2(Groups);
  localparam int unsigned HeldW = CellW + 1;
  localparam int unsigned ShareW = HeldW + 3;
  typedef logic [GroupW-1:0] group_t;
  typedef logic [HeldW-1:0] held_t;  // cells of a class; sums of those taken and let go of wrap

  // ---- the limit and xon, for all ----
  held_t limit_q, below_q, xon_q;
  logic [ShareW-1:0] available, share;
  assign available = ShareW'(free_i);
  assign share     = threshold_i.alpha < 0 ? available >> 4'(-threshold_i.alpha) : available << threshold_i.alpha;

  // In a count of cells: what is more than that can be is all ones.
  function automatic held_t saturated(input logic [CellsW-1:0] cells);
    return CellsW'(held_t'(cells)) == cells ? held_t'(cells) : '1;
  endfunction
  held_t xon, offset;
  assign xon    = saturated(threshold_i.xon);
  assign offset = threshold_i.xon_offset == NoOffset ? '1 : saturated(threshold_i.xon_offset);

  always_ff @(posedge clk_i) begin
    if (!threshold_i.dynamic_limit) limit_q <= held_t'(threshold_i.limit);
    else limit_q <= share[ShareW-1:HeldW] != '0 ? '1 : share[HeldW-1:0];
    below_q <= limit_q > offset ? limit_q - offset : '0;
    xon_q   <= below_q > xon ? below_q : xon;
  end

  // ---- what is told, a cycle later, and whose turn it is ----
  typedef struct packed {
    logic   valid;
    logic   take;         // and not back
    group_t group;
    logic   behind_put;   // of the same class as the put in the cycle before
    logic   behind_look;  // as the look
  } put_t;
  typedef struct packed {
    logic   valid;        // 0 only behind a reset
    logic   walk;         // and not a visit
    group_t group;
    logic   behind_put;
    logic   behind_look;
    logic   beside;       // as the put in the same cycle
  } look_t;

  typedef struct packed {
    logic   valid;
    logic   take;
    group_t group;
  } told_put_t;
  typedef struct packed {
    logic   walk;
    group_t group;
  } told_walk_t;
  told_put_t  put_q;
  told_walk_t walk_q;
  group_t visited_q, look;
  held_t change_q, gone_q;
  assign look = walk_q.walk ? walk_q.group : visited_q;

  always_ff @(posedge clk_i) begin
    put_q    <= '{valid: take_i || back_i, take: take_i, group: group_t'({frame_source_i, frame_class_i})};
    change_q <= take_i ? held_t'(1) : -held_t'(back_cells_i);
    walk_q   <= '{walk: walk_i, group: group_t'({walk_source_i, walk_class_i})};
    gone_q   <= walk_i ? held_t'(walk_cells_i) : '0;
    if (!walk_q.walk) visited_q <= visited_q == group_t'(Groups - 1) ? '0 : visited_q + 1'b1;
    if (rst_i) {put_q.valid, walk_q.walk, visited_q, gone_q} <= '0;
  end

  // ---- what each has taken, and let go of: a memory each, since both may change in a cycle ----
  // A class that has taken nothing since the reset has taken as much as it let go of: memories are not reset.
  logic [Groups-1:0] used_q;
  put_t put_1_q;
  look_t look_1_q;
  held_t [1:0] taken_read, taken_read_q, released_read, released_read_q;  // [1] for the put, [0] for the look
  logic [1:0] used_read_q;
  held_t change_1_q, gone_1_q, taken, taken_q, released, released_q;

  tm_prim_lut_ram #(
      .WIDTH(HeldW),
      .DEPTH(Groups),
      .READS(2)
  ) taken_cells (
      .clk_i,
      .wr_en_i  (put_1_q.valid),
      .wr_addr_i(put_1_q.group),
      .wr_data_i(taken),
      .rd_addr_i({put_q.group, look}),
      .rd_data_o(taken_read)
  );

  tm_prim_lut_ram #(
      .WIDTH(HeldW),
      .DEPTH(Groups),
      .READS(2)
  ) released_cells (
      .clk_i,
      .wr_en_i  (look_1_q.walk),
      .wr_addr_i(look_1_q.group),
      .wr_data_i(released),
      .rd_addr_i({put_q.group, look}),
      .rd_data_o(released_read)
  );

  always_ff @(posedge clk_i) begin
    put_1_q <= '{
        valid: put_q.valid,
        take: put_q.take,
        group: put_q.group,
        behind_put: put_1_q.valid && put_1_q.group == put_q.group,
        behind_look: look_1_q.valid && look_1_q.group == put_q.group
    };
    look_1_q <= '{
        valid: 1'b1,
        walk: walk_q.walk,
        group: look,
        behind_put: put_1_q.valid && put_1_q.group == look,
        behind_look: look_1_q.valid && look_1_q.group == look,
        beside: put_q.valid && put_q.group == look
    };
    {change_1_q, gone_1_q} <= {change_q, gone_q};
    {taken_read_q, released_read_q} <= {taken_read, released_read};
    used_read_q <= {used_q[put_q.group], used_q[look]};
    if (put_q.valid) used_q[put_q.group] <= 1'b1;
    if (rst_i) {put_1_q.valid, look_1_q.valid, look_1_q.walk, used_q} <= '0;
  end

  // A word read is older than what is known of the class in the cycle before, or by the other in the same one.
  held_t taken_before, taken_of_look, released_before;
  assign taken_before = put_1_q.behind_put ? taken_q : used_read_q[1] ? taken_read_q[1] : released_read_q[1];
  assign taken = taken_before + change_1_q;
  assign taken_of_look = look_1_q.behind_put ? taken_q : used_read_q[0] ? taken_read_q[0] : released_read_q[0];
  assign released_before = look_1_q.behind_look ? released_q : released_read_q[0];
  assign released = released_before + gone_1_q;

  // ---- so it holds ----
  logic [Groups-1:0] xoff_q, lossless;
  put_t put_2_q, put_3_q, put_4_q;
  // verilator lint_off UNUSEDSIGNAL
  look_t look_2_q, look_3_q, look_4_q;  // where its word is read counts no more in the last
  // verilator lint_on UNUSEDSIGNAL
  held_t put_released_q, look_taken_q, put_held_3_q, put_held_4_q, look_held_3_q, look_held_4_q;
  logic put_above_q, look_above_q, look_low_q, put_off_q, look_off_q;
  logic [CellsW-1:0] headroom_q;

  assign lossless = lossless_i;
  always_ff @(posedge clk_i) begin
    {put_4_q, put_3_q, put_2_q} <= {put_3_q, put_2_q, put_1_q};
    {look_4_q, look_3_q, look_2_q} <= {look_3_q, look_2_q, look_1_q};

    {taken_q, released_q} <= {taken, released};
    put_released_q <= look_1_q.beside ? released : put_1_q.behind_look ? released_q : released_read_q[1];
    look_taken_q <= look_1_q.beside ? taken : taken_of_look;

    put_held_3_q <= taken_q - put_released_q;
    look_held_3_q <= look_taken_q - released_q;

    {put_held_4_q, look_held_4_q} <= {put_held_3_q, look_held_3_q};
    put_above_q <= put_held_3_q > limit_q && lossless[put_3_q.group];
    look_above_q <= look_3_q.valid && look_held_3_q > limit_q && lossless[look_3_q.group];
    look_low_q <= look_3_q.valid && (look_held_3_q <= xon_q || !lossless[look_3_q.group]);
    headroom_q <= headroom_i[SourceW'(put_3_q.group>>3)];
    {put_off_q, look_off_q} <= {xoff_q[put_3_q.group], xoff_q[look_3_q.group]};
    if (rst_i) begin
      {put_2_q.valid, put_3_q.valid, put_4_q.valid} <= '0;
      {look_2_q.valid, look_3_q.valid, look_above_q, look_low_q} <= '0;
    end
  end

  // ---- xoff, and what was held when it rose ----
  typedef struct packed {
    logic  taken;  // with the cell that raised it
    held_t held;
  } mark_t;

  logic put_off, look_off, put_rises, look_rises, falls, put_after_q, look_after_q, measured_5_q, measured_6_q;
  mark_t mark, mark_now, mark_q;
  held_t put_held_5_q;
  logic [CellsW-1:0] headroom_5_q;
  logic [CellsW+1:0] beyond_q, most_q;  // more than most_q is an overrun

  assign put_off    = put_4_q.behind_look ? look_after_q : put_4_q.behind_put ? put_after_q : put_off_q;
  assign look_off   = look_4_q.behind_look ? look_after_q : look_4_q.behind_put ? put_after_q : look_off_q;
  assign put_rises  = put_4_q.valid && put_4_q.take && put_above_q && !put_off;
  assign look_rises = look_above_q && !look_off && !put_rises;
  assign falls      = !look_above_q && look_low_q;
  assign mark_now   = put_rises ? '{taken: 1'b1, held: put_held_4_q} : '{taken: 1'b0, held: look_held_4_q};

  tm_prim_lut_ram #(
      .WIDTH($bits(mark_t)),
      .DEPTH(Groups)
  ) marks (
      .clk_i,
      .wr_en_i  (put_rises || look_rises),
      .wr_addr_i(put_rises ? put_4_q.group : look_4_q.group),
      .wr_data_i(mark_now),
      .rd_addr_i(put_4_q.group),
      .rd_data_o(mark)
  );

  always_ff @(posedge clk_i) begin
    if (look_rises) xoff_q[look_4_q.group] <= 1'b1;
    if (falls) xoff_q[look_4_q.group] <= 1'b0;
    if (put_rises) xoff_q[put_4_q.group] <= 1'b1;

    put_after_q  <= put_off || put_rises;
    look_after_q <= (look_off || look_rises || (look_4_q.beside && put_rises)) && !falls;

    measured_5_q <= put_4_q.valid && put_4_q.take && put_off;
    put_held_5_q <= put_held_4_q;
    headroom_5_q <= headroom_q;
    mark_q       <= mark;

    measured_6_q <= measured_5_q;
    beyond_q     <= (CellsW + 2)'(put_held_5_q) + (CellsW + 2)'(mark_q.taken);
    most_q       <= (CellsW + 2)'(mark_q.held) + (CellsW + 2)'(headroom_5_q);
    overrun_o    <= measured_6_q && beyond_q > most_q;
    if (rst_i) {xoff_q, measured_5_q, measured_6_q, overrun_o} <= '0;
  end

  assign xoff_o = xoff_q;

  `TM_ASSERT(Held_A, 32'(put_held_3_q) <= CELLS || !put_3_q.valid,
             "a frame gives back cells that its class does not hold")
  `TM_ASSERT(Walked_A, 32'(look_held_3_q) <= CELLS || !look_3_q.walk,
             "a frame is let go of that the class does not hold")
  `TM_ASSERT_IF(OneChange_A, take_i, !back_i, "a frame takes a cell and gives back cells in one cycle")
  `TM_ASSERT(Threshold_A, !refused(threshold_i), "xon above xoff, or an alpha out of range: no configuration")

endmodule
