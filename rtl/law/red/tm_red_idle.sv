// SPDX-License-Identifier: BSD-3-Clause
// What idle times leave of the averages of up to eight ports, one slot in every visit.
//
// Contract: `bytes_o`, in cycle 2 of a visit, is the average of its slot as it was when the visit began; `decay_o`, in
// cycle 16, is to be taken off -avg. `unbased_i` says which slots have been idle since a visit and have no base yet.
module tm_red_idle
  import tm_pkg::*;
  import tm_red_pkg::*;
#(
    parameter  int unsigned PORTS    = 5,             // 1 to 8
    parameter  int unsigned COUNT_W  = 15,            // bits of B
    parameter  bit          LINUX    = 1'b0,          // signals can be spaced as in Linux
    localparam int unsigned AverageW = COUNT_W + 24,
    localparam int unsigned MinusW   = COUNT_W + 25   // sign, bytes, 24 bits of fraction
) (
    input  logic                                  clk_i,
    input  logic                                  rst_i,
    input  logic   [ StampW-1:0]                  time_i,
    // from the ports
    input  logic   [  PORTS-1:0]                  judged_i,
    input  logic   [  PORTS-1:0]                  empty_i,
    input  logic   [  PORTS-1:0][1:0][MinusW-1:0] minus_average_i,
    // from the round and the slots; of the words some bits count
    // verilator lint_off UNUSEDSIGNAL
    input  round_t                                round_i,
    input  logic   [  PORTS-1:0][1:0]             unbased_i,
    input  words_t                                words_i,
    // verilator lint_on UNUSEDSIGNAL
    output logic   [ StampW-1:0]                  now_o,            // time_i a cycle ago
    output logic   [COUNT_W-1:0]                  bytes_o,
    output logic   [ MinusW-1:0]                  decay_o
);

  // Of all ports and slots but the one visited the registers are cleared: an OR of them is what was chosen.
  logic [PORTS-1:0][StampW-1:0] since_q, start_q;
  logic [PORTS-1:0][1:0][MinusW-1:0] minus_q;
  logic [StampW-1:0] start, elapsed_q;
  logic [  MinusW-1:0] minus;
  logic [AverageW-1:0] average;
  assign bytes_o = average[AverageW-1:24];
  always_comb begin
    {start, minus} = '0;
    for (int p = 0; p < PORTS; p++) start = start | start_q[p];
    for (int p = 0; p < PORTS; p++) minus = minus | minus_q[p][0] | minus_q[p][1];
    average = AverageW'(-minus);
  end
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < PORTS; p++) begin
      if (rst_i || judged_i[p] || !empty_i[p]) since_q[p] <= time_i;
      start_q[p] <= (round_i.here[3:1] == 3'(p)) ? since_q[p] : '0;
      for (int s = 0; s < 2; s++) minus_q[p][s] <= (round_i.here == slot_t'(2 * p + s)) ? minus_average_i[p][s] : '0;
    end
    now_o     <= time_i;
    elapsed_q <= now_o - start;
  end

  // What the average was before the idle time is kept: it is the base of every later visit. By Linux's rule, early.
  logic [15:0] unbased;
  logic linux_asks;
  logic [AverageW-1:0] base, base_q, current, current_q, decayed;
  assign unbased    = 16'(unbased_i);
  assign linux_asks = LINUX && round_i.phase == 2'd2;

  tm_prim_ram #(
      .WIDTH(AverageW),
      .DEPTH(16)
  ) bases (
      .clk_i,
      .wr_en_i  (round_i.phase == 2'd2 && unbased[round_i.here]),
      .wr_addr_i(round_i.here),
      .wr_data_i(average),
      .rd_en_i  (round_i.phase == 2'd0 || linux_asks),
      .rd_addr_i(linux_asks ? round_i.compared.place : round_i.settled.place),
      .rd_data_o(base)
  );

  tm_prim_ram #(
      .WIDTH(AverageW),
      .DEPTH(16)
  ) currents (
      .clk_i,
      .wr_en_i  (round_i.phase == 2'd2),
      .wr_addr_i(round_i.here),
      .wr_data_i(average),
      .rd_en_i  (round_i.phase == 2'd1),
      .rd_addr_i(round_i.moving.place),
      .rd_data_o(current)
  );

  tm_red_decay #(
      .COUNT_W(COUNT_W),
      .LINUX  (LINUX)
  ) decay (
      .clk_i,
      .first_i     (round_i.phase == 2'd2),
      .elapsed_i   (elapsed_q),
      .reciprocal_i(words_i.first[16:0]),
      .shift_i     (words_i.first[5:0]),
      .weight_i    (words_i.third[4:0]),
      .linux_i     (words_i.third[RedSpacing+:2] == Linux),
      .average_i   (base_q),
      .decayed_o   (decayed)
  );

  always_ff @(posedge clk_i) begin
    base_q    <= base;
    current_q <= current;
    decay_o   <= MinusW'(decayed) - MinusW'(current_q);  // -avg becomes -decayed
  end

endmodule
