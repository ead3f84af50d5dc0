// SPDX-License-Identifier: BSD-3-Clause
// The AXI4-Lite front under any master that keeps the protocol and registers that answer each request within four
// cycles.
module formal_axil
  import tm_pkg::*;
  import tm_control_pkg::*;
(
    input logic        clk_i,
    input logic [11:0] awaddr_i,
    input logic        awvalid_i,
    input logic [31:0] wdata_i,
    input logic [ 3:0] wstrb_i,
    input logic        wvalid_i,
    input logic        bready_i,
    input logic [11:0] araddr_i,
    input logic        arvalid_i,
    input logic        rready_i,
    input logic        ack_i,
    input logic [31:0] data_i
);

  localparam int unsigned Slowest = 12;  // cycles from a request to its answer, with a ready master
  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  logic boot_q = 1'b1;
  always_ff @(posedge clk_i) boot_q <= 1'b0;

  logic awready, wready, bvalid, arready, rvalid, req, write;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata;

  axil_req_t master;
  axil_rsp_t slave;
  access_t access;
  assign master = '{
          aw_valid: awvalid_i && !boot_q,
          aw_addr: awaddr_i,
          w_valid: wvalid_i && !boot_q,
          w_data: wdata_i,
          w_strb: wstrb_i,
          b_ready: bready_i,
          ar_valid: arvalid_i && !boot_q,
          ar_addr: araddr_i,
          r_ready: rready_i
      };
  assign {awready, wready, bvalid, bresp, arready, rvalid, rdata, rresp} = slave;
  assign {req, write} = {access.valid, access.write};

  tm_regs_bus dut (
      .clk_i,
      .rst_i   (boot_q),
      .axil_i  (master),
      .axil_o  (slave),
      .access_o(access),
      .answer_i('{ack: ack_i, data: data_i})
  );

  // ---- the master holds what it offers ----
  logic aw_held_q, w_held_q, ar_held_q;
  logic [11:0] awaddr_q, araddr_q;
  logic [35:0] w_q;
  always_ff @(posedge clk_i) begin
    aw_held_q <= !boot_q && awvalid_i && !awready;
    w_held_q  <= !boot_q && wvalid_i && !wready;
    ar_held_q <= !boot_q && arvalid_i && !arready;
    awaddr_q  <= awaddr_i;
    araddr_q  <= araddr_i;
    w_q       <= {wdata_i, wstrb_i};
    if (!boot_q) begin
      AwHeld_M : assume (!aw_held_q || (awvalid_i && awaddr_i == awaddr_q));
      WHeld_M : assume (!w_held_q || (wvalid_i && {wdata_i, wstrb_i} == w_q));
      ArHeld_M : assume (!ar_held_q || (arvalid_i && araddr_i == araddr_q));
    end
  end

  // ---- the registers answer once, in a later cycle ----
  logic asked_q, write_q;
  logic [1:0] thinking_q;
  always_ff @(posedge clk_i) begin
    asked_q    <= !boot_q && (req || (asked_q && !ack_i));
    thinking_q <= asked_q ? thinking_q + 1'b1 : '0;
    if (req) write_q <= write;
    Answer_M : assume (ack_i ? asked_q : !(asked_q && &thinking_q));
  end

  // ---- what was accepted and not answered ----
  logic [1:0] aw_q, w_count_q, ar_q;
  logic answered_b, answered_r;
  assign answered_b = bvalid && bready_i;
  assign answered_r = rvalid && rready_i;
  always_ff @(posedge clk_i) begin
    aw_q      <= aw_q + 2'(awvalid_i && awready) - 2'(answered_b);
    w_count_q <= w_count_q + 2'(wvalid_i && wready) - 2'(answered_b);
    ar_q      <= ar_q + 2'(arvalid_i && arready) - 2'(answered_r);
    if (boot_q) {aw_q, w_count_q, ar_q} <= '0;
  end

  logic b_waits_q, r_waits_q;
  logic [1:0] bresp_q, rresp_q;
  logic [31:0] rdata_q;
  logic [3:0] age_b_q, age_r_q;
  always_ff @(posedge clk_i) begin
    b_waits_q <= !boot_q && bvalid && !bready_i;
    r_waits_q <= !boot_q && rvalid && !rready_i;
    {bresp_q, rresp_q, rdata_q} <= {bresp, rresp, rdata};
    age_b_q <= boot_q || answered_b || aw_q == '0 || w_count_q == '0 || !bready_i || !rready_i ? '0 : age_b_q + 1'b1;
    age_r_q <= boot_q || answered_r || ar_q == '0 || !bready_i || !rready_i ? '0 : age_r_q + 1'b1;
    if (!boot_q) begin
      BvalidStays_A : assert (!b_waits_q || (bvalid && bresp == bresp_q));
      RvalidStays_A : assert (!r_waits_q || (rvalid && rresp == rresp_q && rdata == rdata_q));
      NoBUnasked_A : assert (!bvalid || (aw_q != '0 && w_count_q != '0));
      NoRUnasked_A : assert (!rvalid || ar_q != '0);
      OneRequest_A : assert (!(req && asked_q && !ack_i));
      Response_A : assert ((!bvalid || bresp inside {Okay, SlvErr}) && (!rvalid || rresp inside {Okay, SlvErr}));
      BAnswered_A : assert (age_b_q < 4'(Slowest));
      RAnswered_A : assert (age_r_q < 4'(Slowest));
    end
  end

endmodule
