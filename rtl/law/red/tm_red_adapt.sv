// SPDX-License-Identifier: BSD-3-Clause
// One step of ARED (Floyd, Gummadi, Shenker 2001): maxp rises above the band, falls below it, and the slope follows.
//
// Contract: a pipeline, one result a cycle. What enters in cycle 0 leaves in cycle 5; the reciprocal is asked for in
// cycle 3, the bottom in cycle 2. With neither `rise_i` nor `fall_i`, or where maxp has no room, it leaves as it came.
module tm_red_adapt
  import tm_arith_pkg::*;
(
    input  logic        clk_i,
    // cycle 0; 2^24 is probability 1
    input  logic        rise_i,
    input  logic        fall_i,
    input  logic [24:0] maxp_i,
    // cycle 2
    input  logic [24:0] bottom_i,
    // cycle 3
    input  logic [31:0] reciprocal_i,
    // cycle 5
    output logic [24:0] maxp_o,
    output logic [23:0] slope_o        // the upper bits
);

  localparam logic [24:0] Top = 25'h800000;  // 1/2
  localparam logic [24:0] Rise = 25'd167772;  // 0.01
  localparam logic [15:0] Fall = 16'd58982;  // 0.9

  // ---- 0 ----
  logic rise1_q, fall1_q, small1_q;
  logic [24:0] maxp1_q;
  // The rule drops the low bits of its products.
  // verilator lint_off UNUSEDSIGNAL
  logic [39:0] less;
  // verilator lint_on UNUSEDSIGNAL
  tm_product #(
      .LONG_W (24),
      .SHORT_W(16)
  ) falls (
      .clk_i,
      .long_i   (maxp_i[23:0]),
      .short_i  (Fall),
      .product_o(less)
  );
  always_ff @(posedge clk_i) begin
    rise1_q  <= rise_i && maxp_i < Top;
    fall1_q  <= fall_i;
    maxp1_q  <= maxp_i;
    small1_q <= less_than(wide_t'(maxp_i[24:2]), wide_t'(Rise), 1'b0, 23);
  end

  // ---- 1: 2^24 has 25 bits, and nothing but its highest ----
  logic rise2_q, fall2_q;
  logic [24:0] maxp2_q, more2_q, less2_q;
  always_ff @(posedge clk_i) begin
    rise2_q <= rise1_q;
    fall2_q <= fall1_q;
    maxp2_q <= maxp1_q;
    more2_q <= maxp1_q + (small1_q ? {2'b00, maxp1_q[24:2]} : Rise);
    less2_q <= {1'b0, less[39:16] | (maxp1_q[24] ? {Fall, 8'h00} : 24'h0)};
  end

  // ---- 2 ----
  logic [24:0] maxp3_q;
  logic above_bottom, below_bottom;
  assign above_bottom = less_than(wide_t'(bottom_i), wide_t'(maxp2_q), 1'b0, 25);
  assign below_bottom = less_than(wide_t'(less2_q), wide_t'(bottom_i), 1'b0, 25);
  always_ff @(posedge clk_i) begin
    maxp3_q <= maxp2_q;
    if (rise2_q) maxp3_q <= (more2_q > Top) ? Top : more2_q;
    else if (fall2_q && above_bottom) maxp3_q <= below_bottom ? bottom_i : less2_q;
  end

  // ---- 3, 4: the slope, maxp / (max - min) ----
  logic [24:0] maxp4_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [40:0] low;
  logic [38:0] sum;
  // verilator lint_on UNUSEDSIGNAL
  logic [38:0] high;
  logic [23:0] whole4_q;
  tm_product #(
      .LONG_W (24),
      .SHORT_W(17)
  ) slopes (
      .clk_i,
      .long_i   (maxp3_q[23:0]),
      .short_i  (reciprocal_i[16:0]),
      .product_o(low)
  );
  tm_product #(
      .LONG_W (24),
      .SHORT_W(15)
  ) upper_slopes (
      .clk_i,
      .long_i   (maxp3_q[23:0]),
      .short_i  (reciprocal_i[31:17]),
      .product_o(high)
  );
  assign sum = high + 39'(low[40:17]);
  always_ff @(posedge clk_i) begin
    whole4_q <= reciprocal_i[31:8];
    maxp4_q  <= maxp3_q;
    maxp_o   <= maxp4_q;
    slope_o  <= maxp4_q[24] ? whole4_q : sum[38:15];
  end

endmodule
