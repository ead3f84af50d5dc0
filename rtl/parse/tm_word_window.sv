// SPDX-License-Identifier: BSD-3-Clause
// The beats that the chain walk looks into, at two places: an extension header now, TCP flags afterwards.
//
// Of word `option2_at_i`, taken for the second extension header, it tells two cycles after the beat came: by kind
// (hop-by-hop, routing, destination options; fragment; authentication header) whether TCP follows with its flags in the
// same beat (`flags2_here_o`), or no flags will come (`stops2_o`): no TCP follows, or they lie behind word 31; and of
// the kind that it is, in which word they would be (`flags2_at_o`). A fragment offset in the next beat is not seen.
// Where a beat has the whole window, all is told of the kind that it is: the kind chooses in each lane, for of so many
// lanes the choice takes longest.
// `flags_o` is the word in lane `flags_lane_i` of the beat in which the walk found the flags (`tcp_i` from the cycle
// after on), until the next frame's first beat is walked.
//
// All that is told of the header is worked out for each lane: the lane, which comes late, only chooses. Where the flags
// are is only in a beat that has the whole window: in fewer lanes the choice leaves time for the sum.
module tm_word_window #(
    parameter  int unsigned LANES = 8,
    localparam int unsigned Rows  = 32 / LANES,
    localparam int unsigned LaneW = $clog2(LANES),
    localparam int unsigned RowW  = $clog2(Rows + 1)
) (
    input  logic                   clk_i,
    // from the beat, one cycle later: words
    input  logic [LANES-1:0][15:0] head_i,
    input  logic [LANES-1:0]       offset_i,       // a fragment offset there would not be zero
    input  logic [ RowW-1:0]       row_i,
    // from the chain walk, another cycle later
    input  logic                   walk_valid_i,
    input  logic                   walk_fresh_i,
    input  logic [      4:0]       option2_at_i,
    input  logic                   is_options_i,
    input  logic                   is_auth_i,      // neither: a fragment header
    output logic [      4:0]       flags2_at_o,
    output logic [      2:0]       flags2_here_o,
    output logic [      2:0]       stops2_o,
    // another cycle later
    input  logic                   tcp_i,
    input  logic [LaneW-1:0]       flags_lane_i,
    output logic [     15:0]       flags_o
);

  localparam logic [7:0] Tcp = 8'd6;
  localparam int unsigned ToFlags = 5;  // words from a header of 8 bytes to the TCP flags behind it

  logic [LANES-1:0][15:0] beat_q, flags_beat_q;
  logic [LANES-1:0][2:0] here_q, stops_q;
  logic [LANES-1:0][2:0][3:0] words;  // of each kind, beyond those of a header of 8 bytes
  logic [LaneW-1:0] option2_lane;

  for (genvar j = 0; j < int'(LANES); j++) begin : gen_lanes
    logic [2:0] wrong;  // what the header says rules flags out
    // By words: the flags are in a later beat, or, from each row, behind word 31. A sum would take a carry chain.
    logic [15:0] later;
    logic [Rows-1:0][15:0] beyond;

    always_comb begin
      wrong = {3{head_i[j][15:8] != Tcp}};
      wrong[0] |= head_i[j][7:3] != '0;
      wrong[2] |= head_i[j][7:4] != '0;
      if (j != LANES - 1) wrong[1] |= offset_i[(j+1)%LANES];
      words[j] = {head_i[j][3:0], 4'd0, head_i[j][2:0], 1'b0};
      for (int unsigned w = 0; w < 16; w++) begin
        later[w] = j + ToFlags + w >= LANES;
        for (int unsigned r = 0; r < Rows; r++) beyond[r][w] = r * LANES + j + ToFlags + w > 31;
      end
    end

    always_ff @(posedge clk_i) begin
      for (int unsigned kind = 0; kind < 3; kind++) begin
        here_q[j][kind]  <= !wrong[kind] && !later[words[j][kind]];
        stops_q[j][kind] <= wrong[kind] || beyond[32'(row_i)%Rows][words[j][kind]];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    beat_q <= head_i;
    if (walk_valid_i && (walk_fresh_i || !tcp_i)) flags_beat_q <= beat_q;
  end

  assign option2_lane = option2_at_i[LaneW-1:0];
  assign flags_o      = flags_beat_q[flags_lane_i];

  if (Rows == 1) begin : gen_whole
    logic [LANES-1:0] here, stops;
    logic [1:0] kind;
    assign kind = is_auth_i ? 2'd2 : is_options_i ? 2'd0 : 2'd1;
    logic [LANES-1:0][4:0] behind_options_q, behind_auth_q;
    for (genvar j = 0; j < int'(LANES); j++) begin : gen_lanes
      assign here[j]  = here_q[j][kind];
      assign stops[j] = stops_q[j][kind];
      always_ff @(posedge clk_i) begin
        behind_options_q[j] <= 5'(j + ToFlags) + 5'(words[j][0]);
        behind_auth_q[j]    <= 5'(j + ToFlags) + 5'(words[j][2]);
      end
    end
    assign flags2_here_o = {3{here[option2_lane]}};
    assign stops2_o      = {3{stops[option2_lane]}};
    always_comb begin
      flags2_at_o = option2_at_i + 5'(ToFlags);
      if (is_options_i) flags2_at_o = behind_options_q[option2_lane];
      if (is_auth_i) flags2_at_o = behind_auth_q[option2_lane];
    end
  end else begin : gen_rows
    logic [3:0] length;
    assign flags2_here_o = here_q[option2_lane];
    assign stops2_o = stops_q[option2_lane];
    assign length = beat_q[option2_lane][3:0];
    // Four words and then one: in an adder's two halves.
    assign flags2_at_o = {option2_at_i[4:2] + 3'd1, option2_at_i[1:0]} + 5'd1
        + (is_auth_i ? {1'b0, length} : is_options_i ? {1'b0, length[2:0], 1'b0} : '0);
  end

endmodule
