// SPDX-License-Identifier: BSD-3-Clause
// From an average to a probability: below min, forced, or a fraction of 2^24 in between (docs/red.md). One pipeline
// serves both slots in turn.
//
// Contract: in a cycle with turn t the average of slot t enters (`next_i`, and a cycle later `fraction_i`: -avg, bytes
// rounded down). Five cycles later `probability_o[t]` and the two region bits of slot t have changed. The words of the
// configuration are kept here, as `feed_i` brings them; those of another set count for what enters two cycles after it
// is in force. With LINUX, a slot of `linux_i` has `counted_i` in place of its slope, as it stands three cycles before
// the end: `reach_o` is then the average above min times that, 2^32 and more where it does not fit, of the slot whose
// turn it is not. `slope_o` is that of the slot whose turn it is.
module tm_red_curve
  import tm_pkg::*;
  import tm_arith_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter int unsigned COUNT_W = 15,   // bits of B
    parameter bit          LINUX   = 1'b0
) (
    input  logic                       clk_i,
    input  logic                       turn_i,
    input  logic     [ 1:0][COUNT_W:0] next_i,
    input  logic     [ 1:0]            fraction_i,
    // from the shared unit, with the words of a configuration: places of other parts of RED are not looked at
    // verilator lint_off UNUSEDSIGNAL
    input  red_ram_t                   feed_i,
    // from spacing: without LINUX nothing looks at these
    input  logic     [ 1:0]            linux_i,
    input  logic     [ 1:0][     31:0] counted_i,
    // verilator lint_on UNUSEDSIGNAL
    // to spacing
    output logic     [23:0]            slope_o,
    output logic     [32:0]            reach_o,
    output logic     [ 1:0]            between_o,
    output logic     [ 1:0]            forced_o,
    output logic     [ 1:0][     23:0] probability_o
);

  localparam int unsigned ProductW = COUNT_W + 24;

  // ---- the words, by set and slot ----
  logic second, third, fifth;  // whose turn it is there
  assign {second, third, fifth} = {!turn_i, turn_i, turn_i};

  logic word_slot, is_slot;
  logic [COUNT_W:0] minus_min, minus_max;  // thresholds as they are added: min two cycles after its turn, max one
  logic min_far, max_far, twice_far;  // beyond what B can count: never reached
  logic gentle;
  logic [1:0] slope_scale, gentle_scale;
  logic [BytesW-1:0] bytes;
  assign word_slot = !feed_i.word.place[4];
  assign is_slot   = feed_i.word_valid && feed_i.word.place[5];
  assign bytes     = feed_i.word.data[BytesW-1:0];

  // Read ahead, in block RAM: whose turn it is in two cycles is known. The words are sent to the set that is not in
  // force, but for those that clear both after a reset.
  logic still;
  logic [COUNT_W+1:0] min_found;
  logic [COUNT_W+2:0] max_found;
  logic [24:0] maxp_found;
  assign still = feed_i.word_valid && feed_i.word.bank == feed_i.bank;
  always_ff @(posedge clk_i) begin
    {min_far, minus_min}            <= min_found;
    {max_far, twice_far, minus_max} <= max_found;
  end

  tm_prim_ram #(
      .WIDTH(COUNT_W + 2),
      .DEPTH(4)
  ) mins (
      .clk_i,
      .wr_en_i  (is_slot && feed_i.word.place[3:0] == PlaceRedMin),
      .wr_addr_i({feed_i.word.bank, word_slot}),
      .wr_data_i({|(bytes >> COUNT_W), feed_i.word.minus[COUNT_W:0]}),
      .rd_en_i  (!still),
      .rd_addr_i({feed_i.bank, third}),
      .rd_data_o(min_found)
  );

  tm_prim_ram #(
      .WIDTH(COUNT_W + 3),
      .DEPTH(4)
  ) maxes (
      .clk_i,
      .wr_en_i  (is_slot && feed_i.word.place[3:0] == PlaceRedMax),
      .wr_addr_i({feed_i.word.bank, word_slot}),
      .wr_data_i({|(bytes >> COUNT_W), |(bytes >> (COUNT_W - 1)), feed_i.word.minus[COUNT_W:0]}),
      .rd_en_i  (!still),
      .rd_addr_i({feed_i.bank, second}),
      .rd_data_o(max_found)
  );

  tm_prim_lut_ram #(
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

  tm_prim_ram #(
      .WIDTH(25),
      .DEPTH(4)
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

  tm_prim_lut_ram #(
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

  // ---- 1: the slot whose turn it is; the complement of -avg is the average, but for its fraction ----
  logic [COUNT_W:0] average_q;
  always_ff @(posedge clk_i) average_q <= ~next_i[turn_i];

  // ---- 2: on which side of max it is, and of twice max ----
  logic [COUNT_W:0] average3_q, minus_max3_q, top;
  logic whole3_q, below_max, below_max_q, below_twice, below_twice_q;
  logic gentle_q;
  logic [1:0] slope_scale_q, gentle_scale_q;
  assign top = ~minus_max;  // max - 1
  assign below_max = is_before(wide_t'(average_q), wide_t'(top), fraction_i[second], COUNT_W + 1);
  assign below_twice = is_before(
      wide_t'(average_q), wide_t'({top[COUNT_W-1:0], 1'b1}), fraction_i[second], COUNT_W + 1
  );
  always_ff @(posedge clk_i) begin
    average3_q                                <= average_q;
    whole3_q                                  <= !fraction_i[second];
    minus_max3_q                              <= minus_max;
    below_max_q                               <= max_far || below_max;
    below_twice_q                             <= twice_far || below_twice;
    {gentle_q, slope_scale_q, gentle_scale_q} <= {gentle, slope_scale, gentle_scale};
  end

  // ---- 3: region, distance from the threshold below, slope ----
  logic [COUNT_W:0] above;
  logic [COUNT_W-1:0] above_q;
  logic [23:0] slope_q;
  logic upper_q, below_q, forced_q;
  logic [1:0] scale_q;
  assign upper = !below_max_q && gentle_q;
  assign above = average3_q + (upper ? minus_max3_q : minus_min) + (COUNT_W + 1)'(whole3_q);
  always_ff @(posedge clk_i) begin
    above_q  <= above[COUNT_W-1:0];
    slope_q  <= (LINUX && linux_i[third]) ? counted_i[third][23:0] : slope;
    scale_q  <= upper ? gentle_scale_q : slope_scale_q;
    upper_q  <= upper;
    below_q  <= !upper && (min_far || above[COUNT_W]);
    forced_q <= gentle_q ? !below_twice_q : !below_max_q;
  end

  // ---- 4: the product, in a register for each scale, all but one of them cleared; what is below it, likewise ----
  logic [ProductW-1:0] product;
  logic [3:0][ProductW-1:0] scaled_q;
  logic [24:0] onto_q;
  logic below5_q, forced5_q;
  assign product = above_q * slope_q;
  always_ff @(posedge clk_i) begin
    for (int k = 0; k < 4; k++) scaled_q[k] <= (scale_q == 2'(k)) ? product >> 8 * k : '0;
    onto_q                <= upper_q ? maxp_found : '0;
    {below5_q, forced5_q} <= {below_q, forced_q};
  end

  // ---- 5: scaled, above max on top of maxp, and kept below 1 ----
  logic over;
  logic [ProductW-1:0] scaled;
  logic [24:0] sum;
  always_comb begin
    scaled = scaled_q[0] | scaled_q[1] | scaled_q[2] | scaled_q[3];
    sum    = {1'b0, onto_q[23:0]} + {1'b0, scaled[23:0]};
    over   = sum[24] || onto_q[24] || |scaled[ProductW-1:24];
  end
  always_ff @(posedge clk_i) begin
    between_o[fifth] <= !below5_q && !forced5_q;
    forced_o[fifth]  <= !below5_q && forced5_q;
    // Written so that it becomes a set of the registers, not a gate before each.
    for (int s = 0; s < 2; s++) begin
      if (over && fifth == 1'(s)) probability_o[s] <= '1;
      else if (fifth == 1'(s)) probability_o[s] <= sum[23:0];
    end
  end

  // ---- 4, 5, as Linux counts: the eight bits above the multiplier's 24, which make it too much from 256 bytes on ----
  if (LINUX) begin : gen_linux
    logic [7:0] upper_counted_q;
    logic [1:0][11:0] upper_product_q;  // by four bits each
    logic far_q;
    logic [16:0] upper_product;
    logic [8:0] upper_sum;

    function automatic logic [11:0] times(logic [7:0] one, logic [3:0] other);
      logic [3:0][11:0] rows;
      for (int i = 0; i < 4; i++) rows[i] = other[i] ? 12'(one) << i : '0;
      return (rows[0] + rows[1]) + (rows[2] + rows[3]);
    endfunction

    assign upper_product = 17'(upper_product_q[0]) + {1'b0, upper_product_q[1], 4'b0};
    assign upper_sum     = {1'b0, scaled[31:24]} + {1'b0, upper_product[7:0]};
    always_ff @(posedge clk_i) begin
      upper_counted_q <= counted_i[third][31:24];
      for (int i = 0; i < 2; i++) upper_product_q[i] <= times(above_q[7:0], upper_counted_q[4*i+:4]);
      far_q <= upper_counted_q != '0 && above_q[COUNT_W-1:8] != '0;
      reach_o <= {
        far_q || upper_product[16:8] != '0 || upper_sum[8] || scaled[ProductW-1:32] != '0, upper_sum[7:0], scaled[23:0]
      };
    end
    assign slope_o = slope;
  end else begin : gen_no_linux
    assign {slope_o, reach_o} = '0;
  end

endmodule
