// SPDX-License-Identifier: BSD-3-Clause
// Picks the fields at a fixed distance from the L3 header that decide the class, out of the beat at hand.
//
// Combinational, except for the end of the IP packet. What it picks counts in the beat of word 5 + tags. The end of the
// IP packet is needed when the walk has ended: it is picked one cycle late, and kept from two cycles after its beat on.
module tm_fields
  import tm_pkg::*;
#(
    parameter  int unsigned LANES = 8,
    localparam int unsigned RowW  = $clog2(32 / LANES + 1)
) (
    input  logic                   clk_i,
    input  logic                   s_valid_i,     // from the pins: a beat, stored or not
    // from the beat
    input  logic [LANES-1:0][15:0] head_i,        // first two bytes at each word
    input  logic [LANES-1:0][15:0] body_i,        // the two before them
    // ... and one cycle later
    input  logic                   walk_valid_i,
    input  logic [ RowW-1:0]       row_i,
    input  logic [      1:0]       tags_i,
    input  logic                   ipv6_i,
    input  logic [LANES-1:0][15:0] late_head_i,
    input  logic [LANES-1:0][15:0] late_body_i,
    // to the chain walk, with the beat
    output logic [MaxTags:0]       fragment_o,    // IPv4, for each number of tags: not the first one
    output logic [LANES-1:0]       offset_o,      // the IPv6 fragment offset at each word is not zero
    // to the classifier, two cycles after the beat
    output logic                   ip_long_o,     // the IP length is 128 or more: no header reaches that far
    output logic                   ip_odd_o,      // it is no multiple of four
    output logic [      5:0]       ip_end_o       // three words after the IP packet's last whole one
);

  function automatic logic [15:0] pick(input logic [LANES-1:0][15:0] from, input int unsigned base,
                                       input logic [1:0] n);
    logic [MaxTags:0][15:0] candidates;  // an index, not a case: four to one is one lookup table a bit
    for (int unsigned i = 0; i <= MaxTags; i++) candidates[i] = from[(base+i)%LANES];
    return candidates[n];
  endfunction

  // A fragment offset is the low 13 bits of its word (IPv4) or the high 13 (IPv6). Both, and the upper part of a
  // length, share a look at the middle of each word.
  logic [LANES-1:0] upper, middle, offset;
  logic [MaxTags:0] total_long, payload_long;
  always_comb begin
    for (int unsigned j = 0; j < LANES; j++) begin
      upper[j]  = body_i[j][12:7] != '0;
      middle[j] = upper[j] || body_i[j][6:3] != '0;
      offset[j] = middle[j] || body_i[j][15:13] != '0;
    end
    for (int unsigned n = 0; n <= MaxTags; n++) begin
      fragment_o[n]   = middle[(5+n)%LANES] || body_i[(5+n)%LANES][2:0] != '0;
      total_long[n]   = upper[(4+n)%LANES] || body_i[(4+n)%LANES][15:13] != '0;
      payload_long[n] = head_i[(4+n)%LANES][15:7] != '0;
    end
  end

  assign offset_o = offset;

  logic [MaxTags:0] total_long_q, payload_long_q;
  always_ff @(posedge clk_i) if (s_valid_i) {total_long_q, payload_long_q} <= {total_long, payload_long};

  // The length, and three words behind the one from which it counts: TCP flags are three behind their header's first.
  logic [MaxTags:0] lengths_here;
  logic [6:0] length;
  logic [4:0] base;
  always_comb for (int unsigned n = 0; n <= MaxTags; n++) lengths_here[n] = row_i == RowW'((4 + n) / LANES);
  assign length = 7'(ipv6_i ? pick(late_head_i, 4, tags_i) : pick(late_body_i, 4, tags_i));
  assign base   = {1'b0, ipv6_i, 1'b0, ipv6_i, 1'b0} + 5'd6 + 5'(tags_i);

  always_ff @(posedge clk_i) begin
    if (walk_valid_i && lengths_here[tags_i]) begin
      ip_long_o <= ipv6_i ? payload_long_q[tags_i] : total_long_q[tags_i];
      ip_odd_o  <= length[1:0] != '0;
      ip_end_o  <= 6'(base) + 6'(length[6:2]);
    end
  end

endmodule
