// SPDX-License-Identifier: BSD-3-Clause
// RED's curve beside its reference: one average after the other through the twin's pipeline, slot 0 and 1 in turn.
//
// Contract: `average_i` (bytes, rounded down, and whether a fraction was left) is that of slot `turn_o`; the
// configuration, the same for both slots, stands still. `reference_o` and `twin_o` are {between, forced, probability},
// of the average of five cycles before; `valid_o` once that has entered. The probability is 0 where it says nothing.
module cross_curve
  import tm_pkg::*;
#(
    parameter int unsigned CountW = 23
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic [CountW-1:0] average_i,
    input  logic              fraction_i,
    input  logic [BytesW-1:0] min_i,
    input  logic [BytesW-1:0] max_i,
    input  logic [      24:0] maxp_i,
    input  logic [      31:0] slope_i,
    input  logic [       1:0] slope_scale_i,
    input  logic              gentle_i,
    input  logic [      31:0] gentle_slope_i,
    input  logic [       1:0] gentle_scale_i,
    output logic              turn_o,
    output logic              valid_o,
    output logic [      25:0] reference_o,
    output logic [      25:0] twin_o
);

  localparam int unsigned Depth = 5;

  logic turn_q, fraction_q;
  logic [Depth-1:1][CountW-1:0] average_q;  // by the cycles since it entered
  logic [25:0] expected, expected_q;
  logic [4:0] age_q;
  logic [CountW:0] next;
  logic [1:0] between, forced;
  logic [1:0][23:0] probability;
  red_ram_t feed;

  assign turn_o = turn_q;
  // Of -avg the bytes, rounded down: one less than -bytes where a fraction is left.
  assign next   = ~{1'b0, average_i} + {{CountW{1'b0}}, !fraction_i};

  // After a reset the words of the configuration go to the twin, one a cycle, for both slots.
  always_comb begin
    feed            = '0;
    feed.word_valid = age_q < 5'd12;
    feed.word_slope = 1'b1;
    feed.word.place = {1'b1, age_q[0], 1'b0, age_q[3:1]};
    unique case (age_q[3:1])
      3'd0:
      feed.word.data = 32'(gentle_i) << RedGentle | 32'(slope_scale_i) << RedSlopeScale |
                                32'(gentle_scale_i) << RedGentleScale;
      3'd1: feed.word.data = 32'(min_i);
      3'd2: feed.word.data = 32'(max_i);
      3'd3: feed.word.data = 32'(maxp_i);
      3'd4: feed.word.data = slope_i;
      default: feed.word.data = gentle_slope_i;
    endcase
    feed.word.minus = -feed.word.data[$bits(feed.word.minus)-1:0];
    feed.slope      = feed.word.data[31:8];
  end

  tm_red_curve #(
      .COUNT_W(CountW)
  ) twin (
      .clk_i,
      .turn_i       (turn_q),
      .next_i       ({2{next}}),
      .fraction_i   ({2{fraction_q}}),
      .feed_i       (feed),
      .linux_i      ('0),
      .counted_i    ('0),
      .slope_o      (),
      .reach_o      (),
      .between_o    (between),
      .forced_o     (forced),
      .probability_o(probability)
  );

  always_ff @(posedge clk_i) begin
    turn_q     <= !turn_q && !rst_i;
    fraction_q <= fraction_i;
    expected_q <= expected;
    average_q  <= {average_q[Depth-2:1], average_i};
    age_q      <= rst_i ? '0 : (age_q == 5'd24) ? age_q : age_q + 5'd1;
  end

  // The reference of the average in each stage of the twin: the configuration stands still, so all say the same in
  // turn.
  for (genvar k = 2; k < Depth; k++) begin : gen_stage
    logic below, forced;
    logic [23:0] probability;
    spinal_red_curve reference (
        .io_config_min        (min_i),
        .io_config_max        (max_i),
        .io_config_maxp       (maxp_i),
        .io_config_slope      (slope_i),
        .io_config_slopeScale (slope_scale_i),
        .io_config_gentle     (gentle_i),
        .io_config_gentleSlope(gentle_slope_i),
        .io_config_gentleScale(gentle_scale_i),
        .io_average           (24'(average_q[k])),
        .io_below             (below),
        .io_forced            (forced),
        .io_probability       (probability)
    );
  end
  always_comb begin
    expected = {!gen_stage[Depth-1].below && !gen_stage[Depth-1].forced, gen_stage[Depth-1].forced, 24'b0};
    if (expected[25]) expected[23:0] = gen_stage[Depth-1].probability;
  end

  // What entered five cycles ago was of the slot whose turn it is not.
  logic slot;
  assign slot = !turn_q;
  always_comb begin
    twin_o = {between[slot], forced[slot], probability[slot]};
    if (!twin_o[25]) twin_o[23:0] = '0;
  end
  assign reference_o = expected_q;
  assign valid_o     = age_q == 5'd24;

  // ---- what the proof needs: the twin's registers, stage by stage, so that no step spans more than one of them ----
  // What the reference says of a stage.
  logic [Depth-1:2] upper;
  logic [Depth-1:2][4:0] region;
  for (genvar k = 2; k < Depth; k++) begin : gen_region
    logic beyond;
    assign upper[k]  = gen_stage[k].reference.steep && gentle_i;
    assign beyond    = gentle_i ? {max_i, 1'b0} <= 25'(average_q[k]) : gen_stage[k].reference.steep;
    assign region[k] = {upper[k], gen_stage[k].below, beyond, upper[k] ? gentle_scale_i : slope_scale_i};
  end

  logic [BytesW:0] minus_min, minus_max;
  logic [4:0] settings;
  logic [CountW+1:0] min_word;
  logic [CountW+2:0] max_word;
  assign minus_min = -{1'b0, min_i};
  assign minus_max = -{1'b0, max_i};
  assign settings  = {gentle_i, slope_scale_i, gentle_scale_i};
  assign min_word  = {|(min_i >> CountW), minus_min[CountW:0]};
  assign max_word  = {|(max_i >> CountW), |(max_i >> (CountW - 1)), minus_max[CountW:0]};

  logic [142:0] config_d, config_q;
  assign config_d = {min_i, max_i, maxp_i, slope_i, slope_scale_i, gentle_i, gentle_slope_i, gentle_scale_i};
  initial age_q = '0;
  always_ff @(posedge clk_i) config_q <= config_d;
  always_comb begin
    Steady_M : assume (age_q == 0 || config_d == config_q);
    // A commit refuses what is not so.
    Order_M : assume (min_i <= max_i);
    Maxp_M : assume (maxp_i <= 25'h1000000);
    Age_A : assert (age_q <= 5'd24);
    if (age_q >= 5'd13) begin
      Found_A : assert (twin.min_found == min_word && twin.max_found == max_word && twin.maxp_found == maxp_i);
    end
    if (age_q >= 5'd14) begin
      Next_A : assert (twin.average_q == {1'b0, average_q[1]} - (CountW + 1)'(!fraction_q));
      Read_A :
      assert ({twin.min_far, twin.minus_min} == min_word && {twin.max_far, twin.twice_far, twin.minus_max} == max_word);
    end
    if (age_q >= 5'd15) begin
      Above_A :
      assert (twin.average3_q + (CountW + 1)'(twin.whole3_q) == {1'b0, average_q[2]}
              && twin.minus_max3_q == minus_max[CountW:0] && twin.below_max_q == !gen_stage[2].reference.steep
              && twin.below_twice_q == (25'(average_q[2]) < {max_i, 1'b0})
              && {twin.gentle_q, twin.slope_scale_q, twin.gentle_scale_q} == settings);
    end
    if (age_q >= 5'd16) begin
      Region_A :
      assert (twin.above_q == CountW'(upper[3] ? gen_stage[3].reference.aboveMax : gen_stage[3].reference.aboveMin)
              && twin.slope_q == (upper[3] ? gentle_slope_i[31:8] : slope_i[31:8])
              && {twin.upper_q, twin.below_q, twin.forced_q, twin.scale_q} == region[3]);
    end
    if (age_q >= 5'd17) begin
      Fourth_A : assert ({twin.below5_q, twin.forced5_q} == region[4][3:2] && twin.onto_q == (upper[4] ? maxp_i : '0));
    end
    if (age_q >= 5'd18) Same_A : assert (reference_o == twin_o);
  end

  // The product stands in the register of its scale.
  for (genvar k = 0; k < 4; k++) begin : gen_scale
    logic [47:0] shown;
    assign shown = 48'(twin.scaled_q[k]);
    always_comb begin
      if (age_q >= 5'd17) begin
        if (region[4][1:0] != 2'(k))
          Cleared_A :
          assert (shown == '0);
          else if (upper[4])
            GentleProduct_A :
            assert (shown == gen_stage[4].reference.gentleProduct >> 8 * k);
            else if (!gen_stage[4].below) Product_A : assert (shown == gen_stage[4].reference.product >> 8 * k);
      end
    end
  end

  // The words that have been brought stay: slot 1's first, then slot 0's.
  for (genvar s = 0; s < 2; s++) begin : gen_kept
    localparam logic [4:0] First = 5'(2 - s);  // the age from which on the first of six words is there
    always_comb begin
      if (age_q >= First) Settings_A : assert (twin.settings.words[s] == settings);
      if (age_q >= First + 5'd2) Min_A : assert (twin.mins.words[s] == min_word);
      if (age_q >= First + 5'd4) Max_A : assert (twin.maxes.words[s] == max_word);
      if (age_q >= First + 5'd6) Maxp_A : assert (twin.maxps.words[s] == maxp_i);
      if (age_q >= First + 5'd8) Slope_A : assert (twin.slopes.words[s] == slope_i[31:8]);
      if (age_q >= First + 5'd10) GentleSlope_A : assert (twin.slopes.words[2+s] == gentle_slope_i[31:8]);
    end
  end

endmodule
