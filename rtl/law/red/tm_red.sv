// SPDX-License-Identifier: BSD-3-Clause
// RED of one port, wired: an average and a spacing for each law slot, one curve in turn, one source of random words.
//
// Contract: docs/red.md, section "Cycles". `step_i` and `slot_i` are the verdict's; `signal_o` and `forced_o`, by slot,
// are registered and what the verdict of this cycle is told. With LINUX a slot can also be spaced as in Linux.
`include "tm_assert.svh"

module tm_red
  import tm_pkg::*;
#(
    parameter  int unsigned COUNT_W = 15,           // bits of B
    parameter  int unsigned PORT    = 0,
    parameter  bit          LINUX   = 1'b0,
    localparam int unsigned MinusW  = COUNT_W + 25  // sign, bytes, 24 bits of fraction
) (
    input  logic                               clk_i,
    input  logic                               rst_i,
    input  logic     [COUNT_W-1:0]             bytes_i,
    input  logic                               empty_i,
    // the verdict
    input  logic                               step_i,
    input  logic                               slot_i,
    output logic     [        1:0]             signal_o,
    output logic     [        1:0]             forced_o,
    // config
    input  law_e     [        1:0]             law_i,
    input  red_t     [        1:0]             red_i,
    input  logic                               commit_i,
    input  logic     [        1:0]             law_reset_i,
    input  logic                               seed_load_i,
    input  logic     [       31:0]             seed_i,
    // from and to the shared unit
    input  logic     [        1:0]             decay_valid_i,
    input  logic     [ MinusW-1:0]             decay_i,
    input  red_ram_t                           feed_i,
    output logic     [        1:0][MinusW-1:0] minus_average_o
);

  localparam logic [3:0] Settling = 4'd9;  // cycles after a commit in which there is no region yet

  // The slot whose evaluation is formed in this cycle; it belongs to the cycle before.
  logic turn_q;
  logic [3:0] settling_q;
  logic settling, unsettled;
  always_ff @(posedge clk_i) begin
    turn_q <= rst_i || !turn_q;
    if (rst_i || commit_i) settling_q <= Settling;
    else if (settling) settling_q <= settling_q - 1'b1;
  end
  assign settling  = settling_q != 0;
  assign unsettled = settling || commit_i || rst_i;

  // But for Linux's, spacing looks at the upper bits.
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] word;
  // verilator lint_on UNUSEDSIGNAL
  tm_random #(
      .MIX(32'(32'h9E3779B9 * (PORT + 1)))
  ) random (
      .clk_i,
      .rst_i,
      .load_i(seed_load_i),
      .seed_i,
      .step_i,
      .word_o(word)
  );

  logic [1:0] is_red, is_linux, between, beyond, probable, probable_linux, forced, fraction;
  logic [1:0][31:0] counted;
  logic [23:0] slope;
  logic [32:0] reach;
  logic [1:0][COUNT_W:0] next_average;
  logic [1:0][23:0] probability;

  tm_red_curve #(
      .COUNT_W(COUNT_W),
      .LINUX  (LINUX)
  ) curve (
      .clk_i,
      .turn_i       (turn_q),
      .next_i       (next_average),
      .fraction_i   (fraction),
      .feed_i,
      .linux_i      (is_linux),
      .counted_i    (counted),
      .slope_o      (slope),
      .reach_o      (reach),
      .between_o    (between),
      .forced_o     (beyond),
      .probability_o(probability)
  );

  for (genvar s = 0; s < 2; s++) begin : gen_slot
    assign is_red[s]   = law_i[s] == LawRed;
    assign is_linux[s] = LINUX && red_i[s].spacing == Linux;

    tm_red_average #(
        .COUNT_W(COUNT_W),
        .LINUX  (LINUX)
    ) mean (
        .clk_i,
        .rst_i,
        .bytes_i,
        .step_i,
        .reset_i      (law_reset_i[s]),
        .idle_i       (empty_i),
        .linux_i      (is_linux[s]),
        .weight_i     (red_i[s].weight),
        .decay_valid_i(decay_valid_i[s]),
        .decay_i,
        .minus_o      (minus_average_o[s]),
        .next_o       (next_average[s]),
        .fraction_o   (fraction[s])
    );
  end

  tm_red_spacing spacing (
      .clk_i,
      .step_i,
      .slot_i,
      .reset_i      (law_reset_i),
      .settling_i   (unsettled),
      .word_i       (word[31:8]),
      .spacing_i    ({red_i[1].spacing, red_i[0].spacing}),
      .between_i    (between & is_red & ~is_linux),
      .beyond_i     (beyond & is_red),
      .probability_i(probability),
      .probable_o   (probable),
      .forced_o     (forced)
  );

  if (LINUX) begin : gen_linux
    tm_red_spacing_linux spacing_linux (
        .clk_i,
        .step_i,
        .slot_i,
        .settling_i(unsettled),
        .linux_i   (is_linux),
        .word_i    (word),
        .turn_i    (turn_q),
        .slope_i   (slope),
        .reach_i   (reach),
        .between_i (between & is_red),
        .counted_o (counted),
        .probable_o(probable_linux)
    );
  end else begin : gen_no_linux
    logic unused;
    assign unused                    = ^{slope, reach};
    assign {counted, probable_linux} = '0;
  end

  assign signal_o = probable | probable_linux | forced;
  assign forced_o = forced;

  `TM_ASSERT(DecayTurn_A, !decay_valid_i[turn_q], "an average is replaced while its own evaluation is formed")

endmodule
