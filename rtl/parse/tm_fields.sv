// SPDX-License-Identifier: BSD-3-Clause
// Picks the fields at a fixed distance from the L3 header that decide the class, out of the beat at hand.
//
// Combinational but for the IP lengths, which are needed when the walk has ended: they are collected as their beat comes
// by and lined up with its results. The others hold in the beat of word 5 + tags (the option: 13 + tags).
module tm_fields
  import tm_pkg::*;
#(
    parameter  int unsigned LANES = 8,
    localparam int unsigned RowW  = $clog2(32 / LANES + 1)
) (
    input  logic                   clk_i,
    // from the first half
    input  logic                   valid_i,
    input  logic [ RowW-1:0]       row_i,
    input  logic [      1:0]       tags_i,
    input  logic                   ipv6_i,
    input  logic [LANES-1:0][15:0] head_i,         // first two bytes at each word
    input  logic [LANES-1:0][15:0] body_i,         // the two before them
    // to the chain walk
    output logic [      7:0]       protocol_o,     // IPv4
    output logic                   fragment_o,     // IPv4: not the first one
    output logic [      7:0]       next_header_o,  // IPv6
    output logic [     15:0]       option_o,       // first IPv6 extension header: next header and length
    output logic [LANES-1:0]       offset_o,       // the IPv6 fragment offset at each word is not zero
    // to the classifier, one cycle later: the IPv4 total length or the IPv6 payload length
    output logic                   ip_long_o,      // 128 or more
    output logic [      6:0]       total_len_o,    // IPv4, else zero: the low bits
    output logic [      6:0]       payload_len_o   // IPv6, else zero: likewise
);

  function automatic logic [15:0] pick(input logic [LANES-1:0][15:0] from, input int unsigned base,
                                       input logic [1:0] n);
    logic [MaxTags:0][15:0] candidates;
    for (int unsigned i = 0; i <= MaxTags; i++) candidates[i] = from[(base+i)%LANES];
    return candidates[n];
  endfunction

  assign protocol_o    = 8'(pick(head_i, 5, tags_i));
  assign next_header_o = 8'(pick(body_i, 5, tags_i) >> 8);
  assign option_o      = pick(head_i, 13, tags_i);

  // A fragment offset is the low 13 bits of its word (IPv4) or the high 13 (IPv6). Both, and the upper part of a length,
  // share a look at the middle of each word.
  logic [LANES-1:0] upper, middle;
  logic [MaxTags:0] fragment, total_long, payload_long, lengths_here;
  always_comb begin
    for (int unsigned j = 0; j < LANES; j++) begin
      upper[j]    = body_i[j][12:7] != '0;
      middle[j]   = upper[j] || body_i[j][6:3] != '0;
      offset_o[j] = middle[j] || body_i[j][15:13] != '0;
    end
    for (int unsigned n = 0; n <= MaxTags; n++) begin
      fragment[n]     = middle[(5+n)%LANES] || body_i[(5+n)%LANES][2:0] != '0;
      total_long[n]   = upper[(4+n)%LANES] || body_i[(4+n)%LANES][15:13] != '0;
      payload_long[n] = head_i[(4+n)%LANES][15:7] != '0;
      lengths_here[n] = row_i == RowW'((4 + n) / LANES);
    end
  end
  assign fragment_o = fragment[tags_i];

  always_ff @(posedge clk_i) begin
    if (valid_i && lengths_here[tags_i]) begin
      ip_long_o     <= ipv6_i ? payload_long[tags_i] : total_long[tags_i];
      total_len_o   <= 7'(pick(body_i, 4, tags_i));
      payload_len_o <= 7'(pick(head_i, 4, tags_i));
      if (ipv6_i) total_len_o <= '0;
      else payload_len_o <= '0;
    end
  end

endmodule
