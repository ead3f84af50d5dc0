// SPDX-License-Identifier: BSD-3-Clause
// Joins streams onto one line, frame by frame: with a `truemark` whose ports are the queues of that line, its port
// with several queues. Which queue sends is tm_ets's choice.
//
// Contract:
// * Stream q of `s_axis_*` is queue q, packed as `truemark` packs its outputs; its tuser holds the frame's length
//   while the frame lasts. `m_axis_*` is the line, and `m_axis_tid` says which queue a beat is from.
// * A beat takes one cycle from input to output. A frame keeps the line until its end; the next is selected in the
//   cycle after its last beat was taken, and its first beat taken in that very cycle: none is lost between two frames.
// * `strict_i` and `quantum_i` are tm_ets's; they hold from the next cycle on. A queue whose frame is being sent keeps
//   its place in the round, and leaves it if it offers none at the next selection.
// * With SHAPING a queue, and the line, only begin a frame when their buckets may send (tm_shaped_ets).
module truemark_ets
  import tm_pkg::*;
#(
    parameter  int unsigned QUEUES    = 8,                       // 2 to 16
    parameter  int unsigned DATA_W    = 256,                     // bits
    parameter  int unsigned TUSER_W   = 17,                      // bits
    parameter  int unsigned MAX_FRAME = DefaultBuild.max_frame,  // bytes
    parameter  int unsigned QUANTUM_W = 18,                      // bits of a quantum
    parameter  bit          SHAPING   = 1'b0,
    localparam int unsigned IdW       = $clog2(QUEUES)
) (
    input  logic                                        clk,
    input  logic                                        rst,
    // config
    input  logic   [         QUEUES-1:0]                strict_i,
    input  logic   [         QUEUES-1:0][QUANTUM_W-1:0] quantum_i,      // bytes, MAX_FRAME or more
    input  shape_t [         QUEUES-1:0]                shape_i,        // with SHAPING
    input  shape_t                                      line_shape_i,   // and of the line
    output logic   [         QUEUES-1:0]                open_o,         // the queue may send
    // queues
    input  logic   [  QUEUES*DATA_W-1:0]                s_axis_tdata,
    input  logic   [QUEUES*DATA_W/8-1:0]                s_axis_tkeep,
    input  logic   [         QUEUES-1:0]                s_axis_tvalid,
    output logic   [         QUEUES-1:0]                s_axis_tready,
    input  logic   [         QUEUES-1:0]                s_axis_tlast,
    input  logic   [ QUEUES*TUSER_W-1:0]                s_axis_tuser,
    // line
    output logic   [         DATA_W-1:0]                m_axis_tdata,
    output logic   [       DATA_W/8-1:0]                m_axis_tkeep,
    output logic                                        m_axis_tvalid,
    input  logic                                        m_axis_tready,
    output logic                                        m_axis_tlast,
    output logic   [            IdW-1:0]                m_axis_tid,
    output logic   [        TUSER_W-1:0]                m_axis_tuser
);

  typedef struct packed {
    logic [DATA_W-1:0]   data;
    logic [DATA_W/8-1:0] keep;
    logic                last;
    logic [IdW-1:0]      id;
    logic [TUSER_W-1:0]  user;
  } beat_t;

  logic [QUEUES-1:0] grant, sending_q, from;
  logic [QUEUES-1:0][LenW-1:0] len;
  logic open_q, load, valid;
  beat_t beat, beat_q;

  tm_shaped_ets #(
      .QUEUES   (QUEUES),
      .MAX_FRAME(MAX_FRAME),
      .QUANTUM_W(QUANTUM_W),
      .SHAPING  (SHAPING)
  ) selection (
      .clk_i    (clk),
      .rst_i    (rst),
      .waiting_i(s_axis_tvalid),
      .sending_i(open_q ? sending_q : '0),
      .len_i    (len),
      .strict_i,
      .quantum_i,
      .shape_i,
      .line_shape_i,
      .select_i (load && !open_q),
      .grant_o  (grant),
      .open_o
  );

  // ---- the beat: of the frame that is being sent, or the first of the one selected now ----
  assign load          = !m_axis_tvalid || m_axis_tready;
  assign from          = open_q ? sending_q : grant;
  assign valid         = (s_axis_tvalid & from) != '0;
  assign s_axis_tready = load ? from : '0;

  for (genvar q = 0; q < QUEUES; q++) begin : gen_len
    assign len[q] = s_axis_tuser[q*TUSER_W+:LenW];
  end

  always_comb begin
    beat = '0;
    for (int unsigned q = 0; q < QUEUES; q++) begin
      if (from[q]) begin
        beat = '{
            data: s_axis_tdata[q*DATA_W+:DATA_W],
            keep: s_axis_tkeep[q*DATA_W/8+:DATA_W/8],
            last: s_axis_tlast[q],
            id: IdW'(q),
            user: s_axis_tuser[q*TUSER_W+:TUSER_W]
        };
      end
    end
  end

  always_ff @(posedge clk) begin
    if (load) begin
      m_axis_tvalid <= valid;
      beat_q        <= beat;
      if (valid) open_q <= !beat.last;
    end
    if (load && !open_q) sending_q <= grant;
    if (rst) {m_axis_tvalid, open_q} <= '0;
  end

  assign {m_axis_tdata, m_axis_tkeep, m_axis_tlast} = {beat_q.data, beat_q.keep, beat_q.last};
  assign {m_axis_tid, m_axis_tuser}                 = {beat_q.id, beat_q.user};

endmodule
