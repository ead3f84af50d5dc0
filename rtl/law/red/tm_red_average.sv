// SPDX-License-Identifier: BSD-3-Clause
// The averages of up to 16 law slots, one slot in each cycle: avg := avg + floor((Q - avg) / 2^W) for each step that is
// taken, and what one more step, with the queue Q as it is now, would make of that (docs/red-rules.md).
//
// Contract: a pipeline; a stage is a cycle, and the slot begins in stage 0. 2^k steps are one with a weight of W - k,
// at least 0. What a step leaves is kept at the end of stage 4: a slot begins again six cycles later at the earliest.
// What an idle time leaves stands next to it, and counts instead while `faded_i`; with neither `stored_i` nor that the
// average is 0. Q is B, and 64 P while `by_packets_i`. With LINUX, while `linux_i`, avg := avg + (Q -
// floor(avg)) / 2^W instead, except a step with `idle_i`: the queue held nothing, and the average stays.
module tm_red_average
  import tm_red_pkg::*;
#(
    parameter  int unsigned COUNT_W  = 15,           // bits of B, and of 64 P
    parameter  int unsigned FRAMES_W = 9,            // bits of P
    localparam int unsigned AverageW = COUNT_W + 24
) (
    input  logic                 clk_i,
    // Some stages look at no place.
    // verilator lint_off UNUSEDSIGNAL
    input  slot_t [ LastStage:0] place_i,
    // verilator lint_on UNUSEDSIGNAL
    // stage 0
    input  logic                 stored_i,
    input  logic                 faded_i,
    // stage 1
    input  logic                 any_i,          // steps are taken: 2^`power_i`, with this B and P
    input  logic  [         1:0] power_i,
    input  logic                 idle_i,
    input  logic  [ COUNT_W-1:0] bytes_i,
    input  logic  [FRAMES_W-1:0] packets_i,
    input  logic  [         4:0] weight_i,
    input  logic                 linux_i,
    input  logic                 by_packets_i,
    // stage 3
    input  logic                 now_idle_i,
    input  logic  [ COUNT_W-1:0] now_i,
    input  logic  [FRAMES_W-1:0] now_packets_i,
    // from the shared unit
    input  logic                 decay_valid_i,
    input  slot_t                decay_place_i,
    input  logic  [AverageW-1:0] decay_i,
    // stage 4: what is kept now
    output logic                 keeps_o,
    output logic  [AverageW-1:0] average_o,
    // stage 6, whole bytes or 64ths of a packet: with one more step
    output logic  [ COUNT_W-1:0] next_o
);

  typedef logic signed [AverageW:0] distance_t;

  // Kept, so that a multiplexer of four stays one: mapping spreads a plain shift over half as much again.
  distance_t [1:0] distance_q, part;
  logic [1:0][4:0] weight;
  for (genvar i = 0; i < 2; i++) begin : gen_shift
    (* keep *) distance_t by_ones, by_fours;
    assign by_ones  = $signed(distance_q[i]) >>> weight[i][1:0];
    assign by_fours = by_ones >>> {weight[i][3:2], 2'b00};
    assign part[i]  = weight[i][4] ? by_fours >>> 16 : by_fours;
  end

  // ---- 0: of what is stored and what has faded one is cleared: their OR is the average ----
  logic [AverageW-1:0] stored, faded, stored1_q, stored2_q, stored3_q, faded1_q, faded2_q, faded3_q;
  tm_prim_lut_ram #(
      .WIDTH(AverageW),
      .DEPTH(16)
  ) averages (
      .clk_i,
      .wr_en_i  (keeps_o),
      .wr_addr_i(place_i[4]),
      .wr_data_i(average_o),
      .rd_addr_i(place_i[0]),
      .rd_data_o(stored)
  );
  tm_prim_lut_ram #(
      .WIDTH(AverageW),
      .DEPTH(16)
  ) faded_averages (
      .clk_i,
      .wr_en_i  (decay_valid_i),
      .wr_addr_i(decay_place_i),
      .wr_data_i(decay_i),
      .rd_addr_i(place_i[0]),
      .rd_data_o(faded)
  );
  always_ff @(posedge clk_i) begin
    stored1_q <= stored_i ? stored : '0;
    faded1_q  <= faded_i ? faded : '0;
  end

  // ---- 1: the distance; 2: its part; 3: the sum ----
  // Linux looks at whole bytes of an average only.
  logic [4:0] weight2_q, weight3_q, weight4_q;
  logic any2_q, any3_q, linux2_q, linux3_q, by_packets2_q, by_packets3_q, moves2_q, still4_q;
  logic [AverageW-1:0] average1;
  // Signs do not count in the sums, which are no less than 0; nor does a fraction after one more step.
  // verilator lint_off UNUSEDSIGNAL
  distance_t part3_q, part5_q;
  logic [AverageW-1:0] sum;
  // verilator lint_on UNUSEDSIGNAL
  logic [AverageW-1:0] average5_q;
  logic [4:0] lighter_q;
  assign weight   = {weight4_q, lighter_q};
  assign average1 = stored1_q | faded1_q;

  // Chosen where it is subtracted: one input more of a gate there.
  logic [COUNT_W-1:0] queue1, queue3;
  assign queue1 = by_packets_i ? COUNT_W'({packets_i, 6'b0}) : bytes_i;
  assign queue3 = by_packets3_q ? COUNT_W'({now_packets_i, 6'b0}) : now_i;

  always_ff @(posedge clk_i) begin
    distance_q[0] <= {1'b0, queue1, 24'b0} - {1'b0, average1[AverageW-1:24], average1[23:0] & {24{!linux_i}}};
    lighter_q <= (weight_i > 5'(power_i)) ? weight_i - 5'(power_i) : '0;
    moves2_q <= any_i && !(linux_i && idle_i);
    part3_q <= moves2_q ? part[0] : '0;
    average_o <= (stored3_q | faded3_q) + part3_q[AverageW-1:0];

    {any2_q, any3_q, keeps_o} <= {any_i, any2_q, any3_q};
    {stored2_q, stored3_q} <= {stored1_q, stored2_q};
    {faded2_q, faded3_q} <= {faded1_q, faded2_q};
    {weight2_q, weight3_q} <= {weight_i, weight2_q};
    {linux2_q, linux3_q} <= {linux_i, linux2_q};
    {by_packets2_q, by_packets3_q} <= {by_packets_i, by_packets2_q};
  end

  // ---- 3, 4, 5: one more step, with Q as it is now, from what the first one leaves while that is summed up ----
  // Rounded up to whole units, the distance is that of the average rounded down.
  distance_t next_distance;
  assign next_distance = {1'b0, queue3, {24{linux3_q}}} - {1'b0, stored3_q | faded3_q} - part3_q;
  assign sum           = average5_q + part5_q[AverageW-1:0];
  always_ff @(posedge clk_i) begin
    distance_q[1] <= {next_distance[AverageW:24], next_distance[23:0] & {24{!linux3_q}}};
    weight4_q     <= weight3_q;
    still4_q      <= linux3_q && now_idle_i;
    part5_q       <= still4_q ? '0 : part[1];
    average5_q    <= average_o;
    next_o        <= sum[AverageW-1:24];
  end

endmodule
