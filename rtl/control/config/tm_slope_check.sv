// SPDX-License-Identifier: BSD-3-Clause
// Is a slope what it should be? Serially: |slope * width - rise * 2^(8 + 8 * scale)| <= width, one binary digit in each
// cycle.
//
// Contract: `busy_o` is 1 in the cycle of `start_i`, which takes the inputs, and the 59 after it, in the last of which
// `done_o` is 1 and `off_o` says that the slope is more than one unit off.
//
// Both products are made from their highest digit down and only their difference is kept: a difference that ends within
// `width` was never more than 2 * width + 2 on the way, so 28 bits are enough and whatever leaves them has failed.
module tm_slope_check
  import tm_pkg::*;
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

  // The slope has 32 digits. The rise has 25, and 8 + 8 * scale zeros behind them.
  logic running_q, adding_q, failed_q, in_slope_q, in_rise_q, left_range;
  logic [ 1:0] scale_q;
  logic [ 5:0] left_q;
  logic [31:0] slope_q;
  logic [24:0] rise_q;
  logic signed [W-1:0] width_q, difference_q, next, more;

  assign busy_o     = start_i || running_q;
  assign next       = {difference_q[W-2:0], rise_q[24] && in_rise_q} - ((slope_q[31] && in_slope_q) ? width_q : '0);
  assign more       = difference_q + width_q;
  assign left_range = difference_q[W-1] != difference_q[W-2];

  always_ff @(posedge clk_i) begin
    if (rst_i) running_q <= 1'b0;
    else if (start_i) running_q <= 1'b1;
    else if (done_o) running_q <= 1'b0;

    adding_q <= start_i || (adding_q && left_q != 6'd1);
    done_o   <= !rst_i && !start_i && running_q && !adding_q && !done_o;
    off_o    <= failed_q || left_range || difference_q > width_q || more[W-1];

    if (start_i) begin
      left_q       <= Digits;
      slope_q      <= slope_i;
      in_slope_q   <= 1'b0;
      rise_q       <= rise_i;
      in_rise_q    <= scale_i == 2'd3;
      scale_q      <= scale_i;
      width_q      <= W'(width_i);
      difference_q <= '0;
      failed_q     <= 1'b0;
    end else if (adding_q) begin
      left_q       <= left_q - 6'd1;
      difference_q <= next;
      failed_q     <= failed_q || left_range;
      if (in_slope_q) slope_q <= slope_q << 1;
      if (in_rise_q) rise_q <= rise_q << 1;
      if (left_q == 6'd33) in_slope_q <= 1'b1;
      if (left_q == {1'b1, scale_q, 3'd2}) in_rise_q <= 1'b1;
    end
  end

endmodule
