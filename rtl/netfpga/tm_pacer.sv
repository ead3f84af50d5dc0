// SPDX-License-Identifier: BSD-3-Clause
// Lets one port's frames go at the rate of its line, so that they wait in the queue and not in the FIFOs behind it.
//
// Contract: `rate_i` is in bytes per cycle, 16 fractional bits, and counts a few cycles later; 0 is off and `tx_en_o`
// stays set. A frame occupies the line for its length and 24 bytes more: preamble 8, FCS 4, gap 12. The first beats of
// two frames are at least as many cycles apart as the first occupies the line, in the long run exactly; what a late
// frame lost is given back, up to four cycles. With a rate `tx_en_o` is never set in two cycles in a row, for it is
// known a cycle before, when a frame that it lets go has not begun: frames are at least two cycles apart, and one that
// comes to an idle line may wait a cycle. In the cycle of its first beat a frame counts as one of 60 bytes, from the
// next one on for its length: behind one of one or two beats the next may come early, by what these hold beyond 60.
// With CODEL a frame may begin long after it was let go.
module tm_pacer
  import tm_pkg::*;
#(
    parameter bit CODEL = 1'b0,
    localparam int unsigned RateW = 24,
    localparam int unsigned FractionW = 16
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [RateW-1:0] rate_i,
    // the port's output
    input  logic             valid_i,
    input  logic             ready_i,
    input  logic [ LenW-1:0] len_i,
    input  logic             taken_i,  // a beat left in the cycle before
    input  logic             last_i,   // with it: it was its frame's last one
    output logic             tx_en_o
);

  localparam int unsigned Shortest = 60, StartBytes = Shortest + 24;
  localparam int unsigned DebtW = LenW + FractionW + 4;  // with sign
  typedef logic signed [DebtW-1:0] debt_t;

  localparam debt_t StartCost = debt_t'(StartBytes) <<< FractionW;

  // What a cycle changes is known from the rate alone: it is summed up beforehand.
  debt_t rate_q, per_cycle_q, per_start_q, least_q, floor_q, late_q, late_start_q;
  debt_t debt_q, known, debt, over;
  logic signed [LenW:0] rest_q;  // bytes that a frame has more than the shortest, in the cycle after its start
  logic off, off_q, last, last_q, stands, stands_q, fresh_q, starts, started_q, allowed_q;

  assign off    = rate_q == '0;
  assign stands = valid_i ? !ready_i : stands_q;
  assign last   = taken_i ? last_i : last_q;
  assign starts = valid_i && last && fresh_q;
  assign known  = debt_q + (debt_t'(rest_q) <<< FractionW);
  assign debt   = known + (starts ? per_start_q : per_cycle_q);
  assign over   = known + (starts ? late_start_q : late_q);  // `debt`, less the rate and the smallest part

  always_ff @(posedge clk_i) begin
    off_q        <= off;
    rate_q       <= debt_t'(rate_i);
    per_cycle_q  <= -rate_q;
    per_start_q  <= StartCost - rate_q;
    late_q       <= ~(rate_q <<< 1);
    late_start_q <= StartCost + ~(rate_q <<< 1);
    least_q      <= per_cycle_q <<< 2;
    floor_q      <= (per_cycle_q <<< 1) + per_cycle_q;

    if (rst_i || off_q) begin
      debt_q    <= '0;
      allowed_q <= 1'b1;
    end else begin
      // In a cycle in which no frame is counted: one is followed by one.
      debt_q    <= (!starts && !started_q && debt_q < floor_q) ? least_q : debt;
      allowed_q <= over < 0 && !allowed_q;
    end
    // The beat taken last was a frame's last one, and the one behind has not stood there yet.
    last_q    <= last;
    stands_q  <= stands;
    fresh_q   <= !stands && !off;  // no frame starts while it is off: one gate says what the port may do
    started_q <= starts;
    rest_q    <= starts ? $signed({1'b0, len_i}) - $signed((LenW + 1)'(Shortest)) : '0;
    if (rst_i) {last_q, stands_q, fresh_q, started_q} <= 4'b1000;
    if (rst_i) rest_q <= '0;
  end

  assign tx_en_o = allowed_q && !(CODEL && starts);

endmodule
