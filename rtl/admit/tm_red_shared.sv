// SPDX-License-Identifier: BSD-3-Clause
// What up to eight ports' RED laws share: a visit to one slot of one port every three cycles, in a fixed order, in
// which the average of an idle port decays and ARED adapts (docs/red.md, section "Cycles").
//
// Contract: slot s of port p is visited when the cycle, counted from reset, is 6 p + 3 s modulo 48. `decay_o` is to be
// taken off -avg of the slot that `decay_valid_o` names, 16 cycles after its visit; a moved slope and maxp change then.
module tm_red_shared
  import tm_pkg::*;
#(
    parameter  int unsigned PORTS  = 5,           // 1 to 8
    parameter  int unsigned CountW = 15,          // bits of B
    localparam int unsigned MinusW = CountW + 25  // sign, bytes, 24 bits of fraction
) (
    input  logic                               clk_i,
    input  logic                               rst_i,
    input  logic [StampW-1:0]                  time_i,
    // from the ports
    input  logic [ PORTS-1:0]                  judged_i,
    input  logic [ PORTS-1:0]                  empty_i,
    input  logic [ PORTS-1:0][1:0][MinusW-1:0] minus_average_i,
    // config
    // verilator lint_off UNUSEDSIGNAL
    input  cfg_t [ PORTS-1:0]                  cfg_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic [ PORTS-1:0]                  commit_i,
    input  logic [ PORTS-1:0][1:0]             law_reset_i,
    input  logic [ PORTS-1:0][1:0]             red_load_i,
    // to the ports
    output logic [ PORTS-1:0][1:0]             decay_valid_o,
    output logic [MinusW-1:0]                  decay_o,
    output logic [ PORTS-1:0][1:0]             adapted_o,
    output logic [ PORTS-1:0][1:0][      31:0] slope_o,
    output logic [ PORTS-1:0][1:0][      24:0] maxp_o
);

  localparam int unsigned AverageW = CountW + 24;

  typedef logic [3:0] place_t;  // port and slot

  // ---- the round: `here` is visited in the cycle in which `phase_q` is 0 ----
  logic [1:0] phase_q;
  place_t here_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      phase_q <= '0;
      here_q  <= '0;
    end else if (phase_q == 2'd2) begin
      phase_q <= '0;
      here_q  <= here_q + 1'b1;
    end else phase_q <= phase_q + 1'b1;
  end
  // Places visited three cycles before this one, six, and so on.
  place_t ago3, ago6, ago9, ago12, ago15;
  assign ago3  = here_q - 4'd1;
  assign ago6  = here_q - 4'd2;
  assign ago9  = here_q - 4'd3;
  assign ago12 = here_q - 4'd4;
  assign ago15 = here_q - 4'd5;

  // The port of a place; a place without one shows another's, and nothing comes of it.
  function automatic int unsigned port_at(logic [2:0] port);
    return (32'(port) < PORTS) ? 32'(port) : 0;
  endfunction

  logic [PORTS-1:0][1:0] quiet, based, fresh, pending, moves;

  // ---- visit: the port's average as it was when the visit began is there in the third cycle ----
  logic [PORTS-1:0][StampW-1:0] since_q;
  logic [StampW-1:0] now_q, start_q, elapsed_q;
  logic signed [MinusW-1:0] minus_q;
  logic [AverageW-1:0] average;
  assign average = AverageW'(-minus_q);
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < PORTS; p++) if (rst_i || judged_i[p] || !empty_i[p]) since_q[p] <= time_i;
    now_q     <= time_i;
    start_q   <= since_q[port_at(here_q[3:1])];
    elapsed_q <= now_q - start_q;
    minus_q   <= $signed(minus_average_i[port_at(here_q[3:1])][here_q[0]]);
  end

  // ---- decay ----
  logic store_base;
  logic [AverageW-1:0] base, decayed;
  logic [MinusW-1:0] current;
  logic [16:0] reciprocal_q;
  logic [5:0] shift_q;

  // What the average was before the idle time is kept: it is the base of every later visit.
  assign store_base = phase_q == 2'd2 && quiet[port_at(
      here_q[3:1]
  )][here_q[0]] && !based[port_at(
      here_q[3:1]
  )][here_q[0]];

  tm_ram #(
      .WIDTH(AverageW),
      .DEPTH(16),
      .STYLE("distributed")
  ) bases (
      .clk_i,
      .wr_en_i  (store_base),
      .wr_addr_i(here_q),
      .wr_data_i(average),
      .rd_en_i  (phase_q == 2'd1),
      .rd_addr_i(ago9),
      .rd_data_o(base)
  );

  tm_ram #(
      .WIDTH(MinusW),
      .DEPTH(16),
      .STYLE("distributed")
  ) currents (
      .clk_i,
      .wr_en_i  (phase_q == 2'd2),
      .wr_addr_i(here_q),
      .wr_data_i(minus_q),
      .rd_en_i  (phase_q == 2'd2),
      .rd_addr_i(ago12),
      .rd_data_o(current)
  );

  always_ff @(posedge clk_i) begin
    reciprocal_q <= cfg_i[port_at(here_q[3:1])].idle_reciprocal;
    shift_q      <= cfg_i[port_at(here_q[3:1])].idle_shift;
  end

  tm_red_decay #(
      .CountW(CountW)
  ) decay (
      .clk_i,
      .elapsed_i   (elapsed_q),
      .reciprocal_i(reciprocal_q),
      .shift_i     (shift_q),
      .weight_i    (cfg_i[port_at(ago6[3:1])].red[ago6[0]].weight),
      .average_i   (base),
      .decayed_o   (decayed)
  );

  // -avg becomes -decayed.
  always_ff @(posedge clk_i) decay_o <= current + MinusW'(decayed);

  // ---- ARED: who asks, and when the last one did ----
  logic adaptive_q;
  logic [31:0] interval_q;
  logic ask_q, restart_q, due1_q, due2_q, due3_q, due4_q, due5_q;
  logic [StampW-1:0] last, passed_q;
  // Each is looked at for what its cycle needs.
  // verilator lint_off UNUSEDSIGNAL
  red_t law, law3, law9, law12;
  // verilator lint_on UNUSEDSIGNAL
  assign law   = cfg_i[port_at(here_q[3:1])].red[here_q[0]];
  assign law3  = cfg_i[port_at(ago3[3:1])].red[ago3[0]];
  assign law9  = cfg_i[port_at(ago9[3:1])].red[ago9[0]];
  assign law12 = cfg_i[port_at(ago12[3:1])].red[ago12[0]];

  // An interval starts with the first visit after a law reset, and with each that adapts.
  tm_ram #(
      .WIDTH(StampW),
      .DEPTH(16),
      .STYLE("distributed")
  ) lasts (
      .clk_i,
      .wr_en_i  (restart_q && phase_q == 2'd1),
      .wr_addr_i(here_q),
      .wr_data_i(now_q),
      .rd_en_i  (phase_q == 2'd0),
      .rd_addr_i(here_q),
      .rd_data_o(last)
  );

  always_ff @(posedge clk_i) begin
    if (phase_q == 2'd0) begin
      adaptive_q <= law.adaptive;
      interval_q <= cfg_i[port_at(here_q[3:1])].adapt_interval;
      ask_q      <= pending[port_at(here_q[3:1])][here_q[0]] && law.adaptive;
      restart_q  <= pending[port_at(here_q[3:1])][here_q[0]] || fresh[port_at(here_q[3:1])][here_q[0]];
    end
    passed_q <= now_q - last;
    if (phase_q == 2'd2) begin
      due1_q <= !restart_q && adaptive_q && passed_q >= StampW'(interval_q);
      {due2_q, due3_q, due4_q, due5_q} <= {due1_q, due2_q, due3_q, due4_q};
    end
  end

  // ---- ARED: which way, and how far ----
  logic [CountW-1:0] bytes_q;
  logic [1:0] move_q, move6_q, move9_q, move12_q;  // up, down
  logic [24:0] maxp_kept, maxp_now, maxp_next;
  logic [31:0] slope_next, reciprocal12_q;
  always_ff @(posedge clk_i) begin
    bytes_q <= average[AverageW-1:24];
    move_q  <= {ask_q && BytesW'(bytes_q) > law3.band_high, ask_q && BytesW'(bytes_q) < law3.band_low};
    if (phase_q == 2'd1) {move6_q, move9_q, move12_q} <= {move_q, move6_q, move9_q};
    reciprocal12_q <= law12.reciprocal;
  end

  tm_ram #(
      .WIDTH(25),
      .DEPTH(16),
      .STYLE("distributed")
  ) maxps (
      .clk_i,
      .wr_en_i  (|moves),
      .wr_addr_i(ago15),
      .wr_data_i(maxp_next),
      .rd_en_i  (phase_q == 2'd1),
      .rd_addr_i(ago9),
      .rd_data_o(maxp_kept)
  );
  assign maxp_now = adapted_o[port_at(ago9[3:1])][ago9[0]] ? maxp_kept : law9.maxp;

  tm_red_adapt adapt (
      .clk_i,
      .rise_i      (move12_q[1]),
      .fall_i      (move12_q[0]),
      .maxp_i      (maxp_now),
      .bottom_i    (law9.bottom),
      .reciprocal_i(reciprocal12_q),
      .maxp_o      (maxp_next),
      .slope_o     (slope_next)
  );

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
          .adaptive_i   (cfg_i[p].red[s].adaptive),
          .commit_i     (commit_i[p]),
          .law_reset_i  (law_reset_i[p][s]),
          .red_load_i   (red_load_i[p][s]),
          .due_i        (due5_q),
          .maxp_i       (maxp_next),
          .slope_i      (slope_next),
          .quiet_o      (quiet[p][s]),
          .based_o      (based[p][s]),
          .fresh_o      (fresh[p][s]),
          .pending_o    (pending[p][s]),
          .decay_valid_o(decay_valid_o[p][s]),
          .moves_o      (moves[p][s]),
          .adapted_o    (adapted_o[p][s]),
          .slope_o      (slope_o[p][s]),
          .maxp_o       (maxp_o[p][s])
      );
    end
  end

endmodule
