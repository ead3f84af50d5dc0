// SPDX-License-Identifier: BSD-3-Clause
// The beat that the chain walk works on, and the two places it looks at: an extension header now, TCP flags afterwards.
//
// `option2_o` is the word in lane `option2_lane_i` of the last beat, in the cycle after it came. Once `found_i` says that
// the flags are in that beat, it is kept until the next frame's beats have to be looked at; `flags_o` is the word in lane
// `flags_lane_i` of it, from the next cycle on and until two cycles after the frame's last beat at least.
//
// Up to 256 bit neither is ever in the first beat of a frame. So one beat of store and one multiplexer do for both: the
// flags are looked at in a cycle in which no extension header can be. Wider builds have two of each.
module tm_word_window #(
    parameter  int unsigned LANES = 8,
    localparam int unsigned LaneW = $clog2(LANES)
) (
    input  logic                   clk_i,
    // from the beat: words, and whether it is a frame's first
    input  logic                   valid_i,
    input  logic                   fresh_i,
    input  logic [LANES-1:0][15:0] head_i,
    // from the chain walk, one cycle later
    input  logic                   walk_valid_i,
    input  logic                   walk_fresh_i,
    input  logic [LaneW-1:0]       option2_lane_i,
    output logic [     15:0]       option2_o,
    input  logic                   found_i,
    // two cycles later
    input  logic                   tcp_i,
    input  logic [LaneW-1:0]       flags_lane_i,
    output logic [     15:0]       flags_o
);

  logic [LANES-1:0][15:0] beat_q;

  if (LANES <= 8) begin : gen_shared
    logic kept;
    assign kept = found_i || (tcp_i && !(walk_valid_i && walk_fresh_i));

    always_ff @(posedge clk_i) if (valid_i && !fresh_i && !kept) beat_q <= head_i;

    assign flags_o   = beat_q[tcp_i?flags_lane_i : option2_lane_i];
    assign option2_o = flags_o;
  end else begin : gen_apart
    logic [LANES-1:0][15:0] flags_beat_q;

    always_ff @(posedge clk_i) begin
      if (valid_i) beat_q <= head_i;
      if (walk_valid_i && (walk_fresh_i || !tcp_i)) flags_beat_q <= beat_q;
    end

    assign option2_o = beat_q[option2_lane_i];
    assign flags_o   = flags_beat_q[flags_lane_i];

    logic unused;
    assign unused = &{fresh_i, found_i};
  end

endmodule
