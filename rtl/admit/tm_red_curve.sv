// SPDX-License-Identifier: BSD-3-Clause
// From an average to a probability: below min, forced, or a fraction of 2^24 in between (docs/red.md). One pipeline
// serves both slots in turn.
//
// Contract: in a cycle with turn t the average of slot t enters (`next_i`, and a cycle later `fraction_i`: -avg, bytes
// rounded down). Five cycles later `probability_o[t]` and the two region bits of slot t have changed. The words of the
// configuration are kept here, as `feed_i` brings them; those of another set count for what enters two cycles after it
// is in force.
module tm_red_curve
  import tm_pkg::*;
#(
    parameter int unsigned CountW = 15  // bits of B
) (
    input  logic                     clk_i,
    input  logic                     turn_i,
    input  logic     [1:0][CountW:0] next_i,
    input  logic     [1:0]           fraction_i,
    // from the shared unit, with the words of a configuration: places of other parts of RED are not looked at
    // verilator lint_off UNUSEDSIGNAL
    input  red_ram_t                 feed_i,
    // verilator lint_on UNUSEDSIGNAL
    // to spacing
    output logic     [1:0]           between_o,
    output logic     [1:0]           forced_o,
    output logic     [1:0][    23:0] probability_o
);

  localparam int unsigned ProductW = CountW + 24;

  // ---- the words, by set and slot ----
  logic second, third, fifth;  // whose turn it is there
  assign {second, third, fifth} = {!turn_i, turn_i, turn_i};

  logic word_slot, is_slot;
  logic [CountW:0] minus_min, minus_max;  // thresholds as they are added
  logic min_far, max_far, twice_far;  // beyond what B can count: never reached
  logic gentle;
  logic [1:0] slope_scale, gentle_scale;
  logic [24:0] maxp;
  logic [BytesW-1:0] bytes;
  assign word_slot = !feed_i.word.place[4];
  assign is_slot   = feed_i.word_valid && feed_i.word.place[5];
  assign bytes     = feed_i.word.data[BytesW-1:0];

  // Read ahead, in block RAM: whose turn it is in two cycles is known. The words are sent to the set that is not in
  // force, but for those that clear both after a reset.
  logic still;
  logic [CountW+1:0] min_found;
  logic [CountW+2:0] max_found;
  logic [24:0] maxp_found;
  assign still = feed_i.word_valid && feed_i.word.bank == feed_i.bank;
  always_ff @(posedge clk_i) begin
    {min_far, minus_min}            <= min_found;
    {max_far, twice_far, minus_max} <= max_found;
    maxp                            <= maxp_found;
  end

  tm_ram #(
      .WIDTH(CountW + 2),
      .DEPTH(4),
      .STYLE("block")
  ) mins (
      .clk_i,
      .wr_en_i  (is_slot && feed_i.word.place[3:0] == PlaceRedMin),
      .wr_addr_i({feed_i.word.bank, word_slot}),
      .wr_data_i({|(bytes >> CountW), feed_i.word.minus[CountW:0]}),
      .rd_en_i  (!still),
      .rd_addr_i({feed_i.bank, second}),
      .rd_data_o(min_found)
  );

  tm_ram #(
      .WIDTH(CountW + 3),
      .DEPTH(4),
      .STYLE("block")
  ) maxes (
      .clk_i,
      .wr_en_i  (is_slot && feed_i.word.place[3:0] == PlaceRedMax),
      .wr_addr_i({feed_i.word.bank, word_slot}),
      .wr_data_i({|(bytes >> CountW), |(bytes >> (CountW - 1)), feed_i.word.minus[CountW:0]}),
      .rd_en_i  (!still),
      .rd_addr_i({feed_i.bank, second}),
      .rd_data_o(max_found)
  );

  tm_lut_ram #(
      .WIDTH(5),
      .DEPTH(4)
  ) settings (
      .clk_i,
      .wr_en_i(is_slot && feed_i.word.place[3:0] == PlaceRedSettings),
      .wr_addr_i({feed_i.word.bank, word_slot}),
      .wr_data_i({
        feed_i.word.data[RedGentle], feed_i.word.data[RedSlopeScale+:2], feed_i.word.data[RedGentleScale+:2]
      }),
      .rd_addr_i({feed_i.bank, second}),
      .rd_data_o({gentle, slope_scale, gentle_scale})
  );

  tm_ram #(
      .WIDTH(25),
      .DEPTH(4),
      .STYLE("block")
  ) maxps (
      .clk_i,
      .wr_en_i  (is_slot && feed_i.word.place[3:0] == PlaceRedMaxp),
      .wr_addr_i({feed_i.word.bank, word_slot}),
      .wr_data_i(feed_i.word.data[24:0]),
      .rd_en_i  (!still),
      .rd_addr_i({feed_i.bank, fifth}),
      .rd_data_o(maxp_found)
  );

  // Slopes of both sets, below max and above; then those of ARED, which know no set.
  logic upper, is_slope, moved;
  logic [23:0] slope;
  assign is_slope = is_slot && feed_i.word_slope &&
                    (feed_i.word.place[3:0] inside {PlaceRedSlope, PlaceRedGentleSlope});
  assign moved = feed_i.moved != '0;

  tm_lut_ram #(
      .WIDTH(24),
      .DEPTH(16)
  ) slopes (
      .clk_i,
      .wr_en_i  (is_slope || moved),
      .wr_addr_i(moved ? {3'b100, feed_i.moved[1]} : {1'b0, feed_i.word.bank, feed_i.word.place[0], word_slot}),
      .wr_data_i(feed_i.slope),
      .rd_addr_i((feed_i.adapted[third] && !upper) ? {3'b100, third} : {1'b0, feed_i.bank, upper, third}),
      .rd_data_o(slope)
  );

  // ---- 1: the slot whose turn it is ----
  logic [CountW:0] next_q;
  always_ff @(posedge clk_i) next_q <= next_i[turn_i];

  // ---- 2: the average, without its fraction, less each threshold: negative below it ----
  logic [CountW-1:0] above_min_q, above_max_q;
  logic below_min_q, below_max_q, below_twice_q;
  logic gentle_q;
  logic [1:0] slope_scale_q, gentle_scale_q;
  logic [CountW:0] above_min, above_max, above_twice;
  assign above_min   = ~next_q + minus_min + (CountW + 1)'(!fraction_i[second]);
  assign above_max   = ~next_q + minus_max + (CountW + 1)'(!fraction_i[second]);
  assign above_twice = ~next_q + {minus_max[CountW-1:0], 1'b0} + (CountW + 1)'(!fraction_i[second]);
  always_ff @(posedge clk_i) begin
    above_min_q <= above_min[CountW-1:0];
    above_max_q <= above_max[CountW-1:0];
    below_min_q <= min_far || above_min[CountW];
    below_max_q <= max_far || above_max[CountW];
    below_twice_q <= twice_far || above_twice[CountW];
    {gentle_q, slope_scale_q, gentle_scale_q} <= {gentle, slope_scale, gentle_scale};
  end

  // ---- 3: region, distance from the threshold below, slope ----
  logic [CountW-1:0] above_q;
  logic [23:0] slope_q;
  logic upper_q, below_q, forced_q;
  logic [1:0] scale_q;
  assign upper = !below_max_q && gentle_q;
  always_ff @(posedge clk_i) begin
    above_q  <= upper ? above_max_q : above_min_q;
    slope_q  <= slope;
    scale_q  <= upper ? gentle_scale_q : slope_scale_q;
    upper_q  <= upper;
    below_q  <= below_min_q;
    forced_q <= gentle_q ? !below_twice_q : !below_max_q;
  end

  // ---- 4: the product ----
  typedef struct packed {
    logic upper;
    logic below;
    logic forced;
    logic [1:0] scale;
  } region_t;
  region_t region_q;
  logic [ProductW-1:0] product_q;
  always_ff @(posedge clk_i) begin
    product_q <= above_q * slope_q;
    region_q  <= '{upper: upper_q, below: below_q, forced: forced_q, scale: scale_q};
  end

  // ---- 5: scaled, above max on top of maxp, and kept below 1 ----
  logic over;
  logic [ProductW-1:0] scaled;
  logic [24:0] onto, sum;
  always_comb begin
    scaled = product_q >> {region_q.scale, 3'b000};
    onto   = region_q.upper ? maxp : '0;
    sum    = {1'b0, scaled[23:0]} + onto;
    over   = sum[24] || |scaled[ProductW-1:24];
  end
  always_ff @(posedge clk_i) begin
    between_o[fifth] <= !region_q.below && !region_q.forced;
    forced_o[fifth]  <= !region_q.below && region_q.forced;
    // Written so that it becomes a set of the registers, not a gate before each.
    for (int s = 0; s < 2; s++) begin
      if (over && fifth == 1'(s)) probability_o[s] <= '1;
      else if (fifth == 1'(s)) probability_o[s] <= sum[23:0];
    end
  end

endmodule
