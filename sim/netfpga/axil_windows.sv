// SPDX-License-Identifier: BSD-3-Clause
// One AXI4-Lite master to the register slaves of a NetFPGA datapath, a window of 4 kB each. For simulation only.
//
// Contract: one access at a time, as NetFPGA's slaves have it. An access above the last window is never answered.
module axil_windows #(
    parameter int unsigned WINDOWS = 3
) (
    // from the host
    input  logic [       13:0]       awaddr_i,
    input  logic                     awvalid_i,
    output logic                     awready_o,
    input  logic                     wvalid_i,
    output logic                     wready_o,
    output logic [        1:0]       bresp_o,
    output logic                     bvalid_o,
    input  logic [       13:0]       araddr_i,
    input  logic                     arvalid_i,
    output logic                     arready_o,
    output logic [       31:0]       rdata_o,
    output logic [        1:0]       rresp_o,
    output logic                     rvalid_o,
    // to the slaves
    output logic [WINDOWS-1:0]       awvalid_o,
    input  logic [WINDOWS-1:0]       awready_i,
    output logic [WINDOWS-1:0]       wvalid_o,
    input  logic [WINDOWS-1:0]       wready_i,
    input  logic [WINDOWS-1:0][ 1:0] bresp_i,
    input  logic [WINDOWS-1:0]       bvalid_i,
    output logic [WINDOWS-1:0]       arvalid_o,
    input  logic [WINDOWS-1:0]       arready_i,
    input  logic [WINDOWS-1:0][31:0] rdata_i,
    input  logic [WINDOWS-1:0][ 1:0] rresp_i,
    input  logic [WINDOWS-1:0]       rvalid_i
);

  always_comb begin
    bresp_o = '0;
    rdata_o = '0;
    rresp_o = '0;
    for (int unsigned w = 0; w < WINDOWS; w++) begin
      awvalid_o[w] = awvalid_i && 32'(awaddr_i[13:12]) == w;
      wvalid_o[w]  = wvalid_i && 32'(awaddr_i[13:12]) == w;
      arvalid_o[w] = arvalid_i && 32'(araddr_i[13:12]) == w;
      if (bvalid_i[w]) bresp_o = bresp_i[w];
      if (rvalid_i[w]) begin
        rdata_o = rdata_i[w];
        rresp_o = rresp_i[w];
      end
    end
  end

  assign awready_o = |(awready_i & awvalid_o);
  assign wready_o  = |(wready_i & wvalid_o);
  assign bvalid_o  = |bvalid_i;
  assign arready_o = |(arready_i & arvalid_o);
  assign rvalid_o  = |rvalid_i;

endmodule
