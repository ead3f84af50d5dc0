// SPDX-License-Identifier: BSD-3-Clause
// Counts the copies of each stored frame down, and walks the cells of those of which none is left back to the free
// list.
//
// Contract:
// * A frame that ends says how many copies there are and how many cells they are in (`close_i`), before any of them is
//   released. Releases are taken in turn, one in two cycles; `released_o` says whose.
// * Two frames are walked at a time, each a cell in two cycles, which is the time of a read: one cell a cycle.
//   `walk_o` says that a frame of so many cells is being walked, from the first `push_o` on, that one of them is free.
// * `lets_go_o` and `freed_o` say what a port no longer has: all `walk_cells_o` of a copy that was not the last one,
//   and each cell of the last copy as it is freed. They are the last one's until then. `freed_alone_o` are cells of
//   frames that were for one line alone.
`include "tm_assert.svh"

module tm_pool_walk
  import tm_pkg::MaxLines;
  import tm_pool_pkg::*;
#(
    parameter  int unsigned PORTS      = 5,
    parameter  int unsigned CELLS      = 64,
    parameter  int unsigned MOST_CELLS = 145,                                                // of a frame
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned CopiesW    = $clog2((PORTS < MaxLines ? PORTS : MaxLines) + 1),  // one a line
    localparam int unsigned ManyW      = $clog2(MOST_CELLS + 1)
) (
    input  logic                               clk_i,
    input  logic                               rst_i,
    // from the writer
    // verilator lint_off UNUSEDSIGNAL
    input  pool_close_t                        close_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic        [CellW-1:0]            close_cell_i,    // the frame's first
    // from and to the readers
    input  logic        [PORTS-1:0]            release_i,
    input  logic        [PORTS-1:0][CellW-1:0] release_cell_i,
    output logic        [PORTS-1:0]            released_o,
    // the cell behind one; two cycles later
    output logic        [CellW-1:0]            read_cell_o,
    input  logic        [CellW-1:0]            next_i,
    output logic                               next_used_o,
    // to the free list
    output logic                               push_o,
    output logic        [CellW-1:0]            push_cell_o,
    // a copy is released: of the frame whose first cell this is
    output logic                               count_o,
    output logic        [CellW-1:0]            count_cell_o,
    // events
    output logic                               walk_o,
    output logic        [ManyW-1:0]            walk_cells_o,
    output logic        [PORTS-1:0]            freed_o,
    output logic                               freed_alone_o,
    output logic        [PORTS-1:0]            lets_go_o,
    output logic                               fault_o          // a count's parity is wrong
);

  typedef struct packed {
    logic               alone;
    logic [CopiesW-1:0] copies;
    logic [ManyW-1:0]   cells;
  } count_t;

  // ---- the frame that ended, a cycle later ----
  logic close_q;
  logic [CellW-1:0] close_cell_q;
  count_t close_count_q;
  always_ff @(posedge clk_i) begin
    close_q       <= close_i.valid && !rst_i;
    close_cell_q  <= close_cell_i;
    close_count_q <= '{alone: close_i.alone, copies: close_i.copies[CopiesW-1:0], cells: close_i.cells[ManyW-1:0]};
  end

  // ---- one release after the other: picked, asked for, counted ----
  logic [PORTS-1:0] pick, picked_owner_q, asked_owner_q, owner_q;  // owner_q: whose copy cell_q is
  logic [CellW-1:0] picked_cell, picked_cell_q, asked_cell_q, cell_q;
  logic picked_q, ask, asked_q, counting_q, last, less, start, room, counted_q;
  logic again_q, left_q;  // the cell asked for is cell_q; what was counted last is less, and not freed
  count_t count_q, counted, read;
  logic parity_q, counted_parity, read_parity;

  tm_pool_turn #(
      .PORTS(PORTS)
  ) turn (
      .clk_i,
      .rst_i,
      .ask_i (release_i),
      .next_i(!picked_q || ask),
      .pick_o(pick)
  );

  always_comb begin
    picked_cell = '0;
    for (int unsigned p = 0; p < PORTS; p++) picked_cell |= {CellW{pick[p]}} & release_cell_i[p];
  end
  assign ask            = picked_q && !asked_q;
  assign released_o     = (!picked_q || ask) ? pick : '0;
  assign count_o        = asked_q && !counting_q;
  assign count_cell_o   = asked_cell_q;
  assign last           = count_q.copies == CopiesW'(1);
  assign less           = counting_q && !last && !close_q;
  assign start          = counting_q && last && room;
  assign counted        = '{alone: count_q.alone, copies: count_q.copies - 1'b1, cells: count_q.cells};
  // Of a copy less, by what changes: what was wrong stays wrong. After the last one nobody reads what is written.
  assign counted_parity = parity_q ^ ^(count_q.copies ^ counted.copies);

  always_ff @(posedge clk_i) begin
    if (!picked_q || ask) {picked_q, picked_owner_q, picked_cell_q} <= {release_i != '0, pick, picked_cell};
    if (ask) {asked_owner_q, asked_cell_q} <= {picked_owner_q, picked_cell_q};
    if (ask) again_q <= picked_cell_q == cell_q;
    asked_q <= asked_q ? !count_o : picked_q;
    // A count comes out of the memory late. One that was written as it was read, or since then, is still here.
    if (count_o) begin
      {owner_q, cell_q}   <= {asked_owner_q, asked_cell_q};
      {parity_q, count_q} <= (again_q && left_q) ? {counted_parity, counted} : {read_parity, read};
    end
    counting_q <= count_o || (counting_q && !less && !start);
    counted_q  <= count_o;
    left_q     <= less || (left_q && !start);
    if (rst_i) {picked_q, asked_q, counting_q, counted_q, left_q} <= '0;
  end

  tm_prim_ram #(
      .WIDTH($bits(count_t) + 1),
      .DEPTH(CELLS),
      .SPECULATIVE(1'b1)
  ) counts (
      .clk_i,
      .wr_en_i  (close_q || counting_q),
      .wr_addr_i(close_q ? close_cell_q : cell_q),
      .wr_data_i(close_q ? {^close_count_q, close_count_q} : {counted_parity, counted}),
      .rd_en_i  (ask),
      .rd_addr_i(picked_cell_q),
      .rd_data_o({read_parity, read})
  );
  assign fault_o = counted_q && parity_q != ^count_q;

  // ---- two walks, turn and turn about: [1] is the one whose cell is known in this cycle ----
  typedef struct packed {
    logic             valid;
    logic             alone;
    logic [ManyW-1:0] cells;  // yet to be freed
    logic [PORTS-1:0] owner;
  } walk_t;
  walk_t [1:0] walk_q;
  walk_t walk;
  logic [CellW-1:0] free_cell;
  logic goes_on;

  assign room = !walk_q[1].valid;
  assign walk = walk_q[1].valid ? walk_q[1] : '{
          valid: start,
          alone: count_q.alone,
          cells: count_q.cells,
          owner: owner_q
      };
  assign free_cell = walk_q[1].valid ? next_i : cell_q;
  assign next_used_o = walk_q[1].valid;
  assign goes_on = walk.valid && walk.cells != ManyW'(1);
  assign read_cell_o = free_cell;

  always_ff @(posedge clk_i) begin
    walk_o <= start && !rst_i;
    walk_cells_o <= count_q.cells;
    walk_q <= {walk_q[0], walk_t'{valid: goes_on, alone: walk.alone, cells: walk.cells - 1'b1, owner: walk.owner}};
    push_o <= walk.valid && !rst_i;
    push_cell_o <= free_cell;
    if (rst_i) walk_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    freed_o       <= walk.valid ? walk.owner : '0;
    freed_alone_o <= walk.alone;
    lets_go_o     <= less ? owner_q : '0;
    if (rst_i) {freed_o, lets_go_o} <= '0;
  end

  `TM_ASSERT_IF(Counted_A, counting_q, count_q.copies != '0 && count_q.cells != '0,
                "a frame is released more often than it was stored")
  `TM_ASSERT_IF(OneClose_A, close_q && counting_q, close_cell_q != cell_q,
                "a frame is released in the cycle that counts its copies")

endmodule
