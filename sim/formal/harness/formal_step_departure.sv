// SPDX-License-Identifier: BSD-3-Clause
// The step law at departure of a short queue: any frames and any K, which may change in every cycle.
//
// The owner is depart: it pulls the oldest frame that waits, or one in the cycle that stores it if none does; and takes
// back the newest at its end, which is two cycles before the next at the least.
module formal_step_departure
  import tm_pkg::*;
#(
    localparam int unsigned Frames = 3,
    localparam int unsigned CountW = $clog2(Frames * (1 << LenW) + 1)
) (
    input logic               clk_i,
    input logic               stored_i,
    input logic  [  LenW-1:0] last_i,
    input logic               deferred_i,
    input logic               abort_i,
    input logic               end_i,
    input pull_t              pull_i,
    input logic               on_i,
    input logic  [CountW-1:0] k_i
);

  typedef struct packed {
    logic            deferred;
    logic [LenW-1:0] last;
  } waiting_t;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // ---- the frames that wait, oldest first ----
  waiting_t [Frames-1:0] queue_q, queue;
  logic [1:0] count_q, count;
  logic arriving_q, back_q, push;
  logic [LenW-1:0] back_last_q;  // of the frame that was taken back a cycle ago
  assign push = stored_i && !(pull_i.frame && !pull_i.head);

  logic head_mark, mark;
  assign head_mark = dut.head_mark;
  tm_step_departure #(
      .COUNT_W(CountW)
  ) dut (
      .clk_i,
      .rst_i          (!started_q),
      .stored_i,
      .stored_last_i  (back_q ? back_last_q : last_i),
      .abort_i,
      .pull_i,
      .head_last_i    (queue_q[0].last),
      .head_deferred_i(queue_q[0].deferred),
      .on_i,
      .k_i,
      .mark_o         (mark)
  );

  always_comb begin
    {queue, count} = {queue_q, count_q};
    if (pull_i.head) begin
      queue = queue >> $bits(waiting_t);
      count = count - 2'd1;
    end
    if (push) begin
      queue[count] = '{deferred: deferred_i, last: last_i};
      count        = count + 2'd1;
    end
    if (abort_i) count = count - 2'd1;
  end

  always_ff @(posedge clk_i) begin
    queue_q     <= queue;
    count_q     <= count;
    arriving_q  <= (push || (arriving_q && !stored_i)) && !abort_i && !end_i && count != 0;
    back_q      <= abort_i;
    back_last_q <= queue[count].last;
    if (!started_q) {count_q, arriving_q, back_q} <= '0;

    // What depart and admit see to.
    Empty_M : assume (!pull_i.head || count_q != 0);
    AtOnce_M : assume (!(pull_i.frame && !pull_i.head) || (stored_i && count_q == 0));
    Room_M : assume (!stored_i || count_q != 2'(Frames));
    Back_M : assume (!abort_i || push || (arriving_q && !stored_i && !(pull_i.head && count_q == 1)));
    BackTwice_M : assume (!stored_i || !back_q);
    Reset_M : assume (started_q || !(stored_i || abort_i || pull_i.head || pull_i.frame));
  end

  // ---- what waits: arrivals count a cycle late, pulls at once ----
  localparam int unsigned SumW = CountW + 2;
  logic signed [SumW-1:0] waiting, late, late_q, pulled, behind;
  always_comb begin
    waiting = '0;
    for (int unsigned i = 0; i < Frames; i++) if (i < 32'(count_q)) waiting += SumW'(queue_q[i].last) + 1'b1;
    // A frame that was taken back counts until the cycle after.
    late = waiting;
    if (back_q) late += SumW'(back_last_q) + 1'b1;
  end
  // What waited a cycle ago, without what was pulled in it.
  assign pulled = pull_i.head ? SumW'(queue_q[0].last) + 1'b1 : '0;
  assign behind = late_q - SumW'(queue_q[0].last) - 1'b1;

  logic above, due_q, on_q;
  logic signed [SumW-1:0] k_q;
  assign above = behind > k_q;

  // What both know, together: by this induction succeeds.
  logic consistent;
  assign consistent = dut.on_q == on_q && dut.aborted_q == back_q && (!arriving_q || count_q != 0) &&
      SumW'(dut.stored_q - dut.pulled_q) == late && SumW'(dut.least_q + k_q - dut.pulled_q) == late_q;

  always_ff @(posedge clk_i) begin
    late_q <= late - pulled;
    on_q   <= on_i;
    k_q    <= SumW'(k_i);
    if (pull_i.frame) due_q <= head_mark && pull_i.head;
    if (!started_q) {late_q, on_q, due_q, k_q} <= '0;

    if (started_q) begin
      AboveOnly_A : assert (consistent && (count_q == 0 || !head_mark || above));
      AboveAll_A : assert (consistent && (count_q == 0 || !on_q || !queue_q[0].deferred || !above || head_mark));
      DeferredOnly_A : assert (count_q == 0 || !head_mark || (on_q && queue_q[0].deferred));
      Waiting_A : assert (consistent);
      LeavesMarked_A : assert (consistent && mark == due_q);
    end
  end

endmodule
