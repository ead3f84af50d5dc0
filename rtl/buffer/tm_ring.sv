// SPDX-License-Identifier: BSD-3-Clause
// One port's frame storage: a ring of rows into which a frame is written before its verdict and rewound if refused.
//
// Contract:
// * A row on the beat bus is written in its own cycle at the next free row. `rewind_i` takes back every row of the
//   frame that began last; a beat in the same cycle already goes to the place that the rewound frame began at.
// * A row that meets a ring with fewer than NearlyFull rows free, counted two cycles ago, is not stored: `overflow_o`
//   says so from the next cycle on, until one with `beat_first_i`, and the frame's owner must refuse it. A frame that
//   fits leaves SpareRows free.
// * `look_i` reads the oldest row into `row_o` (next cycle, held until the next look); `fetch_i`, only ever with it and
//   while the row is there, frees it. What a look without a fetch brings means nothing. So the memory's read does
//   not wait for what decides about the row. `available_o` says that the oldest row is there; it may be of a frame that
//   is taken back.
// * `skip_i` frees the oldest rows unread, all in one cycle. They have all arrived. Never together with `fetch_i`.
//   `blocked_o`: it takes longer, and no row may be fetched yet.
// * With TWICE, `marked_i`, of the look or with MARK_LATE of the row that is shown, says whether the bits in it are
//   those of a marked frame (`beat_marked_i`).
// * `rows_used_o` is what the frames hold that came before the one judged in the next cycle, as it was a cycle ago.
`include "tm_assert.svh"

module tm_ring
  import tm_pkg::*;
#(
    parameter int unsigned ROW_W = 288,  // bits: nine for each byte of the data bus
    parameter int unsigned ROWS = 512,  // rows
    parameter STYLE = "block",  // ram_style of the rows
    parameter bit SKIP = 1'b0,  // frames may be skipped
    parameter logic [ROW_W-1:0] TWICE = '0,  // bits of a row that are kept marked as well (tm_row_ram)
    parameter bit MARK_LATE = 1'b0,  // with TWICE: `marked_i` is of the row that is shown
    localparam int unsigned AddrW = $clog2(ROWS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from parse and admit
    input  logic             beat_valid_i,
    input  logic             beat_first_i,
    input  logic             next_new_i,     // a frame that is judged in two cycles has not begun before this cycle
    input  logic             beat_take_i,    // the row belongs to a frame this port is storing
    input  logic [ROW_W-1:0] beat_row_i,
    input  logic [ROW_W-1:0] beat_marked_i,  // the same row of a frame that is marked
    input  logic             rewind_i,
    output logic             overflow_o,
    output logic [AddrW-1:0] rows_used_o,
    // to depart
    input  logic             look_i,
    input  logic             marked_i,       // with TWICE: as the frame leaves if it is marked
    input  logic             fetch_i,
    input  logic             skip_i,         // the oldest frame is not read: frees `skip_rows_i` rows
    input  logic [AddrW-1:0] skip_rows_i,
    output logic             available_o,
    output logic             blocked_o,
    output logic [ROW_W-1:0] row_o
);

  localparam bit PowerOfTwo = (1 << AddrW) == ROWS;

  function automatic logic [AddrW-1:0] next(input logic [AddrW-1:0] address);
    return (!PowerOfTwo && address == AddrW'(ROWS - 1)) ? '0 : address + AddrW'(1);
  endfunction

  // `rows` further on.
  function automatic logic [AddrW-1:0] after(input logic [AddrW-1:0] address, input logic [AddrW-1:0] rows);
    logic [AddrW:0] sum;
    sum = {1'b0, address} + {1'b0, rows};
    return (!PowerOfTwo && sum >= (AddrW + 1)'(ROWS)) ? AddrW'(sum - (AddrW + 1)'(ROWS)) : sum[AddrW-1:0];
  endfunction

  logic [AddrW-1:0] write_q, write_here, start_q, read_q, read_next, base;
  logic overflow_q, full_q, begins, advance, available_q;

  assign begins     = beat_valid_i && beat_first_i;
  assign write_here = rewind_i ? start_q : write_q;
  assign base       = (!rewind_i && (next_new_i || begins)) ? write_q : start_q;
  assign advance    = beat_valid_i && beat_take_i && !full_q;
  assign read_next  = (SKIP && skip_i) ? after(read_q, skip_rows_i) : next(read_q);

  always_ff @(posedge clk_i) begin
    // A place and the next one in one carry chain, without a choice between two behind it.
    if (PowerOfTwo) write_q <= write_here + AddrW'(advance);
    else write_q <= advance ? next(write_here) : write_here;
    if (begins) start_q <= write_here;
    if (beat_valid_i && beat_take_i) overflow_q <= full_q || (overflow_q && !beat_first_i);
    if (fetch_i || (SKIP && skip_i)) read_q <= read_next;
    // The fetch comes late: both answers are ready for it.
    available_q <= advance || (fetch_i ? next(read_q) != write_q : read_q != write_q);
    if (rst_i) {write_q, start_q, read_q, overflow_q, available_q} <= '0;
  end

  // From one place to another, later one.
  function automatic logic [AddrW-1:0] between(input logic [AddrW-1:0] from, input logic [AddrW-1:0] to);
    return (!PowerOfTwo && to < from) ? to + AddrW'(ROWS) - from : to - from;
  endfunction

  // A difference is kept as its complement, from - to - 1: what is chosen last is subtracted, and needs no lookup table
  // of its own.
  logic [AddrW-1:0] not_used_q, level_q;
  always_ff @(posedge clk_i) begin
    if (PowerOfTwo) not_used_q <= AddrW'({read_q, 1'b0} - {base, 1'b1} >> 1);
    else not_used_q <= ~between(read_q, base);
    level_q <= between(read_q, write_here);
    full_q  <= level_q >= AddrW'(ROWS - NearlyFull);
    if (rst_i) {not_used_q, level_q, full_q} <= {{AddrW{1'b1}}, AddrW'(0), 1'b0};
  end

  assign rows_used_o = ~not_used_q;
  assign overflow_o  = overflow_q && !beat_first_i;
  assign available_o = available_q;
  assign blocked_o   = 1'b0;

  tm_row_ram #(
      .ROW_W(ROW_W),
      .ROWS(ROWS),
      .STYLE(STYLE),
      .TWICE(TWICE),
      .MARK_LATE(MARK_LATE)
  ) rows (
      .clk_i,
      .wr_en_i    (beat_valid_i),
      .wr_addr_i  (write_here),
      .wr_row_i   (beat_row_i),
      .wr_marked_i(beat_marked_i),
      .rd_en_i    (look_i),
      .rd_addr_i  (read_q),
      .rd_marked_i(marked_i),
      .rd_row_o   (row_o)
  );

  `TM_ASSERT_IF(FetchAvailable_A, fetch_i, available_o, "a row is fetched that is not there")
  `TM_ASSERT_IF(FetchSettled_A, fetch_i, look_i && !(beat_valid_i && write_here == read_q),
                "a fetch does not look, or at a row that is written in its cycle")
  `TM_ASSERT_IF(NeverFull_A, advance, next(write_here) != read_q, "the spare row is written: a full ring looks empty")

endmodule
