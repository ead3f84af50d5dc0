// SPDX-License-Identifier: BSD-3-Clause
// The seven NetFPGA registers of one port: stored, removed, dropped, each in packets and bytes, and packets in the
// queue.
//
// Contract: `select_i` has one bit for each register in the order of NetFPGA's map; the one selected is on `data_o`,
// all zero if none is, and is cleared in that cycle. Packets in the queue are stored less removed: no read or clear
// touches them. An arrival is stored or dropped; whatever leaves, sent or dropped at the head, is removed.
`include "tm_assert.svh"

module tm_netfpga_port
  import tm_pkg::*;
(
    input  logic            clk_i,
    input  logic            rst_i,
    // events
    input  logic            stored_i,
    input  logic            dropped_i,
    input  logic [    15:0] arrive_len_i,
    input  logic            removed_i,
    input  logic [LenW-1:0] removed_len_i,
    // registers
    input  logic            clear_i,        // all but the packets in the queue
    input  logic [     6:0] select_i,
    output logic [    31:0] data_o
);

  localparam int unsigned Kinds = 3;

  logic [PacketsW-1:0] queued_q;
  logic [Kinds-1:0] event_valid;
  logic [Kinds-1:0][15:0] event_len;
  logic [2*Kinds-1:0][31:0] count;

  assign event_valid = {dropped_i, removed_i, stored_i};
  assign event_len   = {arrive_len_i, 16'(removed_len_i), arrive_len_i};

  for (genvar kind = 0; kind < Kinds; kind++) begin : gen_kind
    tm_event_counter packets (
        .clk_i,
        .rst_i,
        .add_i  (event_valid[kind]),
        .clear_i(clear_i || select_i[2*kind]),
        .count_o(count[2*kind])
    );
    tm_event_counter #(
        .ADD_W(16)
    ) bytes (
        .clk_i,
        .rst_i,
        .add_i  (event_valid[kind] ? event_len[kind] : '0),
        .clear_i(clear_i || select_i[2*kind+1]),
        .count_o(count[2*kind+1])
    );
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) queued_q <= '0;
    else queued_q <= queued_q + PacketsW'(stored_i) - PacketsW'(removed_i);
  end

  always_comb begin
    data_o = select_i[6] ? 32'(queued_q) : '0;
    for (int unsigned i = 0; i < 2 * Kinds; i++) if (select_i[i]) data_o |= count[i];
  end

  `TM_ASSERT_IF(StoredFirst_A, removed_i, queued_q != '0,
                "a frame is counted as removed before it is counted as stored")

endmodule
