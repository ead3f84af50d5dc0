// SPDX-License-Identifier: BSD-3-Clause
// Waiting-time marking of a short queue: any frames, any time and any threshold, which may change in every cycle.
//
// The owner is depart: it pulls the oldest frame that waits, or one in the cycle that stores it if none does; and takes
// back the newest at its end, which is two cycles before the next at the least.
module formal_tcn
  import tm_pkg::*;
(
    input logic                 clk_i,
    input logic  [TcnTimeW-1:0] time_i,
    input logic                 stored_i,
    input logic  [TcnTimeW-1:0] stored_time_i,
    input logic                 stored_ect_i,
    input logic                 abort_i,
    input logic                 end_i,
    input pull_t                pull_i,
    input logic                 hold_i,
    input logic  [    TcnW-1:0] threshold_i
);

  localparam int unsigned Frames = 3;
  localparam logic [1:0] AtHand = 2'd3;  // cycles after it was stored

  typedef struct packed {
    logic                ect;
    logic [TcnTimeW-1:0] stamp;
    logic [1:0]          age;    // cycles; three and more as three
  } waiting_t;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic head_mark, mark;
  assign head_mark = dut.head_mark;
  tm_tcn #(
      .FRAMES(Frames)
  ) dut (
      .clk_i,
      .rst_i (!started_q),
      .time_i,
      .stored_i,
      .stored_time_i,
      .stored_ect_i,
      .abort_i,
      .pull_i,
      .hold_i,
      .cfg_i ('{on: threshold_i != '0, threshold: threshold_i}),
      .mark_o(mark)
  );

  // ---- the frames that wait, oldest first ----
  waiting_t [Frames-1:0] queue_q, queue;
  logic [1:0] count_q, count;
  logic arriving_q, back_q, push;
  assign push = stored_i && !(pull_i.frame && !pull_i.head);

  always_comb begin
    {queue, count} = {queue_q, count_q};
    for (int i = 0; i < Frames; i++) if (queue[i].age != AtHand) queue[i].age += 2'd1;
    if (pull_i.head) begin
      queue = queue >> $bits(waiting_t);
      count = count - 2'd1;
    end
    if (push) begin
      queue[count] = '{ect: stored_ect_i, stamp: stored_time_i, age: 2'd1};
      count        = count + 2'd1;
    end
    if (abort_i) count = count - 2'd1;
  end

  always_ff @(posedge clk_i) begin
    queue_q    <= queue;
    count_q    <= count;
    arriving_q <= (push || (arriving_q && !stored_i)) && !abort_i && !end_i && count != 0;
    back_q     <= abort_i;
    if (!started_q) {count_q, arriving_q, back_q} <= '0;

    // What depart and admit see to.
    Empty_M : assume (!pull_i.head || count_q != 0);
    AtOnce_M : assume (!(pull_i.frame && !pull_i.head) || (stored_i && count_q == 0));
    Room_M : assume (!stored_i || count_q != 2'(Frames));
    Back_M : assume (!abort_i || push || (arriving_q && !stored_i && !(pull_i.head && count_q == 1)));
    BackTwice_M : assume (!stored_i || !back_q);
    Reset_M : assume (started_q || !(stored_i || abort_i || pull_i.head || pull_i.frame));
  end

  // ---- the rule: how long the oldest has waited, as the cycle before saw time and threshold ----
  logic [TcnTimeW-1:0] now_q, waited, beyond;
  logic [TcnW-1:0] threshold_q;
  logic over, due, due_q;
  assign waited = now_q - queue_q[0].stamp;
  assign beyond = waited - TcnTimeW'(threshold_q);
  assign over   = waited > TcnTimeW'(threshold_q) && beyond <= {1'b1, {TcnTimeW - 1{1'b0}}};
  assign due    = threshold_q != '0 && over && queue_q[0].age == AtHand && queue_q[0].ect;

  always_ff @(posedge clk_i) begin
    if (!hold_i) {now_q, threshold_q} <= {time_i, threshold_i};
    if (pull_i.frame) due_q <= due && pull_i.head;
    if (!started_q) {threshold_q, due_q} <= '0;

    if (started_q) begin
      WaitedOnly_A : assert (count_q == 0 || !head_mark || due || !queue_q[0].ect);
      WaitedAll_A : assert (count_q == 0 || !due || head_mark);
      EctOnly_A : assert (count_q == 0 || !head_mark || queue_q[0].ect);
      Own_A : assert (count_q == 0 || !dut.head_ok_q || dut.head_q.stamp == queue_q[0].stamp);
      AtHand_A : assert (count_q == 0 || dut.head_ok_q == (queue_q[0].age == AtHand));
      AsPulled_A : assert (mark == due_q);
    end
  end

endmodule
