// SPDX-License-Identifier: BSD-3-Clause
// Joins streams onto one line, frame by frame: with a `truemark` whose ports are the queues of that line, its port
// with several queues. Which queue sends is tm_ets's choice.
//
// Contract:
// * Stream q of `s_axis_*` is queue q, packed as `truemark` packs its outputs; its tuser holds the frame's length while
//   the frame lasts. `m_axis_*` is the line, and `m_axis_tid` says which queue a beat is from.
// * A beat takes one cycle from input to output. A frame is selected one cycle before its first beat is taken, and
//   keeps the line until its end; the next is selected while the last beat of the one before is taken: no cycle is lost
//   between frames.
// * For that `behind_i` says whether the beat that stands there is its frame's last, whether another frame is offered
//   at once behind it, and how long that one is. A stream that cannot know says that none follows: it loses a cycle
//   with each frame, and its place in the round. One whose next frame is on its way says so (`soon`), from the end of
//   the one before until its first beat is offered: it keeps its place, and the line waits for it when it is due.
// * `strict_i` and `quantum_i` are tm_ets's; they hold from the next cycle on. A queue whose frame is being sent keeps
//   its place in the round, and leaves it if it offers none behind.
// * A queue that is paused begins no frame; with SHAPING a queue, and the line, only do when their buckets may send
//   (tm_shaped_ets).
module truemark_ets
  import tm_pkg::*;
  import tm_schedule_pkg::behind_t;
#(
    parameter  int unsigned QUEUES    = 8,                       // 2 to 16
    parameter  int unsigned DATA_W    = 256,                     // bits
    parameter  int unsigned TUSER_W   = 17,                      // bits
    parameter  int unsigned MAX_FRAME = DefaultBuild.max_frame,  // bytes
    parameter  int unsigned QUANTUM_W = 18,                      // bits of a quantum
    parameter  bit          SHAPING   = 1'b0,
    localparam int unsigned IdW       = $clog2(QUEUES)
) (
    input  logic                                         clk,
    input  logic                                         rst,
    // config
    input  logic    [         QUEUES-1:0]                strict_i,
    input  logic    [         QUEUES-1:0][QUANTUM_W-1:0] quantum_i,      // bytes, 1 or more
    input  shape_t  [         QUEUES-1:0]                shape_i,        // with SHAPING
    input  shape_t                                       line_shape_i,   // and of the line
    input  logic    [         QUEUES-1:0]                paused_i,       // the queue may begin no frame
    output logic    [         QUEUES-1:0]                open_o,         // its bucket may send
    // queues
    input  logic    [  QUEUES*DATA_W-1:0]                s_axis_tdata,
    input  logic    [QUEUES*DATA_W/8-1:0]                s_axis_tkeep,
    input  logic    [         QUEUES-1:0]                s_axis_tvalid,
    output logic    [         QUEUES-1:0]                s_axis_tready,
    input  logic    [         QUEUES-1:0]                s_axis_tlast,
    input  logic    [ QUEUES*TUSER_W-1:0]                s_axis_tuser,
    input  behind_t [         QUEUES-1:0]                behind_i,
    // line
    output logic    [         DATA_W-1:0]                m_axis_tdata,
    output logic    [       DATA_W/8-1:0]                m_axis_tkeep,
    output logic                                         m_axis_tvalid,
    input  logic                                         m_axis_tready,
    output logic                                         m_axis_tlast,
    output logic    [            IdW-1:0]                m_axis_tid,
    output logic    [        TUSER_W-1:0]                m_axis_tuser
);

  if (QUEUES < 2 || QUEUES > 16) begin : gen_queues_error
    $error("QUEUES is %0d: 2 to 16 are possible", QUEUES);
  end
  if (QUANTUM_W < $clog2(MAX_FRAME + 1)) begin : gen_quantum_error
    $error("QUANTUM_W is %0d: a frame of MAX_FRAME = %0d bytes takes %0d", QUANTUM_W, MAX_FRAME, $clog2(MAX_FRAME + 1));
  end
  if (QUANTUM_W > 30) begin : gen_wide_quantum_error
    $error("QUANTUM_W is %0d: at most 30 are possible", QUANTUM_W);
  end
  if (MAX_FRAME >= 1 << LenW) begin : gen_frame_error
    $error("MAX_FRAME is %0d: at most %0d are possible", MAX_FRAME, (1 << LenW) - 1);
  end
  if (TUSER_W < LenW) begin : gen_tuser_error
    $error("TUSER_W is %0d: the length takes %0d", TUSER_W, LenW);
  end

  logic load;
  logic [QUEUES-1:0] sending, last_q;
  logic [IdW-1:0] id, id_q;
  logic [QUEUES*DATA_W-1:0] data_q;
  logic [QUEUES*DATA_W/8-1:0] keep_q;
  logic [QUEUES-1:0][LenW-1:0] len;

  tm_shaped_ets #(
      .QUEUES   (QUEUES),
      .MAX_FRAME(MAX_FRAME),
      .QUANTUM_W(QUANTUM_W),
      .SHAPING  (SHAPING)
  ) selection (
      .clk_i    (clk),
      .rst_i    (rst),
      .waiting_i(s_axis_tvalid),
      .len_i    (len),
      .behind_i,
      .strict_i,
      .quantum_i,
      .shape_i,
      .line_shape_i,
      .paused_i,
      .ready_i  (load),
      .sending_o(sending),
      .open_o
  );

  for (genvar q = 0; q < QUEUES; q++) begin : gen_len
    assign len[q] = s_axis_tuser[q*TUSER_W+:LenW];
  end

  // ---- the beat of the queue that sends ----
  // Rows come out of memories, which are late and far apart: each queue has a register near its own, and the choice is
  // made behind them. What goes with a row stands in registers already.
  always_comb begin
    id = '0;
    for (int unsigned q = 0; q < QUEUES; q++) if (sending[q]) id |= IdW'(q);
  end

  always_ff @(posedge clk) begin
    if (load) begin
      m_axis_tvalid            <= (s_axis_tvalid & sending) != '0;
      id_q                     <= id;
      {data_q, keep_q, last_q} <= {s_axis_tdata, s_axis_tkeep, s_axis_tlast};
      m_axis_tuser             <= s_axis_tuser[id*TUSER_W+:TUSER_W];
    end
    if (rst) m_axis_tvalid <= 1'b0;
  end

  assign load          = !m_axis_tvalid || m_axis_tready;
  assign s_axis_tready = load ? sending : '0;
  assign m_axis_tdata  = data_q[id_q*DATA_W+:DATA_W];
  assign m_axis_tkeep  = keep_q[id_q*DATA_W/8+:DATA_W/8];
  assign m_axis_tlast  = last_q[id_q];
  assign m_axis_tid    = id_q;

endmodule
