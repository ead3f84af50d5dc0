// SPDX-License-Identifier: BSD-3-Clause
// Truemark, the top: an egress queue manager with flat AXI4-Stream and AXI4-Lite ports (docs/README.md).
//
// Contract: one AXI4-Stream in, one for each port out, AXI4-Lite for the registers (docs/registers.md).
// `s_axis_tdest` is a bitmap of ports and `s_axis_tuser[15:0]` the length in bytes without FCS, both on the first
// beat; `s_axis_tuser[16]` on the last beat says that the frame is bad. `m_axis_tuser` is the same: length (steady for
// the frame) and, on the last beat, the error flag. Signals of the outputs are packed, port 0 lowest. With TUSER_W
// above 17, the bits of the first beat's `s_axis_tuser` above the error bit travel with the frame to `m_axis_tuser`.
// `settled_o` tells simulations that whatever came has had its effect (tm_settled).
// `tx_en_i[port]` lets a port take its next frame. `time_i` is used where `time_external_i` is set, else the timebase.
// With QUEUES above 1 ports l*QUEUES and up are the queues of line l: `s_axis_tdest` is a bitmap of lines, of whose
// queues one takes a frame (tm_queue_map), and there is an output for each line, whose queues take turns (tm_lines).
// All else is for each port. With SHAPING ports, lines and their queues are held to a rate where the configuration says
// one (tm_shaper), in bytes a cycle: not by `time_i`.
// With PFC `s_axis_tid`, on the first beat, is the port that a frame came in by, and `pfc_xoff_o` says which of the
// eight priorities of each port its link partner must not send; while `pfc_pause_i` has a priority of a line, queues
// that the configuration pauses by it begin no frame (tm_pfc_ports).
// With MARKED_COPY the bits of a row that marking changes, 80 of them (40 at 64 bits), are kept twice instead of being
// chosen on the way out. Rows in UltraRAM (ULTRA) or a pool never are.
module truemark
  import tm_pkg::*;
