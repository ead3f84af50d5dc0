// SPDX-License-Identifier: BSD-3-Clause
// What one port holds, in bytes and packets, and how that compares with the limits when the next frame is judged.
//
// Contract: an event is a verdict, which adds the frame if it stores, or an abort, which takes it off; there may be one
// in every cycle. `over_bytes_o`, `over_packets_o`, `no_descriptor_o` and `above_o` belong to the event of this cycle
// and `store_i` may depend on them. They see every event before it, and every departure SeenAfter cycles before it or
// earlier; so do `bytes_o` and `packets_o`.
//
// Each compare is made one cycle early, for both outcomes of the event then judged: what it may add or take off is in
// the threshold already. Its outcome, by then a register, chooses between two bits.
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
    // from parse: the length of the frame that the event in two cycles, in the next and in this one is of
    input  logic [   LenW-1:0]             soon_len_i,
    // A storage smaller than a frame never uses the high bits: such a frame finds no room.
    // verilator lint_off UNUSEDSIGNAL
    input  logic [   LenW-1:0]             next_len_i,
    input  logic [   LenW-1:0]             len_i,
    // from admit and depart
    input  logic                           next_abort_i,     // an event in the next cycle is an abort
    input  logic                           store_i,
    input  logic                           abort_i,
    input  logic                           depart_i,
    input  logic [   LenW-1:0]             depart_len_i,
    // verilator lint_on UNUSEDSIGNAL
    // config: all ones is off
    input  logic [ LimitW-1:0]             limit_bytes_i,    // in force in two cycles
    input  logic [FramesW-1:0]             limit_packets_i,
    input  logic [        1:0][CountW-1:0] k_i,
    // state
    output logic [ CountW-1:0]             bytes_o,
    output logic [ CountW-1:0]             soon_bytes_o,     // without what has left by the next cycle's `bytes_o`
    output logic [FramesW-1:0]             packets_o,
    output logic                           over_bytes_o,     // B + len > limit
    output logic                           over_packets_o,   // P + 1 > limit
    output logic                           no_descriptor_o,
    output logic [        1:0]             above_o           // B > K, of each slot
);

  // Signs: what remains of a limit is negative for a frame longer than it.
  localparam int unsigned RoomW = LimitW + 2;
  localparam int unsigned LevelW = CountW + 2;

  // What is known of an event: with the event before it done, and without.
  typedef struct packed {
    logic       over_bytes;
    logic       over_packets;
    logic       no_descriptor;
    logic [1:0] above;
  } compared_t;
  compared_t if_done_d, if_not_d, if_done_q, if_not_q, compared;
  logic [1:0] steps;

  logic done, done_q;
  assign done = store_i || abort_i;

  // ---- bytes: the thresholds, and what this cycle's event and the departures change ----
  logic signed [RoomW-1:0] headroom_q, headroom_back_q, headroom_done_q;
  logic signed [1:0][LevelW-1:0] k_done_q;
  logic [1:0][CountW-1:0] k_q;
  logic [CountW-1:0] bytes_q, seen_q, change_done_q, change_q, leaves, moved;

  assign leaves = depart_i ? CountW'(depart_len_i) : '0;
  assign moved  = done ? CountW'(len_i) : '0;

  always_ff @(posedge clk_i) begin
    headroom_q      <= RoomW'(limit_bytes_i) - RoomW'(soon_len_i);
    headroom_back_q <= RoomW'(limit_bytes_i) + RoomW'(soon_len_i);
    headroom_done_q <= (next_abort_i ? headroom_back_q : headroom_q) - $signed(RoomW'(soon_len_i));
    k_q             <= k_i;
    for (int s = 0; s < 2; s++) k_done_q[s] <= LevelW'(add_or_sub(wide_t'(k_i[s]), wide_t'(next_len_i), !next_abort_i));
    change_q      <= -leaves;
    change_done_q <= (next_abort_i ? -CountW'(next_len_i) : CountW'(next_len_i)) - leaves;
    bytes_q       <= bytes_q + (done ? change_done_q : change_q);
    seen_q        <= CountW'(add_or_sub(wide_t'(bytes_q), wide_t'(moved), abort_i));
    if (rst_i) {bytes_q, seen_q, change_q, change_done_q} <= '0;
  end

  // ---- packets ----
  logic [FramesW-1:0] packets_q, limit_q;
  logic [FramesW:0] limit_done_q;
  logic next_is_abort_q, left_q, left_2_q;

  always_ff @(posedge clk_i) begin
    limit_q <= limit_packets_i;
    limit_done_q    <= next_abort_i ? (FramesW + 1)'(limit_packets_i) + 1'b1
        : (FramesW + 1)'(limit_packets_i) - (FramesW + 1)'(limit_packets_i != '0);
    next_is_abort_q <= next_abort_i;
    left_q <= depart_i;
    left_2_q <= left_q;
    packets_q <= packets_q + {{(FramesW - 1) {abort_i}}, done} - FramesW'(left_2_q);
    if (rst_i) {packets_q, left_q, left_2_q} <= '0;
  end

  // ---- compares: the sign of a difference each, and nothing behind it ----
  function automatic logic exceeds(input logic signed [RoomW-1:0] threshold, input logic [CountW-1:0] count);
    logic signed [RoomW:0] difference;
    difference = (RoomW + 1)'(threshold) - $signed((RoomW + 1)'(count));
    return difference[RoomW];
  endfunction

  always_comb begin
    if_not_d = '{
        over_bytes: exceeds(headroom_q, bytes_q),
        over_packets: less_than(wide_t'(limit_q), wide_t'(packets_q), !left_2_q, FramesW),
        no_descriptor: !left_2_q && packets_q >= FramesW'(DESCRIPTORS),
        above: steps
    };
    if_done_d = '{
        over_bytes: exceeds(headroom_done_q, bytes_q),
        over_packets: less_than(wide_t'(limit_done_q), wide_t'(packets_q), !left_2_q, FramesW + 1),
        no_descriptor: !next_is_abort_q && packets_q >= FramesW'(DESCRIPTORS) - FramesW'(!left_2_q),
        above: '0
    };
    for (int s = 0; s < 2; s++) if_done_d.above[s] = exceeds(RoomW'(signed'(k_done_q[s])), bytes_q);
  end

  for (genvar s = 0; s < 2; s++) begin : gen_step
    tm_step #(
        .W(CountW)
    ) step (
        .bytes_i (bytes_q),
        .k_i     (k_q[s]),
        .signal_o(steps[s])
    );
  end

  always_ff @(posedge clk_i) begin
    if_not_q  <= if_not_d;
    if_done_q <= if_done_d;
    done_q    <= !rst_i && done;
  end

  assign compared = done_q ? if_done_q : if_not_q;
  assign {over_bytes_o, over_packets_o, no_descriptor_o, above_o} = compared;
  assign bytes_o = seen_q;
  assign soon_bytes_o = bytes_q;
  assign packets_o = packets_q;

  `TM_ASSERT(StoreOrAbort_A, !(store_i && abort_i), "a frame is stored and aborted in one cycle")
  `TM_ASSERT_IF(NextKnown_A, done, abort_i == next_is_abort_q, "an event is not what was foretold")
  `TM_ASSERT_IF(NoUnderflow_A, abort_i || left_2_q, packets_q != 0, "a frame leaves that was not held")
  `TM_ASSERT(NoOverflow_A, seen_q <= CountW'(STORAGE), "storage is promised twice")
  `TM_ASSERT_IF(EmptyTogether_A, packets_q == 0, seen_q == 0, "an empty queue holds bytes")

endmodule
