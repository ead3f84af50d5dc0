// SPDX-License-Identifier: BSD-3-Clause
// A token bucket at any rate and any burst of a frame or more, which stay as they are; frames of any length whenever it
// is open.
//
// Next to it the most that any window of cycles, up to now, was charged with beyond its rate: it grows with a frame,
// falls by the rate in each cycle, and where it would fall below 0 the window that begins now is the worst.
module formal_shaper
  import tm_pkg::*;
(
    input logic                  clk_i,
    input logic [ShapeRateW-1:0] rate_i,
    input logic [    BurstW-1:0] burst_i,
    input logic                  charge_i,
    input logic [      LenW-1:0] len_i
);

  localparam int unsigned MaxFrame = (1 << LenW) - 1;
  localparam int unsigned SumW = BurstW + RateFractionW + LenW + 4;
  typedef logic signed [SumW-1:0] sum_t;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [ShapeRateW-1:0] rate_q;
  logic [BurstW-1:0] burst_q;
  logic is_open, next_open, next_open_q;

  tm_shaper #(
      .MAX_FRAME(MaxFrame)
  ) dut (
      .clk_i,
      .rst_i      (!started_q),
      .shape_i    ('{on: started_q, rate: rate_i, burst: burst_i}),
      .charge_i,
      .len_i,
      .open_o     (is_open),
      .next_open_o(next_open)
  );

  sum_t beyond_q, beyond, frame, longest, full, debt_q;
  logic after_q;  // the cycle before was one of the bucket's
  assign longest = sum_t'({LenW'(MaxFrame), RateFractionW'(0)});
  assign full    = sum_t'({burst_i, RateFractionW'(0)});
  assign frame   = charge_i ? sum_t'({len_i, RateFractionW'(0)}) : '0;
  assign beyond  = beyond_q + frame - sum_t'(rate_i);

  always_ff @(posedge clk_i) begin
    {rate_q, burst_q, next_open_q, after_q} <= {rate_i, burst_i, next_open, started_q};
    beyond_q <= (beyond < 0 || !started_q) ? '0 : beyond;
    // What the rate must make up for before the bucket opens: no more than the longest frame, sent on a credit of 0.
    debt_q <= (is_open ? longest : debt_q) - sum_t'(rate_i);

    Steady_M : assume (!started_q || {rate_q, burst_q} == {rate_i, burst_i});
    Rate_M : assume (rate_i != '0);
    Burst_M : assume (burst_i >= BurstW'(MaxFrame));
    Open_M : assume (!charge_i || is_open);

    if (started_q) begin
      Bound_A : assert (beyond_q <= full + longest);
      Credit_A : assert (!after_q || beyond_q + sum_t'(dut.credit_q) <= full);
      Opens_A : assert (is_open || debt_q > 0);
      Next_A : assert (!after_q || is_open == next_open_q);
    end
  end

endmodule
