// SPDX-License-Identifier: BSD-3-Clause
// A ring whose rows live in a large slow memory (UltraRAM), with its oldest rows kept in a small fast one.
//
// Contract: that of tm_ring. Every row is written to the large memory. A row that finds nothing waiting before it
// there is written to the front as well, in the same cycle, so an empty queue is as quick as one without a large
// memory; all others are moved to the front in order, one each cycle, `Latency` cycles after they are asked for.
// Rows that are skipped come to the front like all others, where they are freed unread, one each cycle; until the last of
// them is free no row is `available_o`. Rows of a frame that may still be rewound are not moved, except once it has begun to leave (`leaving_i`).
module tm_spill_ring #(
    parameter int unsigned ROW_W = 576,    // bits
    parameter int unsigned ROWS  = 40960,  // rows of the large memory
    parameter int unsigned FRONT = 64,     // rows of the front, a power of two
    parameter bit SKIP = 1'b0,  // frames may be skipped
    localparam int unsigned AddrW = $clog2(ROWS),
    localparam int unsigned FrontW = $clog2(FRONT)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from parse and admit
    input  logic             beat_valid_i,
    input  logic             beat_first_i,
    input  logic             beat_take_i,
    input  logic [ROW_W-1:0] beat_row_i,
    input  logic             rewind_i,
    input  logic             end_valid_i,   // the newest frame has ended
    input  logic             leaving_i,     // the newest frame has begun to leave: it will not be rewound
    output logic             overflow_o,
    output logic [AddrW-1:0] rows_used_o,
    output logic             freed_o,
    // to depart
    input  logic             look_i,
    input  logic             fetch_i,
    input  logic             skip_i,        // the oldest frame is not read: frees `skip_rows_i` rows
    input  logic [AddrW-1:0] skip_rows_i,
    output logic             available_o,
    output logic [ROW_W-1:0] row_o
);

  // Read, and two registers behind the cascade of UltraRAM blocks.
  localparam int unsigned Latency = 3;

  function automatic logic [AddrW-1:0] next(input logic [AddrW-1:0] address);
    return (address == AddrW'(ROWS - 1)) ? '0 : address + AddrW'(1);
  endfunction

  // ---- the large ring, as in tm_ring ----
  logic [AddrW-1:0] write_q, write_here, write_next, start_q, read_q;
  logic overflow_q, fits, advance, newest_open_q;

  // ---- the front ----
  logic [AddrW-1:0] move_q, move_here;  // the next row the front lacks
  logic [FrontW-1:0] put_q, put_here, put_start_q, get_q, direct_q, direct_here;
  logic [FrontW:0] landed_q, landed_here;  // rows of the front that may be fetched
  logic [FrontW:0] owed_q, owed_here;  // these and the ones on their way
  logic [Latency-1:0] moving_q;
  logic direct, movable, move, land;

  // ---- rows to be freed unread ----
  logic skipping, free;
  if (SKIP) begin : gen_skip
    logic [AddrW-1:0] skip_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) skip_q <= '0;
      else skip_q <= skip_q + (skip_i ? skip_rows_i : '0) - AddrW'(skipping && landed_q != 0);
    end
    assign skipping = skip_q != 0;
  end else begin : gen_no_skip
    logic unused;
    assign unused   = &{skip_i, skip_rows_i};
    assign skipping = 1'b0;
  end

  always_comb begin
    write_here  = rewind_i ? start_q : write_q;
    write_next  = next(write_here);
    fits        = write_next != read_q;
    advance     = beat_valid_i && beat_take_i && fits && !(overflow_q && !beat_first_i);

    // A rewind takes the rows of the newest frame out of the front again.
    direct_here = rewind_i ? '0 : direct_q;
    put_here    = (rewind_i && direct_q != 0) ? put_start_q : put_q;
    move_here   = (rewind_i && direct_q != 0) ? start_q : move_q;
    landed_here = landed_q - (rewind_i ? (FrontW + 1)'(direct_q) : '0);
    owed_here   = owed_q - (rewind_i ? (FrontW + 1)'(direct_q) : '0);

    // One less than FRONT, so that `direct_q` can count every row of the front.
    direct      = advance && move_here == write_here && moving_q == 0 && owed_here < (FrontW + 1)'(FRONT - 1);
    movable     = (!newest_open_q || leaving_i) ? move_q != write_q : direct_q == 0 && move_q != start_q;
    move        = movable && !rewind_i && owed_q < (FrontW + 1)'(FRONT - 1);
    land        = moving_q[Latency-1];

    free        = fetch_i || (skipping && landed_q != 0);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_q       <= '0;
      start_q       <= '0;
      read_q        <= '0;
      overflow_q    <= 1'b0;
      newest_open_q <= 1'b0;
      move_q        <= '0;
      put_q         <= '0;
      put_start_q   <= '0;
      get_q         <= '0;
      direct_q      <= '0;
      landed_q      <= '0;
      owed_q        <= '0;
      moving_q      <= '0;
    end else begin
      write_q <= advance ? write_next : write_here;
      if (beat_valid_i && beat_first_i) start_q <= write_here;
      if (beat_valid_i && beat_take_i) overflow_q <= !fits || (overflow_q && !beat_first_i);
      if (free) read_q <= next(read_q);
      if (beat_valid_i && beat_first_i && beat_take_i) newest_open_q <= 1'b1;
      else if (end_valid_i || rewind_i) newest_open_q <= 1'b0;

      move_q   <= (direct || move) ? next(move_here) : move_here;
      put_q    <= put_here + FrontW'(direct || land);
      get_q    <= get_q + FrontW'(free);
      landed_q <= landed_here + (FrontW + 1)'(direct || land) - (FrontW + 1)'(free);
      owed_q   <= owed_here + (FrontW + 1)'(direct || move) - (FrontW + 1)'(free);
      moving_q <= {moving_q[Latency-2:0], move};
      if (beat_valid_i && beat_first_i) begin
        put_start_q <= put_here;
        direct_q    <= FrontW'(direct);
      end else if (leaving_i) direct_q <= '0;  // never rewound: no longer counted, so the count cannot wrap
      else direct_q <= direct_here + FrontW'(direct);
    end
  end

  logic [AddrW:0] used;
  always_comb begin
    used = (AddrW + 1)'(start_q) - (AddrW + 1)'(read_q);
    if (start_q < read_q) used = used + (AddrW + 1)'(ROWS);
  end
  assign rows_used_o = used[AddrW-1:0];
  assign freed_o     = 1'b0;
  assign overflow_o  = overflow_q;
  assign available_o = landed_q != 0 && !skipping;

  logic [ROW_W-1:0] read_row, read_row_q, read_row_2_q;
  always_ff @(posedge clk_i) {read_row_2_q, read_row_q} <= {read_row_q, read_row};

  tm_ram #(
      .WIDTH(ROW_W),
      .DEPTH(ROWS),
      .STYLE("ultra")
  ) store (
      .clk_i,
      .wr_en_i  (beat_valid_i),
      .wr_addr_i(write_here),
      .wr_data_i(beat_row_i),
      .rd_en_i  (move),
      .rd_addr_i(move_q),
      .rd_data_o(read_row)
  );

  tm_ram #(
      .WIDTH(ROW_W),
      .DEPTH(FRONT),
      .STYLE("block"),
      .SPECULATIVE(1'b1)
  ) front (
      .clk_i,
      .wr_en_i  (direct || land),
      .wr_addr_i(put_here),
      .wr_data_i(land ? read_row_2_q : beat_row_i),
      .rd_en_i  (look_i && available_o),
      .rd_addr_i(get_q),
      .rd_data_o(row_o)
  );

  // Only rows that are there are fetched.
  FetchAvailable_A :
  assert property (@(posedge clk_i) disable iff (rst_i) fetch_i |-> available_o);
  // A fetch looks, and at a row that is not written in the same cycle.
  FetchSettled_A :
  assert property (@(posedge clk_i) disable iff (rst_i) fetch_i |-> look_i && !((direct || land) && put_here == get_q));
  // One writer of the front at a time.
  OneWriter_A :
  assert property (@(posedge clk_i) disable iff (rst_i) !(direct && land));
  // A rewind never meets rows on their way to the front that it would have to take back.
  RewindInOrder_A :
  assert property (@(posedge clk_i) disable iff (rst_i) rewind_i && direct_q != 0 |-> moving_q == 0);
  // The front never holds more than it has rows.
  FrontFits_A :
  assert property (@(posedge clk_i) disable iff (rst_i) owed_q < (FrontW + 1)'(FRONT) && landed_q <= owed_q);

endmodule
