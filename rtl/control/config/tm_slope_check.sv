// SPDX-License-Identifier: BSD-3-Clause
// Is a slope what it should be? Serially: |slope * width - rise * 2^(8 + 8 * scale)| <= width, one binary digit in each
// cycle.
//
// Contract: `busy_o` is 1 in the cycle of `start_i` and the 58 after it, in the last of which `done_o` is 1 and `off_o`
// says that the slope is more than one unit off. The inputs but `slope_i` hold until then.
//
// Both products are made from their highest digit down and only their difference is kept: a difference that ends within
// `width` was never more than 2 * width + 2 on the way, so 28 bits are enough and whatever leaves them has failed.
module tm_slope_check
  import tm_pkg::*;
  import tm_arith_pkg::*;
(
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              start_i,
    input  logic [      31:0] slope_i,
    input  logic [BytesW-1:0] width_i,  // bytes
    input  logic [      24:0] rise_i,   // a probability, 2^24 is 1
    input  logic [       1:0] scale_i,
    output logic              busy_o,
    output logic              done_o,
    output logic              off_o
);

  localparam logic [5:0] Digits = 6'd57;  // of rise * 2^32, the longest
  localparam int unsigned W = 28;

  logic running_q, failed_q, digit;
  logic [ 5:0] left_q;
  logic [31:0] slope_q;
  logic [24:0] rise_q;
  logic signed [W-1:0] difference_q, next, less, width;

  assign busy_o = start_i || running_q;
  assign done_o = running_q && left_q == '0;
  assign width  = W'(width_i);
  // The rise has 25 digits, and 8 + 8 * scale zeros behind them.
  assign digit  = rise_q[24] && left_q <= 6'd33 + {1'b0, scale_i, 3'b000};
  assign less   = (slope_q[31] && left_q <= 6'd32) ? -width : '0;
  assign next   = W'(sub_borrow(wide_t'({difference_q, 1'b0}), wide_t'(less), digit));

  always_ff @(posedge clk_i) begin
    if (rst_i) running_q <= 1'b0;
    else if (start_i) running_q <= 1'b1;
    else if (left_q == '0) running_q <= 1'b0;

    if (start_i) begin
      left_q       <= Digits;
      slope_q      <= slope_i;
      rise_q       <= rise_i;
      difference_q <= '0;
      failed_q     <= 1'b0;
    end else if (left_q != '0) begin
      left_q       <= left_q - 6'd1;
      difference_q <= next;
      if (next[W-1] != next[W-2]) failed_q <= 1'b1;
      if (left_q <= 6'd32) slope_q <= slope_q << 1;
      if (left_q <= 6'd33 + {1'b0, scale_i, 3'b000}) rise_q <= rise_q << 1;
    end
  end

  assign off_o = failed_q || difference_q > width || difference_q < -width;

endmodule