#(
    parameter int unsigned PORTS = 5,  // 1 to 16 * QUEUES
    parameter int unsigned DATA_W = 256,  // 64, 128, 256, 512 or 1024 bits
    parameter int unsigned TUSER_W = 17,  // length, error bit, and what else travels with a frame
    parameter int unsigned ROWS = 512,  // rows of DATA_W/8 bytes per port; SpareRows of them stay free
    parameter int unsigned DESCRIPTORS = 508,  // frames per port
    parameter bit ULTRA = 1'b0,  // rows in UltraRAM
    parameter bit MARKED_COPY = 1'b1,  // rows are kept marked as well
    parameter int unsigned MAX_FRAME = 9216,  // bytes
    `include "tm_build.svh"
) (
    input  logic                               clk,
    input  logic                               rst,
    input  logic                               time_external_i,
    input  logic   [                TimeW-1:0] time_i,           // ns
    output logic   [                TimeW-1:0] time_o,           // ns, the time in use
    input  logic   [                PORTS-1:0] tx_en_i,
    input  logic   [       PORTS/QUEUES*8-1:0] pfc_pause_i,
    // source
    input  logic   [               DATA_W-1:0] s_axis_tdata,
    input  logic   [             DATA_W/8-1:0] s_axis_tkeep,
    input  logic                               s_axis_tvalid,
    output logic                               s_axis_tready,
    input  logic                               s_axis_tlast,
    input  logic   [         PORTS/QUEUES-1:0] s_axis_tdest,
    input  logic   [                      3:0] s_axis_tid,
    input  logic   [              TUSER_W-1:0] s_axis_tuser,
    // sinks
    output logic   [  PORTS/QUEUES*DATA_W-1:0] m_axis_tdata,
    output logic   [PORTS/QUEUES*DATA_W/8-1:0] m_axis_tkeep,
    output logic   [         PORTS/QUEUES-1:0] m_axis_tvalid,
    input  logic   [         PORTS/QUEUES-1:0] m_axis_tready,
    output logic   [         PORTS/QUEUES-1:0] m_axis_tlast,
    output logic   [ PORTS/QUEUES*TUSER_W-1:0] m_axis_tuser,
    // registers
    input  logic   [                     11:0] s_axil_awaddr,
    input  logic   [                      2:0] s_axil_awprot,
    input  logic                               s_axil_awvalid,
    output logic                               s_axil_awready,
    input  logic   [                     31:0] s_axil_wdata,
    input  logic   [                      3:0] s_axil_wstrb,
    input  logic                               s_axil_wvalid,
    output logic                               s_axil_wready,
    output logic   [                      1:0] s_axil_bresp,
    output logic                               s_axil_bvalid,
    input  logic                               s_axil_bready,
    input  logic   [                     11:0] s_axil_araddr,
    input  logic   [                      2:0] s_axil_arprot,
    input  logic                               s_axil_arvalid,
    output logic                               s_axil_arready,
    output logic   [                     31:0] s_axil_rdata,
    output logic   [                      1:0] s_axil_rresp,
    output logic                               s_axil_rvalid,
    input  logic                               s_axil_rready,
    // the verdict event of each port, for telemetry (tm_pkg::event_t)
    output event_t [                PORTS-1:0] event_o,
    // departures: a frame sent or dropped at the head, four cycles after its last beat was taken
    output logic   [                PORTS-1:0] depart_valid_o,
    output logic   [           PORTS*LenW-1:0] depart_len_o,
    output logic   [              PORTS*8-1:0] pfc_xoff_o,
    output logic   [                      1:0] settled_o
);

  if (!(QUEUES inside {1, 2, 4, 8})) begin : gen_queues_error
    $error("QUEUES is %0d: a line has 1, 2, 4 or 8", QUEUES);
  end
  if (PORTS < 1 || PORTS > MaxLines * QUEUES) begin : gen_ports_error
    $error("PORTS is %0d: 1 to %0d are possible with QUEUES = %0d", PORTS, MaxLines * QUEUES, QUEUES);
  end
  if (PORTS % QUEUES != 0) begin : gen_lines_error
    $error("PORTS is %0d: not a multiple of QUEUES, which is %0d", PORTS, QUEUES);
  end
  if (!(DATA_W inside {64, 128, 256, 512, 1024})) begin : gen_width_error
    $error("DATA_W is %0d: it must be 64, 128, 256, 512 or 1024", DATA_W);
  end
  if (RED_LINUX && !RED) begin : gen_linux_error
    $error("RED_LINUX is 1 and RED is 0: Linux's spacing is one of RED");
  end
  if (TUSER_W < 17) begin : gen_tuser_error
    $error("TUSER_W is %0d: length and error bit take 17", TUSER_W);
  end
  if (MAX_FRAME < 64 || MAX_FRAME > (1 << LenW) - DATA_W / 8) begin : gen_frame_error
    $error(
        "MAX_FRAME is %0d: 64 to %0d bytes are possible with DATA_W %0d", MAX_FRAME, (1 << LenW) - DATA_W / 8, DATA_W
    );
  end
  if (ROWS < 2 * (128 / (DATA_W / 8)) + SpareRows) begin : gen_rows_error
    $error("ROWS is %0d: too few for a header window of 128 bytes", ROWS);
  end
  if (ROWS > ((1 << BytesW) - (1 << LenW)) / (DATA_W / 8)) begin : gen_storage_error
    $error("ROWS is %0d: a port's storage must stay 16 KiB below 16 MiB", ROWS);
  end
  if (DESCRIPTORS < 2 || DESCRIPTORS > (1 << (RED ? BytesW - 6 : PacketsW)) - 2) begin : gen_descriptors_error
    $error("DESCRIPTORS is %0d: 2 to %0d are possible", DESCRIPTORS, (1 << (RED ? BytesW - 6 : PacketsW)) - 2);
  end

  localparam int unsigned UserW = user_pins(BUILD);
  localparam int unsigned RewritingW = tm_rewrite_pkg::rewriting_w(BUILD);

  logic [TimeW-1:0] timebase, now;
  cfg_t [PORTS-1:0] cfg;
  order_t [PORTS-1:0] order;
  red_word_t word;
  queue_word_t queue_word;
  held_t [PORTS-1:0] held;
  red_view_t [(PORTS+7)/8-1:0] red_view;
  tm_pool_pkg::pool_state_t pool;
  tm_pfc_pkg::state_t pfc;
  arrival_t [PORTS-1:0] arrival;
  tally_t tally;
  departure_t [PORTS-1:0] departure;
  mishap_t mishap;
  sink_t [PORTS-1:0] sink;
  tm_schedule_pkg::behind_t [PORTS-1:0] behind;
  tm_schedule_pkg::permit_t [PORTS-1:0] permit;
  logic [PORTS*DATA_W-1:0] data;
  logic [PORTS*DATA_W/8-1:0] keep;
  logic [PORTS-1:0] standing, paused;
  logic [UserW-1:0] s_user;
  logic [PORTS-1:0][RewritingW+UserW-1:0] m_user;
  logic law_busy, control_busy, unused_prot;
  axil_rsp_t axil;

  assign unused_prot    = ^{s_axil_awprot, s_axil_arprot};
  assign s_axil_awready = axil.aw_ready;
  assign s_axil_wready  = axil.w_ready;
  assign s_axil_bvalid  = axil.b_valid;
  assign s_axil_bresp   = axil.b_resp;
  assign s_axil_arready = axil.ar_ready;
  assign s_axil_rvalid  = axil.r_valid;
  assign s_axil_rdata   = axil.r_data;
  assign s_axil_rresp   = axil.r_resp;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    assign depart_valid_o[p]          = departure[p].valid;
    assign depart_len_o[LenW*p+:LenW] = departure[p].len;
  end

  assign now = time_external_i ? time_i : timebase;
  assign time_o = now;
  // Ready from the second cycle after a reset on, whatever happens.
  always_ff @(posedge clk) s_axis_tready <= !rst;

  tm_core #(
      .BUILD(BUILD)
  ) core (
      .clk_i       (clk),
      .rst_i       (rst),
      .time_i      (now[StampW-1:0]),
      .s_valid_i   (s_axis_tvalid && s_axis_tready),
      .s_data_i    (s_axis_tdata),
      .s_keep_i    (s_axis_tkeep),
      .s_last_i    (s_axis_tlast),
      .s_dest_i    (s_axis_tdest),
      .s_len_i     (s_axis_tuser[15:0]),
      .s_user_i    (s_user),
      .s_error_i   (s_axis_tuser[16]),
      .m_o         (sink),
      .behind_o    (behind),
      .m_data_o    (data),
      .m_keep_o    (keep),
      .m_user_o    (m_user),
      .permit_i    (permit),
      .cfg_i       (cfg),
      .order_i     (order),
      .word_i      (word),
      .queue_word_i(queue_word),
      .held_o      (held),
      .red_view_o  (red_view),
      .pool_o      (pool),
      .law_busy_o  (law_busy),
      .event_o,
      .arrival_o   (arrival),
      .tally_o     (tally),
      .departure_o (departure),
      .mishap_o    (mishap)
  );

  // What else travels with a frame; the one bit of a build without it is 0.
  assign s_user = TUSER_W > 17 ? s_axis_tuser[TUSER_W-1-:UserW] : '0;

  tm_pfc_ports #(
      .BUILD(BUILD)
  ) flow_control (
      .clk_i     (clk),
      .rst_i     (rst),
      .s_data_i  (s_axis_tdata),
      .s_source_i(s_axis_tid),
      .pause_i   (pfc_pause_i),
      .pool_i    (pool),
      .cfg_i     (cfg),
      .xoff_o    (pfc_xoff_o),
      .paused_o  (paused),
      .state_o   (pfc)
  );

  tm_lines #(
      .BUILD(BUILD)
  ) lines (
      .clk_i     (clk),
      .rst_i     (rst),
      .s_data_i  (data),
      .s_keep_i  (keep),
      .s_user_i  (m_user),
      .sink_i    (sink),
      .behind_i  (behind),
      .m_data_o  (m_axis_tdata),
      .m_keep_o  (m_axis_tkeep),
      .m_valid_o (m_axis_tvalid),
      .m_ready_i (m_axis_tready),
      .m_last_o  (m_axis_tlast),
      .m_user_o  (m_axis_tuser),
      .cfg_i     (cfg),
      .tx_en_i,
      .paused_i  (paused),
      .permit_o  (permit),
      .standing_o(standing)
  );

  tm_control #(
      .BUILD(BUILD)
  ) control (
      .clk_i(clk),
      .rst_i(rst),
      .axil_i(
      '{
          aw_valid: s_axil_awvalid,
          aw_addr: s_axil_awaddr,
          w_valid: s_axil_wvalid,
          w_data: s_axil_wdata,
          w_strb: s_axil_wstrb,
          b_ready: s_axil_bready,
          ar_valid: s_axil_arvalid,
          ar_addr: s_axil_araddr,
          r_ready: s_axil_rready
      }
      ),
      .axil_o(axil),
      .time_o(timebase),
      .time_i(now),
      .cfg_o(cfg),
      .order_o(order),
      .word_o(word),
      .queue_word_o(queue_word),
      .busy_o(control_busy),
      .held_i(held),
      .red_view_i(red_view),
      .pool_i(pool),
      .pfc_i(pfc),
      .arrival_i(arrival),
      .tally_i(tally),
      .departure_i(departure),
      .mishap_i(mishap)
  );

  tm_settled #(
      .PORTS(PORTS),
      .RED  (RED),
      .CODEL(CODEL)
  ) settled (
      .clk_i         (clk),
      .rst_i         (rst),
      .time_i        (now[StampW-1:0]),
      .beat_valid_i  (s_axis_tvalid),
      .tx_en_i       (tx_en_i & ~paused),
      .row_valid_i   (standing),
      .held_i        (held),
      .control_busy_i(control_busy),
      .law_busy_i    (law_busy),
      .freeing_i     (pool.walking_cells != '0 || pool.reads),
      .arrival_i     (arrival),
      .departure_i   (departure),
      .settled_o
  );

endmodule
