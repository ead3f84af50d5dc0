// SPDX-License-Identifier: BSD-3-Clause
// Priority-based flow control (IEEE 802.1Q clause 36) of one port, between its MAC and a switch: for a MAC that does
// not do it itself.
//
// Contract:
// * `s_axis_rx_*`, from the MAC, passes to `m_axis_rx_*` without the MAC control frames (tm_pfc_receive);
//   `s_axis_tx_*`, from the switch, to `m_axis_tx_*`, with frames of its own between the others (tm_pfc_send).
// * `pause_o`: the class may not send its next frame. `storm_o`: it may, and that is thrown away (tm_pfc_watchdog,
//   tm_pfc_discard).
// * `xoff_i`: the link partner must not send the class; tm_pfc_level's.
// * The registers are docs/pfc-registers.md's. Without a bus their valids are 0, and the parameters hold.
module truemark_pfc
  import tm_pfc_pkg::*;
#(
    parameter int unsigned DATA_W = 256,  // bits: 64 to 1024
    parameter int unsigned TUSER_W = 17,  // bits
    parameter int unsigned ERROR_BIT = 16,  // of a received frame's tuser: it is bad
    parameter logic [TUSER_W-1:0] FRAME_USER = TUSER_W'(FrameBytes),  // tuser of the frames sent
    parameter int unsigned UNIT_W = 16,  // the watchdog's unit is 2^UNIT_W cycles
    // what the registers are reset to
    parameter int unsigned STEP = 1638400,  // quanta a cycle, 24 bits below the point: 10 Gb/s at 200 MHz
    parameter logic [47:0] ADDRESS = 48'h0200_0000_0000,  // source of the frames sent
    parameter int unsigned QUANTA = 65535,  // of a pause sent
    parameter int unsigned DETECTION = 0,  // units; 0: no watchdog
    parameter int unsigned RESTORATION = 0  // units
) (
    input  logic                clk,
    input  logic                rst,
    // registers
    input  logic [         5:0] s_axil_awaddr,
    input  logic [         2:0] s_axil_awprot,
    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [        31:0] s_axil_wdata,
    input  logic [         3:0] s_axil_wstrb,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    output logic [         1:0] s_axil_bresp,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    input  logic [         5:0] s_axil_araddr,
    input  logic [         2:0] s_axil_arprot,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    output logic [        31:0] s_axil_rdata,
    output logic [         1:0] s_axil_rresp,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready,
    // levels
    input  logic [ Classes-1:0] xoff_i,
    output logic [ Classes-1:0] pause_o,
    output logic [ Classes-1:0] storm_o,
    // received: from the MAC, to the switch
    input  logic [  DATA_W-1:0] s_axis_rx_tdata,
    input  logic [DATA_W/8-1:0] s_axis_rx_tkeep,
    input  logic                s_axis_rx_tvalid,
    output logic                s_axis_rx_tready,
    input  logic                s_axis_rx_tlast,
    input  logic [ TUSER_W-1:0] s_axis_rx_tuser,
    output logic [  DATA_W-1:0] m_axis_rx_tdata,
    output logic [DATA_W/8-1:0] m_axis_rx_tkeep,
    output logic                m_axis_rx_tvalid,
    input  logic                m_axis_rx_tready,
    output logic                m_axis_rx_tlast,
    output logic [ TUSER_W-1:0] m_axis_rx_tuser,
    // sent: from the switch, to the MAC
    input  logic [  DATA_W-1:0] s_axis_tx_tdata,
    input  logic [DATA_W/8-1:0] s_axis_tx_tkeep,
    input  logic                s_axis_tx_tvalid,
    output logic                s_axis_tx_tready,
    input  logic                s_axis_tx_tlast,
    input  logic [ TUSER_W-1:0] s_axis_tx_tuser,
    output logic [  DATA_W-1:0] m_axis_tx_tdata,
    output logic [DATA_W/8-1:0] m_axis_tx_tkeep,
    output logic                m_axis_tx_tvalid,
    input  logic                m_axis_tx_tready,
    output logic                m_axis_tx_tlast,
    output logic [ TUSER_W-1:0] m_axis_tx_tuser
);

  if (!(DATA_W inside {64, 128, 256, 512, 1024})) begin : gen_width_error
    $error("DATA_W is %0d: it must be 64, 128, 256, 512 or 1024", DATA_W);
  end
  if (ERROR_BIT >= TUSER_W) begin : gen_tuser_error
    $error("ERROR_BIT is %0d: tuser has %0d bits", ERROR_BIT, TUSER_W);
  end else if (FRAME_USER[ERROR_BIT]) begin : gen_frame_error
    $error("FRAME_USER is 0x%0h: bit %0d, ERROR_BIT, says that every frame sent is bad", FRAME_USER, ERROR_BIT);
  end
  if (UNIT_W == 0) begin : gen_unit_error
    $error("UNIT_W is 0: the watchdog's unit is two cycles at least");
  end
  if (STEP >= 1 << StepW || QUANTA >= 1 << QuantaW) begin : gen_pause_error
    $error("STEP is %0d and QUANTA %0d: they have %0d and %0d bits", STEP, QUANTA, StepW, QuantaW);
  end
  if (DETECTION >= 1 << UnitsW || RESTORATION >= 1 << UnitsW) begin : gen_watchdog_error
    $error("DETECTION is %0d and RESTORATION %0d: they have %0d bits", DETECTION, RESTORATION, UnitsW);
  end

  logic pause_valid;
  pause_t pause;
  logic [3:0] elapsed;
  logic [Classes-1:0] paused;
  tm_pfc_registers_pkg::truemark_pfc__in_t status;
  tm_pfc_registers_pkg::truemark_pfc__out_t config_words;

  assign pause_o = paused & ~storm_o;

  // A pause is renewed at half of it.
  logic [QuantaW-1:0] renewable;
  assign renewable = config_words.QUANTA.value.value < 2 ? QuantaW'(2) : config_words.QUANTA.value.value;

  assign status.LEVELS.xoff.next = xoff_i;
  assign status.LEVELS.storm.next = storm_o;
  assign status.LEVELS.pause.next = pause_o;
  assign status.OBEYED.value.incr = pause_valid;

  tm_pfc_registers registers (
      .clk,
      .rst,
      .step_reset       (StepW'(STEP)),
      .address_reset    (ADDRESS),
      .quanta_reset     (QuantaW'(QUANTA)),
      .detection_reset  (UnitsW'(DETECTION)),
      .restoration_reset(UnitsW'(RESTORATION)),
      .s_axil_awready,
      .s_axil_awvalid,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_wready,
      .s_axil_wvalid,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bready,
      .s_axil_bvalid,
      .s_axil_bresp,
      .s_axil_arready,
      .s_axil_arvalid,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_rready,
      .s_axil_rvalid,
      .s_axil_rdata,
      .s_axil_rresp,
      .hwif_in          (status),
      .hwif_out         (config_words)
  );

  tm_pfc_quanta quanta (
      .clk_i    (clk),
      .rst_i    (rst),
      .step_i   (config_words.STEP.value.value),
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
      .opcode_o     (status.REFUSED.value.incr),
      .malformed_o  (status.MALFORMED.value.incr)
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
      .detection_i(config_words.DETECTION.value.value),
      .restoration_i(config_words.RESTORATION.value.value),
      .paused_i(paused),
      .storm_o,
      .began_o (status.STORMS.value.incr)
  );

  logic [  DATA_W-1:0] kept_tdata;
  logic [DATA_W/8-1:0] kept_tkeep;
  logic [ TUSER_W-1:0] kept_tuser;
  logic kept_tvalid, kept_tready, kept_tlast;

  tm_pfc_discard #(
      .DATA_W (DATA_W),
      .TUSER_W(TUSER_W)
  ) discard (
      .clk_i        (clk),
      .rst_i        (rst),
      .storm_i      (storm_o),
      .s_axis_tdata (s_axis_tx_tdata),
      .s_axis_tkeep (s_axis_tx_tkeep),
      .s_axis_tvalid(s_axis_tx_tvalid),
      .s_axis_tready(s_axis_tx_tready),
      .s_axis_tlast (s_axis_tx_tlast),
      .s_axis_tuser (s_axis_tx_tuser),
      .m_axis_tdata (kept_tdata),
      .m_axis_tkeep (kept_tkeep),
      .m_axis_tvalid(kept_tvalid),
      .m_axis_tready(kept_tready),
      .m_axis_tlast (kept_tlast),
      .m_axis_tuser (kept_tuser),
      .dropped_o    (status.DROPPED.value.incr)
  );

  tm_pfc_send #(
      .DATA_W    (DATA_W),
      .TUSER_W   (TUSER_W),
      .FRAME_USER(FRAME_USER)
  ) send (
      .clk_i        (clk),
      .rst_i        (rst),
      .s_axis_tdata (kept_tdata),
      .s_axis_tkeep (kept_tkeep),
      .s_axis_tvalid(kept_tvalid),
      .s_axis_tready(kept_tready),
      .s_axis_tlast (kept_tlast),
      .s_axis_tuser (kept_tuser),
      .xoff_i,
      .elapsed_i    (elapsed),
      .address_i    (config_words.ADDRESS.value.value),
      .quanta_i     (renewable),
      .m_axis_tdata (m_axis_tx_tdata),
      .m_axis_tkeep (m_axis_tx_tkeep),
      .m_axis_tvalid(m_axis_tx_tvalid),
      .m_axis_tready(m_axis_tx_tready),
      .m_axis_tlast (m_axis_tx_tlast),
      .m_axis_tuser (m_axis_tx_tuser),
      .sent_o       (status.SENT.value.incr)
  );

endmodule
