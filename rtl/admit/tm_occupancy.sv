// SPDX-License-Identifier: BSD-3-Clause
// What one port holds, in bytes and packets, and whether the frame now judged still fits its limits.
//
// Contract: `bytes_o` and `packets_o` are exact and change at the end of the cycle of a store, an abort or a
// departure; the verdict of that cycle sees them as they were before. `store_i` may depend on `over_*_o` of the same
// cycle.
`include "tm_assert.svh"

module tm_occupancy
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter  int unsigned STORAGE     = 16384,                          // bytes the port can hold
    parameter  int unsigned DESCRIPTORS = 508,                            // frames the port can hold
    localparam int unsigned CountW      = $clog2(STORAGE + 1),
    // All ones is off, so it lies beyond all that can be asked for.
    localparam int unsigned LimitW      = $clog2(STORAGE + (1 << LenW)),
    localparam int unsigned FramesW     = $clog2(DESCRIPTORS + 2)
) (
    input  logic               clk_i,
    input  logic               rst_i,
    // from parse: the length of the frame that may be judged in the next cycle, and in this one
    input  logic [   LenW-1:0] next_len_i,
    // A storage smaller than a frame never uses the high bits: such a frame finds no room.
    // verilator lint_off UNUSEDSIGNAL
    input  logic [   LenW-1:0] len_i,
    // from admit and depart
    input  logic               store_i,
    input  logic               abort_i,
    input  logic               depart_i,
    input  logic [   LenW-1:0] depart_len_i,
    // verilator lint_on UNUSEDSIGNAL
    // config: all ones is off
    input  logic [ LimitW-1:0] limit_bytes_i,    // in force for the next cycle's verdict
    input  logic [FramesW-1:0] limit_packets_i,  // in force for this cycle's verdict
    // state
    output logic [ CountW-1:0] bytes_o,
    output logic [FramesW-1:0] packets_o,
    output logic               over_bytes_o,     // B + len > limit
    output logic               over_packets_o,   // P + 1 > limit
    output logic               no_descriptor_o
);

  // A sign: limit - len is negative for a frame longer than the limit.
  localparam int unsigned RoomW = LimitW + 1;

  logic [CountW-1:0] bytes_q, bytes_d, remaining, moved;
  logic [FramesW-1:0] packets_q, packets_d;
  logic signed [RoomW-1:0] headroom_q;  // the largest B with which the frame is still taken

  assign remaining = bytes_q - (depart_i ? CountW'(depart_len_i) : '0);

  // In or out of the queue in this cycle: one in, two out at the most.
  logic [1:0] change;
  always_comb begin
    unique case ({
      store_i, abort_i, depart_i
    })
      3'b100:         change = 2'b01;
      3'b010, 3'b001: change = 2'b11;
      3'b011:         change = 2'b10;
      default:        change = 2'b00;
    endcase
  end

  // A frame that is refused adds 0 on the same carry chain, so that nothing has to choose behind it.
  assign moved = (store_i || abort_i) ? CountW'(len_i) : '0;
  always_comb begin
    bytes_d   = CountW'(add_or_sub(wide_t'(remaining), wide_t'(moved), abort_i));
    packets_d = packets_q + {{(FramesW - 1) {change[1]}}, change[0]};
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      bytes_q   <= '0;
      packets_q <= '0;
    end else begin
      bytes_q   <= bytes_d;
      packets_q <= packets_d;
    end
    headroom_q <= $signed(RoomW'(limit_bytes_i)) - $signed(RoomW'(next_len_i));
  end

  assign bytes_o         = bytes_q;
  assign packets_o       = packets_q;
  assign over_bytes_o    = $signed(RoomW'(bytes_q)) > headroom_q;
  assign over_packets_o  = packets_q >= limit_packets_i;
  assign no_descriptor_o = packets_q >= FramesW'(DESCRIPTORS);

  `TM_ASSERT(StoreOrAbort_A, !(store_i && abort_i), "a frame is stored and aborted in one cycle")
  `TM_ASSERT_IF(NoUnderflow_A, abort_i || depart_i, packets_q != 0, "a frame leaves that was not held")
  `TM_ASSERT(NoOverflow_A, bytes_q <= CountW'(STORAGE), "storage is promised twice")
  `TM_ASSERT_IF(EmptyTogether_A, packets_q == 0, bytes_q == 0, "an empty queue holds bytes")

endmodule
