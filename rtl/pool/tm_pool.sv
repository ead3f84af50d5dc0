// SPDX-License-Identifier: BSD-3-Clause
// One memory of cells in which all ports keep their frames, each frame once (docs/pool.md).
//
// Contract:
// * In: tm_pool_write's. A row is written before the verdict; a port that refuses or aborts its copy rewinds it.
// * Out: tm_pool_port's. A port opens the frame of a first cell, and takes its rows, or skips those that are left.
// * Each copy is, once: rewound, or opened and read to its end or skipped. With the last one the cells are freed.
// * free_cells_o + held_cells_o + walking_cells_o = CELLS.
// * After a parity error (`fault_o` names the memory: free, next, counts) no frame that begins is stored until a reset:
//   verdicts must refuse it.
`include "tm_assert.svh"

module tm_pool
  import tm_pkg::pool_share_t;
  import tm_pool_pkg::*;
#(
    parameter int unsigned PORTS = 5,
    parameter int unsigned QUEUES = 1,  // ports of a line
    parameter int unsigned ROW_W = 288,  // bits
    parameter int unsigned LAST = 256,  // the bit that says a row is the last
    parameter int unsigned CELLS = 64,
    parameter int unsigned CELL_ROWS = 2,  // rows of a cell, a power of two
    parameter int unsigned MOST_CELLS = 145,  // of a frame
    localparam int unsigned Most = tm_pool_pkg::counted_cells(MOST_CELLS, CELLS),
    localparam int unsigned CellW = $clog2(CELLS),
    localparam int unsigned PlaceW = (CELL_ROWS > 1) ? $clog2(CELL_ROWS) : 1,
    localparam int unsigned AddrW = CellW + $clog2(CELL_ROWS),
    localparam int unsigned RowsW = $clog2(Most * CELL_ROWS + 1),
    localparam int unsigned RoomW = $clog2(CELLS * CELL_ROWS),
    localparam int unsigned ManyW = $clog2(Most + 1)
) (
    input  logic                               clk_i,
    input  logic                               rst_i,
    // from parse and admit
    input  logic                               beat_valid_i,
    input  logic                               beat_first_i,
    input  pool_next_t                         next_frame_i,
    input  logic        [PORTS-1:0]            beat_ports_i,
    input  logic        [ROW_W-1:0]            beat_row_i,
    input  logic        [PORTS-1:0]            rewind_i,
    output logic                               overflow_o,
    output logic        [PORTS-1:0][RoomW-1:0] rows_used_o,
    output logic        [PORTS-1:0]            over_o,
    output logic                               full_o,
    // config
    input  pool_share_t [PORTS-1:0]            share_i,
    // from and to depart, port by port
    input  logic        [PORTS-1:0]            open_i,
    input  logic        [PORTS-1:0][CellW-1:0] open_cell_i,
    input  logic        [PORTS-1:0][RowsW-1:0] open_rows_i,
    input  logic        [PORTS-1:0]            open_arriving_i,
    output logic        [PORTS-1:0]            open_ready_o,
    input  logic        [PORTS-1:0]            skip_i,
    output logic        [PORTS-1:0]            valid_o,
    input  logic        [PORTS-1:0]            ready_i,
    output logic        [PORTS-1:0][ROW_W-1:0] row_o,
    // state
    output logic        [  CellW:0]            free_cells_o,
    output logic        [  CellW:0]            held_cells_o,
    output logic        [  CellW:0]            walking_cells_o,
    output logic        [PORTS-1:0][  CellW:0] port_cells_o,     // what each port has of those held and walking
    output pool_moves_t                        moves_o,
    output logic        [      2:0]            fault_o,
    output logic        [      7:0]            faults_o          // how many; 255 and more as 255
);

  logic begins, take, low, write_row, link, read, read_next, push, walk, count, freed_alone;
  // verilator lint_off UNOPTFLAT
  logic back;  // see tm_pool_write
  // verilator lint_on UNOPTFLAT
  logic [CellW-1:0]
      frame_cell, free_cell, write_cell, link_cell, read_cell, next, walk_cell, walk_next, push_cell, count_cell;
  logic [PlaceW-1:0] write_place, read_place;
  logic [ROW_W-1:0] written_row, row;
  logic [ManyW-1:0] back_cells, walk_cells;
  logic signed [ManyW:0] refund;
  logic [RowsW-1:0] rows_put;
  logic [PORTS-1:0] takes, returns, charges, freed, lets_go, releases, released;
  pool_close_t close;
  logic [PORTS-1:0][CellW-1:0] release_cell;
  logic next_used_q, walk_next_used, next_bad, walk_bad, free_fault, count_fault;
  logic [3:0] wrong_q;
  logic [1:0] stop_q;

  tm_pool_free #(
      .CELLS(CELLS)
  ) free (
      .clk_i,
      .rst_i,
      .begin_i    (begins),
      .take_i     (take),
      .back_i     (back),
      .low_o      (low),
      .cell_o     (free_cell),
      .push_i     (push),
      .push_cell_i(push_cell),
      .fault_o    (free_fault)
  );

  tm_pool_write #(
      .PORTS     (PORTS),
      .QUEUES    (QUEUES),
      .ROW_W     (ROW_W),
      .CELLS     (CELLS),
      .CELL_ROWS (CELL_ROWS),
      .MOST_CELLS(Most)
  ) write (
      .clk_i,
      .rst_i,
      .beat_valid_i,
      .beat_first_i,
      .beat_last_i  (beat_row_i[LAST]),
      .beat_ports_i,
      .next_alone_i (next_frame_i.alone),
      .beat_row_i,
      .rewind_i,
      .overflow_o,
      .frame_cell_o (frame_cell),
      .stop_i       (stop_q[1]),
      .low_i        (low),
      .cell_i       (free_cell),
      .begin_o      (begins),
      .take_o       (take),
      .back_o       (back),
      .back_cells_o (back_cells),
      .write_o      (write_row),
      .write_cell_o (write_cell),
      .write_place_o(write_place),
      .write_row_o  (written_row),
      .link_o       (link),
      .link_cell_o  (link_cell),
      .rows_put_o   (rows_put),
      .close_o      (close),
      .takes_o      (takes),
      .returns_o    (returns),
      .charges_o    (charges),
      .refund_o     (refund)
  );

  tm_pool_shares #(
      .PORTS     (PORTS),
      .CELLS     (CELLS),
      .CELL_ROWS (CELL_ROWS),
      .MOST_CELLS(Most)
  ) shares (
      .clk_i,
      .rst_i,
      .share_i,
      .next_frame_i,
      .begins_i      (beat_valid_i && beat_first_i),
      .moves_i       (moves_o),
      .takes_i       (takes),
      .returns_i     (returns),
      .charges_i     (charges),
      .refund_i      (refund),
      .freed_i       (freed),
      .freed_alone_i (freed_alone),
      .lets_go_i     (lets_go),
      .let_go_cells_i(walk_cells),
      .stop_i        (fault_o != '0),
      .used_cells_i  (held_cells_o + walking_cells_o),
      .rows_used_o,
      .over_o,
      .full_o,
      .port_cells_o
  );

  tm_pool_read #(
      .PORTS    (PORTS),
      .ROW_W    (ROW_W),
      .LAST     (LAST),
      .CELLS    (CELLS),
      .CELL_ROWS(CELL_ROWS),
      .ROWS_W   (RowsW)
  ) readers (
      .clk_i,
      .rst_i,
      .open_i,
      .open_cell_i,
      .open_rows_i,
      .open_arriving_i,
      .open_ready_o,
      .skip_i,
      .valid_o,
      .ready_i,
      .row_o,
      .written_i     (write_row),
      .rows_put_i    (rows_put),
      .close_i       (close.valid),
      .read_o        (read),
      .read_next_o   (read_next),
      .read_cell_o   (read_cell),
      .read_place_o  (read_place),
      .row_i         (row),
      .next_i        (next),
      .release_o     (releases),
      .release_cell_o(release_cell),
      .released_i    (released)
  );

  tm_pool_walk #(
      .PORTS     (PORTS),
      .CELLS     (CELLS),
      .MOST_CELLS(Most)
  ) walker (
      .clk_i,
      .rst_i,
      .close_i       (close),
      .close_cell_i  (frame_cell),
      .release_i     (releases),
      .release_cell_i(release_cell),
      .released_o    (released),
      .read_cell_o   (walk_cell),
      .next_i        (walk_next),
      .next_used_o   (walk_next_used),
      .push_o        (push),
      .push_cell_o   (push_cell),
      .count_o       (count),
      .count_cell_o  (count_cell),
      .walk_o        (walk),
      .walk_cells_o  (walk_cells),
      .freed_o       (freed),
      .freed_alone_o (freed_alone),
      .lets_go_o     (lets_go),
      .fault_o       (count_fault)
  );

  // ---- the rows ----
  tm_pool_rows #(
      .ROW_W(ROW_W),
      .ROWS (CELLS * CELL_ROWS)
  ) rows (
      .clk_i,
      .wr_en_i  (write_row),
      .wr_addr_i(AddrW'({write_cell, write_place} >> (PlaceW - $clog2(CELL_ROWS)))),
      .wr_data_i(written_row),
      .rd_en_i  (read),
      .rd_addr_i(AddrW'({read_cell, read_place} >> (PlaceW - $clog2(CELL_ROWS)))),
      .rd_data_o(row)
  );

  tm_pool_links #(
      .CELLS(CELLS)
  ) links (
      .clk_i,
      .link_i     (link),
      .link_cell_i(link_cell),
      .next_cell_i(write_cell),
      .read_i     (read_next),
      .read_cell_i(read_cell),
      .next_o     (next),
      .next_bad_o (next_bad),
      .walk_cell_i(walk_cell),
      .walk_next_o(walk_next),
      .walk_bad_o (walk_bad)
  );

  // ---- what flow control follows ----
  assign {moves_o.begins, moves_o.take, moves_o.back, moves_o.back_cells} = {begins, take, back, NumberW'(back_cells)};
  assign {moves_o.close, moves_o.close_cell} = {close.valid, NumberW'(frame_cell)};
  assign {moves_o.count, moves_o.count_cell} = {count, NumberW'(count_cell)};
  assign {moves_o.walk, moves_o.walk_cells} = {walk, NumberW'(walk_cells)};

  // ---- where the cells are ----
  // What becomes of the frame in the writer is known last, and only chooses.
  (* keep *) logic [1:0][CellW:0] left, taken, sent_back;  // free cells, and held ones
  assign left      = {free_cells_o + (CellW + 1)'(push), held_cells_o - (walk ? (CellW + 1)'(walk_cells) : '0)};
  assign taken     = {free_cells_o - (CellW + 1)'(!push), left[0] + 1'b1};
  assign sent_back = {left[1] + (CellW + 1)'(back_cells), left[0] - (CellW + 1)'(back_cells)};
  always_ff @(posedge clk_i) begin
    {free_cells_o, held_cells_o} <= back ? sent_back : take ? taken : left;
    walking_cells_o <= walking_cells_o + (walk ? (CellW + 1)'(walk_cells) : '0) - (CellW + 1)'(push);
    if (rst_i) begin
      free_cells_o                    <= (CellW + 1)'(CELLS);
      {held_cells_o, walking_cells_o} <= '0;
    end
  end

  // ---- what is wrong ----
  // A parity is of what comes out of a block RAM: it counts a cycle later.
  always_ff @(posedge clk_i) begin
    next_used_q <= read_next;
    wrong_q     <= {count_fault, next_used_q && next_bad, walk_next_used && walk_bad, free_fault};
    fault_o     <= fault_o | {wrong_q[3], |wrong_q[2:1], wrong_q[0]};
    if (wrong_q != '0 && faults_o != '1) faults_o <= faults_o + 1'b1;
    // The verdict of a frame that begins in this cycle knows it.
    stop_q <= {stop_q[0], fault_o != '0};
    if (rst_i) {next_used_q, wrong_q, fault_o, faults_o, stop_q} <= '0;
  end

  `TM_ASSERT(NoCellLost_A, 32'(free_cells_o) + 32'(held_cells_o) + 32'(walking_cells_o) == CELLS,
             "cells are lost or doubled")

endmodule
