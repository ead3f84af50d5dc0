// SPDX-License-Identifier: BSD-3-Clause
// Waiting-time marking of one port: whether the frame that is pulled has waited so long that it leaves marked.
//
// Contract: docs/verdict.md, "Waiting-time marking". `mark_o` is of the frame that was pulled last. The time stands one
// cycle behind `time_i`, and still while `hold_i`. Nothing is kept from one frame to the next.
//
// Stamps stand in a memory of their own, whose output feeds a register: they are at hand without a multiplexer. A stamp
// that is not there yet is that of a frame which was pushed in one of the last three cycles.
`include "tm_assert.svh"

module tm_tcn
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter int unsigned FRAMES = 508  // frames that wait at most
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic  [TcnTimeW-1:0] time_i,
    // from admit: the frame judged in the cycle before, and whether the newest is taken back
    input  logic                 stored_i,
    input  logic  [TcnTimeW-1:0] stored_time_i,
    input  logic                 stored_ect_i,   // it can carry a mark and has none
    input  logic                 abort_i,
    // from depart
    // verilator lint_off UNUSEDSIGNAL
    input  pull_t                pull_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic                 hold_i,         // a departure goes on
    // config
    input  tcn_t                 cfg_i,
    // to depart
    output logic                 mark_o
);

  localparam int unsigned IndexW = $clog2(FRAMES + 1);

  typedef struct packed {
    logic                ect;
    logic [TcnTimeW-1:0] stamp;
  } frame_t;

  // ---- the stamps: those of the oldest frame and of the next are read before their turn ----
  logic [IndexW-1:0] write_q, newest_q, read_q;
  logic push, read, there, undone, aborted_q, head_ok_q, next_ok_q;
  frame_t stored, next, head_q;

  assign stored = '{ect: stored_ect_i, stamp: stored_time_i};
  // One that leaves at once is none of those that wait.
  assign push   = stored_i && !(pull_i.frame && !pull_i.head);
  assign read   = pull_i.head || !(head_ok_q && next_ok_q);
  // What is taken back counts until the cycle after: then it must not be read, and is forgotten if it was.
  assign there  = read_q != write_q && !(aborted_q && read_q == newest_q);
  assign undone = aborted_q && read_q == write_q;

  always_ff @(posedge clk_i) begin
    aborted_q <= abort_i;
    if (push || aborted_q) write_q <= write_q + {{IndexW - 1{aborted_q}}, 1'b1};
    if (push) newest_q <= write_q;
    if (undone || (read && there)) read_q <= read_q + {{IndexW - 1{undone}}, 1'b1};
    // A frame that leaves before it was read is passed over.
    next_ok_q <= read ? there && (head_ok_q || next_ok_q || !pull_i.head) : !undone;
    head_ok_q <= (pull_i.head || undone) ? head_ok_q && next_ok_q && !(pull_i.head && undone) : head_ok_q || next_ok_q;
    if (pull_i.head || !head_ok_q) head_q <= next;
    if (rst_i) {write_q, read_q, aborted_q, next_ok_q, head_ok_q} <= '0;
  end

  tm_prim_ram #(
      .STYLE      ("auto"),
      .SPECULATIVE(1'b1),
      .WIDTH      ($bits(frame_t)),
      .DEPTH      (1 << IndexW)
  ) stamps (
      .clk_i,
      .wr_en_i  (stored_i),
      .wr_addr_i(write_q),
      .wr_data_i(stored),
      .rd_en_i  (read),
      .rd_addr_i(read_q),
      .rd_data_o(next)
  );

  // ---- the rule ----
  logic [TcnTimeW-1:0] latest_q;  // a frame whose verdict came before has waited too long
  logic on_q, over, head_mark;

  assign over      = is_before(wide_t'(head_q.stamp), wide_t'(latest_q), 1'b0, TcnTimeW);
  assign head_mark = on_q && head_ok_q && head_q.ect && over;

  always_ff @(posedge clk_i) begin
    if (!hold_i) begin
      latest_q <= time_i - TcnTimeW'(cfg_i.threshold);
      on_q     <= cfg_i.on;
    end
    if (pull_i.frame) mark_o <= head_mark && pull_i.head;
    if (rst_i) {on_q, mark_o} <= '0;
  end

  `TM_ASSERT_IF(BackOnce_A, push, !aborted_q, "a frame comes in the cycle after one was taken back")

endmodule
