// SPDX-License-Identifier: BSD-3-Clause
// RED of one port, wired: what the scan of averages and curves says of each law slot, a spacing for each, one source of
// random words.
//
// Contract: docs/red-rules.md, section "Cycles". `step_i` and `slot_i` are the verdict's; `signal_o` and `forced_o`, by
// slot, are registered and what the verdict of this cycle is told. With LINUX a slot can also be spaced as in Linux.
module tm_red
  import tm_pkg::*;
  import tm_red_pkg::*;
#(
    parameter int unsigned PORTS = 5,    // of its unit
    parameter int unsigned PORT  = 0,
    parameter bit          LINUX = 1'b0
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    // the verdict
    input  logic                     step_i,
    input  logic                     slot_i,
    output logic        [ 1:0]       signal_o,
    output logic        [ 1:0]       forced_o,
    // config
    input  law_e        [ 1:0]       law_i,
    // The weight is the scan's, from its words.
    // verilator lint_off UNUSEDSIGNAL
    input  red_t        [ 1:0]       red_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic                     commit_i,
    input  logic        [ 1:0]       law_reset_i,
    input  logic                     seed_load_i,
    input  logic        [31:0]       seed_i,
    // from and to the scan
    input  logic        [ 1:0]       load_i,
    // Without LINUX nothing looks at the slope.
    // verilator lint_off UNUSEDSIGNAL
    input  red_chance_t              chance_i,
    input  logic        [32:0]       reach_i,
    // verilator lint_on UNUSEDSIGNAL
    output logic        [ 1:0][31:0] counted_o
);

  // Verdicts after a commit that find no region: what is known of a slot may be of before.
  localparam logic [5:0] Settling = 6'(scan_round(PORTS) + ScanSettle - 1);

  logic [5:0] settling_q;
  logic settling, unsettled;
  always_ff @(posedge clk_i) begin
    if (rst_i || commit_i) settling_q <= Settling;
    else if (settling) settling_q <= settling_q - 1'b1;
  end
  assign settling  = settling_q != 0;
  assign unsettled = settling || commit_i || rst_i;

  // Except for Linux's, spacing looks at the upper bits.
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

  logic [1:0] is_red, is_linux, between_q, beyond_q, signal, probable_linux, forced;
  logic [1:0][23:0] probability_q;
  for (genvar s = 0; s < 2; s++) begin : gen_slot
    assign is_red[s]   = law_i[s] == LawRed;
    assign is_linux[s] = LINUX && red_i[s].spacing == Linux;
    // Written so that `over` becomes a set of the registers, not a gate before each.
    always_ff @(posedge clk_i) begin
      if (load_i[s]) {between_q[s], beyond_q[s]} <= {chance_i.between, chance_i.forced};
      if (load_i[s] && chance_i.over) probability_q[s] <= '1;
      else if (load_i[s]) probability_q[s] <= chance_i.probability;
    end
  end

  tm_red_spacing spacing (
      .clk_i,
      .step_i,
      .slot_i,
      .reset_i      (law_reset_i),
      .settling_i   (unsettled),
      .word_i       (word[31:8]),
      .spacing_i    ({red_i[1].spacing, red_i[0].spacing}),
      .between_i    (between_q & is_red & ~is_linux),
      .beyond_i     (beyond_q & is_red),
      .probability_i(probability_q),
      .signal_o     (signal),
      .forced_o     (forced)
  );

  if (LINUX) begin : gen_linux
    tm_red_spacing_linux #(
        .PORTS(PORTS)
    ) spacing_linux (
        .clk_i,
        .step_i,
        .slot_i,
        .settling_i(unsettled),
        .linux_i   (is_linux),
        .word_i    (word),
        .load_i,
        .slope_i   (chance_i.slope),
        .reach_i,
        .between_i (between_q & is_red),
        .counted_o,
        .probable_o(probable_linux)
    );
  end else begin : gen_no_linux
    assign {counted_o, probable_linux} = '0;
  end

  assign signal_o = signal | probable_linux;
  assign forced_o = forced;

endmodule
