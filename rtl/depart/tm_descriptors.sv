// SPDX-License-Identifier: BSD-3-Clause
// The frames that wait in one port, oldest first: what depart and rewrite need to know of each.
//
// Contract:
// * `push_i` stores the descriptor of the frame now judged; `unpush_i` takes the newest one back (its frame turned out
//   wrong). What it might store is there with `offer_i`. `pop_i` takes the oldest (`head_o`); a frame that leaves in
//   the cycle of its own verdict is not pushed.
// * `waiting_o` and `head_o` follow a push by one cycle. The RAM needs two, so in the first the head is a copy
//   kept in registers.
// * `head_is_newest_o`: no frame waits behind the head.
// * `flush_i` condemns every frame pushed so far, this cycle's included, by changing the flag that new ones carry;
//   `flushing_o` is set while the head carries the old one. A flush during a flush is ignored.
`include "tm_assert.svh"

module tm_descriptors #(
    parameter int unsigned WIDTH = 34,  // bits of a descriptor
    parameter int unsigned FRAMES = 508,  // frames the port can hold
    parameter int unsigned AHEAD_W = 0,  // bits of what is looked at ahead of the head (tm_ahead)
    localparam int unsigned AheadW = (AHEAD_W > 0) ? AHEAD_W : 1,
    localparam int unsigned IndexW = $clog2(FRAMES + 4)
) (
    input  logic              clk_i,
    input  logic              rst_i,
    // from admit
    input  logic              offer_i,
    input  logic              push_i,            // only with offer_i
    input  logic [ WIDTH-1:0] push_data_i,
    input  logic [AheadW-1:0] push_ahead_i,
    input  logic              unpush_i,
    // to depart
    input  logic              pop_i,
    output logic              waiting_o,
    output logic              head_is_newest_o,
    output logic [ WIDTH-1:0] head_o,
    output logic              ahead_valid_o,
    output logic [AheadW-1:0] ahead_o,
    // flush: condemns the frames that wait now, and says while the head is one of them
    input  logic              flush_i,
    output logic              flushing_o
);

  logic [IndexW-1:0] write_q, newest, head_q, head_next, head_d;
  logic pushed_q, fetched_q, fetched_d, flag_q, head_flag;
  logic one_left, two_left;
  logic [WIDTH:0] fetched, pushed, pushed_data_q;

  // The pop comes late: both answers are ready for it.
  assign pushed = {flag_q, push_data_i};
  assign head_next = head_q + IndexW'(1);
  assign head_d = head_q + IndexW'(pop_i);
  assign newest = write_q - IndexW'(1);
  assign one_left = head_next == write_q;
  assign two_left = head_next == newest;
  assign fetched_d = pop_i
      ? !one_left && !(unpush_i && two_left)
      : (fetched_q || head_q != write_q) && !(unpush_i && one_left);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_q   <= '0;
      head_q    <= '0;
      pushed_q  <= 1'b0;
      fetched_q <= 1'b0;
      flag_q    <= 1'b0;
    end else begin
      write_q   <= write_q + {{(IndexW - 1) {unpush_i}}, push_i || unpush_i};  // one on, or one back
      head_q    <= head_d;
      pushed_q  <= push_i;
      fetched_q <= fetched_d;
      if (flush_i && !flushing_o) flag_q <= !flag_q;
    end
    pushed_data_q <= pushed;
  end

  assign waiting_o           = fetched_q || pushed_q;
  assign head_is_newest_o    = one_left;
  assign {head_flag, head_o} = fetched_q ? fetched : pushed_data_q;
  assign flushing_o          = waiting_o && head_flag != flag_q;

  tm_prim_ram #(
      .STYLE("auto"),
      .WIDTH(WIDTH + 1),
      .DEPTH(1 << IndexW),
      .SPECULATIVE(1'b1)
  ) descriptors (
      .clk_i,
      .wr_en_i  (offer_i),
      .wr_addr_i(write_q),
      .wr_data_i(pushed),
      .rd_en_i  (head_q != write_q),
      .rd_addr_i(head_d),
      .rd_data_o(fetched)
  );

  if (AHEAD_W > 0) begin : gen_ahead
    tm_ahead #(
        .WIDTH  (AheadW),
        .INDEX_W(IndexW)
    ) ahead (
        .clk_i,
        .rst_i,
        .push_i,
        .write_i    (write_q),
        .push_data_i(push_ahead_i),
        .unpush_i,
        .newest_i   (newest),
        .pop_i,
        .head_next_i(head_d),
        .valid_o    (ahead_valid_o),
        .data_o     (ahead_o)
    );
  end else begin : gen_no_ahead
    logic unused;
    assign unused        = &push_ahead_i;
    assign ahead_valid_o = 1'b0;
    assign ahead_o       = '0;
  end

  `TM_ASSERT_IF(FetchSettled_A, fetched_d, !(offer_i && write_q == head_d),
                "a descriptor is fetched in the cycle that writes it")
  `TM_ASSERT_IF(PushOffered_A, push_i, offer_i, "a frame is pushed that was not offered")
  `TM_ASSERT_IF(PopWaiting_A, pop_i, waiting_o, "a frame is taken that does not wait")
  `TM_ASSERT_IF(HeadAtHand_A, head_q != write_q, waiting_o, "a descriptor is in the ring and not at hand")
  `TM_ASSERT(PushOrUnpush_A, !(push_i && unpush_i), "a frame is taken back in the cycle that pushes another")

endmodule
