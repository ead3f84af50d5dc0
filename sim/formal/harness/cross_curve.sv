// SPDX-License-Identifier: BSD-3-Clause
// RED's curve next to its reference: one average after the other through the twin's pipeline, slot 0 and 1 in turn.
//
// Contract: `average_i` is in bytes, rounded down; the configuration, the same for both slots, stands still.
// `reference_o` and `twin_o` are {between, forced, probability}, of the average of two cycles before; `valid_o` once
// that has entered. The probability is 0 where it says nothing.
module cross_curve
  import tm_pkg::*;
  import tm_red_pkg::*;
#(
    parameter int unsigned CountW = 23
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic [CountW-1:0] average_i,
    input  logic [BytesW-1:0] min_i,
    input  logic [BytesW-1:0] max_i,
    input  logic [      24:0] maxp_i,
    input  logic [      31:0] slope_i,
    input  logic [       1:0] slope_scale_i,
    input  logic              gentle_i,
    input  logic [      31:0] gentle_slope_i,
    input  logic [       1:0] gentle_scale_i,
    output logic              valid_o,
    output logic [      25:0] reference_o,
    output logic [      25:0] twin_o
);

  logic turn_q;
  logic [9:6][CountW-1:0] average_q;  // by the twin's stage
  logic [4:0] age_q;
  slot_t [LastStage:0] place;
  red_chance_t chance;
  red_word_t word;
  tm_regs_pkg::red_settings_reg_t fields;
  for (genvar k = 0; k <= LastStage; k++) begin : gen_place
    assign place[k] = slot_t'(turn_q ^ (k % 2 == 1));
  end

  // After a reset the words of the configuration go to the twin, one a cycle, for both slots.
  always_comb begin
    fields = '{
        gentle: gentle_i,
        slope_scale: slope_scale_i,
        gentle_scale: gentle_scale_i,
        spacing: Memoryless,
        default: '0
    };
    word = '0;
    word.place = {1'b1, age_q[0], 1'b0, age_q[3:1]};
    unique case (age_q[3:1])
      3'd0: word.data = 32'(fields);
      3'd1: word.data = 32'(min_i);
      3'd2: word.data = 32'(max_i);
      3'd3: word.data = 32'(maxp_i);
      3'd4: word.data = slope_i;
      default: word.data = gentle_slope_i;
    endcase
    word.minus = -word.data[$bits(word.minus)-1:0];
  end

  // The words go to the set that is in force, and nothing is read as long.
  tm_red_curve #(
      .PORTS  (1),
      .COUNT_W(CountW)
  ) twin (
      .clk_i,
      .place_i      (place),
      .word_valid_i (age_q < 5'd12),
      .word_i       (word),
      .bank_i       (1'b0),
      .may_move_i   (1'b0),
      .moves_i      (1'b0),
      .moves_place_i('0),
      .moves_slope_i('0),
      .adapted_i    ('0),
      .adapted_set_i('0),
      .weight_o     (),
      .linux_o      (),
      .by_packets_o (),
      .next_i       (average_i),
      .counted_i    ('0),
      .chance_o     (chance),
      .reach_o      ()
  );

  always_ff @(posedge clk_i) begin
    turn_q         <= !turn_q && !rst_i;
    average_q[9:7] <= {average_q[8:7], average_i};
    age_q          <= rst_i ? '0 : (age_q == 5'd31) ? age_q : age_q + 5'd1;
  end
  assign average_q[6] = average_i;

  // The reference of the average in each stage of the twin: the configuration stands still, so all say the same in
  // turn.
  for (genvar k = 6; k <= 9; k++) begin : gen_stage
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
    reference_o = {!gen_stage[9].below && !gen_stage[9].forced, gen_stage[9].forced, 24'b0};
    if (reference_o[25]) reference_o[23:0] = gen_stage[9].probability;
    twin_o = {chance.between, chance.forced, chance.over ? 24'hFFFFFF : chance.probability};
    if (!twin_o[25]) twin_o[23:0] = '0;
  end
  assign valid_o = age_q == 5'd31;

  // ---- what the proof needs: the twin's registers, stage by stage, so that no step spans more than one of them ----
  // What the reference says of a stage.
  logic [9:6] upper;
  logic [9:6][4:0] region;
  for (genvar k = 6; k <= 9; k++) begin : gen_region
    logic beyond;
    logic [47:0] product;
    assign upper[k]  = gen_stage[k].reference.steep && gentle_i;
    assign beyond    = gentle_i ? {max_i, 1'b0} <= 25'(average_q[k]) : gen_stage[k].reference.steep;
    assign product   = upper[k] ? gen_stage[k].reference.gentleProduct : gen_stage[k].reference.product;
    assign region[k] = {upper[k], gen_stage[k].below, beyond, upper[k] ? gentle_scale_i : slope_scale_i};
  end

  // The twin takes its product in parts: that they together are the product is arithmetic.
  logic [CountW-1:0] above;
  logic [23:0] slope;
  logic [47:0] sum;
  logic [CountW+23:0] low, high;
  localparam int unsigned PartW = (CountW < 18) ? 18 : 17;  // where tm_product splits
  assign above = CountW'(upper[7] ? gen_stage[7].reference.aboveMax : gen_stage[7].reference.aboveMin);
  assign slope = upper[7] ? gentle_slope_i[31:8] : slope_i[31:8];
  assign low   = (CountW + 24)'((CountW + PartW)'(slope[PartW-1:0] * above));
  assign high  = {(CountW + 24 - PartW)'(slope[23:PartW] * above), PartW'(0)};
  assign sum   = 48'((CountW + 24)'(low + high));

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
    if (age_q >= 5'd18) begin
      Bank_A : assert ({twin.banks_before_q, twin.bank_q} == '0);
    end
    if (age_q >= 5'd19) begin
      Found_A :
      assert (twin.min_found == min_word && twin.max_found == max_word && twin.slope_found == slope_i[31:8]
              && twin.gentle_found == gentle_slope_i[31:8] && twin.maxp_found == maxp_i);
    end
    if (age_q >= 5'd20) begin
      Read_A :
      assert ({twin.min_far, twin.minus_min} == min_word && {twin.max_far, twin.twice_far, twin.minus_max} == max_word
              && twin.slope6_q == slope_i[31:8] && twin.gentle_slope6_q == gentle_slope_i[31:8]);
    end
    Sum_M : assume (gen_region[7].product == sum || gen_stage[7].below);
    if (age_q >= 5'd25)
      Region_A : assert (twin.above_q == above && twin.slope_q == slope && twin.region7_q == region[7]);
    if (age_q >= 5'd26) begin
      Product_A : assert (48'(twin.product) == gen_region[8].product || gen_stage[8].below);
      Kept_A : assert (twin.region8_q == region[8]);
    end
    if (age_q >= 5'd27) begin
      Fourth_A :
      assert (chance.between == (region[9][3:2] == '0) && chance.forced == (region[9][3:2] == 2'b01)
              && twin.onto_q == (upper[9] ? maxp_i : '0));
    end
    if (age_q >= 5'd28) Same_A : assert (reference_o == twin_o);
  end

  for (genvar k = 1; k <= 6; k++) begin : gen_settings
    always_comb if (age_q >= 5'(18 + k)) Piped_A : assert ({twin.linux_q[k], twin.curve_q[k]} == {1'b0, settings});
  end

  always_comb begin
    if (age_q >= 5'd27 && !gen_stage[9].below)
      Scaled_A : assert (48'(twin.scaled_q) == gen_region[9].product >> {region[9][1:0], 3'b000});
  end

  // The words that have been brought stay: slot 1's first, then slot 0's.
  for (genvar s = 0; s < 2; s++) begin : gen_kept
    localparam logic [4:0] First = 5'(2 - s);  // the age from which on the first of six words is there
    always_comb begin
      if (age_q >= First) Settings_A : assert (twin.settings.words[s][5:0] == {1'b0, settings});
      if (age_q >= First + 5'd2) Min_A : assert (twin.mins.words[s] == min_word);
      if (age_q >= First + 5'd4) Max_A : assert (twin.maxes.words[s] == max_word);
      if (age_q >= First + 5'd6) Maxp_A : assert (twin.maxps.words[s] == maxp_i);
      if (age_q >= First + 5'd8) Slope_A : assert (twin.slopes.words[s] == slope_i[31:8]);
      if (age_q >= First + 5'd10) GentleSlope_A : assert (twin.gentle_slopes.words[s] == gentle_slope_i[31:8]);
    end
  end

endmodule
