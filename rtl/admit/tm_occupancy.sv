// SPDX-License-Identifier: BSD-3-Clause
// What one port holds, in bytes and packets, and how that compares with the limits and K when a frame is judged.
//
// Contract: an event is a verdict, which adds the frame if it stores, or an abort, which takes it off; there may be one
// in every cycle. `over_bytes_o`, `over_packets_o`, `no_descriptor_o` and `above_o` belong to the event of this cycle
// and `store_i` may depend on them. They see every event before it, and every departure three cycles before it or
// earlier; so do `bytes_o` and `packets_o`.
//
// What is held is worked out for both outcomes of an event. The outcome, by then a register, chooses between the two
// where they are compared and added to: no sum lies behind the verdict.
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
    input  logic                           clk_i,
    input  logic                           rst_i,
    // from parse: the length of the frame that the event in the next cycle is of
    // A storage smaller than a frame never uses the high bits: such a frame finds no room.
    // verilator lint_off UNUSEDSIGNAL
    input  logic [   LenW-1:0]             next_len_i,
    // from admit and depart
    input  logic                           next_abort_i,          // an event in the next cycle is an abort
    input  logic                           store_i,
    input  logic                           abort_i,
    input  logic                           depart_i,
    input  logic [   LenW-1:0]             depart_last_i,         // the length less one
    // verilator lint_on UNUSEDSIGNAL
    // config: in force in the next cycle; all ones is off
    input  logic [ LimitW-1:0]             next_limit_bytes_i,
    input  logic [FramesW-1:0]             next_limit_packets_i,
    input  logic [        1:0][CountW-1:0] next_k_i,              // of each law slot
    // state
    output logic [ CountW-1:0]             bytes_o,
    output logic [ CountW-1:0]             soon_bytes_o,          // without what has left by the next cycle's `bytes_o`
    output logic [FramesW-1:0]             packets_o,
    output logic                           over_bytes_o,          // B + len > limit
    output logic                           over_packets_o,        // P + 1 > limit
    output logic                           no_descriptor_o,
    output logic [        1:0]             above_o                // B > K, by law slot
);

  // Signs: what remains of a limit is negative for a frame longer than it.
  localparam int unsigned RoomW = LimitW + 2;

  logic done_q;  // the event of the cycle before stored, or took back
  logic abort_q;  // an event of this cycle is an abort
  always_ff @(posedge clk_i) begin
    done_q  <= store_i || abort_i;  // without a reset: then both outcomes are 0
    abort_q <= next_abort_i;
  end

  // ---- bytes ----
  // What leaves is kept negative: of a length less one, that is every bit turned.
  logic [CountW-1:0] bytes, if_not_q, if_done_q, left_q, change_q, change_done_q;
  assign bytes = done_q ? if_done_q : if_not_q;
  assign soon_bytes_o = change_q + bytes;

  always_ff @(posedge clk_i) begin
    left_q        <= ~CountW'(depart_last_i);
    change_q      <= left_q;
    change_done_q <= CountW'(add_or_sub(wide_t'(left_q), wide_t'(next_len_i), next_abort_i));
    if_not_q      <= soon_bytes_o;
    if_done_q     <= change_done_q + bytes;
    if (rst_i || !depart_i) left_q <= '0;
    if (rst_i) {if_not_q, if_done_q, change_q} <= '0;
  end

  // ---- packets ----
  logic [FramesW-1:0] packets, packets_if_not_q, packets_if_done_q;
  logic frame_left_q, frame_left_2_q;
  assign packets = done_q ? packets_if_done_q : packets_if_not_q;

  always_ff @(posedge clk_i) begin
    {frame_left_2_q, frame_left_q} <= {frame_left_q, depart_i};
    packets_if_not_q               <= packets - FramesW'(frame_left_2_q);
    // One more or one less, and less the one that leaves.
    packets_if_done_q              <= {{(FramesW - 1) {abort_q}}, !frame_left_2_q} + packets;
    if (rst_i) {packets_if_not_q, packets_if_done_q, frame_left_2_q, frame_left_q} <= '0;
  end

  // ---- compares: what is chosen by the outcome is subtracted, and needs no lookup table of its own ----
  logic signed [  RoomW-1:0]             headroom_q;
  logic        [FramesW-1:0]             limit_q;
  logic        [        1:0][CountW-1:0] k_q;
  always_ff @(posedge clk_i) begin
    headroom_q <= RoomW'(next_limit_bytes_i) - RoomW'(next_len_i);
    limit_q    <= next_limit_packets_i;
    k_q        <= next_k_i;
  end

  logic signed [RoomW-1:0] spare;
  assign spare           = headroom_q - $signed(RoomW'(bytes));
  assign over_bytes_o    = spare[RoomW-1];
  assign over_packets_o  = less_than(wide_t'(limit_q), wide_t'(packets), 1'b1, FramesW);
  assign no_descriptor_o = packets >= FramesW'(DESCRIPTORS);

  // Both slots' thresholds are compared: which of them counts is known too late to choose one before.
  for (genvar s = 0; s < 2; s++) begin : gen_slot
    tm_step #(
        .W(CountW)
    ) step (
        .bytes_i (bytes),
        .k_i     (k_q[s]),
        .signal_o(above_o[s])
    );
  end

  assign bytes_o   = bytes;
  assign packets_o = packets;

  `TM_ASSERT(StoreOrAbort_A, !(store_i && abort_i), "a frame is stored and aborted in one cycle")
  `TM_ASSERT_IF(NextKnown_A, store_i || abort_i, abort_i == abort_q, "an event is not what was foretold")
  `TM_ASSERT_IF(NoUnderflow_A, abort_i || frame_left_2_q, packets != 0, "a frame leaves that was not held")
  `TM_ASSERT(NoOverflow_A, bytes <= CountW'(STORAGE), "storage is promised twice")
  `TM_ASSERT_IF(EmptyTogether_A, packets == 0, bytes == 0, "an empty queue holds bytes")

endmodule
