// SPDX-License-Identifier: BSD-3-Clause
// The frames that wait in one port, oldest first: what depart, the laws and rewrite need to know of each.
//
// Contract:
// * `push_i` brings the frame that the verdict of the cycle before stored, if it does not leave at once; `pop_i` takes
//   the oldest (`head_o`). `abort_i` takes the newest back, if it is waiting: its frame turned out wrong. It may have
//   ended (`end_i`) or not (`arriving_i`) when it is pushed.
// * The oldest stands in registers while one waits, whatever else does. The newest stands in registers as well, so that
//   neither what is read nor what is taken back waits for a memory (tm_list). The one before it is moved on into the
//   list through a register, and straight to the head if it is the oldest by then.
// * `flush_i` condemns every frame stored so far, the one pushed in this cycle included, by changing the flag that new
//   ones carry; `flushing_o` is set while the head carries the old one. A flush during a flush is ignored.
`include "tm_assert.svh"

module tm_descriptors #(
    parameter int unsigned WIDTH  = 34,  // bits of a descriptor
    parameter int unsigned FRAMES = 508  // frames the port can hold
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from admit
    input  logic             push_i,
    input  logic [WIDTH-1:0] push_data_i,
    input  logic             arriving_i,       // the newest frame has not ended before this cycle
    input  logic             end_i,            // it does in this cycle
    input  logic             abort_i,          // and is taken back
    // to depart
    input  logic             pop_i,
    output logic             waiting_o,
    output logic             head_arriving_o,
    output logic [WIDTH-1:0] head_o,
    // flush: condemns the frames that wait now, and says while the head is one of them
    input  logic             flush_i,
    output logic             flushing_o
);

  // A frame that waits: still arriving, and of the flag that was in force when it was stored.
  typedef struct packed {
    logic             flag;
    logic [WIDTH-1:0] data;
  } frame_t;

  frame_t moved_q, newest_q, pushed, listed, next;  // `next` is the oldest behind the head
  logic [WIDTH-1:0] head_q;
  logic head_valid_q, next_valid, head_arriving_q, moved_valid_q, newest_valid_q, newest_arriving_q;
  logic flag_q, any, free, newest_back, from_newest, from_push, to_newest;
  logic condemned_q, condemns;  // the head carries the old flag; what waits now will

  assign condemns    = flush_i && !condemned_q;
  assign pushed      = '{flag: flag_q, data: push_data_i};
  assign free        = !head_valid_q || pop_i || (abort_i && head_arriving_q);
  assign newest_back = abort_i && newest_arriving_q;
  assign from_newest = free && !any && !moved_valid_q && newest_valid_q;
  assign from_push   = free && !any && !moved_valid_q && !newest_valid_q;
  assign to_newest   = push_i && !from_push;

  assign next        = any ? listed : moved_valid_q ? moved_q : newest_valid_q ? newest_q : pushed;
  assign next_valid  = any || moved_valid_q || (newest_valid_q ? !newest_back : push_i);

  always_ff @(posedge clk_i) begin
    flag_q <= flag_q ^ condemns;
    if (free) begin
      head_q <= next.data;
      head_valid_q <= next_valid;
      condemned_q <= next_valid && next.flag != (flag_q ^ condemns);
      head_arriving_q <= !any && !moved_valid_q && !end_i &&
                         (newest_valid_q ? newest_arriving_q : push_i && arriving_i);
    end else begin
      condemned_q <= condemned_q || condemns;
      if (end_i) head_arriving_q <= 1'b0;
    end

    // (Where a frame goes is known late: only `valid` looks at it.)
    if (push_i) newest_q <= pushed;
    newest_valid_q    <= to_newest || (newest_valid_q && !from_newest && !newest_back);
    newest_arriving_q <= !end_i && (push_i ? arriving_i : newest_arriving_q);
    moved_q           <= newest_q;
    moved_valid_q     <= to_newest && newest_valid_q && !from_newest;
    if (rst_i) begin
      {head_valid_q, head_arriving_q, moved_valid_q, newest_valid_q, newest_arriving_q} <= '0;
      {flag_q, condemned_q} <= '0;
    end
  end

  tm_list #(
      .WIDTH (WIDTH + 1),
      .FRAMES(FRAMES)
  ) list (
      .clk_i,
      .rst_i,
      .push_i     (moved_valid_q),
      .push_data_i(moved_q),
      .pop_i      (free && (any || moved_valid_q)),
      .any_o      (any),
      .head_o     (listed)
  );

  assign waiting_o       = head_valid_q;
  assign head_arriving_o = head_arriving_q;
  assign head_o          = head_q;
  assign flushing_o      = condemned_q;

  `TM_ASSERT_IF(PopWaiting_A, pop_i, head_valid_q && !(abort_i && head_arriving_q),
                "a frame is taken that does not wait")
  `TM_ASSERT_IF(HeadAtHand_A, newest_valid_q || moved_valid_q || any, head_valid_q, "a frame waits and is not at hand")
  `TM_ASSERT_IF(OneArrives_A, head_arriving_q, !newest_valid_q && !moved_valid_q && !any && !push_i,
                "a frame waits behind one that arrives")

endmodule
