// SPDX-License-Identifier: BSD-3-Clause
// Sweeps the narrow counters into the totals without end, takes snapshots and answers queries between the sweeps.
//
// Contract: `clear_o` first clears the narrow counters, 512 cycles from the start of a reset (events of these cycles are
// not counted; a reset that lasts as long loses none). Then, round after round: a flip, the last cycle in which
// events go to the old bank; 192 counters of every port; and a query if one waits. `snapshot_i` makes the next flip a
// snapshot: `snapshot_o` is 1 in the cycle of its flip, and `snapshot_busy_o` is 1 until its totals are kept. A query sums the
// counters of `page_i` that `query_code_i` .. `query_index_mask_i` select, from the last snapshot.
//
// No narrow counter can wrap twice unseen: between two flips lie at most ROUND = 192 * (PORTS + 1) + 16 cycles with one
// event of at most MAX_FRAME bytes each, and PACKETS_W and BYTES_W hold ROUND and ROUND * MAX_FRAME.
module tm_snapshot
  import tm_pkg::*;
#(
    parameter int unsigned PORTS     = 5,
    parameter int unsigned MAX_FRAME = 9216,  // bytes
    parameter int unsigned PACKETS_W = 11,
    parameter int unsigned BYTES_W   = 24,
    localparam int unsigned WordW = PACKETS_W + BYTES_W
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // commands
    input  logic             snapshot_i,
    input  logic             query_i,
    input  logic [      3:0] page_i,
    input  logic [      3:0] query_code_i,
    input  logic [      3:0] query_code_mask_i,
    input  logic [      3:0] query_index_i,
    input  logic [      3:0] query_index_mask_i,
    output logic             snapshot_busy_o,
    output logic             query_busy_o,
    output logic [     47:0] sum_packets_o,
    output logic [     47:0] sum_bytes_o,
    // to and from the counters
    output logic             bank_o,
    output logic             clear_o,
    output logic [      8:0] clear_addr_o,
    output logic [PORTS-1:0] sweep_port_o,
    output logic [      3:0] sweep_code_o,
    output logic [      3:0] sweep_index_o,
    input  logic [WordW-1:0] swept_i,
    // events
    output logic             snapshot_o
);

  localparam int unsigned PerPort = 192;
  localparam int unsigned Round = PerPort * (PORTS + 1) + 16;
  localparam int unsigned Entries = PerPort * PORTS;
  localparam int unsigned AddrW = $clog2(Entries);

  if (64'd1 << PACKETS_W <= 64'(Round)) begin : gen_packets_error
    $error("PACKETS_W is %0d: a round of %0d cycles needs more", PACKETS_W, Round);
  end
  if (64'd1 << BYTES_W <= 64'(Round) * 64'(MAX_FRAME)) begin : gen_bytes_error
    $error("BYTES_W is %0d: %0d frames of %0d bytes need more", BYTES_W, Round, MAX_FRAME);
  end

  typedef enum logic [2:0] {
    Clear,
    Flip,
    Settle,
    Sweep,
    Drain,
    Query,
    QueryDrain
  } state_e;

  state_e state_q, state_d;
  logic rst_q, wanted_q, taking_q, taken_q, asked_q, fresh_q;
  logic [1:0] bank_fresh_q;
  logic [8:0] count_q;
  logic [2:0] drain_q;
  logic [PORTS-1:0] port_q;
  logic [AddrW-1:0] addr_q;
  logic [3:0] code, index;
  logic flip, last, round_end, query_start, exists, match;

  // A reset that has just begun starts the clearing, which then goes on whether the reset lasts or not.
  initial rst_q = 1'b0;
  always_ff @(posedge clk_i) begin
    rst_q <= rst_i;
    if (rst_i && !rst_q) count_q <= '0;
    else if (state_q == Clear) count_q <= count_q + 9'd1;
  end

  assign round_end   = last && port_q[PORTS-1];
  assign query_start = state_q == Drain && state_d == Query;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Clear:   if (&count_q) state_d = Flip;
      Flip:    state_d = Settle;
      Settle:  state_d = Sweep;
      Sweep:   if (round_end) state_d = Drain;
      Drain:   if (drain_q[2]) state_d = (asked_q && !wanted_q) ? Query : Flip;
      Query:   if (last) state_d = QueryDrain;
      default: if (drain_q[2]) state_d = Flip;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i && !rst_q) state_q <= Clear;
    else state_q <= state_d;

    drain_q <= (state_q == Drain || state_q == QueryDrain) ? drain_q + 3'd1 : '0;

    if (state_q == Settle) addr_q <= '0;
    else if (query_start) addr_q <= AddrW'(page_i * 8'(PerPort));
    else if (state_q == Sweep || state_q == Query) addr_q <= addr_q + 1'b1;

    if (state_q == Settle) port_q <= PORTS'(1);
    else if (state_q == Sweep && last) port_q <= port_q << 1;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      bank_o       <= 1'b0;
      fresh_q      <= 1'b1;
      bank_fresh_q <= '1;
      wanted_q     <= 1'b0;
      taking_q     <= 1'b0;
      taken_q      <= 1'b0;
      asked_q      <= 1'b0;
    end else begin
      bank_o <= bank_o ^ flip;
      if (state_q == Drain && state_d != Drain) begin
        fresh_q               <= 1'b0;
        bank_fresh_q[!bank_o] <= 1'b0;
        taking_q              <= 1'b0;
      end
      if (snapshot_i) wanted_q <= 1'b1;
      else if (flip) wanted_q <= 1'b0;
      if (snapshot_o) {taking_q, taken_q} <= 2'b11;
      if (query_i) asked_q <= 1'b1;
      else if (state_q == QueryDrain && state_d == Flip) asked_q <= 1'b0;
    end
  end

  // A port that is not there, like a snapshot that was never taken, has only zeros.
  assign exists          = {1'b0, page_i} < 5'(PORTS);
  assign match           = exists && taken_q && ((code ^ query_code_i) & query_code_mask_i) == '0 &&
                           ((index ^ query_index_i) & query_index_mask_i) == '0;

  assign clear_o         = state_q == Clear;
  assign clear_addr_o    = count_q;
  assign flip          = state_q == Flip;
  assign snapshot_o      = flip && wanted_q;
  assign snapshot_busy_o = snapshot_i || wanted_q || taking_q;
  assign query_busy_o    = query_i || asked_q;
  assign sweep_port_o    = (state_q == Sweep) ? port_q : '0;
  assign sweep_code_o    = code;
  assign sweep_index_o   = index;

  tm_sweep_order order (
      .clk_i,
      .start_i(state_q == Settle || query_start),
      .step_i (state_q == Sweep || state_q == Query),
      .code_o (code),
      .index_o(index),
      .last_o (last)
  );

  tm_totals #(
      .ENTRIES  (Entries),
      .PACKETS_W(PACKETS_W),
      .BYTES_W  (BYTES_W)
  ) totals (
      .clk_i,
      .bank_i       (!bank_o),
      .bank_fresh_i (bank_fresh_q[!bank_o]),
      .fresh_i      (fresh_q),
      .keep_i       (taking_q),
      .sweep_i      (state_q == Sweep),
      .addr_i       (addr_q),
      .swept_i,
      .query_start_i(query_start),
      .query_i      (state_q == Query),
      .match_i      (match),
      .sum_packets_o,
      .sum_bytes_o
  );

endmodule
