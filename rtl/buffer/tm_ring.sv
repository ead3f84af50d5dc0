// SPDX-License-Identifier: BSD-3-Clause
// One port's frame storage: a ring of rows into which a frame is written before its verdict and rewound if refused.
//
// Contract:
// * A row on the beat bus is written in its own cycle at the next free row. `rewind_i` takes back every row of the
//   frame that began last; a beat in the same cycle already goes to the place that the rewound frame began at.
// * One row is always kept free, so that writing before the verdict never harms a held frame. A frame that meets a
//   full ring sets `overflow_o` and stores nothing more; its owner must refuse it.
// * `look_i` reads the oldest row into `row_o` (next cycle, held until the next look); `fetch_i`, only ever with it and
//   while `available_o` is set, frees it. What a look without a fetch brings means nothing. So the memory's read does
//   not wait for what decides about the row.
// * `skip_i` frees the oldest rows unread, all in one cycle. They have all arrived. Never together with `fetch_i`.
// * With TWICE, `look_marked_i` says whether the bits in it are read as they leave marked (`beat_marked_i`).
// * `rows_used_o` less `freed_o` is what earlier frames hold: rows from the oldest unread one to the first of the
//   newest frame.
`include "tm_assert.svh"

module tm_ring #(
    parameter int unsigned ROW_W = 288,  // bits: nine for each byte of the data bus
    parameter int unsigned ROWS = 512,  // rows
    parameter STYLE = "block",  // ram_style of the rows
    parameter bit SKIP = 1'b0,  // frames may be skipped
    parameter logic [ROW_W-1:0] TWICE = '0,  // bits of a row that are kept marked as well (tm_row_ram)
    localparam int unsigned AddrW = $clog2(ROWS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from parse and admit
    input  logic             beat_valid_i,
    input  logic             beat_first_i,
    input  logic             beat_take_i,    // the row belongs to a frame this port is storing
    input  logic [ROW_W-1:0] beat_row_i,
    input  logic [ROW_W-1:0] beat_marked_i,  // the same row of a frame that is marked
    input  logic             rewind_i,
    output logic             overflow_o,
    output logic [AddrW-1:0] rows_used_o,
    output logic             freed_o,
    // to depart
    input  logic             look_i,
    input  logic             look_marked_i,  // with TWICE: as the frame leaves if it is marked
    input  logic             fetch_i,
    input  logic             skip_i,         // the oldest frame is not read: frees `skip_rows_i` rows
    input  logic [AddrW-1:0] skip_rows_i,
    output logic             available_o,
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

  logic [AddrW-1:0] write_q, write_here, write_next, start_q, start_here, read_q, read_next;
  logic overflow_q, fits, advance;

  always_comb begin
    write_here = rewind_i ? start_q : write_q;
    start_here = (beat_valid_i && beat_first_i && !rewind_i) ? write_q : start_q;
    write_next = next(write_here);
    // A rewind comes late: both answers are ready for it.
    fits       = rewind_i ? next(start_q) != read_q : next(write_q) != read_q;
    read_next  = (SKIP && skip_i) ? after(read_q, skip_rows_i) : next(read_q);
    advance    = beat_valid_i && beat_take_i && fits && !(overflow_q && !beat_first_i);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_q    <= '0;
      start_q    <= '0;
      read_q     <= '0;
      overflow_q <= 1'b0;
    end else begin
      // A place and the next one in one carry chain, without a choice between two behind it.
      if (PowerOfTwo) write_q <= write_here + AddrW'(advance);
      else write_q <= advance ? write_next : write_here;
      start_q <= start_here;
      if (beat_valid_i && beat_take_i) overflow_q <= !fits || (overflow_q && !beat_first_i);
      if (fetch_i || (SKIP && skip_i)) read_q <= read_next;
    end
  end

  // From one place to another, later one.
  function automatic logic [AddrW-1:0] between(input logic [AddrW-1:0] from, input logic [AddrW-1:0] to);
    return (!PowerOfTwo && to < from) ? to + AddrW'(ROWS) - from : to - from;
  endfunction

  // The difference is taken a cycle early, before a fetch of that cycle, so that it is ready when the frame is judged.
  // It is kept as its complement, from - to - 1: what is chosen last is subtracted, and needs no lookup table of its
  // own.
  if (SKIP) begin : gen_used
    assign rows_used_o = between(read_q, start_q);
    assign freed_o     = 1'b0;
  end else begin : gen_used_early
    logic [AddrW-1:0] not_used_q;
    always_ff @(posedge clk_i) begin
      if (PowerOfTwo) not_used_q <= AddrW'({read_q, 1'b0} - {start_here, 1'b1} >> 1);
      else not_used_q <= ~between(read_q, start_here);
      freed_o <= fetch_i;
      if (rst_i) {not_used_q, freed_o} <= {{AddrW{1'b1}}, 1'b0};
    end
    assign rows_used_o = ~not_used_q;
  end

  assign overflow_o  = overflow_q;
  assign available_o = read_q != write_q;

  tm_row_ram #(
      .ROW_W(ROW_W),
      .ROWS (ROWS),
      .STYLE(STYLE),
      .TWICE(TWICE)
  ) rows (
      .clk_i,
      .wr_en_i    (beat_valid_i),
      .wr_addr_i  (write_here),
      .wr_row_i   (beat_row_i),
      .wr_marked_i(beat_marked_i),
      .rd_en_i    (look_i && available_o),
      .rd_addr_i  (read_q),
      .rd_marked_i(look_marked_i),
      .rd_row_o   (row_o)
  );

  `TM_ASSERT_IF(FetchAvailable_A, fetch_i, available_o, "a row is fetched that is not there")
  `TM_ASSERT_IF(FetchSettled_A, fetch_i, look_i && !(beat_valid_i && write_here == read_q),
                "a fetch does not look, or at a row that is written in its cycle")
  `TM_ASSERT_IF(NeverFull_A, advance, write_next != read_q, "the spare row is written: a full ring looks empty")

endmodule
