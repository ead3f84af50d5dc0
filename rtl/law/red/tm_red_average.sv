// SPDX-License-Identifier: BSD-3-Clause
// The average of one law slot: avg := avg + floor((B - avg) / 2^W) at every step, one per cycle, exact (docs/red.md).
//
// Contract: `step_i` and `reset_i` belong to the cycle whose B is `bytes_i` and act one cycle later. What is kept is
// -avg: the difference to B is then one addition of bytes, and its fraction needs none. `next_o` and `fraction_o` say
// what a step with the `bytes_i` of the cycle before would make of -avg, whether or not there was one: bytes rounded
// down in this cycle, and in the next whether a fraction is left. `decay_i` is taken off -avg in a cycle that follows
// no step. With LINUX, while `linux_i`, avg := avg + (B - floor(avg)) / 2^W instead, but for a step with `idle_i`: the
// queue held nothing, and the average stays.
`include "tm_assert.svh"

module tm_red_average #(
    parameter  int unsigned COUNT_W = 15,           // bits of B
    parameter  bit          LINUX   = 1'b0,
    localparam int unsigned MinusW  = COUNT_W + 25  // sign, bytes, 24 bits of fraction
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic [COUNT_W-1:0] bytes_i,
    input  logic               step_i,
    input  logic               reset_i,
    // Without LINUX nothing looks at these two.
    // verilator lint_off UNUSEDSIGNAL
    input  logic               idle_i,
    // config
    input  logic               linux_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic [        4:0] weight_i,
    // from the shared unit
    input  logic               decay_valid_i,
    input  logic [ MinusW-1:0] decay_i,
    // state
    output logic [ MinusW-1:0] minus_o,
    output logic [  COUNT_W:0] next_o,
    output logic               fraction_o
);

  logic step_q, reset_q, change;
  logic signed [MinusW-1:0] minus_q;  // -avg
  logic [COUNT_W:0] distance_q;  // B - avg in bytes; its fraction is that of -avg
  logic signed [MinusW-1:0] distance, step_part, part, moved;
  // Kept, so that a multiplexer of four stays one: mapping spreads a plain shift over half as much again.
  (* keep *) logic signed [MinusW-1:0] by_ones, by_fours;

  assign change    = step_q || decay_valid_i;
  assign by_ones   = distance >>> weight_i[1:0];
  assign by_fours  = by_ones >>> {weight_i[3:2], 2'b00};
  assign step_part = weight_i[4] ? by_fours >>> 16 : by_fours;

  // The bytes of -avg as they will be, beside the register itself, so that B is added in the same cycle.
  logic [COUNT_W:0] following;
  always_comb begin
    following = change ? moved[MinusW-1:24] : minus_q[MinusW-1:24];
    if (reset_q) following = '0;
  end

  // Whether a fraction is left, in four parts, so that it is known as soon as the bytes are.
  logic [3:0] left_q;
  always_ff @(posedge clk_i) begin
    step_q     <= step_i;
    reset_q    <= reset_i || rst_i;
    distance_q <= {1'b0, bytes_i} + following;
    for (int i = 0; i < 4; i++) left_q[i] <= |moved[6*i+:6];
    if (reset_q) minus_q <= '0;
    else if (change) minus_q <= moved;
  end

  if (LINUX) begin : gen_linux
    // B less the whole bytes of avg is one byte more than `distance_q` where avg has a fraction. All ones behind it are
    // as much but for the last place, which 2^-W of it, rounded down, lacks as well: there it is one more again.
    logic [3:0] fraction_q;
    logic idle_q, round_up;
    always_ff @(posedge clk_i) begin
      idle_q <= idle_i;
      for (int i = 0; i < 4; i++) begin
        if (reset_q) fraction_q[i] <= 1'b0;
        else if (change) fraction_q[i] <= |moved[6*i+:6];
      end
    end
    assign round_up = linux_i && !idle_q && !decay_valid_i && |fraction_q;
    assign distance = $signed({distance_q, linux_i ? {24{|fraction_q}} : minus_q[23:0]});
    assign part     = decay_valid_i ? $signed(decay_i) : (linux_i && idle_q) ? '0 : step_part;
    // With a place below the last, which carries in.
    logic unused;
    assign {moved, unused} = {minus_q, 1'b1} + {~part, !round_up};
  end else begin : gen_exact
    assign distance = $signed({distance_q, minus_q[23:0]});
    assign part     = decay_valid_i ? $signed(decay_i) : step_part;
    assign moved    = minus_q - part;
  end

  assign minus_o    = minus_q;
  assign next_o     = moved[MinusW-1:24];
  assign fraction_o = |left_q;

  `TM_ASSERT(NeverNegative_A, minus_q <= 0, "an average is negative, or more than the queue can hold", rst_i || reset_q)
  `TM_ASSERT_IF(DecayAlone_A, decay_valid_i, !step_q, "an average is decayed in the cycle of a step")

endmodule
