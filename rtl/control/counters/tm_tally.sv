// SPDX-License-Identifier: BSD-3-Clause
// Narrow counters of one kind of event of one port: packets and bytes for each index, one event in every cycle, none
// lost.
//
// Contract: an event is added to the counter `event_index_i` of the bank `bank_i` of its own cycle, unless `hold_i` is
// 1, as in a reset. `single_i` and `double_i` tell of its length two cycles later (tm_tally_lengths). The counters are
// 0 at power-up, run freely modulo their width and are never cleared. Three cycles after `bank_i` changed the other
// bank stands still, and `sweep_i` reads one of its counters: `swept_o` shows it in the next cycle, and 0 in every
// other.
//
// A sum takes two cycles, read and write, so one counter is never needed in two cycles running: two events of one
// counter in a row are added at once, as one (tm_prim_ram asserts that none is read while it is written). Then most of
// the sum is what the RAM says, carried on, and takes no lookup table.
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
    localparam int unsigned WordW = PACKETS_W + BYTES_W
) (
    input  logic               clk_i,
    // events
    input  logic               event_valid_i,
    input  logic [INDEX_W-1:0] event_index_i,
    input  logic [   LenW-1:0] single_i,       // length of the event of two cycles ago
    input  logic [     LenW:0] double_i,       // the same and that of the next one
    // from the sweep
    input  logic               bank_i,
    input  logic               hold_i,
    input  logic               sweep_i,
    input  logic [INDEX_W-1:0] sweep_index_i,
    // to the sweep: packets above bytes
    output logic [  WordW-1:0] swept_o
);

  logic [INDEX_W:0] addr, addr_1_q, addr_2_q;
  logic valid, again, valid_1_q, valid_2_q, double_q;
  logic [WordW-1:0] read, sum;

  assign addr  = {bank_i, event_index_i};
  assign valid = event_valid_i && !hold_i;
  assign again = valid && valid_1_q && addr == addr_1_q;

  initial {valid_1_q, valid_2_q} = '0;  // no write before the first event
  always_ff @(posedge clk_i) begin
    valid_1_q <= valid && !again;
    addr_1_q  <= addr;
    // One event, or two: it is read now, and written in the next cycle.
    valid_2_q <= valid_1_q;
    addr_2_q  <= addr_1_q;
    double_q  <= again;
  end

  assign sum[WordW-1:BYTES_W] = read[WordW-1:BYTES_W] + PACKETS_W'({double_q, !double_q});

  if (BYTES_W != 0) begin : gen_bytes
    // The choice is complemented and subtracted, so that it stands where the chain has its tables.
    logic [BYTES_W-1:0] not_gained;
    assign not_gained = ~BYTES_W'(double_q ? double_i : {1'b0, single_i});
    assign sum[BYTES_W-1:0] = BYTES_W'(sub_borrow(wide_t'(read[BYTES_W-1:0]), wide_t'(not_gained), 1'b1));
  end else begin : gen_no_bytes
    logic unused_len;
    assign unused_len = ^{single_i, double_i};
  end

  tm_prim_ram #(
      .GATED(1'b1),
      .WIDTH(WordW),
      .DEPTH(2 << INDEX_W),
      .ZERO (1'b1)
  ) counters (
      .clk_i,
      .wr_en_i  (valid_2_q),
      .wr_addr_i(addr_2_q),
      .wr_data_i(sum),
      .rd_en_i  (valid_1_q),
      .rd_addr_i(addr_1_q),
      .rd_data_o(read)
  );

  tm_prim_ram #(
      .GATED(1'b1),
      .WIDTH(WordW),
      .DEPTH(2 << INDEX_W),
      .ZERO (1'b1)
  ) copy (
      .clk_i,
      .wr_en_i  (valid_2_q),
      .wr_addr_i(addr_2_q),
      .wr_data_i(sum),
      .rd_en_i  (sweep_i),
      .rd_addr_i({!bank_i, sweep_index_i}),
      .rd_data_o(swept_o)
  );

endmodule
