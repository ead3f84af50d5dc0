// SPDX-License-Identifier: BSD-3-Clause
// What up to eight ports' RED laws share: a visit to one slot of one port every three cycles, in a fixed order, in
// which the average of an idle port decays and ARED adapts (docs/red.md, section "Cycles").
//
// Contract: slot s of port p is visited when the cycle, counted from reset, is 6 p + 3 s modulo 48. `decay_o` is to be
// taken off -avg of the slot that `decay_valid_o` names, 16 cycles after its visit; a slope moves then (in `feed_o`,
// which else brings the words). `view_o` is what the registers show.
module tm_red_shared
  import tm_pkg::*;
#(
    parameter  int unsigned PORTS  = 5,           // 1 to 8
    parameter  int unsigned CountW = 15,          // bits of B
    parameter  bit          LINUX  = 1'b0,        // signals can be spaced as in Linux
    localparam int unsigned MinusW = CountW + 25  // sign, bytes, 24 bits of fraction
) (
    input  logic                                    clk_i,
    input  logic                                    rst_i,
    input  logic      [StampW-1:0]                  time_i,
    // from the ports
    input  logic      [ PORTS-1:0]                  judged_i,
    input  logic      [ PORTS-1:0]                  empty_i,
    input  logic      [ PORTS-1:0][1:0][MinusW-1:0] minus_average_i,
    // config: of a port's only the laws are looked at, and the set of words in force
    // verilator lint_off UNUSEDSIGNAL
    input  cfg_t      [ PORTS-1:0]                  cfg_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic      [ PORTS-1:0]                  word_valid_i,
    input  red_word_t                               word_i,
    input  logic      [ PORTS-1:0]                  commit_i,
    input  logic      [ PORTS-1:0][1:0]             law_reset_i,
    input  logic      [ PORTS-1:0][1:0]             red_load_i,
    // to the ports
    output logic      [ PORTS-1:0][1:0]             decay_valid_o,
    output logic      [MinusW-1:0]                  decay_o,
    output red_ram_t  [ PORTS-1:0]                  feed_o,
    // to the registers
    output red_view_t                               view_o
);

  localparam int unsigned AverageW = CountW + 24;
  typedef logic [3:0] place_t;  // port and slot

  // ---- the round: `here` is visited in the cycle in which `phase_q` is 0 ----
  logic [1:0] phase_q;
  place_t here_q;
  always_ff @(posedge clk_i) begin
    phase_q <= (rst_i || phase_q == 2'd2) ? '0 : phase_q + 1'b1;
    if (rst_i) here_q <= '0;
    else if (phase_q == 2'd2) here_q <= here_q + 1'b1;
  end
  // Places visited three cycles before this one, nine, and so on.
  place_t next, ago3, ago9, ago12, ago15;
  assign next = here_q + 4'd1;
  assign {ago3, ago9, ago12, ago15} = {here_q - 4'd1, here_q - 4'd3, here_q - 4'd4, here_q - 4'd5};

  // The port of a place; a place without one shows another's, and nothing comes of it.
  function automatic int unsigned port_at(logic [2:0] port);
    return (32'(port) < PORTS) ? 32'(port) : 0;
  endfunction
  logic [PORTS-1:0] bank;
  always_comb for (int p = 0; p < PORTS; p++) bank[p] = cfg_i[p].red_bank;

  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] first;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] second, third;  // what is shown in which cycle of a visit, tm_red_words says
  tm_red_words #(
      .PORTS(PORTS)
  ) words (
      .clk_i,
      .phase_i (phase_q),
      .here_i  (here_q),
      .ago1_i  (ago3),
      .ago3_i  (ago9),
      .ago4_i  (ago12),
      .word_valid_i,
      .word_i,
      .bank_i  (bank),
      .first_o (first),
      .second_o(second),
      .third_o (third)
  );
  logic [PORTS-1:0][1:0] quiet, based, fresh, pending, moved, adapted;

  // ---- visit: the port's average as it was when the visit began is there in the third cycle ----
  // Of all ports and slots but the one visited the registers are cleared: an OR of them is what was chosen.
  logic [PORTS-1:0][StampW-1:0] since_q, start_q;
  logic [PORTS-1:0][1:0][MinusW-1:0] minus_q;
  logic [StampW-1:0] now_q, start, elapsed_q;
  logic [  MinusW-1:0] minus;
  logic [AverageW-1:0] average;
  always_comb begin
    {start, minus} = '0;
    for (int p = 0; p < PORTS; p++) start = start | start_q[p];
    for (int p = 0; p < PORTS; p++) minus = minus | minus_q[p][0] | minus_q[p][1];
    average = AverageW'(-minus);
  end
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < PORTS; p++) begin
      if (rst_i || judged_i[p] || !empty_i[p]) since_q[p] <= time_i;
      start_q[p] <= (here_q[3:1] == 3'(p)) ? since_q[p] : '0;
      for (int s = 0; s < 2; s++) minus_q[p][s] <= (here_q == place_t'(2 * p + s)) ? minus_average_i[p][s] : '0;
    end
    now_q     <= time_i;
    elapsed_q <= now_q - start;
  end

  // ---- decay ----
  logic store_base;
  logic [AverageW-1:0] base, base_q, current, current_q, decayed;

  // What the average was before the idle time is kept: it is the base of every later visit. By Linux's rule, early.
  logic linux_asks;
  logic [PORTS-1:0][1:0] unbased;
  assign unbased    = quiet & ~based;
  assign linux_asks = LINUX && phase_q == 2'd2;
  assign store_base = phase_q == 2'd2 && unbased[port_at(here_q[3:1])][here_q[0]];

  tm_ram #(
      .WIDTH(AverageW),
      .DEPTH(16),
      .STYLE("block")
  ) bases (
      .clk_i,
      .wr_en_i  (store_base),
      .wr_addr_i(here_q),
      .wr_data_i(average),
      .rd_en_i  (phase_q == 2'd0 || linux_asks),
      .rd_addr_i(linux_asks ? ago3 : ago9),
      .rd_data_o(base)
  );

  tm_ram #(
      .WIDTH(AverageW),
      .DEPTH(16),
      .STYLE("block")
  ) currents (
      .clk_i,
      .wr_en_i  (phase_q == 2'd2),
      .wr_addr_i(here_q),
      .wr_data_i(average),
      .rd_en_i  (phase_q == 2'd1),
      .rd_addr_i(ago12),
      .rd_data_o(current)
  );

  tm_red_decay #(
      .CountW(CountW),
      .LINUX (LINUX)
  ) decay (
      .clk_i,
      .first_i     (phase_q == 2'd2),
      .elapsed_i   (elapsed_q),
      .reciprocal_i(first[16:0]),
      .shift_i     (first[5:0]),
      .weight_i    (third[4:0]),
      .linux_i     (third[RedSpacing+:2] == Linux),
      .average_i   (base_q),
      .decayed_o   (decayed)
  );

  always_ff @(posedge clk_i) begin
    base_q    <= base;
    current_q <= current;
    decay_o   <= MinusW'(decayed) - MinusW'(current_q);  // -avg becomes -decayed
  end

  // ---- ARED: who asks, and when the last one did ----
  logic ask_q, restart_q, restart4_q, adaptive_q, due5_q, due8_q, due11_q, due14_q, adapts8_q, adapts11_q, adapts14_q;
  logic [StampW-1:0] last, last_q, passed_q;

  // An interval starts with the first visit after a law reset, and with each that adapts.
  tm_ram #(
      .WIDTH(StampW),
      .DEPTH(16),
      .STYLE("block")
  ) lasts (
      .clk_i,
      .wr_en_i  (restart_q && phase_q == 2'd1),
      .wr_addr_i(here_q),
      .wr_data_i(now_q),
      .rd_en_i  (phase_q == 2'd2),
      .rd_addr_i(next),
      .rd_data_o(last)
  );

  always_ff @(posedge clk_i) begin
    last_q <= last;
    if (phase_q == 2'd0) begin
      ask_q      <= pending[port_at(here_q[3:1])][here_q[0]];
      restart_q  <= pending[port_at(here_q[3:1])][here_q[0]] || fresh[port_at(here_q[3:1])][here_q[0]];
      restart4_q <= restart_q;
      adaptive_q <= third[RedAdaptive];
    end
    if (phase_q == 2'd1) begin
      passed_q <= now_q - last_q;
      due5_q <= !restart4_q && passed_q >= StampW'(second);
      due8_q <= due5_q && adaptive_q;
      {due11_q, due14_q} <= {due8_q, due11_q};
      {adapts8_q, adapts11_q, adapts14_q} <= {adaptive_q, adapts8_q, adapts11_q};
    end
  end

  // ---- ARED: which way, and how far ----
  logic [CountW-1:0] bytes_q;
  logic [1:0] move4_q, move5_q, move8_q, move11_q;  // up, down
  logic [24:0] maxp_kept, maxp_kept_q, maxp_next;
  always_ff @(posedge clk_i) begin
    bytes_q     <= average[AverageW-1:24];
    maxp_kept_q <= maxp_kept;
    if (phase_q == 2'd0) begin
      move4_q <= {ask_q && BytesW'(bytes_q) > second[BytesW-1:0], ask_q && BytesW'(bytes_q) < first[BytesW-1:0]};
    end
    if (phase_q == 2'd1) begin
      move5_q  <= move4_q;
      move8_q  <= move5_q & {2{adaptive_q}};
      move11_q <= move8_q;
    end
  end

  tm_ram #(
      .WIDTH(25),
      .DEPTH(16),
      .STYLE("block")
  ) maxps (
      .clk_i,
      .wr_en_i  (moved != '0),
      .wr_addr_i(ago15),
      .wr_data_i(maxp_next),
      .rd_en_i  (phase_q == 2'd0),
      .rd_addr_i(ago9),
      .rd_data_o(maxp_kept)
  );

  logic [23:0] slope_next;
  tm_red_adapt adapt (
      .clk_i,
      .rise_i      (move11_q[1]),
      .fall_i      (move11_q[0]),
      .maxp_i      (adapted[port_at(ago9[3:1])][ago9[0]] ? maxp_kept_q : third[24:0]),
      .bottom_i    (third[24:0]),
      .reciprocal_i(second),
      .maxp_o      (maxp_next),
      .slope_o     (slope_next)
  );

  // One way to the slopes in the ports' RAM: a word that meets a moved slope is shown again in the next cycle.
  for (genvar p = 0; p < PORTS; p++) begin : gen_feed
    assign feed_o[p] = '{
            bank: bank[p],
            word_valid: word_valid_i[p],
            word: word_i,
            word_slope: moved == '0,
            moved: moved[p],
            adapted: adapted[p],
            slope: (moved == '0) ? word_i.data[31:8] : slope_next
        };
  end

  // ---- what the registers show: the average of each visit, and later its maxp ----
  always_ff @(posedge clk_i) begin
    view_o <= '{
        valid: phase_q != 2'd0,
        is_maxp: phase_q == 2'd1,
        place: (phase_q == 2'd1) ? ago15 : here_q,
        value: (phase_q == 2'd1) ? maxp_next : 25'(average[AverageW-1:24])
    };
  end

  // ---- each slot ----
  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    for (genvar s = 0; s < 2; s++) begin : gen_slot
      localparam place_t Place = place_t'(2 * p + s);
      tm_red_slot slot (
          .clk_i,
          .rst_i,
          .visited_i    (phase_q == 2'd0 && here_q == Place),
          .averaged_i   (phase_q == 2'd2 && here_q == Place),
          .learns_i     (phase_q == 2'd0 && ago15 == Place),
          .ends_i       (phase_q == 2'd1 && ago15 == Place),
          .empty_i      (empty_i[p]),
          .judged_i     (judged_i[p]),
          .red_i        (cfg_i[p].law[s] == LawRed),
          .commit_i     (commit_i[p]),
          .law_reset_i  (law_reset_i[p][s]),
          .red_load_i   (red_load_i[p][s]),
          .due_i        (due14_q),
          .adapts_i     (adapts14_q),
          .quiet_o      (quiet[p][s]),
          .based_o      (based[p][s]),
          .fresh_o      (fresh[p][s]),
          .pending_o    (pending[p][s]),
          .decay_valid_o(decay_valid_o[p][s]),
          .moves_o      (moved[p][s]),
          .adapted_o    (adapted[p][s])
      );
    end
  end

endmodule
