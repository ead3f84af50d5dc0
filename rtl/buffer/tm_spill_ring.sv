// SPDX-License-Identifier: BSD-3-Clause
// A ring whose rows live in a large slow memory (UltraRAM), with two small fast ones for the rows that leave next.
//
// Contract: that of tm_ring, cycle for cycle, except rows that are skipped: they are freed one in each cycle, and no
// row is `available_o` until the last of them is free.
//
// Every row is written to the large memory and to `recent`, which holds the FRONT - 1 rows written last. A row that
// will soon be overwritten there is read from the large memory, and lands in `moved` LATENCY cycles later. One that
// leaves is thus found in one of the two, whether the queue is short or long. A rewind takes its rows out of both
// again; older rows that it overwrote in `recent` are in `moved` before they leave.
`include "tm_assert.svh"

module tm_spill_ring
  import tm_pkg::*;
#(
    parameter int unsigned ROW_W = 576,  // bits
    parameter int unsigned ROWS = 40960,  // rows of the large memory
    parameter int unsigned FRONT = 64,  // rows of each small memory, a power of two, at least LATENCY + 3
    parameter int unsigned LATENCY = 3,  // cycles of a read: the memory's, and two registers behind its cascade
    parameter bit SKIP = 1'b0,  // frames may be skipped
    localparam int unsigned AddrW = $clog2(ROWS),
    localparam int unsigned FrontW = $clog2(FRONT)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from parse and admit
    input  logic             beat_valid_i,
    input  logic             beat_first_i,
    input  logic             next_new_i,
    input  logic             beat_take_i,
    input  logic [ROW_W-1:0] beat_row_i,
    input  logic             rewind_i,
    output logic             overflow_o,
    output logic [AddrW-1:0] rows_used_o,
    // to depart
    input  logic             look_i,
    input  logic             fetch_i,
    input  logic             skip_i,        // the oldest frame is not read: frees `skip_rows_i` rows
    input  logic [AddrW-1:0] skip_rows_i,
    output logic             available_o,
    output logic             blocked_o,
    output logic [ROW_W-1:0] row_o
);

  if (FRONT < LATENCY + 3 || (1 << FrontW) != FRONT) begin : gen_front_error
    $error("FRONT is %0d: a power of two of at least LATENCY + 3 = %0d is needed", FRONT, LATENCY + 3);
  end
  if (ROWS < FRONT) begin : gen_rows_error
    $error("ROWS is %0d: with ULTRA at least %0d are needed, those of the memory in front", ROWS, FRONT);
  end

  // A row is moved when so many have come after it: it lands before it is overwritten, and a short queue moves nothing.
  // After a rewind fewer may be intact; then those that are not are moved at once, while others stand before them.
  localparam int unsigned Linger = FRONT - LATENCY - 2;

  function automatic logic [AddrW-1:0] next(input logic [AddrW-1:0] address);
    return (address == AddrW'(ROWS - 1)) ? '0 : address + AddrW'(1);
  endfunction

  // ---- the large ring, as in tm_ring; its rows are counted ----
  logic [AddrW-1:0] write_q, write_here, write_next, start_q;
  logic [AddrW-1:0] held_q, held_here, older_q;  // rows: of all frames, of those before the newest
  logic [AddrW-1:0] used_q, level_q;
  logic overflow_q, full_q, advance, first, free;

  // ---- recent: where rows are, and how many of those written last have not been overwritten ----
  logic [FrontW-1:0] put_q, put_here, put_start_q, get_q;
  logic [FrontW-1:0] intact_q, intact_here, newest_q, newest_here;  // the newest frame's rows: FRONT - 1 means or more
  logic recent, recent_q;

  // ---- moved: the next row to move, and those that were and have not left ----
  logic [AddrW-1:0] move_q, move_here, unmoved;
  logic [FrontW-1:0] slot_q, slot_here, moved_q, moved_here;
  logic [FrontW-1:0] mine_q;  // of these, those of the newest frame
  logic move, pass, of_newest, landed;
  // A row on its way, stage by stage: whether it is there, whose it is, where to.
  logic [LATENCY-1:0] moving_q, moving_mine_q;
  logic [LATENCY-1:0][FrontW-1:0] moving_slot_q;

  // ---- rows to be freed unread ----
  logic skipping, there;
  if (SKIP) begin : gen_skip
    logic [AddrW-1:0] skip_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) skip_q <= '0;
      else skip_q <= skip_q + (skip_i ? skip_rows_i : '0) - AddrW'(skipping);
    end
    assign skipping = skip_q != 0;
  end else begin : gen_no_skip
    logic unused;
    assign unused   = &{skip_i, skip_rows_i};
    assign skipping = 1'b0;
  end

  // Is the oldest row there? Both sides of the comparison fall alike with a rewind. These stand alone: a fetch, on
  // which the block below depends, depends on them.
  assign recent = (AddrW + FrontW)'(held_q) <= (AddrW + FrontW)'(intact_q);
  assign landed = 32'(moved_q) > 32'($countones(moving_q));
  assign there  = held_q != 0 && (recent || landed);

  always_comb begin
    first       = beat_valid_i && beat_first_i;
    write_here  = rewind_i ? start_q : write_q;
    write_next  = next(write_here);
    advance     = beat_valid_i && beat_take_i && !full_q;
    held_here   = rewind_i ? older_q : held_q;

    put_here    = rewind_i ? put_start_q : put_q;
    newest_here = (rewind_i || first) ? '0 : newest_q;
    intact_here = intact_q;
    if (rewind_i) intact_here = (intact_q > newest_q) ? intact_q - newest_q : '0;

    free = fetch_i || skipping;
    moved_here = moved_q - (rewind_i ? mine_q : '0);
    move_here = (rewind_i && mine_q != 0) ? start_q : move_q;
    slot_here = (rewind_i && mine_q != 0) ? put_start_q : slot_q;
    // A row that leaves before its turn to move has come is passed over.
    pass = free && moved_q == 0;
    // The newest frame's rows do not move in the cycle that takes them back. Older ones do: while the port drains at
    // full rate, a pause would never be made up for.
    of_newest = mine_q != 0 || move_q == start_q;
    unmoved = held_q - AddrW'(moved_q);
    move        = !(rewind_i && of_newest) && moved_q != FrontW'(FRONT - 1) &&
                  (unmoved > AddrW'(Linger) || (AddrW + FrontW)'(unmoved) > (AddrW + FrontW)'(intact_q));
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_q     <= '0;
      start_q     <= '0;
      held_q      <= '0;
      older_q     <= '0;
      overflow_q  <= 1'b0;
      put_q       <= '0;
      put_start_q <= '0;
      get_q       <= '0;
      intact_q    <= '0;
      newest_q    <= '0;
      move_q      <= '0;
      slot_q      <= '0;
      moved_q     <= '0;
      mine_q      <= '0;
      moving_q    <= '0;
    end else begin
      write_q <= advance ? write_next : write_here;
      held_q  <= held_here + AddrW'(advance) - AddrW'(free);
      if (first) begin
        start_q     <= write_here;
        put_start_q <= put_here;
        older_q     <= held_here - AddrW'(free);
      end else older_q <= older_q - AddrW'(free && older_q != 0);
      if (beat_valid_i && beat_take_i) overflow_q <= full_q || (overflow_q && !beat_first_i);

      put_q    <= put_here + FrontW'(advance);
      get_q    <= get_q + FrontW'(free);
      intact_q <= intact_here + FrontW'(advance && !(&intact_here));
      newest_q <= newest_here + FrontW'(advance && !(&newest_here));

      if (move || pass) begin
        move_q <= next(move_here);
        slot_q <= slot_here + FrontW'(1);
      end else begin
        move_q <= move_here;
        slot_q <= slot_here;
      end
      moved_q  <= moved_here + FrontW'(move && !pass) - FrontW'(free && !pass);
      mine_q   <= (rewind_i || first) ? '0 : mine_q + FrontW'(move && !pass && of_newest);
      moving_q <= LATENCY'({moving_q & ~({LATENCY{rewind_i}} & moving_mine_q), move && !pass});
    end
  end

  always_ff @(posedge clk_i) begin
    moving_mine_q <= first ? '0 : LATENCY'({moving_mine_q, of_newest});
    moving_slot_q <= (LATENCY * FrontW)'({moving_slot_q, slot_q});
    if (look_i && available_o) recent_q <= recent;
  end

  // As in tm_ring.
  always_ff @(posedge clk_i) begin
    used_q  <= (!rewind_i && (next_new_i || first)) ? held_q : older_q;
    level_q <= held_here;
    full_q  <= level_q >= AddrW'(ROWS - NearlyFull);
    if (rst_i) {used_q, level_q, full_q} <= '0;
  end

  assign rows_used_o = used_q;
  assign overflow_o  = overflow_q && !beat_first_i;
  assign available_o = there && !skipping;
  assign blocked_o   = skipping;

  logic [LATENCY-1:0][ROW_W-1:0] coming;  // what the large memory says, stage by stage
  logic [ROW_W-1:0] recent_row, moved_row;

  if (LATENCY > 1) begin : gen_coming
    always_ff @(posedge clk_i) coming[LATENCY-1:1] <= coming[LATENCY-2:0];
  end

  tm_prim_ram #(
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
      .rd_data_o(coming[0])
  );

  tm_prim_ram #(
      .WIDTH(ROW_W),
      .DEPTH(FRONT),
      .SPECULATIVE(1'b1)
  ) recent_rows (
      .clk_i,
      .wr_en_i  (beat_valid_i),
      .wr_addr_i(put_here),
      .wr_data_i(beat_row_i),
      .rd_en_i  (look_i && available_o),
      .rd_addr_i(get_q),
      .rd_data_o(recent_row)
  );

  tm_prim_ram #(
      .WIDTH(ROW_W),
      .DEPTH(FRONT),
      .SPECULATIVE(1'b1)
  ) moved_rows (
      .clk_i,
      .wr_en_i  (moving_q[LATENCY-1]),
      .wr_addr_i(moving_slot_q[LATENCY-1]),
      .wr_data_i(coming[LATENCY-1]),
      .rd_en_i  (look_i && available_o),
      .rd_addr_i(get_q),
      .rd_data_o(moved_row)
  );

  assign row_o = recent_q ? recent_row : moved_row;

  // The oldest row is written in this cycle.
  logic written;
  assign written = recent ? beat_valid_i && put_here == get_q
    : moving_q[LATENCY-1] && moving_slot_q[LATENCY-1] == get_q;
  `TM_ASSERT_IF(FetchAvailable_A, fetch_i, available_o, "a row is fetched that is not there")
  `TM_ASSERT_IF(FetchSettled_A, fetch_i, look_i && !written,
                "a fetch does not look, or at a row that is written in its cycle")
  `TM_ASSERT_IF(NeverDry_A, held_q != 0, there, "the oldest row is in neither memory")
  `TM_ASSERT_IF(SkipArrived_A, skipping, there, "a row is skipped that has not arrived")
  `TM_ASSERT(Counted_A, older_q <= held_q && 32'(held_q) < ROWS && 32'(moved_q) <= 32'(held_q),
             "the counts do not add up")

endmodule
