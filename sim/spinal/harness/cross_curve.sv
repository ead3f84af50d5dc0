// SPDX-License-Identifier: BSD-3-Clause
// RED's curve beside its reference: one average after the other through the twin's pipeline, slot 0 and 1 in turn.
//
// Contract: `average_i` (bytes, rounded down, and whether a fraction was left) is that of slot `turn_o`; the configuration,
// the same for both slots, stands still. `reference_o` and `twin_o` are {between, forced, probability}, of the average of
// five cycles before; `valid_o` once that has entered. The probability is 0 where it says nothing. The reference counts in
// 2^-32 and takes whole slopes; the twin counts in 2^-24 and takes their upper 24 bits, which comes to the same.
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

  logic turn_q, below, reference_forced;
  logic fraction_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] reference_probability;
  // verilator lint_on UNUSEDSIGNAL
  logic [25:0] expected;
  logic [Depth-1:0][25:0] expected_q;
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

  spinal_red_curve reference (
      .io_config_min        (min_i),
      .io_config_max        (max_i),
      .io_config_maxp       (maxp_i),
      .io_config_slope      ({slope_i[31:8], 8'h00}),
      .io_config_slopeScale (slope_scale_i),
      .io_config_gentle     (gentle_i),
      .io_config_gentleSlope({gentle_slope_i[31:8], 8'h00}),
      .io_config_gentleScale(gentle_scale_i),
      .io_average           (24'(average_i)),
      .io_below             (below),
      .io_forced            (reference_forced),
      .io_probability       (reference_probability)
  );
  always_comb begin
    expected = {!below && !reference_forced, reference_forced, reference_probability[31:8]};
    if (!expected[25]) expected[23:0] = '0;
  end

  tm_red_curve #(
      .CountW(CountW)
  ) twin (
      .clk_i,
      .turn_i       (turn_q),
      .next_i       ({2{next}}),
      .fraction_i   ({2{fraction_q}}),
      .feed_i       (feed),
      .between_o    (between),
      .forced_o     (forced),
      .probability_o(probability)
  );

  always_ff @(posedge clk_i) begin
    turn_q     <= !turn_q && !rst_i;
    fraction_q <= fraction_i;
    expected_q <= {expected_q[Depth-2:0], expected};
    age_q      <= rst_i ? '0 : (age_q == 5'd24) ? age_q : age_q + 5'd1;
  end

  // What entered five cycles ago was of the slot whose turn it is not.
  assign reference_o = expected_q[Depth-1];
  logic slot;
  assign slot = !turn_q;
  always_comb begin
    twin_o = {between[slot], forced[slot], probability[slot]};
    if (!twin_o[25]) twin_o[23:0] = '0;
  end
  assign valid_o = age_q == 5'd24;

  logic [142:0] config_d, config_q;
  assign config_d = {min_i, max_i, maxp_i, slope_i, slope_scale_i, gentle_i, gentle_slope_i, gentle_scale_i};
  initial age_q = '0;
  always_ff @(posedge clk_i) begin
    config_q <= config_d;
    Steady_M : assume (age_q == 0 || config_d == config_q);
    Order_M : assume (min_i <= max_i);
    if (valid_o) Same_A : assert (reference_o == twin_o);
  end

endmodule
