// SPDX-License-Identifier: BSD-3-Clause
// What up to eight ports' RED laws share: a visit to one slot of one port every three cycles, in a fixed order, in
// which the average of an idle port decays and ARED adapts (docs/red.md, section "Cycles").
//
// Contract: slot s of port p is visited when the cycle, counted from reset, is 6 p + 3 s modulo 48. `decay_o` is to be
// taken off -avg of the slot that `decay_valid_o` names, 16 cycles after its visit; a slope moves then (in `feed_o`,
// which else brings the words). `view_o` is what the registers show.
module tm_red_shared
  import tm_pkg::*;
  import tm_red_pkg::*;
#(
    parameter  int unsigned PORTS   = 5,            // 1 to 8
    parameter  int unsigned COUNT_W = 15,           // bits of B
    parameter  bit          LINUX   = 1'b0,         // signals can be spaced as in Linux
    localparam int unsigned MinusW  = COUNT_W + 25  // sign, bytes, 24 bits of fraction
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

  // Of the round the slots look at here and the end.
  // verilator lint_off UNUSEDSIGNAL
  round_t round;
  // verilator lint_on UNUSEDSIGNAL
  found_t found;
  logic [PORTS-1:0][1:0] quiet, based, fresh, pending, moved, adapted;
  logic [PORTS-1:0] bank;
  words_t words;
  logic [StampW-1:0] now;
  logic [COUNT_W-1:0] average;
  logic [24:0] maxp;
  logic [23:0] slope;

  tm_red_round #(
      .PORTS(PORTS)
  ) visits (
      .clk_i,
      .rst_i,
      .pending_i(pending),
      .fresh_i  (fresh),
      .found_i  (found),
      .round_o  (round)
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
      .minus_average_i,
      .round_i  (round),
      .unbased_i(quiet & ~based),
      .words_i  (words),
      .now_o    (now),
      .bytes_o  (average),
      .decay_o
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

  // One way to the slopes in the ports' RAM: a word that meets a moved slope is shown again in the next cycle.
  for (genvar p = 0; p < PORTS; p++) begin : gen_feed
    assign bank[p] = cfg_i[p].red_bank;
    assign feed_o[p] = '{
            bank: bank[p],
            word_valid: word_valid_i[p],
            word: word_i,
            word_slope: moved == '0,
            moved: moved[p],
            adapted: adapted[p],
            slope: (moved == '0) ? word_i.data[31:8] : slope
        };
  end

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
    for (genvar s = 0; s < 2; s++) begin : gen_slot
      localparam slot_t Place = slot_t'(2 * p + s);
      tm_red_slot slot (
          .clk_i,
          .rst_i,
          .visited_i    (round.phase == 2'd0 && round.here == Place),
          .averaged_i   (round.phase == 2'd2 && round.here == Place),
          .learns_i     (round.phase == 2'd0 && round.ending.place == Place),
          .ends_i       (round.phase == 2'd1 && round.ending.place == Place),
          .empty_i      (empty_i[p]),
          .judged_i     (judged_i[p]),
          .red_i        (cfg_i[p].law[s] == LawRed),
          .commit_i     (commit_i[p]),
          .law_reset_i  (law_reset_i[p][s]),
          .red_load_i   (red_load_i[p][s]),
          .due_i        (round.ending.found.due),
          .adapts_i     (round.ending.found.adapts),
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
