// SPDX-License-Identifier: BSD-3-Clause
// The beats that the chain walk looks into, at two places: an extension header now, TCP flags afterwards.
//
// `tcp2_o` and `length2_o` tell of the word in lane `option2_lane_i`, two cycles after its beat came: whether it is an
// extension header before TCP, and its length field, 16 for all that is longer. `flags_o` is the word in lane
// `flags_lane_i` of the beat in which the walk found the flags (`tcp_i` from the cycle after on), until the next
// frame's first beat is walked.
module tm_word_window #(
    parameter  int unsigned LANES = 8,
    localparam int unsigned LaneW = $clog2(LANES)
) (
    input  logic                   clk_i,
    // from the beat, one cycle later: words
    input  logic [LANES-1:0][15:0] head_i,
    // from the chain walk, another cycle later
    input  logic                   walk_valid_i,
    input  logic                   walk_fresh_i,
    input  logic [LaneW-1:0]       option2_lane_i,
    output logic                   tcp2_o,
    output logic [      4:0]       length2_o,
    // another cycle later
    input  logic                   tcp_i,
    input  logic [LaneW-1:0]       flags_lane_i,
    output logic [     15:0]       flags_o
);

  localparam logic [7:0] Tcp = 8'd6;

  logic [LANES-1:0][15:0] beat_q, flags_beat_q;
  logic [LANES-1:0] tcp_q;
  logic [LANES-1:0][4:0] length;
  logic [LANES-1:0] long_q;

  for (genvar j = 0; j < int'(LANES); j++) begin : gen_lanes
    assign length[j] = {long_q[j], beat_q[j][3:0]};
    always_ff @(posedge clk_i) begin
      tcp_q[j]  <= head_i[j][15:8] == Tcp;
      long_q[j] <= head_i[j][7:4] != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    beat_q <= head_i;
    if (walk_valid_i && (walk_fresh_i || !tcp_i)) flags_beat_q <= beat_q;
  end

  assign tcp2_o    = tcp_q[option2_lane_i];
  assign length2_o = length[option2_lane_i];
  assign flags_o   = flags_beat_q[flags_lane_i];

endmodule
