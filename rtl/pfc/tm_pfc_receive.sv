// SPDX-License-Identifier: BSD-3-Clause
// Takes MAC control frames off a received stream, and says what those of priority-based flow control ask for.
//
// Contract:
// * A frame to 01:80:C2:00:00:01 of type 0x8808 does not pass. Any other passes as it came: each beat in the cycle
//   after it was taken, at 64 bit in the second, where the first beat also waits for the next; no cycle is lost.
// * In the cycle after the last beat of a frame that was taken off: `pause_valid_o` with what it asks for if it is
//   whole, good, and of opcode 0x0101; else `opcode_o` or `malformed_o`. Other opcodes, PAUSE among them, are not
//   obeyed, as IEEE 802.3 (31.5.3) has it for those that a station does not support.
// * `tuser[ERROR_BIT]` of the last beat says that the frame is bad; the FCS is the MAC's.
module tm_pfc_receive
  import tm_pfc_pkg::*;
#(
    parameter int unsigned DATA_W = 256,  // bits: 64 to 1024
    parameter int unsigned TUSER_W = 17,  // bits
    parameter int unsigned ERROR_BIT = 16
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    // from the MAC
    input  logic   [  DATA_W-1:0] s_axis_tdata,
    input  logic   [DATA_W/8-1:0] s_axis_tkeep,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic                  s_axis_tlast,
    input  logic   [ TUSER_W-1:0] s_axis_tuser,
    // to the switch
    output logic   [  DATA_W-1:0] m_axis_tdata,
    output logic   [DATA_W/8-1:0] m_axis_tkeep,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    output logic                  m_axis_tlast,
    output logic   [ TUSER_W-1:0] m_axis_tuser,
    // to the timers
    output logic                  pause_valid_o,
    output pause_t                pause_o,
    // events
    output logic                  opcode_o,
    output logic                  malformed_o
);

  localparam int unsigned Bytes = DATA_W / 8;
  localparam int unsigned Beats = (FieldBytes + Bytes - 1) / Bytes;  // that hold the fields
  localparam int unsigned BeatW = $clog2(Beats + 1);

  typedef struct packed {
    logic [DATA_W-1:0]  data;
    logic [Bytes-1:0]   keep;
    logic               last;
    logic [TUSER_W-1:0] user;
  } beat_t;

  beat_t beat, beat_q;
  logic offered, load, goes, moves, taken, first, whole_head;
  head_t head;
  logic [BeatW-1:0] place_q;  // beats before this one, Beats and more as Beats

  tm_pfc_head #(
      .DATA_W (DATA_W),
      .TUSER_W(TUSER_W)
  ) heads (
      .clk_i,
      .rst_i,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tuser,
      .m_axis_tdata (beat.data),
      .m_axis_tkeep (beat.keep),
      .m_axis_tvalid(offered),
      .m_axis_tready(goes),
      .m_axis_tlast (beat.last),
      .m_axis_tuser (beat.user),
      .first_o      (first),
      .head_o       (head),
      .whole_o      (whole_head)
  );

  // A frame that stays here waits for nobody: what it says has a time limit.
  assign load  = !m_axis_tvalid || m_axis_tready;
  assign goes  = load || taken;
  assign moves = offered && goes;

  // ---- whether the frame passes ----
  logic control, taken_q;

  assign control = whole_head && head.destination == ControlAddress && head.ethertype == ControlType;
  assign taken   = first ? control : taken_q;

  always_ff @(posedge clk_i) begin
    if (load) begin
      m_axis_tvalid <= offered && !taken;
      beat_q        <= beat;
    end
    if (moves) begin
      taken_q <= taken;
      place_q <= beat.last ? '0 : place_q + BeatW'(place_q != BeatW'(Beats));
    end
    if (rst_i) {m_axis_tvalid, place_q} <= '0;
  end

  assign {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser} = beat_q;

  // ---- what it asks for ----
  logic [8*FieldBytes-1:0] fields_q;
  frame_t frame;
  logic fields, ended_q, good_q, unused;

  assign fields = place_q == BeatW'(Beats) || (place_q == BeatW'(Beats - 1) && beat.keep[(FieldBytes-1)%Bytes]);

  for (genvar b = 0; b < FieldBytes; b++) begin : gen_byte
    always_ff @(posedge clk_i) begin
      if (moves && place_q == BeatW'(b / Bytes)) begin
        fields_q[8*(FieldBytes-1-b)+:8] <= beat.data[8*(b%Bytes)+:8];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    ended_q <= moves && beat.last && taken && !rst_i;
    good_q  <= fields && !beat.user[ERROR_BIT];
  end

  assign frame = fields_q;
  for (genvar c = 0; c < Classes; c++) begin : gen_quanta
    assign pause_o.quanta[c] = frame.quanta[Classes-1-c];
  end
  assign pause_o.enable = frame.enable;
  assign pause_valid_o  = ended_q && good_q && frame.head.behind_type == PfcOpcode;
  assign opcode_o       = ended_q && good_q && frame.head.behind_type != PfcOpcode;
  assign malformed_o    = ended_q && !good_q;
  assign unused         = ^{frame, head};

endmodule
