// SPDX-License-Identifier: BSD-3-Clause
// A free-running count of nanoseconds that grows by `step_i` in every cycle.
//
// Contract: `time_o` starts at 0 with reset and is exact: fractions of a nanosecond add up and are never dropped. The
// upper word needs no carry chain: its successor is made bit by bit, in 49 cycles, long before the lower 16 bits wrap.
`include "tm_assert.svh"

module tm_timebase
  import tm_pkg::*;
(
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [     31:0] step_i,  // ns, 8 integer and 24 fractional bits
    output logic [TimeW-1:0] time_o   // ns
);

  localparam int unsigned LowW = 16;
  localparam int unsigned HighW = TimeW - LowW;
  localparam int unsigned FractionW = 24;

  logic [FractionW-1:0] fraction_q;
  logic [LowW-1:0] low_q, low_d;
  logic [HighW-1:0] high_q, next_q;
  logic [FractionW-1:0] fraction_d;
  logic wrap, wrapped_q, carry_q;
  logic [$clog2(HighW)-1:0] count_q;

  assign {wrap, low_d, fraction_d} = {1'b0, low_q, fraction_q} + (LowW + FractionW + 1)'(step_i);
  assign time_o = {high_q, low_q};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      {low_q, fraction_q}  <= '0;
      high_q               <= '0;
      next_q               <= HighW'(1);
      {carry_q, wrapped_q} <= 2'b10;
      count_q              <= '0;
    end else begin
      {low_q, fraction_q} <= {low_d, fraction_d};
      if (wrap) high_q <= next_q;
      // `next_q` turns once and has grown by one when each bit is in its place again. That begins a cycle later: the
      // end of a long carry chain meets one enable.
      wrapped_q <= wrap;
      if (wrapped_q) count_q <= $bits(count_q)'(HighW);
      else if (count_q != '0) count_q <= count_q - 1'b1;
      if (wrapped_q) carry_q <= 1'b1;
      else if (count_q != '0) carry_q <= carry_q && next_q[0];
      if (count_q != '0) next_q <= {next_q[0] ^ carry_q, next_q[HighW-1:1]};
    end
  end

  `TM_ASSERT_IF(NextReady_A, wrap, count_q == '0 && next_q == high_q + 1'b1,
                "the successor is needed before it is complete")

endmodule
