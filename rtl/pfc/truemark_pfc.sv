// SPDX-License-Identifier: BSD-3-Clause
// Priority-based flow control (IEEE 802.1Q clause 36) of one port, between its MAC and a switch: for a MAC that does
// not do it itself.
//
// Contract:
// * `s_axis_rx_*`, from the MAC, passes to `m_axis_rx_*` without the MAC control frames (tm_pfc_receive);
//   `s_axis_tx_*`, from the switch, to `m_axis_tx_*`, with frames of its own between the others (tm_pfc_send).
// * `pause_o`: the class may not send its next frame. `storm_o`: it may, and must drop instead (tm_pfc_watchdog).
// * `xoff_i`: the link partner must not send the class; tm_pfc_level's.
module truemark_pfc
  import tm_pfc_pkg::*;
#(
    parameter int unsigned DATA_W = 256,  // bits: 64 to 1024
    parameter int unsigned TUSER_W = 17,  // bits
    parameter int unsigned ERROR_BIT = 16,  // of a received frame's tuser: it is bad
    parameter logic [TUSER_W-1:0] FRAME_USER = TUSER_W'(FrameBytes),  // tuser of the frames sent
    parameter int unsigned UNIT_W = 16  // the watchdog's unit is 2^UNIT_W cycles
) (
    input  logic                             clk,
    input  logic                             rst,
    // config
    input  logic [          StepW-1:0]       step_i,            // quanta a cycle, 24 bits below the point
    input  logic [        QuantaW-1:0]       quanta_i,          // of a pause sent
    input  logic [               47:0]       address_i,         // source of the frames sent
    input  logic [         UnitsW-1:0]       detection_i,       // units; 0: no watchdog
    input  logic [         UnitsW-1:0]       restoration_i,
    // levels
    input  logic [        Classes-1:0]       xoff_i,
    output logic [        Classes-1:0]       pause_o,
    output logic [        Classes-1:0]       storm_o,
    output logic [$bits(events_t)-1:0][31:0] counts_o,          // in the order of events_t
    // received: from the MAC, to the switch
    input  logic [         DATA_W-1:0]       s_axis_rx_tdata,
    input  logic [       DATA_W/8-1:0]       s_axis_rx_tkeep,
    input  logic                             s_axis_rx_tvalid,
    output logic                             s_axis_rx_tready,
    input  logic                             s_axis_rx_tlast,
    input  logic [        TUSER_W-1:0]       s_axis_rx_tuser,
    output logic [         DATA_W-1:0]       m_axis_rx_tdata,
    output logic [       DATA_W/8-1:0]       m_axis_rx_tkeep,
    output logic                             m_axis_rx_tvalid,
    input  logic                             m_axis_rx_tready,
    output logic                             m_axis_rx_tlast,
    output logic [        TUSER_W-1:0]       m_axis_rx_tuser,
    // sent: from the switch, to the MAC
    input  logic [         DATA_W-1:0]       s_axis_tx_tdata,
    input  logic [       DATA_W/8-1:0]       s_axis_tx_tkeep,
    input  logic                             s_axis_tx_tvalid,
    output logic                             s_axis_tx_tready,
    input  logic                             s_axis_tx_tlast,
    input  logic [        TUSER_W-1:0]       s_axis_tx_tuser,
    output logic [         DATA_W-1:0]       m_axis_tx_tdata,
    output logic [       DATA_W/8-1:0]       m_axis_tx_tkeep,
    output logic                             m_axis_tx_tvalid,
    input  logic                             m_axis_tx_tready,
    output logic                             m_axis_tx_tlast,
    output logic [        TUSER_W-1:0]       m_axis_tx_tuser
);

  logic pause_valid;
  pause_t pause;
  logic [3:0] elapsed;
  logic [Classes-1:0] paused;
  events_t events;

  assign events.paused = pause_valid;
  assign pause_o       = paused & ~storm_o;

  tm_pfc_quanta quanta (
      .clk_i    (clk),
      .rst_i    (rst),
      .step_i,
      .elapsed_o(elapsed)
  );

  tm_pfc_receive #(
      .DATA_W   (DATA_W),
      .TUSER_W  (TUSER_W),
      .ERROR_BIT(ERROR_BIT)
  ) receive (
      .clk_i        (clk),
      .rst_i        (rst),
      .s_axis_tdata (s_axis_rx_tdata),
      .s_axis_tkeep (s_axis_rx_tkeep),
      .s_axis_tvalid(s_axis_rx_tvalid),
      .s_axis_tready(s_axis_rx_tready),
      .s_axis_tlast (s_axis_rx_tlast),
      .s_axis_tuser (s_axis_rx_tuser),
      .m_axis_tdata (m_axis_rx_tdata),
      .m_axis_tkeep (m_axis_rx_tkeep),
      .m_axis_tvalid(m_axis_rx_tvalid),
      .m_axis_tready(m_axis_rx_tready),
      .m_axis_tlast (m_axis_rx_tlast),
      .m_axis_tuser (m_axis_rx_tuser),
      .pause_valid_o(pause_valid),
      .pause_o      (pause),
      .opcode_o     (events.opcode),
      .malformed_o  (events.malformed)
  );

  tm_pfc_timers timers (
      .clk_i        (clk),
      .rst_i        (rst),
      .pause_valid_i(pause_valid),
      .pause_i      (pause),
      .elapsed_i    (elapsed),
      .paused_o     (paused)
  );

  tm_pfc_watchdog #(
      .UNIT_W(UNIT_W)
  ) watchdog (
      .clk_i   (clk),
      .rst_i   (rst),
      .detection_i,
      .restoration_i,
      .paused_i(paused),
      .storm_o,
      .began_o (events.storm)
  );

  tm_pfc_send #(
      .DATA_W    (DATA_W),
      .TUSER_W   (TUSER_W),
      .FRAME_USER(FRAME_USER)
  ) send (
      .clk_i        (clk),
      .rst_i        (rst),
      .s_axis_tdata (s_axis_tx_tdata),
      .s_axis_tkeep (s_axis_tx_tkeep),
      .s_axis_tvalid(s_axis_tx_tvalid),
      .s_axis_tready(s_axis_tx_tready),
      .s_axis_tlast (s_axis_tx_tlast),
      .s_axis_tuser (s_axis_tx_tuser),
      .xoff_i,
      .elapsed_i    (elapsed),
      .address_i,
      .quanta_i,
      .m_axis_tdata (m_axis_tx_tdata),
      .m_axis_tkeep (m_axis_tx_tkeep),
      .m_axis_tvalid(m_axis_tx_tvalid),
      .m_axis_tready(m_axis_tx_tready),
      .m_axis_tlast (m_axis_tx_tlast),
      .m_axis_tuser (m_axis_tx_tuser),
      .sent_o       (events.sent)
  );

  tm_pfc_counters counters (
      .clk_i   (clk),
      .rst_i   (rst),
      .events_i(events),
      .counts_o
  );

endmodule
