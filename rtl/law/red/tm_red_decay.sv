// SPDX-License-Identifier: BSD-3-Clause
// What an idle time leaves of an average: avg * (1 - 2^-W)^m with m = (elapsed * idle_reciprocal) >> idle_shift, by
// the powers of two in two tables (docs/red-rules.md has the rule, bit for bit).
//
// Contract: a pipeline, one result a cycle. What enters in cycle 0 leaves in cycle 13; the average is asked for in
// cycle 10, as `average_i`, the weight in cycle 4, the shift in cycle 2. With LINUX it is one in every third cycle, the
// first of which `first_i` says, and where `linux_i` it follows Linux's rule (tm_red_decay_linux), which asks for the
// average in cycle 5.
module tm_red_decay
  import tm_pkg::*;
#(
    parameter  int unsigned COUNT_W  = 15,           // bits of B, and of 64 P
    parameter  bit          LINUX    = 1'b0,
    localparam int unsigned AverageW = COUNT_W + 24
) (
    input  logic                clk_i,
    // Without LINUX nothing looks at these two.
    // verilator lint_off UNUSEDSIGNAL
    input  logic                first_i,
    input  logic                linux_i,       // cycle 4
    // verilator lint_on UNUSEDSIGNAL
    // cycle 0
    input  logic [  StampW-1:0] elapsed_i,     // ns
    input  logic [        16:0] reciprocal_i,
    // cycle 2
    input  logic [         5:0] shift_i,
    // cycle 4
    input  logic [         4:0] weight_i,
    // cycle 10
    input  logic [AverageW-1:0] average_i,
    // cycle 13
    output logic [AverageW-1:0] decayed_o
);

  localparam int unsigned TicksW = 30;
  localparam int unsigned PassedW = StampW + 17;

  // Roots of 1/2, in 2^-60: their products stay far closer to the true powers than any is to a tie in 2^-16.
  localparam logic [63:0] CoarseRoot = 64'd1151361731965541101;  // 2^-(1/512)
  localparam logic [63:0] FineRoot = 64'd1152915407635889989;  // 2^-(1/2^17)

  // Both tables, in one block of memory: 2^(-h/512) at h, 2^(-l/2^17) at 512 + l, as fractions of 2^16.
  function automatic logic [767:0][16:0] powers();
    logic [127:0] fraction;
    for (int unsigned i = 0; i < 768; i++) begin
      if (i % 512 == 0) fraction = 128'(1) << 60;
      powers[i] = 17'((fraction + (128'(1) << 43)) >> 44);
      fraction  = (fraction * 128'(i < 512 ? CoarseRoot : FineRoot)) >> 60;
    end
  endfunction

  // -log2(1 - 2^-W) * 2^W as a fraction of 2^17: what a tick takes from the exponent; half of that where W is 1.
  function automatic logic [17:0] halving(logic [4:0] w);
    unique case (w)
      5'd1: return 18'd131072;
      5'd2: return 18'd217599;
      5'd3: return 18'd202003;
      5'd4: return 18'd195265;
      5'd5: return 18'd192115;
      5'd6: return 18'd190590;
      5'd7: return 18'd189839;
      5'd8: return 18'd189467;
      5'd9: return 18'd189282;
      5'd10: return 18'd189189;
      5'd11: return 18'd189143;
      5'd12: return 18'd189120;
      5'd13: return 18'd189108;
      5'd14: return 18'd189103;
      5'd15: return 18'd189100;
      5'd16, 5'd17: return 18'd189098;
      default: return 18'd189097;
    endcase
  endfunction

  // ---- 0, 1: elapsed * reciprocal ----
  logic [PassedW-1:0] passed, passed_q;
  logic [3:0] shift3_q;
  tm_product #(
      .LONG_W (StampW),
      .SHORT_W(17)
  ) passes (
      .clk_i,
      .long_i   (elapsed_i),
      .short_i  (reciprocal_i),
      .product_o(passed)
  );
  always_ff @(posedge clk_i) begin
    passed_q <= passed;
    shift3_q <= shift_i[3:0];
  end

  // ---- 2, 3: ticks, at most 2^30 - 1 ----
  logic [TicksW+14:0] coarse, coarse_q;
  logic coarse_beyond, beyond_q, fine_beyond;
  logic [TicksW-1:0] fine, ticks_q;

  tm_shift_right #(
      .WIDTH    (PassedW),
      .WIDTH_OUT(TicksW + 15),
      .AMOUNT_W (2),
      .UNIT     (4)
  ) by_sixteens (
      .data_i  (passed_q),
      .amount_i(shift_i[5:4]),
      .data_o  (coarse),
      .beyond_o(coarse_beyond)
  );

  tm_shift_right #(
      .WIDTH    (TicksW + 15),
      .WIDTH_OUT(TicksW),
      .AMOUNT_W (4)
  ) by_ones (
      .data_i  (coarse_q),
      .amount_i(shift3_q),
      .data_o  (fine),
      .beyond_o(fine_beyond)
  );

  always_ff @(posedge clk_i) begin
    coarse_q <= coarse;
    beyond_q <= coarse_beyond;
    ticks_q  <= (beyond_q || fine_beyond) ? '1 : fine;
  end

  // ---- 4, 5: what they take from the exponent; half of that at a weight of 1, which is shifted by one less ----
  logic [TicksW+17:0] fall_whole, fall_q;
  logic [4:0] weight5_q, less6_q;
  logic never6_q, gone7_q;
  tm_product #(
      .LONG_W (TicksW),
      .SHORT_W(18)
  ) falls (
      .clk_i,
      .long_i   (ticks_q),
      .short_i  (halving(weight_i)),
      .product_o(fall_whole)
  );
  always_ff @(posedge clk_i) begin
    fall_q    <= fall_whole;
    weight5_q <= weight_i;
    less6_q   <= (weight5_q == 5'd1) ? '0 : weight5_q;
    never6_q  <= weight5_q == '0;
  end

  // ---- 6, 7: whole powers of two, and the fraction in the two tables ----
  logic [29:0] fall_coarse;
  logic [22:0] fall;
  logic fall_far, fall_beyond;
  logic [5:0] halvings7_q, halvings8_q, halvings9_q, halvings10_q, halvings11_q;
  logic gone8_q, gone9_q, gone10_q, gone11_q;
  logic [8:0] coarse_index_q;
  logic [7:0] fine_index_q;
  logic [16:0] coarse_power, fine_power;

  tm_shift_right #(
      .WIDTH    (TicksW + 18),
      .WIDTH_OUT(30),
      .AMOUNT_W (2),
      .UNIT     (3)
  ) by_eights (
      .data_i  (fall_q),
      .amount_i(less6_q[4:3]),
      .data_o  (fall_coarse),
      .beyond_o(fall_far)
  );

  tm_shift_right #(
      .WIDTH    (30),
      .WIDTH_OUT(23),
      .AMOUNT_W (3)
  ) by_the_rest (
      .data_i  (fall_coarse),
      .amount_i(less6_q[2:0]),
      .data_o  (fall),
      .beyond_o(fall_beyond)
  );

  always_ff @(posedge clk_i) begin
    {halvings7_q, coarse_index_q, fine_index_q}            <= fall;
    gone7_q                                                <= fall_far || fall_beyond || never6_q;
    {halvings8_q, halvings9_q, halvings10_q, halvings11_q} <= {halvings7_q, halvings8_q, halvings9_q, halvings10_q};
    {gone8_q, gone9_q, gone10_q, gone11_q}                 <= {gone7_q, gone8_q, gone9_q, gone10_q};
  end

  tm_prim_rom #(
      .WIDTH(17),
      .DEPTH(768),
      .PORTS(2),
      .WORDS(powers())
  ) both (
      .clk_i,
      .rd_en_i  (2'b11),
      .rd_addr_i({1'b0, coarse_index_q, 2'b10, fine_index_q}),
      .rd_data_o({coarse_power, fine_power})
  );

  // ---- 8: out of the memory into registers, for a multiplier takes most of a cycle; 9, 10: the average by both ----
  // The rule drops the low bits of both products.
  // verilator lint_off UNUSEDSIGNAL
  logic [33:0] factor_q;
  logic [AverageW+16:0] kept;
  // verilator lint_on UNUSEDSIGNAL
  logic [16:0] coarse_power_q, fine_power_q;
  tm_product #(
      .LONG_W (AverageW),
      .SHORT_W(17)
  ) keeps (
      .clk_i,
      .long_i   (average_i),
      .short_i  (factor_q[32:16]),
      .product_o(kept)
  );
  always_ff @(posedge clk_i) begin
    {coarse_power_q, fine_power_q} <= {coarse_power, fine_power};
    factor_q <= coarse_power_q * fine_power_q;
  end

  // ---- 11, 12: halved ----
  logic [AverageW:0] halved, halved_q;
  logic [AverageW-1:0] decayed, decayed_q;
  logic [3:0] rest_q;
  logic gone12_q;

  // Nothing is beyond: an average times less than one.
  // verilator lint_off PINCONNECTEMPTY
  tm_shift_right #(
      .WIDTH    (AverageW + 1),
      .WIDTH_OUT(AverageW + 1),
      .AMOUNT_W (2),
      .UNIT     (4)
  ) halve_by_sixteens (
      .data_i  (kept[AverageW+16:16]),
      .amount_i(halvings11_q[5:4]),
      .data_o  (halved),
      .beyond_o()
  );

  tm_shift_right #(
      .WIDTH    (AverageW + 1),
      .WIDTH_OUT(AverageW),
      .AMOUNT_W (4)
  ) halve_by_ones (
      .data_i  (halved_q),
      .amount_i(rest_q),
      .data_o  (decayed),
      .beyond_o()
  );
  // verilator lint_on PINCONNECTEMPTY

  always_ff @(posedge clk_i) begin
    halved_q  <= halved;
    rest_q    <= halvings11_q[3:0];
    gone12_q  <= gone11_q;
    decayed_q <= gone12_q ? '0 : decayed;
  end

  if (LINUX) begin : gen_linux
    logic linux5_q, linux8_q, linux11_q, second_q;
    logic [AverageW-1:0] decayed_linux;
    tm_red_decay_linux #(
        .COUNT_W(COUNT_W)
    ) by_table (
        .clk_i,
        .first_i,
        .elapsed_i,
        .reciprocal_i,
        .shift_i,
        .weight_i,
        .average_i,
        .decayed_o(decayed_linux)
    );
    always_ff @(posedge clk_i) begin
      second_q <= first_i;
      if (second_q) {linux5_q, linux8_q, linux11_q} <= {linux_i, linux5_q, linux8_q};
    end
    assign decayed_o = linux11_q ? decayed_linux : decayed_q;
  end else begin : gen_no_linux
    assign decayed_o = decayed_q;
  end

endmodule
