// SPDX-License-Identifier: BSD-3-Clause
// What up to eight ports' RED laws share: a scan of averages and curves, in which one law slot of one port begins in
// each cycle; and a visit to one slot every three cycles, in which the average of an idle port decays and ARED adapts
// (docs/red-rules.md, section "Cycles").
//
// Contract: slot s of port p is visited when the cycle, counted from reset, is 6 p + 3 s modulo 48; it begins in the
// scan when that is 2 p + s modulo `scan_round(PORTS)`. `chance_o` is of the slot that `load_o` names, `reach_o` of the
// one that it named a cycle before. `view_o` is what the registers show.
module tm_red_shared
  import tm_pkg::*;
  import tm_red_pkg::*;
#(
    parameter  int unsigned PORTS    = 5,            // 1 to 8
    parameter  int unsigned COUNT_W  = 15,           // bits of B, and of 64 P
    parameter  int unsigned FRAMES_W = 9,            // bits of P
    parameter  bit          LINUX    = 1'b0,         // signals can be spaced as in Linux
    localparam int unsigned AverageW = COUNT_W + 24  // with 24 bits of fraction
) (
    input  logic                                         clk_i,
    input  logic                                         rst_i,
    input  logic        [StampW-1:0]                     time_i,
    // from the ports
    input  logic        [ PORTS-1:0]                     judged_i,
    input  logic        [ PORTS-1:0]                     empty_i,
    input  logic        [ PORTS-1:0][ COUNT_W-1:0]       bytes_i,
    input  logic        [ PORTS-1:0][FRAMES_W-1:0]       packets_i,
    input  logic        [ PORTS-1:0][         1:0][31:0] counted_i,
    // config: of a port's only the laws are looked at, and the set of words in force
    // verilator lint_off UNUSEDSIGNAL
    input  cfg_t        [ PORTS-1:0]                     cfg_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic        [ PORTS-1:0]                     word_valid_i,
    input  red_word_t                                    word_i,
    input  logic        [ PORTS-1:0]                     commit_i,
    input  logic        [ PORTS-1:0][         1:0]       law_reset_i,
    input  logic        [ PORTS-1:0][         1:0]       red_load_i,
    // to the ports
    output logic        [ PORTS-1:0][         1:0]       load_o,
    output red_chance_t                                  chance_o,
    output logic        [      32:0]                     reach_o,
    // to the registers
    output red_view_t                                    view_o,
    // to simulations
    output logic                                         busy_o         // a law reset, or a due step of ARED, waits
);

  // Of the round the slots look at here and the end.
  // verilator lint_off UNUSEDSIGNAL
  round_t round;
  // verilator lint_on UNUSEDSIGNAL
  found_t found;
  logic [PORTS-1:0][1:0] stored, faded, fresh, asks, busy, soon_moved, moved, adapted, adapted_set, takes, decay_valid;
  logic [PORTS-1:0] bank, waits, reset;
  logic [15:0] all_stored, all_faded;  // a place without a port has no average
  slot_t [LastStage:0] place;
  logic any, idle_step, now_idle, linux, by_packets, keeps;
  logic [1:0] power;
  logic [4:0] weight;
  logic [COUNT_W-1:0] step_bytes, now_bytes, next;
  logic [FRAMES_W-1:0] step_packets, now_packets;
  logic [AverageW-1:0] kept, decay;
  words_t words;
  logic [StampW-1:0] now;
  logic [COUNT_W-1:0] average;
  logic [24:0] maxp;
  logic [23:0] slope;
  logic may_move_q, gone;

  // ---- the scan ----
  tm_red_turns #(
      .PORTS   (PORTS),
      .COUNT_W (COUNT_W),
      .FRAMES_W(FRAMES_W)
  ) turns (
      .clk_i,
      .rst_i,
      .step_i       (judged_i),
      .empty_i,
      .bytes_i,
      .packets_i,
      .law_reset_i  (reset),
      .place_o      (place),
      .takes_o      (takes),
      .waits_o      (waits),
      .any_o        (any),
      .power_o      (power),
      .idle_o       (idle_step),
      .bytes_o      (step_bytes),
      .packets_o    (step_packets),
      .now_idle_o   (now_idle),
      .now_o        (now_bytes),
      .now_packets_o(now_packets)
  );

  assign {all_stored, all_faded} = {16'(stored), 16'(faded)};
  tm_red_average #(
      .COUNT_W (COUNT_W),
      .FRAMES_W(FRAMES_W)
  ) means (
      .clk_i,
      .place_i      (place),
      .stored_i     (all_stored[place[0]]),
      .faded_i      (all_faded[place[0]]),
      .any_i        (any),
      .power_i      (power),
      .idle_i       (idle_step),
      .bytes_i      (step_bytes),
      .packets_i    (step_packets),
      .weight_i     (weight),
      .linux_i      (linux),
      .by_packets_i (by_packets),
      .now_idle_i   (now_idle),
      .now_i        (now_bytes),
      .now_packets_i(now_packets),
      .decay_valid_i(decay_valid != '0),
      .decay_place_i(round.ending.place),
      .decay_i      (decay),
      .keeps_o      (keeps),
      .average_o    (kept),
      .next_o       (next)
  );

  tm_red_curve #(
      .PORTS  (PORTS),
      .COUNT_W(COUNT_W),
      .LINUX  (LINUX)
  ) curve (
      .clk_i,
      .place_i      (place),
      .word_valid_i,
      .word_i,
      .bank_i       (bank),
      .may_move_i   (may_move_q),
      .moves_i      (moved != '0),
      .moves_place_i(round.ending.place),
      .moves_slope_i(slope),
      .adapted_i    (adapted),
      .adapted_set_i(adapted_set),
      .weight_o     (weight),
      .linux_o      (linux),
      .by_packets_o (by_packets),
      .next_i       (next),
      .counted_i,
      .chance_o,
      .reach_o
  );

  // ---- the visits ----
  tm_red_round #(
      .PORTS(PORTS)
  ) visits (
      .clk_i,
      .rst_i,
      .asks_i (asks),
      .fresh_i(fresh),
      .gone_i (gone),
      .found_i(found),
      .round_o(round)
  );

  tm_red_words #(
      .PORTS(PORTS)
  ) configured (
      .clk_i,
      .round_i(round),
      .word_valid_i,
      .word_i,
      .bank_i (bank),
      .words_o(words)
  );

  tm_red_idle #(
      .PORTS  (PORTS),
      .COUNT_W(COUNT_W),
      .LINUX  (LINUX)
  ) idle (
      .clk_i,
      .rst_i,
      .time_i,
      .judged_i,
      .empty_i,
      .place_i  (place[4]),
      .keeps_i  (keeps),
      .average_i(kept),
      .round_i  (round),
      .words_i  (words),
      .now_o    (now),
      .bytes_o  (average),
      .gone_o   (gone),
      .decay_o  (decay)
  );

  tm_red_ared #(
      .PORTS  (PORTS),
      .COUNT_W(COUNT_W)
  ) ared (
      .clk_i,
      .now_i    (now),
      .bytes_i  (average),
      .round_i  (round),
      .adapted_i(adapted),
      .moves_i  (moved != '0),
      .words_i  (words),
      .found_o  (found),
      .maxp_o   (maxp),
      .slope_o  (slope)
  );

  always_ff @(posedge clk_i) may_move_q <= soon_moved != '0;
  assign busy_o = busy != '0;

  // ---- what the registers show: the average of each visit, and later its maxp ----
  always_ff @(posedge clk_i) begin
    view_o <= '{
        valid: round.phase != 2'd0,
        is_maxp: round.phase == 2'd1,
        place: (round.phase == 2'd1) ? round.ending.place : round.here,
        value: (round.phase == 2'd1) ? maxp : 25'(average)
    };
  end

  // ---- each slot ----
  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    assign bank[p]  = cfg_i[p].red_bank;
    assign reset[p] = law_reset_i[p] != '0;
    for (genvar s = 0; s < 2; s++) begin : gen_slot
      localparam slot_t Place = slot_t'(2 * p + s);
      assign load_o[p][s] = place[9] == Place;
      // That a visit ends is told all over: known a cycle ahead.
      logic learns_q, ends_q;
      always_ff @(posedge clk_i) {ends_q, learns_q} <= {learns_q, round.phase == 2'd2 && round.ending.place == Place};
      tm_red_slot slot (
          .clk_i,
          .rst_i,
          .visited_i    (round.phase == 2'd0 && round.here == Place),
          .learns_i     (learns_q),
          .ends_i       (ends_q),
          .empty_i      (empty_i[p]),
          .judged_i     (judged_i[p]),
          .takes_i      (takes[p][s]),
          .waits_i      (waits[p]),
          .red_i        (cfg_i[p].law[s] == LawRed),
          .commit_i     (commit_i[p]),
          .law_reset_i  (law_reset_i[p][s]),
          .red_load_i   (red_load_i[p][s]),
          .gone_i       (round.ending.gone),
          .due_i        (round.ending.found.due),
          .adapts_i     (round.ending.found.adapts),
          .stored_o     (stored[p][s]),
          .faded_o      (faded[p][s]),
          .fresh_o      (fresh[p][s]),
          .asks_o       (asks[p][s]),
          .busy_o       (busy[p][s]),
          .decay_valid_o(decay_valid[p][s]),
          .soon_moves_o (soon_moved[p][s]),
          .moves_o      (moved[p][s]),
          .adapted_o    (adapted[p][s]),
          .adapted_set_o(adapted_set[p][s])
      );
    end
  end

endmodule
