// SPDX-License-Identifier: BSD-3-Clause
// Puts the rows on the beat bus into cells, and follows the copies of the frame until it has ended.
//
// Contract:
// * Rows come as to tm_ring, once for all ports: `beat_ports_i` are those that a frame's first row is for. What a port
//   says of the frame (`rewind_i`: refused, or aborted) it says from the cycle after the first row to the one after the
//   last. Each row is put into a cell one cycle after it came, and written in the next.
// * A row that meets a list of free cells that runs out is not stored, nor is any behind it of its frame: `overflow_o`
//   says so from the next cycle on, until one with `beat_first_i`; every port must then say `rewind_i`.
// * When no copy is left, the frame's cells go back in the next cycle. A copy that has begun to leave is not rewound.
// * `close_o` says in the cycle of the last row how many copies there are, and how many cells they are in.
// * `takes_o` are the ports whose frame takes a cell in this cycle, `returns_o` those that let go of its
//   `back_cells_o`.
// * `charges_o` is the port, if there is one, whose reserve the cells of a frame are of: one for one line alone. It got
//   `refund_o` cells back in the cycle before, or paid them (below 0). Those of a frame that several queues of the line
//   might get are paid as soon as one is left. `close_o.alone` says that all cells were.
`include "tm_assert.svh"

module tm_pool_write
  import tm_pool_pkg::NumberW, tm_pool_pkg::pool_close_t;
#(
    parameter  int unsigned PORTS      = 5,
    parameter  int unsigned QUEUES     = 1,                                        // ports of a line
    parameter  int unsigned ROW_W      = 288,                                      // bits
    parameter  int unsigned CELLS      = 64,
    parameter  int unsigned CELL_ROWS  = 2,                                        // rows of a cell, a power of two
    parameter  int unsigned MOST_CELLS = 145,                                      // of a frame
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned PlaceW     = (CELL_ROWS > 1) ? $clog2(CELL_ROWS) : 1,
    localparam int unsigned ManyW      = $clog2(MOST_CELLS + 1),
    localparam int unsigned RowsW      = $clog2(MOST_CELLS * CELL_ROWS + 1)
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    // from parse and admit
    input  logic                     beat_valid_i,
    input  logic                     beat_first_i,
    input  logic                     beat_last_i,
    input  logic                     next_alone_i,   // the frame on the bus in the next cycle is for one line
    input  logic        [ PORTS-1:0] beat_ports_i,
    input  logic        [ ROW_W-1:0] beat_row_i,
    input  logic        [ PORTS-1:0] rewind_i,
    output logic                     overflow_o,
    output logic        [ CellW-1:0] frame_cell_o,   // the first one of the frame that had a row in the cycle before
    // from and to the free list
    input  logic                     stop_i,         // no frame that begins is stored any more
    input  logic                     low_i,
    input  logic        [ CellW-1:0] cell_i,
    output logic                     begin_o,
    // verilator lint_off UNOPTFLAT
    output logic                     take_o,
    output logic                     back_o,
    // verilator lint_on UNOPTFLAT
    output logic        [ ManyW-1:0] back_cells_o,
    // to the memories
    output logic                     write_o,
    output logic        [ CellW-1:0] write_cell_o,
    output logic        [PlaceW-1:0] write_place_o,
    output logic        [ ROW_W-1:0] write_row_o,
    output logic                     link_o,         // behind link_cell_o comes write_cell_o
    output logic        [ CellW-1:0] link_cell_o,
    // to the readers and the walker
    output logic        [ RowsW-1:0] rows_put_o,     // rows of the frame that were put before this cycle
    output pool_close_t              close_o,
    // to the ports' shares
    output logic        [ PORTS-1:0] takes_o,
    output logic        [ PORTS-1:0] returns_o,
    output logic        [ PORTS-1:0] charges_o,
    output logic signed [   ManyW:0] refund_o
);

  logic valid_q, first_q, last_q, fits_q, overflow_q, open_q, beat_alone_q, alone_q, begins, ends, put;
  logic [ROW_W-1:0] row_q;
  logic [PORTS-1:0] alive_q;
  // The structs to and from the ports look like a loop where no tool may split them; no bit depends on itself.
  // verilator lint_off UNOPTFLAT
  logic [PORTS-1:0] alive;
  logic close;
  // verilator lint_on UNOPTFLAT
  logic [CellW-1:0] first_cell_q, cell_q;
  logic [PlaceW-1:0] place_q, place;
  logic [ManyW-1:0] cells_q, cells;
  logic [RowsW-1:0] rows_q;

  // ---- the row, a cycle later: by then it is known whether the frame before it stays ----
  logic lost;
  assign lost = low_i || (stop_i && beat_first_i) || (overflow_q && !beat_first_i);
  always_ff @(posedge clk_i) begin
    valid_q <= beat_valid_i;
    {first_q, last_q, row_q} <= {beat_first_i, beat_last_i, beat_row_i};
    fits_q <= !lost;
    if (beat_valid_i) overflow_q <= lost;
    if (rst_i) {valid_q, overflow_q} <= '0;
  end

  // ---- its copies ----
  assign begins = valid_q && first_q;
  assign ends = valid_q && last_q;
  assign alive = alive_q & ~rewind_i;
  assign put = valid_q && fits_q && (begins || open_q) && alive != '0;
  assign back_o = open_q && !begins && cells_q != '0 && alive == '0;

  // ---- its cells ----
  assign place = begins ? '0 : place_q;
  assign begin_o = begins;
  assign take_o = put && place == '0;
  assign cells = (begins ? '0 : cells_q) + ManyW'(take_o);

  always_ff @(posedge clk_i) begin
    alive_q <= (beat_valid_i && beat_first_i) ? beat_ports_i : alive;
    beat_alone_q <= next_alone_i;
    if (beat_valid_i && beat_first_i) alone_q <= beat_alone_q;
    open_q  <= (begins || open_q) && !ends && alive != '0;
    cells_q <= back_o ? '0 : cells;
    rows_q  <= rows_put_o + RowsW'(put);
    if (begins) first_cell_q <= cell_i;
    if (take_o) cell_q <= cell_i;
    if (put) place_q <= (CELL_ROWS > 1) ? place + 1'b1 : '0;
    else if (begins) place_q <= '0;
    if (rst_i) {alive_q, open_q, cells_q, rows_q, place_q} <= '0;
  end

  // ---- and whose reserve they are of: nobody's as long as several queues might get the frame ----
  logic alone, charged;
  logic [ManyW:0] paid;
  if (QUEUES == 1) begin : gen_line
    assign {alone, charged} = {2{alone_q}};
    assign paid = (ManyW + 1)'(take_o);
  end else begin : gen_queues
    logic charged_q;
    assign alone   = alone_q && (alive & (alive - 1'b1)) == '0;
    assign charged = charged_q && !begins;
    assign paid    = charged ? (ManyW + 1)'(take_o) : (ManyW + 1)'(cells);
    always_ff @(posedge clk_i) charged_q <= charged || (alone && (begins || open_q));
  end
  always_ff @(posedge clk_i) begin
    refund_o  <= back_o ? (ManyW + 1)'(cells_q) : -paid;
    charges_o <= back_o ? returns_o & {PORTS{charged}} : alive & {PORTS{alone && (begins || open_q)}};
    if (rst_i) charges_o <= '0;
  end

  // Many block RAMs, all over the chip: what is written comes from registers.
  always_ff @(posedge clk_i) begin
    {write_o, link_o}                          <= {put, take_o && !begins};
    {write_cell_o, write_place_o, write_row_o} <= {take_o ? cell_i : cell_q, place, row_q};
    link_cell_o                                <= cell_q;
    if (rst_i) {write_o, link_o} <= '0;
  end

  assign overflow_o   = overflow_q && !beat_first_i;
  assign frame_cell_o = begins ? cell_i : first_cell_q;
  assign back_cells_o = cells_q;
  assign takes_o      = {PORTS{take_o}} & alive;
  assign returns_o    = {PORTS{open_q && !begins}} & alive_q & rewind_i;
  assign rows_put_o   = begins ? '0 : rows_q;
  // verilator lint_off UNOPTFLAT
  assign close        = ends && (begins || open_q) && alive != '0;
  // verilator lint_on UNOPTFLAT
  assign close_o      = '{valid: close, alone: alone, copies: 5'($countones(alive)), cells: NumberW'(cells)};

  `TM_ASSERT_IF(LostIsRefused_A, close, put, "a frame stays that lost a row")
  `TM_ASSERT_IF(FrameFits_A, take_o, begins || 32'(cells_q) < MOST_CELLS, "a frame takes more cells than a frame may")

endmodule
