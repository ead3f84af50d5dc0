// SPDX-License-Identifier: BSD-3-Clause
// One request in, one AXI4-Lite access out: lets a request bus drive the registers of `truemark`.
//
// Contract: `req_i` starts an access; the request's other signals stay until `ack_o`, which comes in a later cycle,
// with `error_o` if the answer was not OKAY.
module tm_axil_request #(
    parameter int unsigned ADDR_W = 12  // bits of an address
) (
    input  logic              clk_i,
    input  logic              rst_i,
    // the request
    input  logic              req_i,
    input  logic              write_i,
    input  logic [ADDR_W-1:0] addr_i,
    input  logic [      31:0] data_i,
    input  logic [       3:0] strobe_i,
    output logic              ack_o,
    output logic [      31:0] data_o,
    output logic              error_o,
    // the access
    output logic [ADDR_W-1:0] m_axil_awaddr,
    output logic              m_axil_awvalid,
    input  logic              m_axil_awready,
    output logic [      31:0] m_axil_wdata,
    output logic [       3:0] m_axil_wstrb,
    output logic              m_axil_wvalid,
    input  logic              m_axil_wready,
    input  logic [       1:0] m_axil_bresp,
    input  logic              m_axil_bvalid,
    output logic              m_axil_bready,
    output logic [ADDR_W-1:0] m_axil_araddr,
    output logic              m_axil_arvalid,
    input  logic              m_axil_arready,
    input  logic [      31:0] m_axil_rdata,
    input  logic [       1:0] m_axil_rresp,
    input  logic              m_axil_rvalid,
    output logic              m_axil_rready
);

  logic address_q, data_q, read_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      address_q <= 1'b0;
      data_q    <= 1'b0;
      read_q    <= 1'b0;
    end else begin
      address_q <= (req_i && write_i) || (address_q && !m_axil_awready);
      data_q    <= (req_i && write_i) || (data_q && !m_axil_wready);
      read_q    <= (req_i && !write_i) || (read_q && !m_axil_arready);
    end
  end

  assign m_axil_awaddr  = addr_i;
  assign m_axil_awvalid = address_q;
  assign m_axil_wdata   = data_i;
  assign m_axil_wstrb   = strobe_i;
  assign m_axil_wvalid  = data_q;
  assign m_axil_araddr  = addr_i;
  assign m_axil_arvalid = read_q;
  assign m_axil_bready  = 1'b1;
  assign m_axil_rready  = 1'b1;

  assign ack_o          = m_axil_bvalid || m_axil_rvalid;
  assign data_o         = m_axil_rdata;
  assign error_o        = (m_axil_bvalid && m_axil_bresp != 2'b00) || (m_axil_rvalid && m_axil_rresp != 2'b00);

endmodule
