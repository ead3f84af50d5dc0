// SPDX-License-Identifier: BSD-3-Clause
// Lets one port's frames go at the rate of its line, so that they wait in the queue and not in the FIFOs behind it.
//
// Contract: `rate_i` is in bytes per cycle, 16 fractional bits; 0 is off and `tx_en_o` stays set. A frame occupies the
// line for its length and 24 bytes more: preamble 8, FCS 4, gap 12. The first beats of two frames are at least as many
// cycles apart as the first occupies the line, in the long run exactly; what a late frame lost is given back, up to
// four cycles. Frames are at least two cycles apart.
module tm_pacer
  import tm_pkg::*;
#(
    localparam int unsigned RateW = 24,
    localparam int unsigned FractionW = 16
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [RateW-1:0] rate_i,
    // the port's output
    input  logic             valid_i,
    input  logic             ready_i,
    input  logic             last_i,
    input  logic [ LenW-1:0] len_i,
    output logic             tx_en_o
);

  localparam int unsigned Overhead = 24;
  localparam int unsigned DebtW = LenW + FractionW + 4;  // with sign

  logic signed [DebtW-1:0] debt_q, debt, rate, cost, least;
  logic fresh_q, starts, ready_q;

  assign starts = valid_i && fresh_q;
  assign rate   = DebtW'(rate_i);
  assign least  = -(rate <<< 2);
  assign cost   = starts ? DebtW'({LenW'(len_i) + LenW'(Overhead), FractionW'(0)}) : '0;
  assign debt   = debt_q + cost - rate;

  always_ff @(posedge clk_i) begin
    if (rst_i || rate_i == '0) begin
      debt_q  <= '0;
      ready_q <= 1'b1;
    end else begin
      debt_q  <= (debt < least) ? least : debt;
      ready_q <= debt <= rate;
    end
    // The next valid beat is a first one.
    fresh_q <= rst_i || (valid_i ? ready_i && last_i : fresh_q);
  end

  assign tx_en_o = rate_i == '0 || (ready_q && !starts);

endmodule
