// SPDX-License-Identifier: BSD-3-Clause
// From an average to a probability: below min, forced, or a fraction of 2^24 in between (docs/red-rules.md), one law
// slot in each cycle. The words that this takes, and the weights, stand here in two sets.
//
// Contract: a pipeline; a stage is a cycle, and the slot begins in stage 0. The probability and the region of its
// average, `next_i`, are there in stage 9 (`chance_o`), for the slot of `place_i[9]`. Words of another set count for
// the slots that begin from the cycle after it is in force. With LINUX, a slot of that spacing has `counted_i`, R * c,
// in place of its slope: `reach_o`, a stage later, is the average above min times that, 2^32 and more where it does not
// fit. `chance_o.slope` is its R.
module tm_red_curve
  import tm_pkg::*;
  import tm_red_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter int unsigned PORTS   = 5,    // 1 to 8
    parameter int unsigned COUNT_W = 15,   // bits of B, and of 64 P
    parameter bit          LINUX   = 1'b0
) (
    input  logic                                 clk_i,
    // Some stages look at no place.
    // verilator lint_off UNUSEDSIGNAL
    input  slot_t       [LastStage:0]            place_i,
    // verilator lint_on UNUSEDSIGNAL
    // config
    input  logic        [  PORTS-1:0]            word_valid_i,
    // Places of other parts of RED are not looked at.
    // verilator lint_off UNUSEDSIGNAL
    input  red_word_t                            word_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic        [  PORTS-1:0]            bank_i,
    // from ARED: a word that meets a slope that may move is shown again in the next cycle
    input  logic                                 may_move_i,
    input  logic                                 moves_i,
    input  slot_t                                moves_place_i,  // a cycle before, too
    input  logic        [       23:0]            moves_slope_i,
    input  logic        [  PORTS-1:0][1:0]       adapted_i,
    input  logic        [  PORTS-1:0][1:0]       adapted_set_i,
    // from and to the average: stage 1, stage 6
    output logic        [        4:0]            weight_o,
    output logic                                 linux_o,
    output logic                                 by_packets_o,
    input  logic        [COUNT_W-1:0]            next_i,
    // from the ports: without LINUX nothing looks at it
    // verilator lint_off UNUSEDSIGNAL
    input  logic        [  PORTS-1:0][1:0][31:0] counted_i,
    // verilator lint_on UNUSEDSIGNAL
    // to the ports
    output red_chance_t                          chance_o,
    output logic        [       32:0]            reach_o
);

  localparam int unsigned ProductW = COUNT_W + 24;

  // ---- the words, by set and slot ----
  logic [2:0] port;
  logic word_slot, is_slot, still;
  logic [3:0] kind;
  logic [7:0] banks_before_q;  // as they were a cycle ago
  logic [15:0] adapted, adapted_set;
  logic moves_set_q;
  logic [BytesW-1:0] bytes;
  // If the word is RED_SETTINGS; spacings except Linux's, and ARED, are not this module's.
  // verilator lint_off UNUSEDSIGNAL
  red_settings_reg_t fields;
  // verilator lint_on UNUSEDSIGNAL
  assign fields      = word_i.data[$bits(fields)-1:0];
  assign adapted     = 16'(adapted_i);
  assign adapted_set = 16'(adapted_set_i);
  assign word_slot   = !word_i.place[4];
  assign is_slot     = word_valid_i != '0 && word_i.place[5];
  assign kind        = word_i.place[3:0];
  assign bytes       = word_i.data[BytesW-1:0];
  always_comb begin
    port = '0;
    for (int unsigned p = 0; p < PORTS; p++) if (word_valid_i[p]) port = port | 3'(p);
  end
  // While the words are cleared after a reset, nothing is read: they may be those in force.
  assign still = (word_valid_i & ~(bank_i ^{PORTS{word_i.bank}})) != '0;

  logic [4:0] to, from;  // a set of words of a slot
  logic bank;  // in stage 0
  logic [7:1] bank_q;  // and after
  assign bank = banks_before_q[place_i[0][3:1]];
  assign to   = {word_i.bank, port, word_slot};
  assign from = {bank_q[4], place_i[4]};

  logic [4:0] weight;
  logic linux, by_packets, gentle;
  logic [1:0] slope_scale, gentle_scale;
  tm_prim_lut_ram #(
      .WIDTH(12),
      .DEPTH(32)
  ) settings (
      .clk_i,
      .wr_en_i(is_slot && kind == PlaceRedSettings),
      .wr_addr_i(to),
      .wr_data_i({
        {fields.weight, fields.packets, LINUX && fields.spacing == Linux, fields.gentle, fields.slope_scale},
        fields.gentle_scale
      }),
      .rd_addr_i({bank, place_i[0]}),
      .rd_data_o({weight, by_packets, linux, gentle, slope_scale, gentle_scale})
  );

  logic [COUNT_W+1:0] min_found;
  logic [COUNT_W+2:0] max_found;
  logic [23:0] slope_found, gentle_found;
  logic [24:0] maxp_found;

  tm_prim_ram #(
      .WIDTH(COUNT_W + 2),
      .DEPTH(32)
  ) mins (
      .clk_i,
      .wr_en_i  (is_slot && kind == PlaceRedMin),
      .wr_addr_i(to),
      .wr_data_i({|(bytes >> COUNT_W), word_i.minus[COUNT_W:0]}),
      .rd_en_i  (!still),
      .rd_addr_i(from),
      .rd_data_o(min_found)
  );

  tm_prim_ram #(
      .WIDTH(COUNT_W + 3),
      .DEPTH(32)
  ) maxes (
      .clk_i,
      .wr_en_i  (is_slot && kind == PlaceRedMax),
      .wr_addr_i(to),
      .wr_data_i({|(bytes >> COUNT_W), |(bytes >> (COUNT_W - 1)), word_i.minus[COUNT_W:0]}),
      .rd_en_i  (!still),
      .rd_addr_i(from),
      .rd_data_o(max_found)
  );

  // Slopes below max of both sets; then those of ARED: it moves one next to the one in force.
  tm_prim_ram #(
      .WIDTH(24),
      .DEPTH(64)
  ) slopes (
      .clk_i,
      .wr_en_i  (may_move_i ? moves_i : is_slot && kind == PlaceRedSlope),
      .wr_addr_i(may_move_i ? {1'b1, !moves_set_q, moves_place_i} : {1'b0, to}),
      .wr_data_i(may_move_i ? moves_slope_i : word_i.data[31:8]),
      .rd_en_i  (!still),
      .rd_addr_i(adapted[place_i[4]] ? {1'b1, adapted_set[place_i[4]], place_i[4]} : {1'b0, from}),
      .rd_data_o(slope_found)
  );

  tm_prim_ram #(
      .WIDTH(24),
      .DEPTH(32)
  ) gentle_slopes (
      .clk_i,
      .wr_en_i  (is_slot && kind == PlaceRedGentleSlope),
      .wr_addr_i(to),
      .wr_data_i(word_i.data[31:8]),
      .rd_en_i  (!still),
      .rd_addr_i(from),
      .rd_data_o(gentle_found)
  );

  tm_prim_ram #(
      .WIDTH(25),
      .DEPTH(32)
  ) maxps (
      .clk_i,
      .wr_en_i  (is_slot && kind == PlaceRedMaxp),
      .wr_addr_i(to),
      .wr_data_i(word_i.data[24:0]),
      .rd_en_i  (!still),
      .rd_addr_i({bank_q[7], place_i[7]}),
      .rd_data_o(maxp_found)
  );

  logic [COUNT_W:0] minus_min, minus_max;
  logic min_far, max_far, twice_far;  // beyond what a queue can count: never reached
  logic [23:0] slope6_q, gentle_slope6_q;
  // Without LINUX nothing looks at the last.
  // verilator lint_off UNUSEDSIGNAL
  logic [6:1] linux_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [6:1][4:0] curve_q;
  assign linux_o = linux_q[1];
  always_ff @(posedge clk_i) begin
    moves_set_q                     <= adapted_set[moves_place_i];
    banks_before_q                  <= 8'(bank_i);
    bank_q                          <= {bank_q[6:1], bank};
    {min_far, minus_min}            <= min_found;
    {max_far, twice_far, minus_max} <= max_found;
    {slope6_q, gentle_slope6_q}     <= {slope_found, gentle_found};
    {weight_o, by_packets_o}        <= {weight, by_packets};
    linux_q                         <= {linux_q[5:1], linux};
    curve_q                         <= {curve_q[5:1], {gentle, slope_scale, gentle_scale}};
  end

  // ---- 6: region, distance from the threshold below, slope ----
  typedef struct packed {
    logic       upper;
    logic       below;
    logic       forced;
    logic [1:0] scale;
  } region_t;

  logic gentle6, upper, reached, reached_twice;
  logic [1:0] slope_scale6, gentle_scale6;
  logic [COUNT_W:0] above_min, above_max, above_twice;
  logic [COUNT_W-1:0] above_q;
  logic [23:0] slope, slope_q, rise7_q, rise8_q;
  region_t region7_q, region8_q;
  assign {gentle6, slope_scale6, gentle_scale6} = curve_q[6];
  assign above_min                              = {1'b0, next_i} + minus_min;
  assign above_max                              = {1'b0, next_i} + minus_max;
  assign above_twice                            = {1'b0, next_i} + {minus_max[COUNT_W-1:0], 1'b0};
  assign reached                                = !max_far && !above_max[COUNT_W];
  assign reached_twice                          = !twice_far && !above_twice[COUNT_W];
  assign upper                                  = reached && gentle6;
  always_ff @(posedge clk_i) begin
    above_q <= upper ? above_max[COUNT_W-1:0] : above_min[COUNT_W-1:0];
    slope_q <= upper ? gentle_slope6_q : slope;
    region7_q <= '{
        upper: upper,
        below: !upper && (min_far || above_min[COUNT_W]),
        forced: gentle6 ? reached_twice : reached,
        scale: upper ? gentle_scale6 : slope_scale6
    };
    {region8_q, rise8_q, rise7_q} <= {region7_q, rise7_q, slope6_q};
  end

  // ---- 7, 8: the product, scaled, and what is below it ----
  logic [ProductW-1:0] product;
  logic [ProductW-1:0] scaled_q;
  logic [24:0] onto_q;
  tm_product #(
      .LONG_W (24),
      .SHORT_W(COUNT_W)
  ) rises (
      .clk_i,
      .long_i   (slope_q),
      .short_i  (above_q),
      .product_o(product)
  );
  always_ff @(posedge clk_i) begin
    scaled_q         <= product >> {region8_q.scale, 3'b000};
    onto_q           <= region8_q.upper ? maxp_found : '0;
    chance_o.between <= !region8_q.below && !region8_q.forced;
    chance_o.forced  <= !region8_q.below && region8_q.forced;
    chance_o.slope   <= LINUX ? rise8_q : '0;
  end

  // ---- 9: above max on top of maxp, and kept below 1 ----
  logic [24:0] sum;
  always_comb begin
    sum                  = {1'b0, onto_q[23:0]} + {1'b0, scaled_q[23:0]};
    chance_o.over        = sum[24] || onto_q[24] || |scaled_q[ProductW-1:24];
    chance_o.probability = sum[23:0];
  end

  // ---- as Linux counts: the eight bits above the multiplier's 24, which make it too much from 256 bytes on ----
  if (LINUX) begin : gen_linux
    logic [PORTS-1:0][1:0][31:0] counted_q;
    logic [31:0] counted;
    logic [7:0] upper_counted_q;
    logic [1:0][11:0] upper_parts_q;  // by four bits each
    logic far8_q, far9_q;
    logic [16:0] upper_product_q;
    logic [ 8:0] upper_sum;

    function automatic logic [11:0] times(logic [7:0] one, logic [3:0] other);
      logic [3:0][11:0] rows;
      for (int i = 0; i < 4; i++) rows[i] = other[i] ? 12'(one) << i : '0;
      return (rows[0] + rows[1]) + (rows[2] + rows[3]);
    endfunction

    // Of all slots but the one in stage 6 the registers are cleared: an OR of them is what was chosen.
    always_comb begin
      counted = '0;
      for (int p = 0; p < PORTS; p++) counted = counted | counted_q[p][0] | counted_q[p][1];
    end
    assign slope     = linux_q[6] ? counted[23:0] : slope6_q;
    assign upper_sum = {1'b0, scaled_q[31:24]} + {1'b0, upper_product_q[7:0]};
    always_ff @(posedge clk_i) begin
      for (int p = 0; p < PORTS; p++) begin
        for (int s = 0; s < 2; s++) begin
          counted_q[p][s] <= (place_i[5] == slot_t'(2 * p + s)) ? counted_i[p][s] : '0;
        end
      end
      upper_counted_q <= counted[31:24];
      for (int i = 0; i < 2; i++) upper_parts_q[i] <= times(above_q[7:0], upper_counted_q[4*i+:4]);
      upper_product_q <= 17'(upper_parts_q[0]) + {1'b0, upper_parts_q[1], 4'b0};
      {far8_q, far9_q} <= {upper_counted_q != '0 && above_q[COUNT_W-1:8] != '0, far8_q};
      reach_o[32] <= far9_q || upper_product_q[16:8] != '0 || upper_sum[8] || scaled_q[ProductW-1:32] != '0;
      reach_o[31:0] <= {upper_sum[7:0], scaled_q[23:0]};
    end
  end else begin : gen_no_linux
    assign slope   = slope6_q;
    assign reach_o = '0;
  end

endmodule
