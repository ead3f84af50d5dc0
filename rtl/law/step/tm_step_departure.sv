// SPDX-License-Identifier: BSD-3-Clause
// The step law at departure: whether the frame that is pulled leaves more than K bytes behind, and so leaves marked.
//
// Contract: docs/verdict.md, "Marking at departure". `mark_o` is of the frame that was pulled last. Arrivals, frames
// that are taken back, K and `on_i` count some cycles late, every frame that was pulled before counts at once.
//
// Two counts of bytes that only grow, and wrap: of those stored, and of those pulled. A pull comes late: it enables,
// and adds nothing.
`include "tm_assert.svh"

module tm_step_departure
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter int unsigned COUNT_W = 15  // bits of B
) (
    input  logic                clk_i,
    input  logic                rst_i,
    // from admit: the frame judged in the cycle before, and whether the newest is taken back
    input  logic                stored_i,
    // A storage smaller than a frame never uses the high bits: such a frame finds no room.
    // verilator lint_off UNUSEDSIGNAL
    input  logic  [   LenW-1:0] stored_last_i,    // the length less one of the frame judged, or taken back
    // verilator lint_on UNUSEDSIGNAL
    input  logic                abort_i,
    // from depart: what is pulled, a flush included
    // verilator lint_off UNUSEDSIGNAL
    input  pull_t               pull_i,
    input  logic  [   LenW-1:0] head_last_i,      // the length less one of the oldest frame
    // verilator lint_on UNUSEDSIGNAL
    input  logic                head_deferred_i,  // it can carry a mark, and was not judged as it came
    // config
    input  logic                on_i,
    input  logic  [COUNT_W-1:0] k_i,
    // to depart
    output logic                mark_o
);

  // Behind a frame there may be K bytes less than none, and itself, which is not counted yet.
  localparam int unsigned SumW = COUNT_W + 2;

  logic [SumW-1:0] stored_q, pulled_q, pulled, least_q, minus_stored;
  logic aborted_q, on_q, head_mark;

  // One that leaves at once is none of those that wait.
  logic push;
  assign push         = stored_i && !(pull_i.frame && !pull_i.head);
  // Of a length less one, every bit turned is the length, negative.
  assign minus_stored = ~SumW'(stored_last_i);
  assign pulled       = pulled_q - ~SumW'(head_last_i);  // once the oldest is

  always_ff @(posedge clk_i) begin
    aborted_q <= abort_i;
    if (push || aborted_q) begin
      stored_q <= SumW'(add_or_sub(wide_t'(stored_q), wide_t'(minus_stored), !aborted_q));
    end
    if (pull_i.head) pulled_q <= pulled;
    least_q <= stored_q - SumW'(k_i);
    on_q    <= on_i;
    if (pull_i.frame) mark_o <= head_mark && pull_i.head;
    if (rst_i) {stored_q, pulled_q, least_q, aborted_q, on_q, mark_o} <= '0;
  end

  // ---- the rule: stored - pulled > K ----
  assign head_mark = on_q && head_deferred_i && is_before(wide_t'(pulled), wide_t'(least_q), 1'b0, SumW);

  `TM_ASSERT_IF(BackOnce_A, push, !aborted_q, "a frame comes in the cycle after one was taken back")

endmodule
