// SPDX-License-Identifier: BSD-3-Clause
// The top behind registered inputs, for lockstep: one change of `clk`, up or down, is one whole clock cycle.
//
// Contract: pins as of truemark (TUSER_W 17). What the inputs show when `clk` changes reaches truemark behind that
// edge, so it is the input of the cycle after. Nothing follows an input within a cycle; a simulator that evaluates once
// for each change of `clk` computes the logic behind the inputs once a cycle instead of three times.
module registered_pins
  import tm_pkg::*;
#(
    parameter int unsigned PORTS = 5,
    parameter int unsigned DATA_W = 256,
    parameter int unsigned TUSER_W = 17,
    parameter int unsigned ROWS = 512,
    parameter int unsigned DESCRIPTORS = 508,
    parameter bit ULTRA = 1'b0,
    parameter bit MARKED_COPY = 1'b1,
    parameter int unsigned MAX_FRAME = 9216,  // bytes
    `include "tm_build.svh"
) (
    input  logic                               clk,
    input  logic                               rst,
    input  logic                               time_external_i,
    input  logic   [                TimeW-1:0] time_i,
    output logic   [                TimeW-1:0] time_o,
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
    input  logic   [                     16:0] s_axis_tuser,
    // sinks
    output logic   [  PORTS/QUEUES*DATA_W-1:0] m_axis_tdata,
    output logic   [PORTS/QUEUES*DATA_W/8-1:0] m_axis_tkeep,
    output logic   [         PORTS/QUEUES-1:0] m_axis_tvalid,
    input  logic   [         PORTS/QUEUES-1:0] m_axis_tready,
    output logic   [         PORTS/QUEUES-1:0] m_axis_tlast,
    output logic   [      PORTS/QUEUES*17-1:0] m_axis_tuser,
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
    // telemetry
    output event_t [                PORTS-1:0] event_o,
    output logic   [                PORTS-1:0] depart_valid_o,
    output logic   [           PORTS*LenW-1:0] depart_len_o,
    output logic   [              PORTS*8-1:0] pfc_xoff_o,
    output logic   [                      1:0] settled_o
);

  logic edge_clk, clk_q;
  logic
      rst_q,
      time_external_q,
      s_axis_tvalid_q,
      s_axis_tlast_q,
      s_axil_awvalid_q,
      s_axil_wvalid_q,
      s_axil_bready_q,
      s_axil_arvalid_q,
      s_axil_rready_q;
  logic [TimeW-1:0] time_q;
  logic [PORTS-1:0] tx_en_q;
  logic [PORTS/QUEUES*8-1:0] pfc_pause_q;
  logic [PORTS/QUEUES-1:0] s_axis_tdest_q, m_axis_tready_q;
  logic [DATA_W-1:0] s_axis_tdata_q;
  logic [DATA_W/8-1:0] s_axis_tkeep_q;
  logic [16:0] s_axis_tuser_q;
  logic [3:0] s_axis_tid_q;
  logic [11:0] s_axil_awaddr_q, s_axil_araddr_q;
  logic [2:0] s_axil_awprot_q, s_axil_arprot_q;
  logic [31:0] s_axil_wdata_q;
  logic [ 3:0] s_axil_wstrb_q;

  // A pulse for each change of clk: it ends itself, within the same time step.
  assign edge_clk = clk ^ clk_q;

  // Reset from the first cycle on, as the counters' contract has it (tm_snapshot): a cycle before may be anything.
  initial clk_q = 1'b0;
  initial rst_q = 1'b1;
  always_ff @(posedge edge_clk) begin
    clk_q <= clk;
    rst_q <= rst;
    time_external_q <= time_external_i;
    time_q <= time_i;
    tx_en_q <= tx_en_i;
    pfc_pause_q <= pfc_pause_i;
    s_axis_tdata_q <= s_axis_tdata;
    s_axis_tkeep_q <= s_axis_tkeep;
    s_axis_tvalid_q <= s_axis_tvalid;
    s_axis_tlast_q <= s_axis_tlast;
    s_axis_tdest_q <= s_axis_tdest;
    s_axis_tuser_q <= s_axis_tuser;
    s_axis_tid_q <= s_axis_tid;
    m_axis_tready_q <= m_axis_tready;
    s_axil_awaddr_q <= s_axil_awaddr;
    s_axil_awprot_q <= s_axil_awprot;
    s_axil_awvalid_q <= s_axil_awvalid;
    s_axil_wdata_q <= s_axil_wdata;
    s_axil_wstrb_q <= s_axil_wstrb;
    s_axil_wvalid_q <= s_axil_wvalid;
    s_axil_bready_q <= s_axil_bready;
    s_axil_araddr_q <= s_axil_araddr;
    s_axil_arprot_q <= s_axil_arprot;
    s_axil_arvalid_q <= s_axil_arvalid;
    s_axil_rready_q <= s_axil_rready;
  end

  truemark #(
      `include "tm_build_of.svh"
  ) dut (
      .clk(edge_clk),
      .rst(rst_q),
      .time_external_i(time_external_q),
      .time_i(time_q),
      .tx_en_i(tx_en_q),
      .pfc_pause_i(pfc_pause_q),
      .s_axis_tdata(s_axis_tdata_q),
      .s_axis_tkeep(s_axis_tkeep_q),
      .s_axis_tvalid(s_axis_tvalid_q),
      .s_axis_tlast(s_axis_tlast_q),
      .s_axis_tdest(s_axis_tdest_q),
      .s_axis_tuser(s_axis_tuser_q),
      .s_axis_tid(s_axis_tid_q),
      .m_axis_tready(m_axis_tready_q),
      .s_axil_awaddr(s_axil_awaddr_q),
      .s_axil_awprot(s_axil_awprot_q),
      .s_axil_awvalid(s_axil_awvalid_q),
      .s_axil_wdata(s_axil_wdata_q),
      .s_axil_wstrb(s_axil_wstrb_q),
      .s_axil_wvalid(s_axil_wvalid_q),
      .s_axil_bready(s_axil_bready_q),
      .s_axil_araddr(s_axil_araddr_q),
      .s_axil_arprot(s_axil_arprot_q),
      .s_axil_arvalid(s_axil_arvalid_q),
      .s_axil_rready(s_axil_rready_q),
      .time_o,
      .s_axis_tready,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tlast,
      .m_axis_tuser,
      .s_axil_awready,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .event_o,
      .depart_valid_o,
      .depart_len_o,
      .pfc_xoff_o,
      .settled_o
  );

endmodule
