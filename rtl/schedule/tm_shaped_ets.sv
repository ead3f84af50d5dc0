// SPDX-License-Identifier: BSD-3-Clause
// Which queue of a line sends the next frame: transmission selection among the queues that are not paused and whose
// buckets may send, while the line's own may.
//
// Contract: that of tm_ets, with these differences. A queue that is paused counts as one that has no frame, so that it
// leaves the round; one whose frame is being sent keeps its place. Where SHAPING is 1 the same is true of a queue whose
// bucket (tm_shaper) is shut. While the line's bucket is shut none is selected, and the round stays as it is. The frame
// that is selected is charged to its queue and to the line. `open_o` says which queues' buckets may send.
module tm_shaped_ets
  import tm_pkg::*;
  import tm_schedule_pkg::behind_t;
#(
    parameter int unsigned QUEUES = 8,
    parameter int unsigned MAX_FRAME = DefaultBuild.max_frame,  // bytes
    parameter int unsigned QUANTUM_W = 18,  // bits of a quantum
    parameter bit SHAPING = 1'b0
) (
    input  logic                                clk_i,
    input  logic                                rst_i,
    // from the queues
    input  logic    [QUEUES-1:0]                waiting_i,
    input  logic    [QUEUES-1:0][     LenW-1:0] len_i,
    input  behind_t [QUEUES-1:0]                behind_i,
    // config
    input  logic    [QUEUES-1:0]                strict_i,
    input  logic    [QUEUES-1:0][QUANTUM_W-1:0] quantum_i,
    input  shape_t  [QUEUES-1:0]                shape_i,
    input  shape_t                              line_shape_i,
    // from the line's link partner: IEEE 802.1Q clause 36
    input  logic    [QUEUES-1:0]                paused_i,
    // from the line, to it and to the queues
    input  logic                                ready_i,
    output logic    [QUEUES-1:0]                sending_o,
    output logic    [QUEUES-1:0]                open_o
);

  logic line_open;
  logic [QUEUES-1:0] grant, may_send;
  behind_t [QUEUES-1:0] behind;

  always_comb begin
    may_send = open_o & ~paused_i;
    behind   = behind_i;
    for (int unsigned q = 0; q < QUEUES; q++) if (!may_send[q]) {behind[q].valid, behind[q].soon} = '0;
  end

  tm_ets #(
      .QUEUES   (QUEUES),
      .MAX_FRAME(MAX_FRAME),
      .QUANTUM_W(QUANTUM_W)
  ) ets (
      .clk_i,
      .rst_i,
      .waiting_i(waiting_i & may_send),
      .len_i,
      .behind_i (behind),
      .strict_i,
      .quantum_i,
      .ready_i,
      .select_i (line_open),
      .grant_o  (grant),
      .sending_o
  );

  if (SHAPING) begin : gen_shaping
    logic [QUEUES-1:0][LenW-1:0] queue_len;  // of the frame that each may send
    logic [LenW-1:0] len;  // of the one that is selected
    logic [QUEUES:0] unused_next_open;

    always_comb begin
      len = '0;
      for (int unsigned q = 0; q < QUEUES; q++) begin
        queue_len[q] = sending_o[q] ? behind_i[q].last + 1'b1 : len_i[q];
        if (grant[q]) len |= queue_len[q];
      end
    end

    for (genvar q = 0; q < QUEUES; q++) begin : gen_queue
      tm_shaper #(
          .MAX_FRAME(MAX_FRAME)
      ) bucket (
          .clk_i,
          .rst_i,
          .shape_i    (shape_i[q]),
          .charge_i   (grant[q]),
          .len_i      (queue_len[q]),
          .open_o     (open_o[q]),
          .next_open_o(unused_next_open[q])
      );
    end

    tm_shaper #(
        .MAX_FRAME(MAX_FRAME)
    ) line_bucket (
        .clk_i,
        .rst_i,
        .shape_i    (line_shape_i),
        .charge_i   (grant != '0),
        .len_i      (len),
        .open_o     (line_open),
        .next_open_o(unused_next_open[QUEUES])
    );
  end else begin : gen_no_shaping
    logic unused;
    assign unused              = ^{shape_i, line_shape_i, grant};
    assign {open_o, line_open} = '1;
  end

endmodule
