// SPDX-License-Identifier: BSD-3-Clause
// Follows one port's frame from cell to cell, and keeps the rows that it has read until they have left.
//
// Contract:
// * `open_i` while `open_ready_o` begins to read the frame whose first cell and number of rows are given;
//   `open_arriving_i` says that it had not ended before this cycle. It may be opened while rows of the one before stand
//   here.
// * `want_o`, a register, asks for a read: a row of `cell_o`, or the number of the cell behind it, or both at once.
//   `issue_i` grants it; what was read comes two cycles later. So a port that is alone reads as many rows of a cell in
//   three cycles, or one in each with four rows a cell.
// * Rows are at hand in order (`valid_o`) until they are taken (`ready_i`). What was taken stands on `row_o` from the
//   next cycle on, until another is taken or a skip. When the last has been read the frame's first cell is offered for
//   release (`release_o`), until `released_i`.
// * `skip_i` lets go of all rows that are at hand, and of those of their frame that have not been read; no frame may be
//   opened behind it yet, and it must have ended.
// * A frame that arrives may turn out shorter than it was opened: the row that says it is the last ends it. Nothing is
//   asked for that has not been written.
`include "tm_assert.svh"

module tm_pool_port #(
    parameter  int unsigned ROW_W     = 288,                                      // bits
    parameter  int unsigned LAST      = 256,                                      // the bit that says a row is the last
    parameter  int unsigned CELLS     = 64,
    parameter  int unsigned CELL_ROWS = 2,
    parameter  int unsigned ROWS_W    = 9,                                        // bits that count a frame's rows
    parameter  int unsigned PLACES    = 8,                                        // of rows kept, a power of two
    localparam int unsigned CellW     = $clog2(CELLS),
    localparam int unsigned PlaceW    = (CELL_ROWS > 1) ? $clog2(CELL_ROWS) : 1,
    localparam int unsigned KeptW     = $clog2(PLACES)
) (
    input  logic              clk_i,
    input  logic              rst_i,
    // from and to depart
    input  logic              open_i,
    input  logic [ CellW-1:0] open_cell_i,
    input  logic [ROWS_W-1:0] open_rows_i,
    input  logic              open_arriving_i,
    output logic              open_ready_o,
    input  logic              skip_i,
    output logic              valid_o,
    input  logic              ready_i,
    output logic [ ROW_W-1:0] row_o,
    // from the writer
    input  logic              written_i,        // a row of the arriving frame was put into its cell in the cycle before
    input  logic [ROWS_W-1:0] rows_put_i,       // so many had been by then
    input  logic              closed_i,         // the arriving frame ended in the cycle before
    // from and to the memories
    output logic              want_o,
    output logic              next_o,           // the next cell's number is asked for
    output logic [ CellW-1:0] cell_o,
    output logic [PlaceW-1:0] place_o,
    input  logic              issue_i,
    input  logic [ ROW_W-1:0] read_row_i,
    input  logic [ CellW-1:0] read_next_i,
    // to and from the walker
    output logic              release_o,
    output logic [ CellW-1:0] release_cell_o,
    input  logic              released_i
);

  logic [CellW-1:0] first_q, cell_q, next_q, release_q;
  logic [PlaceW-1:0] place_q;
  logic [ROWS_W-1:0] left_q, here_q;  // rows yet to be read; how many of them are there
  logic arriving_q, cell_done_q;  // the frame has not ended; every row of the cell has been read
  logic asking_q, asked_q, next_there_q;  // the next cell's number is on its way; comes; is there
  logic releasing_q, owed_q;  // the cell in release_q is offered; first_q is to be
  // The row asked for one cycle ago, and two: it is the last that the frame was opened with.
  typedef struct packed {
    logic valid;
    logic last;
  } read_t;
  read_t asked_row_q, row_q;
  // One place is that of the row taken last.
  localparam logic [KeptW-1:0] Most = KeptW'(PLACES - 1);
  logic [KeptW-1:0] put_q, shown_q;
  logic [KeptW-1:0] kept_q, room_q;  // rows at hand; places for more that are not on their way

  // ---- what has been read ----
  // That a row is the last before its time comes late, out of the memory, and counts a cycle later.
  logic take_row, ended, short_q, read_out, done;
  assign ended    = read_row_i[LAST];
  assign take_row = row_q.valid;
  assign read_out = (take_row && row_q.last) || short_q;
  assign done     = read_out || (skip_i && (left_q != '0 || asked_row_q.valid));

  // ---- what is asked for in the next cycle: with a grant in this one, and without ----
  logic want_row_q, want_next_q, known, put, row_issued, last_place, moves, releases;
  logic one_more_here, next_written, next_unasked;
  assign put = written_i && arriving_q;
  assign known = next_there_q || asked_q;
  assign row_issued = issue_i && want_row_q;
  assign last_place = place_q == PlaceW'(CELL_ROWS - 1) || CELL_ROWS == 1;
  assign moves = known && (cell_done_q || (row_issued && last_place));
  assign releases = releasing_q || owed_q || read_out;

  // A last row waits for the release of the frame before. Reading one row leaves the next cell's first one as far away.
  assign next_written = 32'(here_q) > (cell_done_q ? 0 : CELL_ROWS - 32'(place_q));
  assign one_more_here = here_q > ROWS_W'(1) || (here_q == ROWS_W'(1) && put);
  assign next_unasked = !asking_q && !asked_q && !next_there_q;
  typedef struct packed {
    logic row;
    logic next;
  } want_t;
  // Who is granted is known last, and only chooses.
  (* keep *) want_t want_granted, want_waiting;
  always_comb begin
    want_waiting.row = left_q != '0 && (here_q != '0 || put) && room_q != '0 &&
                       !(left_q == ROWS_W'(1) && releases) && (known || !cell_done_q);
    want_waiting.next = ((known && cell_done_q) ? 32'(here_q) > CELL_ROWS : next_written && next_unasked) &&
                        (want_waiting.row || cell_done_q);
    want_granted = want_waiting;
    if (want_row_q) begin
      want_granted.row  = left_q != ROWS_W'(1) && one_more_here && room_q != KeptW'(1) &&
                          !(left_q == ROWS_W'(2) && releases) && (known || !last_place);
      want_granted.next = ((known && (cell_done_q || last_place)) ? 32'(here_q) > CELL_ROWS + 1
                           : next_written && next_unasked && !want_next_q) && (want_granted.row || last_place);
    end else if (!(known && cell_done_q) && want_next_q) want_granted.next = 1'b0;
  end

  assign want_o  = want_row_q || want_next_q;
  assign next_o  = want_next_q;
  assign cell_o  = cell_q;
  assign place_o = place_q;

  always_ff @(posedge clk_i) begin
    short_q                   <= take_row && ended && !row_q.last;
    asked_row_q               <= '{valid: row_issued, last: left_q == ROWS_W'(1)};
    row_q                     <= asked_row_q;
    asking_q                  <= issue_i && want_next_q;
    asked_q                   <= asking_q;
    {want_row_q, want_next_q} <= issue_i ? want_granted : want_waiting;
    here_q                    <= here_q + ROWS_W'(put) - ROWS_W'(row_issued);
    if (closed_i) arriving_q <= 1'b0;
    if (row_issued) begin
      left_q      <= left_q - 1'b1;
      place_q     <= place_q + 1'b1;
      cell_done_q <= last_place;
    end
    if (asked_q) {next_there_q, next_q} <= {1'b1, read_next_i};
    if (moves) begin
      cell_q                               <= asked_q ? read_next_i : next_q;
      {cell_done_q, next_there_q, place_q} <= '0;
    end
    if (short_q) left_q <= '0;
    if (open_i) begin
      {first_q, cell_q, left_q, arriving_q} <= {open_cell_i, open_cell_i, open_rows_i, open_arriving_i};
      here_q <= open_arriving_i ? rows_put_i : open_rows_i;
      {place_q, cell_done_q, next_there_q} <= '0;
      // Of a frame that arrives its first row is there.
      want_row_q <= room_q != '0 && !(open_rows_i == ROWS_W'(1) && releases);
      want_next_q <= room_q != '0 && !open_arriving_i && 32'(open_rows_i) > CELL_ROWS;
    end
    if (rst_i || skip_i) begin
      {left_q, here_q, arriving_q, asked_row_q.valid, row_q.valid, short_q} <= '0;
      {asking_q, asked_q, want_row_q, want_next_q}                          <= '0;
    end
  end

  // ---- release ----
  always_ff @(posedge clk_i) begin
    owed_q <= (done || owed_q) && releasing_q;
    if (!releasing_q) begin
      releasing_q <= done || owed_q;
      release_q   <= first_q;
    end else begin
      releasing_q <= !released_i;
    end
    if (rst_i) {owed_q, releasing_q} <= '0;
  end
  assign release_o = releasing_q;
  assign release_cell_o = release_q;
  assign open_ready_o   = left_q == '0 && !short_q && !asked_row_q.valid && !asking_q && !asked_q && !owed_q &&
                          !(read_out && releasing_q);

  // ---- rows ----
  logic taken, any_kept_q;
  typedef struct packed {
    logic any;
    logic [KeptW-1:0] kept;
    logic [KeptW-1:0] room;
  } ahead_t;
  // Whether a row is taken is known last, and only chooses.
  (* keep *) ahead_t when_taken, when_left;
  always_comb begin
    when_left.any   = kept_q != '0 || take_row;
    when_left.kept  = kept_q + KeptW'(take_row);
    when_left.room  = room_q - KeptW'(row_issued);
    when_taken.any  = kept_q > KeptW'(1) || (kept_q != '0 && take_row);
    when_taken.kept = when_left.kept - 1'b1;
    when_taken.room = when_left.room + 1'b1;
  end
  assign taken = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    put_q <= put_q + KeptW'(take_row);
    shown_q <= shown_q + KeptW'(taken);
    {any_kept_q, kept_q, room_q} <= taken ? when_taken : when_left;
    if (rst_i || skip_i) begin
      {put_q, kept_q, any_kept_q} <= '0;
      {shown_q, room_q}           <= {2{Most}};
    end
  end
  // One that comes to none is at hand at once.
  assign valid_o = any_kept_q || take_row;

  tm_prim_lut_ram #(
      .WIDTH(ROW_W),
      .DEPTH(PLACES)
  ) rows (
      .clk_i,
      .wr_en_i  (take_row),
      .wr_addr_i(put_q),
      .wr_data_i(read_row_i),
      .rd_addr_i(shown_q),
      .rd_data_o(row_o)
  );

  `TM_ASSERT_IF(OpenReady_A, open_i, open_ready_o && open_rows_i != '0,
                "a frame is opened before its turn, or without rows")
  `TM_ASSERT_IF(SkipAlone_A, skip_i, !open_i && !taken && !arriving_q,
                "a frame is skipped while a row of it is taken, it arrives, or another is opened")
  `TM_ASSERT_IF(Short_A, short_q, here_q == '0 && !asked_row_q.valid && !row_q.valid && !asking_q && !asked_q,
                "something was asked for behind a frame's last row")
  `TM_ASSERT_IF(RowsFit_A, take_row, kept_q != Most, "a row comes for which there is no place")
  `TM_ASSERT_IF(EndIsLast_A, take_row && row_q.last, ended, "a frame has more rows than it was opened with")

endmodule
