// SPDX-License-Identifier: BSD-3-Clause
// The reference pipeline with each stream's pins apart: what a test can drive port by port.
//
// Contract: that of tm_reference_switch; element p of each array belongs to port p.
module switch_bench #(
    parameter int unsigned PORTS       = 5,
    parameter int unsigned DATA_W      = 256,
    parameter int unsigned INPUT_ROWS  = 512,
    parameter int unsigned ROWS        = 1024,
    parameter int unsigned DESCRIPTORS = 508,
    parameter int unsigned TABLE_ROWS  = 64
) (
    input  logic                clk,
    input  logic                rst,
    input  logic [  DATA_W-1:0] s_axis_tdata  [PORTS],
    input  logic [DATA_W/8-1:0] s_axis_tkeep  [PORTS],
    input  logic [       127:0] s_axis_tuser  [PORTS],
    input  logic                s_axis_tvalid [PORTS],
    output logic                s_axis_tready [PORTS],
    input  logic                s_axis_tlast  [PORTS],
    output logic [  DATA_W-1:0] m_axis_tdata  [PORTS],
    output logic [DATA_W/8-1:0] m_axis_tkeep  [PORTS],
    output logic [       127:0] m_axis_tuser  [PORTS],
    output logic                m_axis_tvalid [PORTS],
    input  logic                m_axis_tready [PORTS],
    output logic                m_axis_tlast  [PORTS],
    input  logic                s_axil_aclk,
    input  logic                s_axil_rst,
    input  logic [        13:0] s_axil_awaddr,
    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [        31:0] s_axil_wdata,
    input  logic [         3:0] s_axil_wstrb,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    output logic [         1:0] s_axil_bresp,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    input  logic [        13:0] s_axil_araddr,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    output logic [        31:0] s_axil_rdata,
    output logic [         1:0] s_axil_rresp,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready
);

  logic [PORTS-1:0][DATA_W-1:0] s_data, m_data;
  logic [PORTS-1:0][DATA_W/8-1:0] s_keep, m_keep;
  logic [PORTS-1:0][127:0] s_user, m_user;
  logic [PORTS-1:0] s_valid, s_ready, s_last, m_valid, m_ready, m_last;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    assign s_data[p]        = s_axis_tdata[p];
    assign s_keep[p]        = s_axis_tkeep[p];
    assign s_user[p]        = s_axis_tuser[p];
    assign s_valid[p]       = s_axis_tvalid[p];
    assign s_last[p]        = s_axis_tlast[p];
    assign s_axis_tready[p] = s_ready[p];
    assign m_axis_tdata[p]  = m_data[p];
    assign m_axis_tkeep[p]  = m_keep[p];
    assign m_axis_tuser[p]  = m_user[p];
    assign m_axis_tvalid[p] = m_valid[p];
    assign m_axis_tlast[p]  = m_last[p];
    assign m_ready[p]       = m_axis_tready[p];
  end

  tm_reference_switch #(
      .PORTS      (PORTS),
      .DATA_W     (DATA_W),
      .INPUT_ROWS (INPUT_ROWS),
      .ROWS       (ROWS),
      .DESCRIPTORS(DESCRIPTORS),
      .TABLE_ROWS (TABLE_ROWS)
  ) pipeline (
      .clk,
      .rst,
      .s_axis_tdata (s_data),
      .s_axis_tkeep (s_keep),
      .s_axis_tuser (s_user),
      .s_axis_tvalid(s_valid),
      .s_axis_tready(s_ready),
      .s_axis_tlast (s_last),
      .m_axis_tdata (m_data),
      .m_axis_tkeep (m_keep),
      .m_axis_tuser (m_user),
      .m_axis_tvalid(m_valid),
      .m_axis_tready(m_ready),
      .m_axis_tlast (m_last),
      .s_axil_aclk,
      .s_axil_rst,
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
      .s_axil_rready
  );

endmodule
