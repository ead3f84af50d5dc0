// SPDX-License-Identifier: BSD-3-Clause
// NetFPGA-SUME's `output_queues`, the same module name, parameters and ports, with Truemark's queues inside.
//
// Contract: docs/netfpga-drop-in.md. The parameters below C_BASEADDR are Truemark's; their defaults hold the `shallow`
// preset in whole powers of two, as block RAM is built.
// `axis_aclk` and `S_AXI_ACLK` may be different clocks. `s_axis_tready` is 1 from the second cycle after reset on.
module output_queues #(
    parameter int unsigned C_M_AXIS_DATA_WIDTH = 256,
    parameter int unsigned C_S_AXIS_DATA_WIDTH = 256,
    parameter int unsigned C_M_AXIS_TUSER_WIDTH = 128,
    parameter int unsigned C_S_AXIS_TUSER_WIDTH = 128,
    parameter int unsigned NUM_QUEUES = 5,
    parameter int unsigned C_S_AXI_DATA_WIDTH = 32,
    parameter int unsigned C_S_AXI_ADDR_WIDTH = 12,
    parameter logic [31:0] C_BASEADDR = 32'h0000_0000,
    parameter int unsigned ROWS = 16384,  // rows of a beat each, per queue
    parameter int unsigned DESCRIPTORS = 8188,  // frames per queue
    parameter bit ULTRA = 1'b0,
    parameter bit MARKED_COPY = 1'b0,  // 28 % more row memory, which is scarce here
    parameter int unsigned MAX_FRAME = 16256,  // bytes: the most that every width can store
    localparam int unsigned PORTS = NUM_QUEUES,
    localparam int unsigned DATA_W = C_S_AXIS_DATA_WIDTH,  // verilog_lint: waive parameter-name-style
    // The core's has an error bit above the length.
    localparam int unsigned TUSER_W = C_S_AXIS_TUSER_WIDTH + 1,  // verilog_lint: waive parameter-name-style
    `include "tm_build.svh"
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
    output logic [        NUM_QUEUES-1:0] pkt_dropped,

    // not NetFPGA's: with PFC, by port the classes that its link partner must not send
    output logic [8*NUM_QUEUES-1:0] pfc_xoff
);

  localparam int unsigned Ports = 5;

  if (NUM_QUEUES != Ports) begin : gen_queues_error
    $error("NUM_QUEUES is %0d: the ports of this module are written out for %0d", NUM_QUEUES, Ports);
  end
  if (C_M_AXIS_DATA_WIDTH != C_S_AXIS_DATA_WIDTH || C_M_AXIS_TUSER_WIDTH != C_S_AXIS_TUSER_WIDTH) begin : gen_error
    $error("the widths of s_axis and m_axis must be the same");
  end
  if (C_S_AXI_DATA_WIDTH != 32) begin : gen_axi_error
    $error("registers are 32 bits wide, not %0d", C_S_AXI_DATA_WIDTH);
  end

  logic [Ports-1:0] tready;
  assign tready = {m_axis_4_tready, m_axis_3_tready, m_axis_2_tready, m_axis_1_tready, m_axis_0_tready};

  tm_netfpga_dropin #(
      .BUILD (BUILD),
      .ADDR_W(C_S_AXI_ADDR_WIDTH),
      .BASE  (C_BASEADDR)
  ) body (
      .clk_i          (axis_aclk),
      .rst_i          (!axis_resetn),
      .s_tdata_i      (s_axis_tdata),
      .s_tkeep_i      (s_axis_tkeep),
      .s_tuser_i      (s_axis_tuser),
      .s_tvalid_i     (s_axis_tvalid),
      .s_tready_o     (s_axis_tready),
      .s_tlast_i      (s_axis_tlast),
      .m_tdata_o      ({m_axis_4_tdata, m_axis_3_tdata, m_axis_2_tdata, m_axis_1_tdata, m_axis_0_tdata}),
      .m_tkeep_o      ({m_axis_4_tkeep, m_axis_3_tkeep, m_axis_2_tkeep, m_axis_1_tkeep, m_axis_0_tkeep}),
      .m_tuser_o      ({m_axis_4_tuser, m_axis_3_tuser, m_axis_2_tuser, m_axis_1_tuser, m_axis_0_tuser}),
      .m_tvalid_o     ({m_axis_4_tvalid, m_axis_3_tvalid, m_axis_2_tvalid, m_axis_1_tvalid, m_axis_0_tvalid}),
      .m_tready_i     (tready),
      .m_tlast_o      ({m_axis_4_tlast, m_axis_3_tlast, m_axis_2_tlast, m_axis_1_tlast, m_axis_0_tlast}),
      .s_axil_aclk    (S_AXI_ACLK),
      .s_axil_rst     (!S_AXI_ARESETN),
      .s_axil_awaddr  (S_AXI_AWADDR),
      .s_axil_awvalid (S_AXI_AWVALID),
      .s_axil_awready (S_AXI_AWREADY),
      .s_axil_wdata   (S_AXI_WDATA),
      .s_axil_wstrb   (S_AXI_WSTRB),
      .s_axil_wvalid  (S_AXI_WVALID),
      .s_axil_wready  (S_AXI_WREADY),
      .s_axil_bresp   (S_AXI_BRESP),
      .s_axil_bvalid  (S_AXI_BVALID),
      .s_axil_bready  (S_AXI_BREADY),
      .s_axil_araddr  (S_AXI_ARADDR),
      .s_axil_arvalid (S_AXI_ARVALID),
      .s_axil_arready (S_AXI_ARREADY),
      .s_axil_rdata   (S_AXI_RDATA),
      .s_axil_rresp   (S_AXI_RRESP),
      .s_axil_rvalid  (S_AXI_RVALID),
      .s_axil_rready  (S_AXI_RREADY),
      .bytes_stored_o (bytes_stored),
      .pkt_stored_o   (pkt_stored),
      .bytes_removed_o({bytes_removed_4, bytes_removed_3, bytes_removed_2, bytes_removed_1, bytes_removed_0}),
      .pkt_removed_o  ({pkt_removed_4, pkt_removed_3, pkt_removed_2, pkt_removed_1, pkt_removed_0}),
      .bytes_dropped_o(bytes_dropped),
      .pkt_dropped_o  (pkt_dropped),
      .pfc_xoff_o     (pfc_xoff)
  );

endmodule
