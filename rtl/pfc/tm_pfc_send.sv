// SPDX-License-Identifier: BSD-3-Clause
// Says to a port's link partner which classes must pause: puts frames of priority-based flow control into the port's
// output, between two others.
//
// Contract:
// * A frame goes out as soon as the line is between two frames, whenever `xoff_i` differs from what the last one said,
//   and half of its time after the last one while a class is to pause. It enables the classes of `xoff_i`, with
//   `quanta_i`, and those that were in the last frame and no longer are, with 0.
// * Others pass as they came, each beat in the cycle after it was taken. They wait while a frame of its own goes out,
//   and one cycle for each of these; none is cut.
// * `quanta_i` is 2 or more, and half of it longer than the longest frame takes, or a pause ends before it is renewed.
`include "tm_assert.svh"

module tm_pfc_send
  import tm_pfc_pkg::*;
#(
    parameter int unsigned DATA_W = 256,  // bits: 64 to 1024
    parameter int unsigned TUSER_W = 17,  // bits
    parameter logic [TUSER_W-1:0] FRAME_USER = TUSER_W'(FrameBytes)  // of its own frames
) (
    input  logic                clk_i,
    input  logic                rst_i,
    // from the switch
    input  logic [  DATA_W-1:0] s_axis_tdata,
    input  logic [DATA_W/8-1:0] s_axis_tkeep,
    input  logic                s_axis_tvalid,
    output logic                s_axis_tready,
    input  logic                s_axis_tlast,
    input  logic [ TUSER_W-1:0] s_axis_tuser,
    // from the levels
    input  logic [ Classes-1:0] xoff_i,
    // from tm_pfc_quanta
    input  logic [         3:0] elapsed_i,
    // config
    input  logic [        47:0] address_i,      // the port's own
    input  logic [ QuantaW-1:0] quanta_i,       // of a pause
    // to the MAC
    output logic [  DATA_W-1:0] m_axis_tdata,
    output logic [DATA_W/8-1:0] m_axis_tkeep,
    output logic                m_axis_tvalid,
    input  logic                m_axis_tready,
    output logic                m_axis_tlast,
    output logic [ TUSER_W-1:0] m_axis_tuser,
    // events
    output logic                sent_o          // a frame of its own begins
);

  localparam int unsigned Bytes = DATA_W / 8;
  localparam int unsigned Beats = (FrameBytes + Bytes - 1) / Bytes;
  localparam int unsigned BeatW = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int unsigned LastBytes = FrameBytes - (Beats - 1) * Bytes;

  typedef struct packed {
    logic [DATA_W-1:0]  data;
    logic [Bytes-1:0]   keep;
    logic               last;
    logic [TUSER_W-1:0] user;
  } beat_t;

  beat_t beat, own, beat_q;
  frame_t frame_q;
  logic load, due, between_q, sending_q, last_beat;
  logic [  BeatW-1:0] place_q;  // of the beat of its own frame
  logic [Classes-1:0] said_q;  // the classes that the last frame paused
  logic [QuantaW-1:0] left_q;  // quanta until it is renewed

  // ---- when ----
  assign load          = !m_axis_tvalid || m_axis_tready;
  assign due           = xoff_i != said_q || (said_q != '0 && left_q == '0);
  assign sent_o        = due && between_q && !sending_q;
  assign s_axis_tready = load && !sending_q && !sent_o;
  assign last_beat     = place_q == BeatW'(Beats - 1);

  always_ff @(posedge clk_i) begin
    if (s_axis_tvalid && s_axis_tready) between_q <= s_axis_tlast;
    if (sent_o) sending_q <= 1'b1;
    else if (load && sending_q) sending_q <= !last_beat;
    if (load && sending_q) place_q <= last_beat ? '0 : place_q + 1'b1;
    if (sent_o) said_q <= xoff_i;
    left_q <= sent_o ? quanta_i >> 1 : left_q > QuantaW'(elapsed_i) ? left_q - QuantaW'(elapsed_i) : '0;
    if (rst_i) begin
      between_q                    <= 1'b1;
      {sending_q, place_q, said_q} <= '0;
    end
  end

  // ---- its own frame ----
  localparam int unsigned Whole = Beats * Bytes;
  logic [8*Whole-1:0] bits;
  assign bits = {frame_q, (8 * (Whole - FieldBytes))'(0)};

  always_ff @(posedge clk_i) begin
    if (sent_o) begin
      frame_q.head <= '{
          destination: ControlAddress,
          source: address_i,
          ethertype: ControlType,
          behind_type: PfcOpcode
      };
      frame_q.reserved <= '0;
      frame_q.enable <= xoff_i | said_q;
      for (int unsigned c = 0; c < Classes; c++) frame_q.quanta[Classes-1-c] <= xoff_i[c] ? quanta_i : '0;
    end
  end

  always_comb begin
    own = '{data: '0, keep: '1, last: last_beat, user: FRAME_USER};
    if (last_beat) own.keep = Bytes'({LastBytes{1'b1}});
    for (int unsigned b = 0; b < Bytes; b++) begin
      own.data[8*b+:8] = bits[8*(Whole-1-32'(place_q)*Bytes-b)+:8];
    end
  end

  // ---- the line ----
  assign beat = sending_q ? own : '{data: s_axis_tdata, keep: s_axis_tkeep, last: s_axis_tlast, user: s_axis_tuser};

  always_ff @(posedge clk_i) begin
    if (load) begin
      m_axis_tvalid <= sending_q || (s_axis_tvalid && s_axis_tready);
      beat_q        <= beat;
    end
    if (rst_i) m_axis_tvalid <= 1'b0;
  end

  assign {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser} = beat_q;

  `TM_ASSERT_IF(Quanta_A, xoff_i != '0, quanta_i >= 2, "a pause that cannot be renewed before it ends")

endmodule
