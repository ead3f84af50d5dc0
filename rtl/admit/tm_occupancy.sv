// SPDX-License-Identifier: BSD-3-Clause
// What one port holds, in bytes and packets, and how that compares with the limits and K when a frame is judged.
//
// Contract: an event (`changes_i`) is a verdict that stores the frame, which adds it, or an abort, which takes it off;
// there may be one in every cycle. `over_bytes_o`, `over_packets_o`, `full_o` and `above_o` belong to the event of this
// cycle and `changes_i` may depend on them. They see every event before it, and every departure three cycles before it
// or earlier; so do `bytes_o` and `packets_o`.
//
// A frame that is cut short as it leaves counts as it promised until its departure is seen: while the next one takes
// the room that it left, B may be CUT_SHORT more than the storage.
//
// What is held after an event, and how that compares at the next one, is worked out for both outcomes of the event. The
// outcome, which comes last, only chooses what goes into the registers: a verdict starts with the answers.
`include "tm_assert.svh"

module tm_occupancy
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter int unsigned STORAGE = 16384,  // bytes the port can hold
    parameter int unsigned DESCRIPTORS = 508,  // frames the port can hold
    parameter int unsigned CUT_SHORT = 0,  // bytes that a frame may lack when it leaves
    localparam int unsigned CountW = $clog2(STORAGE + CUT_SHORT + 1),
    // All ones is off, so it lies beyond all that can be asked for.
    localparam int unsigned LimitW = $clog2(STORAGE + (1 << LenW)),
    localparam int unsigned FramesW = $clog2(DESCRIPTORS + 2)
) (
    input  logic                           clk_i,
    input  logic                           rst_i,
    // from parse: the length of the frame that the event in the next cycle is of, and the one after
    // A storage smaller than a frame never uses the high bits: such a frame finds no room.
    // verilator lint_off UNUSEDSIGNAL
    input  logic [   LenW-1:0]             next_len_i,
    input  logic [   LenW-1:0]             soon_len_i,
    // from admit and depart
    input  logic                           next_abort_i,          // an event in the next cycle is an abort
    input  logic [        1:0]             changes_i,             // for B, and for P and the compares: both are equal
    input  logic                           abort_i,               // only assertions look at it
    input  logic                           depart_i,
    input  logic [   LenW-1:0]             depart_last_i,         // the length less one
    // verilator lint_on UNUSEDSIGNAL
    // config: in force in the next cycle, or the one after; all ones is off
    input  logic [ LimitW-1:0]             soon_limit_bytes_i,
    input  logic [FramesW-1:0]             next_limit_packets_i,
    input  logic [        1:0][CountW-1:0] next_k_i,              // of each law slot
    // state
    output logic [ CountW-1:0]             bytes_o,
    output logic [ CountW-1:0]             soon_bytes_o,          // without what has left by the next cycle's `bytes_o`
    output logic [FramesW-1:0]             packets_o,
    output logic                           over_bytes_o,          // B + len > limit
    output logic                           over_packets_o,        // P + 1 > limit
    output logic                           full_o,                // one of both, or no descriptor is left
    output logic [        1:0]             above_o                // B > K, by law slot
);

  // Signs: what remains of a limit is negative for a frame longer than it.
  localparam int unsigned RoomW = LimitW + 1;

  logic abort_q;  // the event is an abort, if there is one
  always_ff @(posedge clk_i) abort_q <= next_abort_i;

  // ---- bytes, by outcome ----
  // What leaves is kept less one, all ones where nothing does: turned, it is what is added.
  logic [CountW-1:0] bytes_q, left_q, not_left, left_2_q, change_done_q;
  logic [1:0][CountW-1:0] bytes_d;
  assign not_left = ~left_q;
  assign bytes_d  = {change_done_q + bytes_q, ~left_2_q + bytes_q};

  always_ff @(posedge clk_i) begin
    left_2_q      <= left_q;
    change_done_q <= CountW'(add_or_sub(wide_t'(not_left), wide_t'(next_len_i), next_abort_i));
    bytes_q       <= bytes_d[changes_i[0]];
    if (rst_i || !depart_i) left_q <= '1;
    else left_q <= CountW'(depart_last_i);
    if (rst_i) {bytes_q, left_2_q} <= {CountW'(0), {CountW{1'b1}}};
  end

  // ---- packets, by outcome ----
  logic [FramesW-1:0] packets_q;
  logic [1:0][FramesW-1:0] packets_d;
  logic frame_left_q, frame_left_2_q;
  assign packets_d[0] = packets_q - FramesW'(frame_left_2_q);
  // One more or one less, and less the one that leaves.
  assign packets_d[1] = {{(FramesW - 1) {abort_q}}, !frame_left_2_q} + packets_q;

  always_ff @(posedge clk_i) begin
    {frame_left_2_q, frame_left_q} <= {frame_left_q, depart_i};
    packets_q                      <= packets_d[changes_i[1]];
    if (rst_i) {packets_q, frame_left_2_q, frame_left_q} <= '0;
  end

  // ---- compares at the next event, by this one's outcome ----
  typedef struct packed {
    logic       over_bytes;
    logic       over_packets;
    logic       full;          // one of both, or no descriptor is left
    logic [1:0] above;
  } answer_t;

  logic signed [RoomW-1:0] headroom_q;
  (* keep *) answer_t [1:0] answers;  // so that what chooses comes last
  always_ff @(posedge clk_i) begin
    headroom_q     <= RoomW'(soon_limit_bytes_i) - RoomW'(soon_len_i);
    over_bytes_o   <= answers[changes_i[1]].over_bytes;
    over_packets_o <= answers[changes_i[1]].over_packets;
    above_o        <= answers[changes_i[1]].above;
    full_o         <= answers[changes_i[1]].full;
  end

  for (genvar o = 0; o < 2; o++) begin : gen_outcome
    logic signed [RoomW-1:0] spare;
    logic [1:0] above;
    logic over_packets;
    assign spare = headroom_q - $signed(RoomW'(bytes_d[o]));

    // Both slots' thresholds are compared: which of them counts is known too late to choose one before.
    for (genvar s = 0; s < 2; s++) begin : gen_slot
      tm_step #(
          .W(CountW)
      ) step (
          .bytes_i (bytes_d[o]),
          .k_i     (next_k_i[s]),
          .signal_o(above[s])
      );
    end

    assign over_packets = less_than(wide_t'(next_limit_packets_i), wide_t'(packets_d[o]), 1'b1, FramesW);
    assign answers[o] = '{
            over_bytes: spare[RoomW-1],
            over_packets: over_packets,
            full: spare[RoomW-1] || over_packets || packets_d[o] >= FramesW'(DESCRIPTORS),
            above: above
        };
  end

  assign bytes_o      = bytes_q;
  assign soon_bytes_o = bytes_d[0];
  assign packets_o    = packets_q;

  `TM_ASSERT_IF(NextKnown_A, changes_i[0], abort_i == abort_q, "an event is not what was foretold")
  `TM_ASSERT_IF(NoUnderflow_A, abort_i || frame_left_2_q, packets_q != 0, "a frame leaves that was not held")
  `TM_ASSERT(NoOverflow_A, bytes_q <= CountW'(STORAGE + CUT_SHORT), "storage is promised twice")
  `TM_ASSERT_IF(EmptyTogether_A, packets_q == 0, bytes_q == 0, "an empty queue holds bytes")

endmodule
