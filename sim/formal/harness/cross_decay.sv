// SPDX-License-Identifier: BSD-3-Clause
// The decay of an idle average next to its reference: everything enters in one cycle, the result leaves after thirteen.
//
// Contract: the twin takes its inputs in the cycles in which it asks for them. `reference_o` and `twin_o` belong to the
// inputs of thirteen cycles before; `valid_o` from then on. The weight is at most 24.
module cross_decay
  import tm_pkg::*;
#(
    parameter bit SUMS = 1'b0,  // prove that the parts of a product sum up to it, instead of assuming it
    localparam int unsigned CountW = 24
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic [StampW-1:0] elapsed_i,
    input  logic [      16:0] reciprocal_i,
    input  logic [       5:0] shift_i,
    input  logic [       4:0] weight_i,
    input  logic [      47:0] average_i,
    output logic              valid_o,
    output logic [      47:0] reference_o,
    output logic [      47:0] twin_o
);

  localparam int unsigned Depth = 13;
  localparam int unsigned Tables = 9;  // where the twin has what they say in registers

  // What entered, by the cycles since.
  logic [Depth-1:0][StampW-1:0] elapsed;
  logic [Depth-1:0][16:0] reciprocal;
  logic [Depth-1:0][5:0] shift;
  logic [Depth-1:0][4:0] weight;
  logic [Depth-1:0][47:0] average;
  logic [3:0] age_q;

  assign {elapsed[0], reciprocal[0], shift[0], weight[0], average[0]} = {
    elapsed_i, reciprocal_i, shift_i, weight_i, average_i
  };
  always_ff @(posedge clk_i) begin
    elapsed[Depth-1:1]    <= elapsed[Depth-2:0];
    reciprocal[Depth-1:1] <= reciprocal[Depth-2:0];
    shift[Depth-1:1]      <= shift[Depth-2:0];
    weight[Depth-1:1]     <= weight[Depth-2:0];
    average[Depth-1:1]    <= average[Depth-2:0];
    age_q                 <= rst_i ? '0 : (age_q == 4'd14) ? age_q : age_q + 4'd1;
  end

  // The reference of the case in each stage of the twin up to what the tables say.
  for (genvar k = 1; k <= Tables; k++) begin : gen_stage
    logic [47:0] next;
    spinal_red_decay reference (
        .io_average   (average[k]),
        .io_weight    (weight[k]),
        .io_elapsed   (elapsed[k]),
        .io_reciprocal(reciprocal[k]),
        .io_shift     (shift[k]),
        .io_next      (next)
    );
  end
  // From there on what it said is kept.
  typedef struct packed {
    logic [33:0] power;
    logic [65:0] kept;
    logic [31:0] halvings;
    logic [47:0] next;
  } said_t;
  said_t [Depth:Tables] said;
  assign said[Tables] = '{
          power: gen_stage[Tables].reference.power,
          kept: gen_stage[Tables].reference.kept,
          halvings: gen_stage[Tables].reference.halvings,
          next: gen_stage[Tables].next
      };
  always_ff @(posedge clk_i) said[Depth:Tables+1] <= said[Depth-1:Tables];

  tm_red_decay #(
      .COUNT_W(CountW)
  ) twin (
      .clk_i,
      .first_i  (1'b0),
      .linux_i  (1'b0),
      .elapsed_i,
      .reciprocal_i,
      .shift_i  (shift[2]),
      .weight_i (weight[4]),
      .average_i(average[10]),
      .decayed_o(twin_o)
  );

  assign reference_o = said[Depth].next;
  assign valid_o     = age_q == 4'd14;

  // ---- what the proof needs: the twin's registers, stage by stage, so that no step spans more than one of them ----
  initial age_q = '0;
  for (genvar k = 1; k < Depth; k++) begin : gen_weight
    always_comb if (age_q >= 4'(k)) Weight_A : assert (weight[k] <= 5'd24);
  end
  for (genvar k = 7; k < Depth; k++) begin : gen_halvings
    logic [5:0] halvings;
    logic gone;
    logic [31:0] wanted;
    if (k < Tables) begin : gen_worked_out
      assign wanted = gen_stage[k].reference.halvings;
    end else begin : gen_said
      assign wanted = said[k].halvings;
    end
    always_comb begin
      unique case (k)
        7: {halvings, gone} = {twin.halvings7_q, twin.gone7_q};
        8: {halvings, gone} = {twin.halvings8_q, twin.gone8_q};
        9: {halvings, gone} = {twin.halvings9_q, twin.gone9_q};
        10: {halvings, gone} = {twin.halvings10_q, twin.gone10_q};
        11: {halvings, gone} = {twin.halvings11_q, twin.gone11_q};
        default: {halvings, gone} = {wanted[5:4], twin.rest_q, twin.gone12_q};
      endcase
      if (age_q >= 4'(k)) begin
        Gone_A : assert (gone == (wanted >= 64 || weight[k] == 0));
        if (weight[k] != 0) Halvings_A : assert (halvings == wanted[5:0]);
      end
    end
  end
  for (genvar k = Tables; k < Depth; k++) begin : gen_next
    always_comb begin
      if (age_q >= 4'(k)) begin
        Next_A :
        assert (said[k].next == ((said[k].halvings >= 64 || weight[k] == 0) ? 48'd0
                                 : 48'(said[k].kept[65:16] >> said[k].halvings[5:0])));
        if (k <= 10) Product_A : assert (said[k].kept == average[k] * said[k].power[33:16]);
        Range_A : assert (!said[k].power[33] && !said[k].kept[65]);
      end
    end
  end

  // The twin takes its long products in parts: that they together are the product is arithmetic. At a weight of 1 it
  // takes half of what a tick takes from the exponent.
  logic [58:0] ticks;
  logic [48:0] fall;
  logic [47:0] half_fall;
  logic [65:0] kept;
  logic [StampW+16:0] coarse;
  logic [49:0] halved;
  logic [29:0] packets;
  logic [17:0] logarithm;
  logic [16:0] power;
  assign packets = gen_stage[5].reference.packets;
  assign logarithm = (weight[5] == 5'd1) ? 18'h20000 : gen_stage[5].reference.logarithm[17:0];
  assign power = said[10].power[32:16];
  assign ticks = 59'(35'(elapsed[1][17:0] * reciprocal[1])) + {35'(elapsed[1][35:18] * reciprocal[1]), 18'b0}
                 + {23'(elapsed[1][41:36] * reciprocal[1]), 36'b0};
  assign half_fall = 48'(35'(packets[16:0] * logarithm)) + {31'(packets[29:17] * logarithm), 17'b0};
  assign fall = (weight[5] == 5'd1) ? {half_fall, 1'b0} : 49'(half_fall);
  assign kept = 66'(35'(average[10][17:0] * power)) + {13'b0, 35'(average[10][35:18] * power), 18'b0}
                + {1'b0, 29'(average[10][47:36] * power), 36'b0};
  assign coarse = gen_stage[3].reference.ticks >> {shift[3][5:4], 4'b0000};
  assign halved = said[12].kept[65:16] >> {said[12].halvings[5:4], 4'b0000};

  logic ticks_sum, fall_sum, kept_sum, at_most;
  assign ticks_sum = gen_stage[1].reference.ticks == ticks;
  assign fall_sum  = gen_stage[5].reference.fall == fall;
  assign kept_sum  = average[10] * said[10].power[33:16] == kept || said[10].power[33];
  // Of two powers of at most 2^16 each, and of that and an average.
  assign at_most   = said[Tables].power <= 34'h100000000 && !said[Tables].kept[65];
  if (SUMS) begin : gen_proved
    always_comb begin
      TicksSum_A : assert (ticks_sum);
      FallSum_A : assert (fall_sum);
      KeptSum_A : assert (kept_sum);
      AtMost_A : assert (at_most);
    end
  end else begin : gen_assumed
    always_comb Sums_M : assume (ticks_sum && fall_sum && kept_sum && at_most);
  end

  always_comb begin
    Weight_M : assume (weight_i <= 5'd24);

    if (age_q >= 4'd1) begin
      TicksParts_A : assert (twin.passed == gen_stage[1].reference.ticks);
    end
    if (age_q >= 4'd2) Ticks_A : assert (twin.passed_q == gen_stage[2].reference.ticks);
    if (age_q >= 4'd3) begin
      Coarse_A : assert (twin.coarse_q == coarse[44:0] && twin.beyond_q == |coarse[58:45]);
      Shift_A : assert (twin.shift3_q == shift[3][3:0]);
    end
    if (age_q >= 4'd4) Packets_A : assert (twin.ticks_q == gen_stage[4].reference.packets);
    if (age_q >= 4'd5) begin
      Weight5_A : assert (twin.weight5_q == weight[5]);
      if (weight[5] != 0) begin
        FallParts_A : assert (49'(twin.fall_whole) << (weight[5] == 5'd1) == gen_stage[5].reference.fall);
      end
    end
    if (age_q >= 4'd6) begin
      Weight6_A : assert (twin.less6_q == ((weight[6] == 5'd1) ? '0 : weight[6]) && twin.never6_q == (weight[6] == 0));
      if (weight[6] != 0) Fall_A : assert (49'(twin.fall_q) << (weight[6] == 5'd1) == gen_stage[6].reference.fall);
    end
    if (age_q >= 4'd7 && weight[7] != 0) begin
      Places_A : assert ({twin.coarse_index_q, twin.fine_index_q} == gen_stage[7].reference.exponent[16:0]);
    end
    if (age_q >= 4'd8 && weight[8] != 0) begin
      Powers_A :
      assert ({twin.coarse_power, twin.fine_power} == {gen_stage[8].reference.coarse, gen_stage[8].reference.fine});
    end
    if (age_q >= 4'd9 && weight[9] != 0) begin
      PowersKept_A :
      assert ({twin.coarse_power_q, twin.fine_power_q}
              == {gen_stage[Tables].reference.coarse, gen_stage[Tables].reference.fine});
    end
    if (age_q >= 4'd10 && weight[10] != 0) Factor_A : assert (twin.factor_q == said[10].power);
    if (age_q >= 4'd11 && weight[11] != 0) begin
      KeptParts_A : assert (66'(twin.kept) == said[11].kept);
    end
    if (age_q >= 4'd12 && weight[12] != 0) Halved_A : assert (twin.halved_q == halved[48:0]);
    if (age_q >= 4'd13) Same_A : assert (twin_o == reference_o);
  end

endmodule
