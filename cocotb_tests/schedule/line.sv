// SPDX-License-Identifier: BSD-3-Clause
// One line with several queues: `truemark` with a port for each, joined by `truemark_ets`.
module line
  import tm_pkg::*;
#(
    parameter int unsigned QUEUES    = 4,
    parameter int unsigned DATA_W    = 256,
    parameter int unsigned MAX_FRAME = 1518,
    parameter int unsigned QUANTUM_W = 18
) (
    input  logic                                     clk,
    input  logic                                     rst,
    input  logic                                     time_external_i,
    input  logic [         TimeW-1:0]                time_i,
    input  logic [        QUEUES-1:0]                tx_en_i,
    input  logic [        QUEUES-1:0]                strict_i,
    input  logic [        QUEUES-1:0][QUANTUM_W-1:0] quantum_i,
    input  logic [        DATA_W-1:0]                s_axis_tdata,
    input  logic [      DATA_W/8-1:0]                s_axis_tkeep,
    input  logic                                     s_axis_tvalid,
    output logic                                     s_axis_tready,
    input  logic                                     s_axis_tlast,
    input  logic [        QUEUES-1:0]                s_axis_tdest,
    input  logic [              16:0]                s_axis_tuser,
    output logic [        DATA_W-1:0]                m_axis_tdata,
    output logic [      DATA_W/8-1:0]                m_axis_tkeep,
    output logic                                     m_axis_tvalid,
    input  logic                                     m_axis_tready,
    output logic                                     m_axis_tlast,
    output logic [$clog2(QUEUES)-1:0]                m_axis_tid,
    output logic [              16:0]                m_axis_tuser,
    input  logic [              11:0]                s_axil_awaddr,
    input  logic [               2:0]                s_axil_awprot,
    input  logic                                     s_axil_awvalid,
    output logic                                     s_axil_awready,
    input  logic [              31:0]                s_axil_wdata,
    input  logic [               3:0]                s_axil_wstrb,
    input  logic                                     s_axil_wvalid,
    output logic                                     s_axil_wready,
    output logic [               1:0]                s_axil_bresp,
    output logic                                     s_axil_bvalid,
    input  logic                                     s_axil_bready,
    input  logic [              11:0]                s_axil_araddr,
    input  logic [               2:0]                s_axil_arprot,
    input  logic                                     s_axil_arvalid,
    output logic                                     s_axil_arready,
    output logic [              31:0]                s_axil_rdata,
    output logic [               1:0]                s_axil_rresp,
    output logic                                     s_axil_rvalid,
    input  logic                                     s_axil_rready
);

  logic [  QUEUES*DATA_W-1:0] data;
  logic [QUEUES*DATA_W/8-1:0] keep;
  logic [QUEUES-1:0] valid, ready, last;
  logic [QUEUES*17-1:0] user;

  truemark #(
      .PORTS    (QUEUES),
      .DATA_W   (DATA_W),
      .ROWS     (2048),
      .MAX_FRAME(MAX_FRAME)
  ) queues (
      .clk,
      .rst,
      .time_external_i,
      .time_i,
      .time_o        (),
      .tx_en_i,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tdest,
      .s_axis_tuser,
      .m_axis_tdata  (data),
      .m_axis_tkeep  (keep),
      .m_axis_tvalid (valid),
      .m_axis_tready (ready),
      .m_axis_tlast  (last),
      .m_axis_tuser  (user),
      .s_axil_awaddr,
      .s_axil_awprot,
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
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .event_o       (),
      .depart_valid_o(),
      .depart_len_o  (),
      .settled_o     ()
  );

  truemark_ets #(
      .QUEUES   (QUEUES),
      .DATA_W   (DATA_W),
      .MAX_FRAME(MAX_FRAME)
  ) ets (
      .clk,
      .rst,
      .strict_i,
      .quantum_i,
      .s_axis_tdata (data),
      .s_axis_tkeep (keep),
      .s_axis_tvalid(valid),
      .s_axis_tready(ready),
      .s_axis_tlast (last),
      .s_axis_tuser (user),
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_tid,
      .m_axis_tuser
  );

endmodule
