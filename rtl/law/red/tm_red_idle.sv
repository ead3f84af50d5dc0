// SPDX-License-Identifier: BSD-3-Clause
// What idle times leave of the averages of up to eight ports, one slot in every visit.
//
// Contract: `bytes_o`, in cycle 2 of a visit, is the average of its slot as the scan had it when the visit began;
// `decay_o`, in cycle 16, is what the idle time has left of what the last step left; `gone_o`, in cycles 3 to 5, says
// that this is nothing. The time wraps: 2^41 ns (37 minutes) count as for ever, and the slot keeps that.
module tm_red_idle
  import tm_pkg::*;
  import tm_red_pkg::*;
  import tm_regs_pkg::red_settings_reg_t;
#(
    parameter  int unsigned PORTS    = 5,            // 1 to 8
    parameter  int unsigned COUNT_W  = 15,           // bits of B, and of 64 P
    parameter  bit          LINUX    = 1'b0,         // signals can be spaced as in Linux
    localparam int unsigned AverageW = COUNT_W + 24  // with 24 bits of fraction
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic   [  StampW-1:0] time_i,
    // from the ports
    input  logic   [   PORTS-1:0] judged_i,
    input  logic   [   PORTS-1:0] empty_i,
    // from the scan: the average of a slot that went on, with each of them; kept if steps were taken
    input  slot_t                 place_i,
    input  logic                  keeps_i,
    input  logic   [AverageW-1:0] average_i,
    // from the round; of the words some bits count
    // verilator lint_off UNUSEDSIGNAL
    input  round_t                round_i,
    input  words_t                words_i,
    // verilator lint_on UNUSEDSIGNAL
    output logic   [  StampW-1:0] now_o,      // time_i a cycle ago
    output logic   [ COUNT_W-1:0] bytes_o,
    output logic                  gone_o,
    output logic   [AverageW-1:0] decay_o
);

  // Of all ports but the one visited the registers are cleared: an OR of them is what was chosen.
  logic [PORTS-1:0][StampW-1:0] since_q, start_q;
  logic [StampW-1:0] start, elapsed_q;
  logic [COUNT_W-1:0] bytes;
  always_comb begin
    start = '0;
    for (int p = 0; p < PORTS; p++) start = start | start_q[p];
  end
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < PORTS; p++) begin
      if (rst_i || judged_i[p] || !empty_i[p]) since_q[p] <= time_i;
      start_q[p] <= (round_i.here[3:1] == 3'(p)) ? since_q[p] : '0;
    end
    now_o     <= time_i;
    elapsed_q <= now_o - start;
    bytes_o   <= bytes;
    if (round_i.phase == 2'd2) gone_o <= elapsed_q[StampW-1];
  end

  tm_prim_lut_ram #(
      .WIDTH(COUNT_W),
      .DEPTH(16)
  ) averages (
      .clk_i,
      .wr_en_i  (1'b1),
      .wr_addr_i(place_i),
      .wr_data_i(average_i[AverageW-1:24]),
      .rd_addr_i(round_i.here),
      .rd_data_o(bytes)
  );

  // What the last step left is the base of every visit. By Linux's rule, early.
  logic linux_asks;
  logic [AverageW-1:0] base, base_q, decayed;
  assign linux_asks = LINUX && round_i.phase == 2'd2;

  tm_prim_ram #(
      .WIDTH(AverageW),
      .DEPTH(16),
      .SPECULATIVE(1'b1)  // a step meanwhile: what the visit brings is void
  ) bases (
      .clk_i,
      .wr_en_i  (keeps_i),
      .wr_addr_i(place_i),
      .wr_data_i(average_i),
      .rd_en_i  (round_i.phase == 2'd0 || linux_asks),
      .rd_addr_i(linux_asks ? round_i.compared.place : round_i.settled.place),
      .rd_data_o(base)
  );

  // verilator lint_off UNUSEDSIGNAL
  red_settings_reg_t settings;
  // verilator lint_on UNUSEDSIGNAL
  assign settings = words_i.third[$bits(settings)-1:0];
  // Kept until decay looks at them, three cycles after they are shown.
  logic [4:0] weight_q;
  logic linux_q;
  always_ff @(posedge clk_i) begin
    if (round_i.phase == 2'd0) {weight_q, linux_q} <= {settings.weight, settings.spacing == Linux};
  end

  tm_red_decay #(
      .COUNT_W(COUNT_W),
      .LINUX  (LINUX)
  ) decay (
      .clk_i,
      .first_i     (round_i.phase == 2'd2),
      .elapsed_i   (elapsed_q),
      .reciprocal_i(words_i.first[16:0]),
      .shift_i     (words_i.first[5:0]),
      .weight_i    (weight_q),
      .linux_i     (linux_q),
      .average_i   (base_q),
      .decayed_o   (decayed)
  );

  always_ff @(posedge clk_i) begin
    base_q  <= base;
    decay_o <= decayed;
  end

endmodule
