// SPDX-License-Identifier: BSD-3-Clause
// From an average to a probability: below min, forced, or a fraction of 2^32 in between (docs/red.md). One pipeline
// serves both slots in turn.
//
// Contract: in a cycle with turn t the average of slot t enters (`next_i`, and a cycle later `fraction_i`: -avg, bytes
// rounded down). Six cycles later `probability_o[t]` and the two region bits of slot t have changed.
module tm_red_curve
  import tm_pkg::*;
#(
    parameter int unsigned CountW = 15  // bits of B
) (
    input  logic                 clk_i,
    input  logic                 turn_i,
    input  logic [1:0][CountW:0] next_i,
    input  logic [1:0]           fraction_i,
    // config: spacing, weight and what only ARED uses are not looked at
    // verilator lint_off UNUSEDSIGNAL
    input  red_t [1:0]           red_i,
    // verilator lint_on UNUSEDSIGNAL
    // from the shared unit: slopes that ARED has moved
    input  logic [1:0]           adapted_i,
    input  logic [1:0][    31:0] adapted_slope_i,
    // to spacing
    output logic [1:0]           between_o,
    output logic [1:0]           forced_o,
    output logic [1:0][    31:0] probability_o
);

  localparam int unsigned LowW = 17;  // of a slope: the two parts fit a multiplier each
  localparam int unsigned ProductW = CountW + 32;

  // A threshold beyond what B can count is never reached.
  logic [1:0] min_far_q, max_far_q, twice_far_q;
  always_ff @(posedge clk_i) begin
    for (int s = 0; s < 2; s++) begin
      min_far_q[s]   <= |(red_i[s].min >> CountW);
      max_far_q[s]   <= |(red_i[s].max >> CountW);
      twice_far_q[s] <= |(red_i[s].max >> (CountW - 1));
    end
  end

  // ---- 1: the slot whose turn it is ----
  logic [CountW:0] next_q;
  always_ff @(posedge clk_i) next_q <= next_i[turn_i];

  // ---- 2: thresholds less the average, without its fraction ----
  logic second;
  logic signed [CountW:0] to_min_q, to_max_q, to_twice_q;
  logic whole_q;
  assign second = !turn_i;
  logic [CountW-1:0] min, max;
  assign min = CountW'(red_i[second].min);
  assign max = CountW'(red_i[second].max);
  always_ff @(posedge clk_i) begin
    to_min_q   <= $signed(next_q + {1'b0, min});
    to_max_q   <= $signed(next_q + {1'b0, max});
    to_twice_q <= $signed(next_q + {1'b0, max[CountW-2:0], 1'b0});
    whole_q    <= !fraction_i[second];
  end

  // ---- 3: region, distance from the threshold below, slope ----
  // floor(avg) >= threshold: the difference is negative, or zero and no fraction was rounded down.
  logic third, at_min, at_max, at_twice, upper, below_d, forced_d;
  logic [CountW-1:0] above_q;
  logic [31:0] slope_q;
  logic upper_q, below_q, forced_q;
  logic [1:0] scale_q;
  assign third = turn_i;
  always_comb begin
    at_min   = !min_far_q[third] && (to_min_q < 0 || (to_min_q == 0 && whole_q));
    at_max   = !max_far_q[third] && (to_max_q < 0 || (to_max_q == 0 && whole_q));
    at_twice = !twice_far_q[third] && (to_twice_q < 0 || (to_twice_q == 0 && whole_q));
    upper    = at_max && red_i[third].gentle;
    below_d  = !at_min;
    forced_d = red_i[third].gentle ? at_twice : at_max;
  end
  always_ff @(posedge clk_i) begin
    above_q <= CountW'(~(upper ? to_max_q : to_min_q) + {{CountW{1'b0}}, whole_q});
    if (upper) slope_q <= red_i[third].gentle_slope;
    else slope_q <= adapted_i[third] ? adapted_slope_i[third] : red_i[third].slope;
    scale_q  <= upper ? red_i[third].gentle_scale : red_i[third].slope_scale;
    upper_q  <= upper;
    below_q  <= below_d;
    forced_q <= forced_d;
  end

  // ---- 4, 5: the product, in two parts ----
  typedef struct packed {
    logic upper;
    logic below;
    logic forced;
    logic [1:0] scale;
  } region_t;
  region_t fifth_q, sixth_q;
  logic [CountW+LowW-1:0] low_q;
  logic [CountW+31-LowW:0] high_q, sum_q;
  logic [LowW-1:0] low_sum_q;
  always_ff @(posedge clk_i) begin
    low_q     <= above_q * slope_q[LowW-1:0];
    high_q    <= above_q * slope_q[31:LowW];
    sum_q     <= high_q + (CountW + 32 - LowW)'(low_q[CountW+LowW-1:LowW]);
    low_sum_q <= low_q[LowW-1:0];
    fifth_q   <= '{upper: upper_q, below: below_q, forced: forced_q, scale: scale_q};
    sixth_q   <= fifth_q;
  end

  // ---- 6: scaled, above max on top of maxp, and kept below 1 ----
  logic sixth, over;
  logic [ProductW-1:0] product, scaled;
  logic [24:0] onto;
  logic [32:0] sum;
  assign sixth = !turn_i;
  always_comb begin
    product = {sum_q, low_sum_q};
    scaled  = product >> {sixth_q.scale, 3'b000};
    onto    = sixth_q.upper ? red_i[sixth].maxp : '0;
    sum     = {1'b0, scaled[31:0]} + {onto, 8'h00};
    over    = sum[32] || |scaled[ProductW-1:32];
  end
  always_ff @(posedge clk_i) begin
    between_o[sixth] <= !sixth_q.below && !sixth_q.forced;
    forced_o[sixth]  <= !sixth_q.below && sixth_q.forced;
    // Written so that it becomes a set of the registers, not a gate before each.
    for (int s = 0; s < 2; s++) begin
      if (over && sixth == 1'(s)) probability_o[s] <= '1;
      else if (sixth == 1'(s)) probability_o[s] <= sum[31:0];
    end
  end

endmodule
