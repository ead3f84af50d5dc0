// SPDX-License-Identifier: BSD-3-Clause
// NetFPGA-SUME's `output_queues`, the same module name, parameters and ports, with Truemark's queues inside.
//
// Contract: docs/netfpga.md. The parameters below C_BASEADDR are Truemark's; their defaults hold the `shallow` preset.
// `axis_aclk` and `S_AXI_ACLK` may be different clocks. `s_axis_tready` is 1 from the first cycle after reset on.
module output_queues #(
    parameter int unsigned        C_M_AXIS_DATA_WIDTH  = 256,
    parameter int unsigned        C_S_AXIS_DATA_WIDTH  = 256,
    parameter int unsigned        C_M_AXIS_TUSER_WIDTH = 128,
    parameter int unsigned        C_S_AXIS_TUSER_WIDTH = 128,
    parameter int unsigned        NUM_QUEUES           = 5,
    parameter int unsigned        C_S_AXI_DATA_WIDTH   = 32,
    parameter int unsigned        C_S_AXI_ADDR_WIDTH   = 12,
    parameter logic        [31:0] C_BASEADDR           = 32'h0000_0000,
    parameter int unsigned        ROWS                 = 13849,          // rows of a beat each, per queue
    parameter int unsigned        DESCRIPTORS          = 5001,           // frames per queue
    parameter bit                 STORE_AND_FORWARD    = 1'b0,
    parameter bit                 FLAGS_VERDICT        = 1'b0,
    parameter bit                 RED                  = 1'b0,
    parameter bit                 CODEL                = 1'b0,
    parameter bit                 ULTRA                = 1'b0
) (
    input logic axis_aclk,
    input logic axis_resetn,

    input  logic [  C_S_AXIS_DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [C_S_AXIS_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  logic [ C_S_AXIS_TUSER_WIDTH-1:0] s_axis_tuser,
    input  logic                             s_axis_tvalid,
    output logic                             s_axis_tready,
    input  logic                             s_axis_tlast,

    output logic [  C_M_AXIS_DATA_WIDTH-1:0] m_axis_0_tdata,
    output logic [C_M_AXIS_DATA_WIDTH/8-1:0] m_axis_0_tkeep,
    output logic [ C_M_AXIS_TUSER_WIDTH-1:0] m_axis_0_tuser,
    output logic                             m_axis_0_tvalid,
    input  logic                             m_axis_0_tready,
    output logic                             m_axis_0_tlast,

    output logic [  C_M_AXIS_DATA_WIDTH-1:0] m_axis_1_tdata,
    output logic [C_M_AXIS_DATA_WIDTH/8-1:0] m_axis_1_tkeep,
    output logic [ C_M_AXIS_TUSER_WIDTH-1:0] m_axis_1_tuser,
    output logic                             m_axis_1_tvalid,
    input  logic                             m_axis_1_tready,
    output logic                             m_axis_1_tlast,

    output logic [  C_M_AXIS_DATA_WIDTH-1:0] m_axis_2_tdata,
    output logic [C_M_AXIS_DATA_WIDTH/8-1:0] m_axis_2_tkeep,
    output logic [ C_M_AXIS_TUSER_WIDTH-1:0] m_axis_2_tuser,
    output logic                             m_axis_2_tvalid,
    input  logic                             m_axis_2_tready,
    output logic                             m_axis_2_tlast,

    output logic [  C_M_AXIS_DATA_WIDTH-1:0] m_axis_3_tdata,
    output logic [C_M_AXIS_DATA_WIDTH/8-1:0] m_axis_3_tkeep,
    output logic [ C_M_AXIS_TUSER_WIDTH-1:0] m_axis_3_tuser,
    output logic                             m_axis_3_tvalid,
    input  logic                             m_axis_3_tready,
    output logic                             m_axis_3_tlast,

    output logic [  C_M_AXIS_DATA_WIDTH-1:0] m_axis_4_tdata,
    output logic [C_M_AXIS_DATA_WIDTH/8-1:0] m_axis_4_tkeep,
    output logic [ C_M_AXIS_TUSER_WIDTH-1:0] m_axis_4_tuser,
    output logic                             m_axis_4_tvalid,
    input  logic                             m_axis_4_tready,
    output logic                             m_axis_4_tlast,

    output logic [C_S_AXI_DATA_WIDTH-1:0] bytes_stored,
    output logic [        NUM_QUEUES-1:0] pkt_stored,
    output logic [C_S_AXI_DATA_WIDTH-1:0] bytes_removed_0,
    output logic [C_S_AXI_DATA_WIDTH-1:0] bytes_removed_1,
    output logic [C_S_AXI_DATA_WIDTH-1:0] bytes_removed_2,
    output logic [C_S_AXI_DATA_WIDTH-1:0] bytes_removed_3,
    output logic [C_S_AXI_DATA_WIDTH-1:0] bytes_removed_4,
    output logic                          pkt_removed_0,
    output logic                          pkt_removed_1,
    output logic                          pkt_removed_2,
    output logic                          pkt_removed_3,
    output logic                          pkt_removed_4,

    input  logic                            S_AXI_ACLK,
    input  logic                            S_AXI_ARESETN,
    input  logic [  C_S_AXI_ADDR_WIDTH-1:0] S_AXI_AWADDR,
    input  logic                            S_AXI_AWVALID,
    input  logic [  C_S_AXI_DATA_WIDTH-1:0] S_AXI_WDATA,
    input  logic [C_S_AXI_DATA_WIDTH/8-1:0] S_AXI_WSTRB,
    input  logic                            S_AXI_WVALID,
    input  logic                            S_AXI_BREADY,
    input  logic [  C_S_AXI_ADDR_WIDTH-1:0] S_AXI_ARADDR,
    input  logic                            S_AXI_ARVALID,
    input  logic                            S_AXI_RREADY,
    output logic                            S_AXI_ARREADY,
    output logic [  C_S_AXI_DATA_WIDTH-1:0] S_AXI_RDATA,
    output logic [                     1:0] S_AXI_RRESP,
    output logic                            S_AXI_RVALID,
    output logic                            S_AXI_WREADY,
    output logic [                     1:0] S_AXI_BRESP,
    output logic                            S_AXI_BVALID,
    output logic                            S_AXI_AWREADY,

    output logic [C_S_AXI_DATA_WIDTH-1:0] bytes_dropped,
    output logic [        NUM_QUEUES-1:0] pkt_dropped
);

  localparam int unsigned Ports = 5;
  localparam int unsigned AddrW = 12;

  if (NUM_QUEUES != Ports) begin : gen_queues_error
    $error("NUM_QUEUES is %0d: the ports of this module are written out for %0d", NUM_QUEUES, Ports);
  end
  if (C_M_AXIS_DATA_WIDTH != C_S_AXIS_DATA_WIDTH || C_M_AXIS_TUSER_WIDTH != C_S_AXIS_TUSER_WIDTH) begin : gen_error
    $error("the widths of s_axis and m_axis must be the same");
  end
  if (C_S_AXI_DATA_WIDTH != 32 || C_S_AXI_ADDR_WIDTH < AddrW) begin : gen_axi_error
    $error("registers are 32 bits wide, their window is 4 kB");
  end

  logic [Ports-1:0][  C_M_AXIS_DATA_WIDTH-1:0] tdata;
  logic [Ports-1:0][C_M_AXIS_DATA_WIDTH/8-1:0] tkeep;
  logic [Ports-1:0][ C_M_AXIS_TUSER_WIDTH-1:0] tuser;
  logic [Ports-1:0] tvalid, tready, tlast, stored, dropped, removed;
  logic [Ports-1:0][tm_pkg::LenW-1:0] removed_len;
  logic [tm_pkg::LenW-1:0] arrive_len;
  logic req, write, ack, error;
  logic [AddrW-1:0] addr;
  logic [31:0] wdata, rdata;
  logic [3:0] strobe;

  assign m_axis_0_tdata = tdata[0];
  assign m_axis_0_tkeep = tkeep[0];
  assign m_axis_0_tuser = tuser[0];
  assign m_axis_0_tvalid = tvalid[0];
  assign m_axis_0_tlast = tlast[0];
  assign m_axis_1_tdata = tdata[1];
  assign m_axis_1_tkeep = tkeep[1];
  assign m_axis_1_tuser = tuser[1];
  assign m_axis_1_tvalid = tvalid[1];
  assign m_axis_1_tlast = tlast[1];
  assign m_axis_2_tdata = tdata[2];
  assign m_axis_2_tkeep = tkeep[2];
  assign m_axis_2_tuser = tuser[2];
  assign m_axis_2_tvalid = tvalid[2];
  assign m_axis_2_tlast = tlast[2];
  assign m_axis_3_tdata = tdata[3];
  assign m_axis_3_tkeep = tkeep[3];
  assign m_axis_3_tuser = tuser[3];
  assign m_axis_3_tvalid = tvalid[3];
  assign m_axis_3_tlast = tlast[3];
  assign m_axis_4_tdata = tdata[4];
  assign m_axis_4_tkeep = tkeep[4];
  assign m_axis_4_tuser = tuser[4];
  assign m_axis_4_tvalid = tvalid[4];
  assign m_axis_4_tlast = tlast[4];
  assign tready = {m_axis_4_tready, m_axis_3_tready, m_axis_2_tready, m_axis_1_tready, m_axis_0_tready};

  assign pkt_stored    = stored;
  assign bytes_stored  = stored != '0 ? 32'(arrive_len) : '0;
  assign pkt_dropped   = dropped;
  assign bytes_dropped = dropped != '0 ? 32'(arrive_len) : '0;
  assign bytes_removed_0 = removed[0] ? 32'(removed_len[0]) : '0;
  assign pkt_removed_0 = removed[0];
  assign bytes_removed_1 = removed[1] ? 32'(removed_len[1]) : '0;
  assign pkt_removed_1 = removed[1];
  assign bytes_removed_2 = removed[2] ? 32'(removed_len[2]) : '0;
  assign pkt_removed_2 = removed[2];
  assign bytes_removed_3 = removed[3] ? 32'(removed_len[3]) : '0;
  assign pkt_removed_3 = removed[3];
  assign bytes_removed_4 = removed[4] ? 32'(removed_len[4]) : '0;
  assign pkt_removed_4 = removed[4];

  // Only the low bits: the interconnect has chosen the window by the others.
  if (C_S_AXI_ADDR_WIDTH > AddrW) begin : gen_unused
    logic unused;
    assign unused = &{S_AXI_AWADDR[C_S_AXI_ADDR_WIDTH-1:AddrW], S_AXI_ARADDR[C_S_AXI_ADDR_WIDTH-1:AddrW]};
  end

  tm_axil_crossing #(
      .ADDR_W(AddrW)
  ) crossing (
      .s_clk_i       (S_AXI_ACLK),
      .s_rst_i       (!S_AXI_ARESETN),
      .s_axil_awaddr (S_AXI_AWADDR[AddrW-1:0] ^ C_BASEADDR[AddrW-1:0]),
      .s_axil_awvalid(S_AXI_AWVALID),
      .s_axil_awready(S_AXI_AWREADY),
      .s_axil_wdata  (S_AXI_WDATA),
      .s_axil_wstrb  (S_AXI_WSTRB),
      .s_axil_wvalid (S_AXI_WVALID),
      .s_axil_wready (S_AXI_WREADY),
      .s_axil_bresp  (S_AXI_BRESP),
      .s_axil_bvalid (S_AXI_BVALID),
      .s_axil_bready (S_AXI_BREADY),
      .s_axil_araddr (S_AXI_ARADDR[AddrW-1:0] ^ C_BASEADDR[AddrW-1:0]),
      .s_axil_arvalid(S_AXI_ARVALID),
      .s_axil_arready(S_AXI_ARREADY),
      .s_axil_rdata  (S_AXI_RDATA),
      .s_axil_rresp  (S_AXI_RRESP),
      .s_axil_rvalid (S_AXI_RVALID),
      .s_axil_rready (S_AXI_RREADY),
      .clk_i         (axis_aclk),
      .rst_i         (!axis_resetn),
      .req_o         (req),
      .write_o       (write),
      .addr_o        (addr),
      .data_o        (wdata),
      .strobe_o      (strobe),
      .ack_i         (ack),
      .data_i        (rdata),
      .error_i       (error)
  );

  tm_netfpga_queues #(
      .PORTS            (Ports),
      .DATA_W           (C_S_AXIS_DATA_WIDTH),
      .TUSER_W          (C_S_AXIS_TUSER_WIDTH),
      .ROWS             (ROWS),
      .DESCRIPTORS      (DESCRIPTORS),
      .STORE_AND_FORWARD(STORE_AND_FORWARD),
      .FLAGS_VERDICT    (FLAGS_VERDICT),
      .RED              (RED),
      .CODEL            (CODEL),
      .ULTRA            (ULTRA)
  ) queues (
      .clk_i        (axis_aclk),
      .rst_i        (!axis_resetn),
      .s_tdata_i    (s_axis_tdata),
      .s_tkeep_i    (s_axis_tkeep),
      .s_tuser_i    (s_axis_tuser),
      .s_tvalid_i   (s_axis_tvalid),
      .s_tready_o   (s_axis_tready),
      .s_tlast_i    (s_axis_tlast),
      .s_error_i    (1'b0),
      .m_tdata_o    (tdata),
      .m_tkeep_o    (tkeep),
      .m_tuser_o    (tuser),
      .m_tvalid_o   (tvalid),
      .m_tready_i   (tready),
      .m_tlast_o    (tlast),
      .req_i        (req),
      .write_i      (write),
      .addr_i       (addr),
      .data_i       (wdata),
      .strobe_i     (strobe),
      .ack_o        (ack),
      .data_o       (rdata),
      .error_o      (error),
      .stored_o     (stored),
      .dropped_o    (dropped),
      .arrive_len_o (arrive_len),
      .removed_o    (removed),
      .removed_len_o(removed_len)
  );

endmodule
