// SPDX-License-Identifier: BSD-3-Clause
// What CoDel looks at of the oldest waiting frame, in registers: a second memory beside tm_descriptors, read one ahead.
//
// Contract: the indices are those of tm_descriptors. `data_o` belongs to the head while `valid_o` is set, which is so
// from the third cycle after the frame's push on, however fast the frames before it leave: as long as one waits, its
// successor is on the memory's output already.
`include "tm_assert.svh"

module tm_ahead #(
    parameter int unsigned WIDTH   = 36,  // bits
    parameter int unsigned INDEX_W = 9    // bits of an index
) (
    input  logic               clk_i,
    input  logic               rst_i,
    // from tm_descriptors
    input  logic               push_i,
    input  logic [INDEX_W-1:0] write_i,      // index of the frame pushed now, or next
    input  logic [  WIDTH-1:0] push_data_i,
    input  logic               unpush_i,
    input  logic [INDEX_W-1:0] newest_i,     // index of the frame that an unpush takes back
    input  logic               pop_i,
    input  logic [INDEX_W-1:0] head_next_i,  // index of the head of the next cycle
    // to CoDel
    output logic               valid_o,
    output logic [  WIDTH-1:0] data_o
);

  logic valid_q, valid_d, next_q, next_d;
  logic [INDEX_W-1:0] address;
  logic [  WIDTH-1:0] next;

  // The memory shows the head's successor while the head is at hand, else the head.
  always_comb begin
    valid_d = pop_i ? valid_q && next_q : valid_q || next_q;
    if (unpush_i && head_next_i == newest_i) valid_d = 1'b0;
    address = head_next_i + INDEX_W'(valid_d);
    next_d  = address != write_i && !(unpush_i && address == newest_i);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      next_q  <= 1'b0;
    end else begin
      valid_q <= valid_d;
      next_q  <= next_d;
    end
    if (pop_i || !valid_q) data_o <= next;
  end

  assign valid_o = valid_q;

  tm_prim_ram #(
      .STYLE("auto"),
      .WIDTH(WIDTH),
      .DEPTH(1 << INDEX_W)
  ) frames (
      .clk_i,
      .wr_en_i  (push_i),
      .wr_addr_i(write_i),
      .wr_data_i(push_data_i),
      .rd_en_i  (next_d),
      .rd_addr_i(address),
      .rd_data_o(next)
  );

  `TM_ASSERT_IF(ThereIfValid_A, valid_q && !pop_i, head_next_i != write_i, "a frame is looked at that is not there")

endmodule
