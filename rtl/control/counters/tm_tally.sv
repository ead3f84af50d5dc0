// SPDX-License-Identifier: BSD-3-Clause
// Narrow counters of one kind of event of one port or line: packets and bytes for each index, one event in every cycle,
// none lost.
//
// Contract: an event is added to the counter `event_index_i` of the bank `bank_i` of its own cycle, unless `hold_i` is
// 1, as in a reset. `late_len_i` has the lengths of the events of one cycle ago and of two (tm_tally_lengths). The
// counters are 0 at power-up, run freely modulo their width and are never cleared. Five cycles after `bank_i` changed
// the other bank stands still, and `sweep_i` reads one of its counters: `swept_o` shows it two cycles later, and 0 in
// every other.
//
// A sum takes three cycles, read, registered and written, so one counter is never needed in three cycles running: what
// comes for it in the two cycles behind an event is added with that one (tm_prim_ram asserts that none is read while it
// is written).
//
// Two copies of the counters are written alike. One is read for the next sum, so that its read port can be busy in
// every cycle; the other is only read by the sweep.
module tm_tally
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter int unsigned INDEX_W = 8,  // bits of an index
    parameter int unsigned PACKETS_W = 11,  // bits of a packet counter
    parameter int unsigned BYTES_W = 24,  // bits of a byte counter; 0 counts packets only
    parameter int unsigned NEXT_W = LenW,  // bits of the length of an event that follows another at once
    localparam int unsigned WordW = PACKETS_W + BYTES_W
) (
    input  logic                         clk_i,
    // events
    input  logic                         event_valid_i,
    input  logic [INDEX_W-1:0]           event_index_i,
    input  logic [        1:0][LenW-1:0] late_len_i,
    // from the sweep
    input  logic                         bank_i,
    input  logic                         hold_i,
    input  logic                         sweep_i,
    input  logic [INDEX_W-1:0]           sweep_index_i,
    // to the sweep: packets above bytes
    output logic [  WordW-1:0]           swept_o
);

  logic [INDEX_W:0] addr, addr_1_q, addr_2_q, addr_3_q, addr_4_q;
  logic event_q, same_1_q, same_2_q;  // the event of the cycle before, and whose counter it has
  logic second, third, opens, opened_2_q, opened_3_q, opened_4_q;  // who is read and written for itself, and for those
  logic second_q;
  logic [1:0] packets_q;
  logic [WordW-1:0] read, sum;

  assign addr   = {bank_i, event_index_i};
  assign second = event_q && opened_2_q && same_1_q;
  assign third  = event_q && opened_3_q && same_2_q;
  assign opens  = event_q && !second && !third;

  initial {event_q, opened_2_q, opened_3_q, opened_4_q} = '0;  // no write before the first event
  always @(posedge clk_i) begin  // always_ff allows no initial
    event_q    <= event_valid_i && !hold_i;
    opened_2_q <= opens;
    opened_3_q <= opened_2_q;
    opened_4_q <= opened_3_q;
  end

  always_ff @(posedge clk_i) begin
    same_1_q <= addr == addr_1_q;
    same_2_q <= addr == addr_2_q;
    second_q <= second;
    packets_q <= 2'd1 + 2'(second_q) + 2'(third);
    {addr_1_q, addr_2_q, addr_3_q, addr_4_q} <= {addr, addr_1_q, addr_2_q, addr_3_q};
  end

  assign sum[WordW-1:BYTES_W] = read[WordW-1:BYTES_W] + PACKETS_W'(packets_q);

  if (BYTES_W != 0) begin : gen_bytes
    logic [LenW:0] pair_q;  // of the event that opens, and the one behind it
    logic [LenW+1:0] gained_q;
    logic [NEXT_W-1:0] second_len;
    logic [LenW-1:0] third_len;
    assign second_len = second ? late_len_i[0][NEXT_W-1:0] : '0;
    assign third_len  = third ? late_len_i[0] : '0;
    // Sums as differences: what comes from a register alone stands before the minus (tm_arith_pkg).
    always_ff @(posedge clk_i) begin
      pair_q   <= (LenW + 1)'(sub_borrow(wide_t'(late_len_i[1]), ~wide_t'(second_len), 1'b1));
      gained_q <= (LenW + 2)'(sub_borrow(wide_t'(pair_q), ~wide_t'(third_len), 1'b1));
    end
    assign sum[BYTES_W-1:0] = read[BYTES_W-1:0] + BYTES_W'(gained_q);
  end else begin : gen_no_bytes
    logic unused_len;
    assign unused_len = ^late_len_i;
  end

  tm_prim_ram #(
      .GATED(1'b1),
      .REGISTERED(1'b1),
      .WIDTH(WordW),
      .DEPTH(2 << INDEX_W),
      .ZERO(1'b1)
  ) counters (
      .clk_i,
      .wr_en_i  (opened_4_q),
      .wr_addr_i(addr_4_q),
      .wr_data_i(sum),
      .rd_en_i  (opened_2_q),
      .rd_addr_i(addr_2_q),
      .rd_data_o(read)
  );

  tm_prim_ram #(
      .GATED(1'b1),
      .REGISTERED(1'b1),
      .WIDTH(WordW),
      .DEPTH(2 << INDEX_W),
      .ZERO(1'b1)
  ) copy (
      .clk_i,
      .wr_en_i  (opened_4_q),
      .wr_addr_i(addr_4_q),
      .wr_data_i(sum),
      .rd_en_i  (sweep_i),
      .rd_addr_i({!bank_i, sweep_index_i}),
      .rd_data_o(swept_o)
  );

endmodule
