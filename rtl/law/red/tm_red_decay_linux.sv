// SPDX-License-Identifier: BSD-3-Clause
// What an idle time leaves of an average where signals are spaced as in Linux: tc's table, which two words stand for
// (docs/red-rules.md has the rule, bit for bit).
//
// Contract: a pipeline, one result in every third cycle. With `first_i` cycle 0 begins, and what enters leaves in cycle
// 13: the shift is asked for in cycle 2, the weight in cycle 4, the average in cycle 5.
module tm_red_decay_linux
  import tm_pkg::*;
#(
    parameter  int unsigned COUNT_W  = 15,           // bits of B, and of 64 P
    localparam int unsigned AverageW = COUNT_W + 24
) (
    input  logic                clk_i,
    input  logic                first_i,
    // cycle 0
    // A microsecond is 125 times eight of them: the last bits do not count.
    // verilator lint_off UNUSEDSIGNAL
    input  logic [  StampW-1:0] elapsed_i,     // ns
    // verilator lint_on UNUSEDSIGNAL
    input  logic [        16:0] reciprocal_i,
    // cycle 2
    input  logic [         5:0] shift_i,       // the log of a cell in us; bit 5: 16 bits of fraction instead of 20
    // cycle 4
    input  logic [         4:0] weight_i,
    // cycle 5
    input  logic [AverageW-1:0] average_i,
    // cycle 13
    output logic [AverageW-1:0] decayed_o
);

  localparam logic [4:0] MostHalvings = 5'd31;
  localparam logic [7:0] LastCell = 8'd255;
  localparam int unsigned FractionW = 31;  // of a cell: no bit of a microsecond is lost
  localparam int unsigned PieceW = 17;  // of a factor, for a multiplier

  // 2^45 / 125, rounded up: off by so little that no dividend of 39 bits has another quotient.
  localparam logic [38:0] Reciprocal = 39'd281474976711;

  // Which cycle this is, modulo 3: in those registers that are not always enabled a value stays for three cycles.
  logic [2:0] at;
  logic second_q, third_q;
  assign at = {third_q, second_q, first_i};
  always_ff @(posedge clk_i) {third_q, second_q} <= {second_q, first_i};

  // ---- 0 to 4: microseconds, by a third of the time in each cycle ----
  logic [38:0] eighths;  // of a microsecond, 125 in each
  logic [21:0] rest_q;
  logic [PieceW-1:0] piece;
  logic [40:0] low_q;
  logic [31:0] high_q;
  logic [55:0] product_q;
  // The last of the sum is a fraction of a microsecond.
  // verilator lint_off UNUSEDSIGNAL
  logic [55:0] sum_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [32:0] microseconds;
  assign eighths      = elapsed_i[StampW-1:3];
  assign piece        = first_i ? eighths[PieceW-1:0] : rest_q[PieceW-1:0];
  assign microseconds = sum_q[43:11];
  always_ff @(posedge clk_i) begin
    rest_q    <= first_i ? eighths[38:PieceW] : rest_q >> PieceW;
    low_q     <= piece * Reciprocal[23:0];
    high_q    <= piece * Reciprocal[38:24];
    product_q <= {high_q + 32'(low_q[40:24]), low_q[23:0]};
    sum_q     <= product_q + (at[2] ? '0 : sum_q >> PieceW);
  end

  logic [16:0] reciprocal1_q, reciprocal4_q, reciprocal7_q;
  logic [5:0] shift3_q;
  logic [2:0] shift6_q;
  logic shift_wide_q;  // its bit 5
  logic [4:0] weight5_q, weight8_q;
  always_ff @(posedge clk_i) begin
    if (at[0]) {reciprocal1_q, reciprocal4_q, reciprocal7_q} <= {reciprocal_i, reciprocal1_q, reciprocal4_q};
    if (at[2]) {shift3_q, shift_wide_q, shift6_q} <= {shift_i, shift3_q[5], shift3_q[2:0]};
    if (at[1]) {weight5_q, weight8_q} <= {weight_i, weight5_q};
  end

  // ---- 5, 6: cells, and the fraction of one ----
  logic [45:0] coarse, coarse_q;
  logic coarse_beyond, beyond6_q, beyond, beyond_q;
  logic [7:0] cell_d, cell_q;
  logic [FractionW-1:0] fraction, fraction_q;

  tm_shift_right #(
      .WIDTH    (33 + FractionW),
      .WIDTH_OUT(46),
      .AMOUNT_W (2),
      .UNIT     (3)
  ) by_eights (
      .data_i  ({microseconds, FractionW'(0)}),
      .amount_i(shift3_q[4:3]),
      .data_o  (coarse),
      .beyond_o(coarse_beyond)
  );

  tm_shift_right #(
      .WIDTH    (46),
      .WIDTH_OUT(8 + FractionW),
      .AMOUNT_W (3)
  ) by_ones (
      .data_i  (coarse_q),
      .amount_i(shift6_q),
      .data_o  ({cell_d, fraction}),
      .beyond_o(beyond)
  );

  always_ff @(posedge clk_i) begin
    coarse_q  <= coarse;
    beyond6_q <= coarse_beyond;
    if (at[0]) begin
      cell_q     <= cell_d;
      fraction_q <= fraction;
      beyond_q   <= beyond6_q || beyond;
    end
  end

  // ---- 7, 8: the entry of the table ----
  // verilator lint_off UNUSEDSIGNAL
  logic [24:0] entry_q;  // the last of it is a fraction
  // verilator lint_on UNUSEDSIGNAL
  logic last_q, part_q;
  logic [8:0] entry;
  logic [4:0] halvings_q;
  assign entry = shift_wide_q ? entry_q[24:16] : 9'(entry_q[24:20]);
  always_ff @(posedge clk_i) begin
    entry_q <= cell_q * reciprocal7_q;
    last_q  <= beyond_q || cell_q == LastCell;
    if (at[2]) begin
      halvings_q <= (last_q || entry > 9'(MostHalvings)) ? MostHalvings : entry[4:0];
      // No halving: what the time is of a cell goes, at most half.
      if (!last_q && entry == '0) begin
        halvings_q <= 5'(cell_q != '0 || fraction_q[FractionW-1]);
      end
      part_q <= !last_q && cell_q == '0 && !fraction_q[FractionW-1];
    end
  end

  // ---- 7 to 10: what goes of the average in a fraction of a cell ----
  logic [AverageW-1:0] average6_q, average9_q;
  logic [PieceW-1:0] factor;
  logic [40:0] less_low_q;
  logic [COUNT_W+PieceW-1:0] less_high_q;
  logic [AverageW+PieceW-1:0] less_product_q;
  // The last of the sum is a fraction of an average's least unit.
  // verilator lint_off UNUSEDSIGNAL
  logic [AverageW+PieceW-1:0] less_sum_q;
  // verilator lint_on UNUSEDSIGNAL
  assign factor = at[1] ? fraction_q[PieceW-1:0] : PieceW'(fraction_q[FractionW-1:PieceW]);
  always_ff @(posedge clk_i) begin
    if (at[2]) {average6_q, average9_q} <= {average_i, average6_q};
    less_low_q     <= average6_q[23:0] * factor;
    less_high_q    <= average6_q[AverageW-1:24] * factor;
    less_product_q <= {less_high_q + (COUNT_W + PieceW)'(less_low_q[40:24]), less_low_q[23:0]};
    less_sum_q     <= less_product_q + (at[0] ? '0 : less_sum_q >> PieceW);
  end

  // ---- 9, 10: halved ----
  logic [AverageW-1:0] by_eighth, by_eighth_q, halved, halved_q;

  // Nothing is beyond an average.
  // verilator lint_off PINCONNECTEMPTY
  tm_shift_right #(
      .WIDTH    (AverageW),
      .WIDTH_OUT(AverageW),
      .AMOUNT_W (2),
      .UNIT     (3)
  ) halve_by_eights (
      .data_i  (average9_q),
      .amount_i(halvings_q[4:3]),
      .data_o  (by_eighth),
      .beyond_o()
  );

  tm_shift_right #(
      .WIDTH    (AverageW),
      .WIDTH_OUT(AverageW),
      .AMOUNT_W (3)
  ) halve_by_ones (
      .data_i  (by_eighth_q),
      .amount_i(halvings_q[2:0]),
      .data_o  (halved),
      .beyond_o()
  );
  // verilator lint_on PINCONNECTEMPTY

  // ---- 11, 12: of a fraction of a byte as many bits stay as the weight has ----
  logic [AverageW-1:0] mask, mask_q, less, half, kept_q, taken_q;
  always_comb begin
    mask = {{COUNT_W{weight8_q != '0}}, 24'b0};  // with a weight of 0 there is no average of the past
    for (int i = 0; i < 24; i++) mask[i] = 5'(24 - i) <= weight8_q;
    less = less_sum_q[AverageW+13:14] & mask_q;
    half = (halved_q >> 1) & mask_q;
  end
  always_ff @(posedge clk_i) begin
    by_eighth_q <= by_eighth;
    halved_q    <= halved;
    if (at[1]) mask_q <= mask;
    // Less than half of a cell takes no more than half, and where it takes that, half is what stays.
    kept_q    <= (part_q && less == half) ? half : halved_q & mask_q;
    taken_q   <= (part_q && less != half) ? less : '0;
    decayed_o <= kept_q - taken_q;
  end

endmodule
