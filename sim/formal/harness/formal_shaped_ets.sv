// SPDX-License-Identifier: BSD-3-Clause
// Transmission selection of two queues, each held to a rate or not, on a line that is or not: any frames, pauses, rates
// and bursts of a frame or more, which stay as they are, and quanta of a frame or more.
module formal_shaped_ets
  import tm_pkg::*;
  import tm_schedule_pkg::behind_t;
#(
    parameter int unsigned QUEUES = 2,
    parameter int unsigned QUANTUM_W = 3
) (
    input logic                                clk_i,
    input logic    [QUEUES-1:0]                waiting_i,
    input logic    [QUEUES-1:0][     LenW-1:0] len_i,
    input behind_t [QUEUES-1:0]                behind_i,
    input logic    [QUEUES-1:0]                strict_i,
    input logic    [QUEUES-1:0][QUANTUM_W-1:0] quantum_i,
    input shape_t  [QUEUES-1:0]                shape_i,
    input shape_t                              line_shape_i,
    input logic    [QUEUES-1:0]                paused_i,
    input logic                                ready_i
);

  localparam int unsigned MaxFrame = (1 << LenW) - 1;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [QUEUES-1:0] sending, is_open, ready;
  tm_shaped_ets #(
      .QUEUES   (QUEUES),
      .MAX_FRAME(MaxFrame),
      .QUANTUM_W(QUANTUM_W),
      .SHAPING  (1'b1)
  ) dut (
      .clk_i,
      .rst_i    (!started_q),
      .waiting_i,
      .len_i,
      .behind_i,
      .strict_i,
      .quantum_i,
      .shape_i,
      .line_shape_i,
      .paused_i,
      .ready_i,
      .sending_o(sending),
      .open_o   (is_open)
  );

  // ---- who waits, who may be selected, and in which cycles ----
  logic [QUEUES-1:0] grant, gone, follows, soon, waits, late, ends;
  logic [QUEUES-1:0][LenW-1:0] len;
  logic selects;
  always_comb begin
    for (int unsigned q = 0; q < QUEUES; q++) begin
      gone[q]    = (behind_i[q].at_end && ready_i) || behind_i[q].ended;
      follows[q] = behind_i[q].valid;
      soon[q] = behind_i[q].soon;
      len[q] = (sending[q] || !waiting_i[q]) ? behind_i[q].last + 1'b1 : len_i[q];
    end
  end
  assign grant   = dut.grant;
  assign ends    = sending & gone;
  assign waits   = ((waiting_i | soon) & ~sending) | (ends & (follows | soon));
  assign late    = waits & ~(sending & follows) & ~(waiting_i & ~sending);
  assign selects = sending == '0 || ends != '0;
  assign ready   = waits & is_open & ~paused_i;

  logic [QUEUES-1:0] waited_q, whole, possible;
  logic [QUEUES-1:0][LenW-1:0] len_q;
  logic [QUEUES-1:0][QUANTUM_W-1:0] quantum_q;
  logic [QUEUES-1:0] strict_q;
  shape_t [QUEUES:0] shapes, shapes_q;
  logic [QUEUES:0] bursts;
  assign shapes = {line_shape_i, shape_i};
  always_comb begin
    for (int unsigned q = 0; q < QUEUES; q++) begin
      whole[q] = quantum_i[q] >= QUANTUM_W'(MaxFrame);
      possible[q] = (!waits[q] || len[q] != '0) && (!waited_q[q] || !waits[q] || len[q] == len_q[q]);
    end
    for (int unsigned b = 0; b <= QUEUES; b++) begin
      bursts[b] = shapes[b].on == (shapes[b].rate != '0) && shapes[b].burst >= BurstW'(MaxFrame);
    end
  end

  always_ff @(posedge clk_i) begin
    {quantum_q, strict_q, shapes_q} <= {quantum_i, strict_i, shapes};
    {waited_q, len_q} <= {waits & ~grant, len};
    if (!started_q) waited_q <= '0;

    Steady_M : assume (!started_q || {quantum_q, strict_q, shapes_q} == {quantum_i, strict_i, shapes});
    Whole_M : assume (whole == '1);
    Bursts_M : assume (bursts == '1);
    Frames_M : assume (possible == '1 && (started_q || (waiting_i | soon) == '0));

    if (started_q) begin
      Conserving_A : assert (!selects || !dut.line_open || ready == '0 || grant != '0 || (ready & late) != '0);
      Alone_A : assert ((dut.ets.others & (paused_i | ~is_open)) == '0);
      Shut_A : assert ((grant & ~is_open) == '0);
      Paused_A : assert ((grant & paused_i) == '0);
      Line_A : assert (dut.line_open || grant == '0);
      Strict_A : assert ((grant & ~strict_i) == '0 || (ready & strict_i) == '0);
    end
  end

endmodule
