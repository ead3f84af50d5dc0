// SPDX-License-Identifier: BSD-3-Clause
// The reference pipeline: input arbiter, learning switch lookup and queue manager, with NetFPGA's streams at both ends.
//
// Contract: PORTS streams in and out, packed, port 0 lowest, the host last; `tuser` as NetFPGA has it
// (docs/netfpga-drop-in.md): length and source ports in, destination ports as well out, the bits above zero. Inputs are
// never blocked. Registers: 0x0000 arbiter, 0x1000 lookup, 0x2000 queues; AXI4-Lite on a clock of its own.
module tm_reference_switch #(
    parameter int unsigned PORTS = 5,  // the last one is the host's
    parameter int unsigned DATA_W = 256,  // 128 to 1024 bits
    parameter int unsigned INPUT_ROWS = (16 << 13) / DATA_W,  // rows of a beat each per input: 16 KiB
    parameter int unsigned ROWS = (DATA_W > 256 ? 8 << 20 : 4 << 20) / DATA_W,  // of a queue: as the drop-ins have
    parameter int unsigned DESCRIPTORS = 8188,  // frames per queue
    parameter bit ULTRA = 1'b0,
    parameter bit MARKED_COPY = 1'b1,
    parameter int unsigned MAX_FRAME = 16256,  // bytes: as the drop-ins have
    parameter int unsigned TABLE_ROWS = 1024,  // of two addresses each
    parameter int unsigned STATIC = 16,  // static entries
    // Of tuser the lower 32 bits go through, and the error bit that the core has above the length.
    localparam int unsigned TUSER_W = 33,  // verilog_lint: waive parameter-name-style
    `include "tm_build.svh"
) (
    input  logic                      clk,
    input  logic                      rst,
    // sources
    input  logic [  PORTS*DATA_W-1:0] s_axis_tdata,
    input  logic [PORTS*DATA_W/8-1:0] s_axis_tkeep,
    input  logic [     PORTS*128-1:0] s_axis_tuser,
    input  logic [         PORTS-1:0] s_axis_tvalid,
    output logic [         PORTS-1:0] s_axis_tready,
    input  logic [         PORTS-1:0] s_axis_tlast,
    // sinks
    output logic [  PORTS*DATA_W-1:0] m_axis_tdata,
    output logic [PORTS*DATA_W/8-1:0] m_axis_tkeep,
    output logic [     PORTS*128-1:0] m_axis_tuser,
    output logic [         PORTS-1:0] m_axis_tvalid,
    input  logic [         PORTS-1:0] m_axis_tready,
    output logic [         PORTS-1:0] m_axis_tlast,
    // registers
    input  logic                      s_axil_aclk,
    input  logic                      s_axil_rst,
    input  logic [              13:0] s_axil_awaddr,
    input  logic                      s_axil_awvalid,
    output logic                      s_axil_awready,
    input  logic [              31:0] s_axil_wdata,
    input  logic [               3:0] s_axil_wstrb,
    input  logic                      s_axil_wvalid,
    output logic                      s_axil_wready,
    output logic [               1:0] s_axil_bresp,
    output logic                      s_axil_bvalid,
    input  logic                      s_axil_bready,
    input  logic [              13:0] s_axil_araddr,
    input  logic                      s_axil_arvalid,
    output logic                      s_axil_arready,
    output logic [              31:0] s_axil_rdata,
    output logic [               1:0] s_axil_rresp,
    output logic                      s_axil_rvalid,
    input  logic                      s_axil_rready
);

  if ((INPUT_ROWS - 1) * (DATA_W / 8) < MAX_FRAME) begin : gen_input_error
    $error("INPUT_ROWS is %0d: a frame of MAX_FRAME, %0d bytes, and a row more must fit", INPUT_ROWS, MAX_FRAME);
  end

  localparam int unsigned AddrW = 14;
  localparam int unsigned ArrivingW = 24;  // length, source ports
  localparam int unsigned UserW = 32;  // and destination ports
  localparam logic [1:0] ArbiterWindow = 2'd0, QueuesWindow = 2'd2;

  // ---- arbiter ----
  logic [PORTS-1:0][ArrivingW-1:0] s_user;
  logic [PORTS-1:0][UserW-1:0] m_user;
  logic [PORTS-1:0] receive, drop;
  logic joined_valid, joined_first, joined_last, joined_error;
  logic [DATA_W-1:0] joined_data;
  logic [DATA_W/8-1:0] joined_keep;
  logic [ArrivingW-1:0] joined_user;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic unused;
    assign unused    = &s_axis_tuser[128*p+ArrivingW+:128-ArrivingW];
    assign s_user[p] = s_axis_tuser[128*p+:ArrivingW];
    assign m_axis_tuser[128*p+:128] = 128'(m_user[p]);
  end

  always_ff @(posedge clk) s_axis_tready <= {PORTS{!rst}};

  tm_input_arbiter #(
      .PORTS (PORTS),
      .DATA_W(DATA_W),
      .ROWS  (INPUT_ROWS),
      .USER_W(ArrivingW)
  ) arbiter (
      .clk_i    (clk),
      .rst_i    (rst),
      .s_valid_i(s_axis_tvalid & s_axis_tready),
      .s_data_i (s_axis_tdata),
      .s_keep_i (s_axis_tkeep),
      .s_last_i (s_axis_tlast),
      .s_user_i (s_user),
      .m_valid_o(joined_valid),
      .m_first_o(joined_first),
      .m_data_o (joined_data),
      .m_keep_o (joined_keep),
      .m_last_o (joined_last),
      .m_error_o(joined_error),
      .m_user_o (joined_user),
      .drop_o   (drop),
      .receive_o(receive)
  );

  // ---- lookup ----
  logic sent_valid, sent_last, sent_error, clear, learn, hit, flood, filter;
  logic [DATA_W-1:0] sent_data;
  logic [DATA_W/8-1:0] sent_keep;
  logic [UserW-1:0] sent_user;
  logic entry_write, entry_valid;
  logic [$clog2(STATIC)-1:0] entry_index;
  logic [47:0] entry_mac;
  logic [7:0] entry_ports;

  tm_switch_lookup #(
      .PORTS         (PORTS),
      .DATA_W        (DATA_W),
      .DEPTH         (TABLE_ROWS),
      .STATIC_ENTRIES(STATIC)
  ) lookup (
      .clk_i        (clk),
      .rst_i        (rst),
      .s_valid_i    (joined_valid),
      .s_first_i    (joined_first),
      .s_data_i     (joined_data),
      .s_keep_i     (joined_keep),
      .s_last_i     (joined_last),
      .s_error_i    (joined_error),
      .s_user_i     (joined_user),
      .m_valid_o    (sent_valid),
      .m_data_o     (sent_data),
      .m_keep_o     (sent_keep),
      .m_last_o     (sent_last),
      .m_error_o    (sent_error),
      .m_user_o     (sent_user),
      .clear_i      (clear),
      .write_i      (entry_write),
      .index_i      (entry_index),
      .entry_valid_i(entry_valid),
      .entry_mac_i  (entry_mac),
      .entry_ports_i(entry_ports),
      .learn_o      (learn),
      .hit_o        (hit),
      .flood_o      (flood),
      .filter_o     (filter)
  );

  // ---- registers ----
  logic req, write, ack, error, queues_ack, queues_error, own_ack, lost_q;
  logic [AddrW-1:0] addr;
  logic [31:0] wdata, rdata, queues_data, own_data;
  logic [3:0] strobe;
  logic [1:0] window;

  assign window = addr[13:12];
  assign ack    = queues_ack || own_ack || lost_q;
  assign rdata  = queues_ack ? queues_data : own_data;
  assign error  = (queues_ack && queues_error) || lost_q;

  // The fourth window has nothing, as have the upper parts of the first two.
  logic own;
  assign own = !window[1] && addr[11:8] == '0;
  always_ff @(posedge clk) lost_q <= req && !rst && !own && window != QueuesWindow;

  tm_axil_crossing #(
      .ADDR_W(AddrW)
  ) crossing (
      .s_clk_i(s_axil_aclk),
      .s_rst_i(s_axil_rst),
      .s_axil_awaddr,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .clk_i   (clk),
      .rst_i   (rst),
      .req_o   (req),
      .write_o (write),
      .addr_o  (addr),
      .data_o  (wdata),
      .strobe_o(strobe),
      .ack_i   (ack),
      .data_i  (rdata),
      .error_i (error)
  );

  tm_reference_registers #(
      .PORTS         (PORTS),
      .STATIC_ENTRIES(STATIC)
  ) registers (
      .clk_i        (clk),
      .rst_i        (rst),
      .req_i        (req && own),
      .write_i      (write),
      .arbiter_i    (window == ArbiterWindow),
      .index_i      (addr[7:2]),
      .data_i       (wdata),
      .strobe_i     (strobe),
      .ack_o        (own_ack),
      .data_o       (own_data),
      .receive_i    (receive),
      .drop_i       (drop),
      .learn_i      (learn),
      .hit_i        (hit),
      .flood_i      (flood),
      .filter_i     (filter),
      .clear_o      (clear),
      .entry_write_o(entry_write),
      .entry_index_o(entry_index),
      .entry_valid_o(entry_valid),
      .entry_mac_o  (entry_mac),
      .entry_ports_o(entry_ports)
  );

  // ---- queues ----
  logic [PORTS-1:0] unused_stored, unused_dropped, unused_removed;
  logic [PORTS-1:0][tm_pkg::LenW-1:0] unused_removed_len;
  logic [PORTS-1:0][7:0] unused_xoff;
  logic [15:0] unused_len;
  logic unused_ready;

  tm_netfpga_queues #(
      .BUILD(BUILD)
  ) queues (
      .clk_i        (clk),
      .rst_i        (rst),
      .s_tdata_i    (sent_data),
      .s_tkeep_i    (sent_keep),
      .s_tuser_i    (sent_user),
      .s_tvalid_i   (sent_valid),
      .s_tready_o   (unused_ready),
      .s_tlast_i    (sent_last),
      .s_error_i    (sent_error),
      .m_tdata_o    (m_axis_tdata),
      .m_tkeep_o    (m_axis_tkeep),
      .m_tuser_o    (m_user),
      .m_tvalid_o   (m_axis_tvalid),
      .m_tready_i   (m_axis_tready),
      .m_tlast_o    (m_axis_tlast),
      .req_i        (req && window == QueuesWindow),
      .write_i      (write),
      .addr_i       (addr[11:0]),
      .data_i       (wdata),
      .strobe_i     (strobe),
      .ack_o        (queues_ack),
      .data_o       (queues_data),
      .error_o      (queues_error),
      .stored_o     (unused_stored),
      .dropped_o    (unused_dropped),
      .arrive_len_o (unused_len),
      .removed_o    (unused_removed),
      .removed_len_o(unused_removed_len),
      .pfc_xoff_o   (unused_xoff)
  );

endmodule
