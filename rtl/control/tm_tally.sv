// SPDX-License-Identifier: BSD-3-Clause
// Narrow counters of one kind of event of one port: packets and bytes for each index, one event in every cycle, none lost.
//
// Contract: an event is added to the counter `event_index_i` of the bank `bank_i` of its own cycle, unless `hold_i` is 1,
// as in a reset. The counters are 0 at power-up, run freely modulo their width and are never cleared. Two cycles after
// `bank_i` changed the other bank stands still, and `sweep_i` reads one of its counters: `swept_o` shows it in the next
// cycle, and 0 in every other.
//
// Two copies of the counters are written alike. One is read for the next sum, so that its read port can be busy in every
// cycle; the other is only read by the sweep. A sum that is needed again at once is kept instead of read.
module tm_tally
  import tm_pkg::*;
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
    input  logic [   LenW-1:0] event_len_i,
    // from the sweep
    input  logic               bank_i,
    input  logic               hold_i,
    input  logic               sweep_i,
    input  logic [INDEX_W-1:0] sweep_index_i,
    // to the sweep: packets above bytes
    output logic [  WordW-1:0] swept_o
);

  logic [INDEX_W:0] addr, write_addr_q;
  logic again, count_q;
  logic [WordW-1:0] read, kept_q, sum;

  assign addr  = {bank_i, event_index_i};
  assign again = count_q && addr == write_addr_q;

  initial count_q = 1'b0;  // no write before the first event
  always_ff @(posedge clk_i) begin
    if (hold_i) count_q <= 1'b0;
    else count_q <= event_valid_i;
    write_addr_q <= addr;
    if (again) kept_q <= sum;
    else kept_q <= '0;
  end

  assign sum[WordW-1:BYTES_W] = PACKETS_W'(count_q) + (read[WordW-1:BYTES_W] | kept_q[WordW-1:BYTES_W]);

  if (BYTES_W != 0) begin : gen_bytes
    logic [LenW-1:0] len_q;
    always_ff @(posedge clk_i) len_q <= event_len_i;
    assign sum[BYTES_W-1:0] = BYTES_W'(len_q) + (read[BYTES_W-1:0] | kept_q[BYTES_W-1:0]);
  end else begin : gen_no_bytes
    logic unused_len;
    assign unused_len = ^event_len_i;
  end

  tm_gated_ram #(
      .WIDTH(WordW),
      .DEPTH(2 << INDEX_W),
      .ZERO (1'b1)
  ) counters (
      .clk_i,
      .wr_en_i  (count_q),
      .wr_addr_i(write_addr_q),
      .wr_data_i(sum),
      .rd_en_i  (!again),
      .rd_addr_i(addr),
      .rd_data_o(read)
  );

  tm_gated_ram #(
      .WIDTH(WordW),
      .DEPTH(2 << INDEX_W),
      .ZERO (1'b1)
  ) copy (
      .clk_i,
      .wr_en_i  (count_q),
      .wr_addr_i(write_addr_q),
      .wr_data_i(sum),
      .rd_en_i  (sweep_i),
      .rd_addr_i({!bank_i, sweep_index_i}),
      .rd_data_o(swept_o)
  );

  // A word is summed from the RAM or from the sum kept, never from both.
  OneOperand_A :
  assert property (@(posedge clk_i) disable iff (hold_i) read == '0 || kept_q == '0);

endmodule
