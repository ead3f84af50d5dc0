// SPDX-License-Identifier: BSD-3-Clause
// What is inside NetFPGA's `output_queues` on either board: the queues, and the crossing from the host's clock to
// theirs.
//
// Contract: that of tm_netfpga_queues for the streams. Element p of each array belongs to queue p. The register bus has
// a clock of its own (tm_axil_crossing); BASE is exchanged with the address, of which only the low 12 bits count, as in
// NetFPGA's modules. `bytes_*` is the length of the frame in the cycle of its `pkt_*`, else 0.
module tm_netfpga_dropin
  import tm_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,  // the last port is the host's
    parameter int unsigned ADDR_W = 12,  // bits of the bus; at least 12
    parameter logic [31:0] BASE = '0,
    localparam int unsigned TuserW = BUILD.tuser_w - 1,  // without the error bit that the core has above the length
    localparam int unsigned BeatBytes = BUILD.data_w / 8
) (
    input logic clk_i,
    input logic rst_i,
    // from the lookup
    input logic [BUILD.data_w-1:0] s_tdata_i,
    input logic [BeatBytes-1:0] s_tkeep_i,
    input logic [TuserW-1:0] s_tuser_i,
    input logic s_tvalid_i,
    output logic s_tready_o,
    input logic s_tlast_i,
    // to the sinks
    output logic [BUILD.ports-1:0][BUILD.data_w-1:0] m_tdata_o,
    output logic [BUILD.ports-1:0][BeatBytes-1:0] m_tkeep_o,
    output logic [BUILD.ports-1:0][TuserW-1:0] m_tuser_o,
    output logic [BUILD.ports-1:0] m_tvalid_o,
    input logic [BUILD.ports-1:0] m_tready_i,
    output logic [BUILD.ports-1:0] m_tlast_o,
    // registers
    input logic s_axil_aclk,
    input logic s_axil_rst,
    input logic [ADDR_W-1:0] s_axil_awaddr,
    input logic s_axil_awvalid,
    output logic s_axil_awready,
    input logic [31:0] s_axil_wdata,
    input logic [3:0] s_axil_wstrb,
    input logic s_axil_wvalid,
    output logic s_axil_wready,
    output logic [1:0] s_axil_bresp,
    output logic s_axil_bvalid,
    input logic s_axil_bready,
    input logic [ADDR_W-1:0] s_axil_araddr,
    input logic s_axil_arvalid,
    output logic s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0] s_axil_rresp,
    output logic s_axil_rvalid,
    input logic s_axil_rready,
    // events
    output logic [31:0] bytes_stored_o,
    output logic [BUILD.ports-1:0] pkt_stored_o,
    output logic [BUILD.ports-1:0][31:0] bytes_removed_o,
    output logic [BUILD.ports-1:0] pkt_removed_o,
    output logic [31:0] bytes_dropped_o,
    output logic [BUILD.ports-1:0] pkt_dropped_o,
    output logic [BUILD.ports-1:0][7:0] pfc_xoff_o
);

  localparam int unsigned WindowW = 12;

  if (ADDR_W < WindowW) begin : gen_window_error
    $error("ADDR_W is %0d: the window of the registers is 4 kB", ADDR_W);
  end
  // Only the low bits: the interconnect has chosen the window by the others.
  if (ADDR_W > WindowW) begin : gen_unused
    logic unused;
    assign unused = &{s_axil_awaddr[ADDR_W-1:WindowW], s_axil_araddr[ADDR_W-1:WindowW]};
  end

  logic [BUILD.ports-1:0][LenW-1:0] removed_len;
  logic [15:0] arrive_len;
  logic req, write, ack, error;
  logic [WindowW-1:0] addr;
  logic [31:0] wdata, rdata;
  logic [3:0] strobe;

  assign bytes_stored_o  = pkt_stored_o != '0 ? 32'(arrive_len) : '0;
  assign bytes_dropped_o = pkt_dropped_o != '0 ? 32'(arrive_len) : '0;

  for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
    assign bytes_removed_o[p] = pkt_removed_o[p] ? 32'(removed_len[p]) : '0;
  end

  tm_axil_crossing #(
      .ADDR_W(WindowW)
  ) crossing (
      .s_clk_i      (s_axil_aclk),
      .s_rst_i      (s_axil_rst),
      .s_axil_awaddr(s_axil_awaddr[WindowW-1:0] ^ BASE[WindowW-1:0]),
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr(s_axil_araddr[WindowW-1:0] ^ BASE[WindowW-1:0]),
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .clk_i,
      .rst_i,
      .req_o        (req),
      .write_o      (write),
      .addr_o       (addr),
      .data_o       (wdata),
      .strobe_o     (strobe),
      .ack_i        (ack),
      .data_i       (rdata),
      .error_i      (error)
  );

  tm_netfpga_queues #(
      .BUILD(BUILD)
  ) queues (
      .clk_i,
      .rst_i,
      .s_tdata_i,
      .s_tkeep_i,
      .s_tuser_i,
      .s_tvalid_i,
      .s_tready_o,
      .s_tlast_i,
      .s_error_i    (1'b0),
      .m_tdata_o,
      .m_tkeep_o,
      .m_tuser_o,
      .m_tvalid_o,
      .m_tready_i,
      .m_tlast_o,
      .req_i        (req),
      .write_i      (write),
      .addr_i       (addr),
      .data_i       (wdata),
      .strobe_i     (strobe),
      .ack_o        (ack),
      .data_o       (rdata),
      .error_o      (error),
      .stored_o     (pkt_stored_o),
      .dropped_o    (pkt_dropped_o),
      .arrive_len_o (arrive_len),
      .removed_o    (pkt_removed_o),
      .removed_len_o(removed_len),
      .pfc_xoff_o
  );

endmodule
