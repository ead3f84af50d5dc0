// SPDX-License-Identifier: BSD-3-Clause
// First half of the header walk: VLAN tags, L3 kind, ECN field, checksum, from the beats as they pass.
//
// Every header of a frame starts at a byte 4p + 2, so a place is a word number p: its first two bytes are `head[p]`,
// its next two are `body[p+1]`, and a beat holds DATA_W/32 of each. The L3 header is at p = 3 + tags. A field at a
// fixed distance from it is picked by the number of tags alone, out of the one beat it can be in for that number. What
// a field means is worked out for each number of tags while the tags are counted; the count comes last and chooses.
//
// What it holds it takes from every beat of the pins, since to know which are stored takes longer; a frame that is not
// stored, or its excess, only overwrites what the next frame would. valid_o tells which to heed.
//
// ecn_valid_o comes one cycle after the beat that holds the last byte it needs (13 + 4*tags without an IP ethertype,
// 15 + 4*tags for IPv6, 25 + 4*tags for IPv4), or after the frame's last one if that is first, or always then in
// store-and-forward, where the length is known no sooner. l3_o, tags_o, ecn_o and raw_checksum_o stay until the next
// frame comes in; whether the header is whole is worked out in their own cycle. What the second half needs leaves with
// the beat it came in, one cycle late.
`include "tm_assert.svh"

module tm_l3_walk
  import tm_pkg::*;
#(
    parameter  int unsigned DATA_W            = 256,
    parameter  bit          STORE_AND_FORWARD = 1'b0,
    localparam int unsigned Lanes             = DATA_W / 32,
    localparam int unsigned Rows              = 32 / Lanes,       // beats that hold bytes 0 to 127
    localparam int unsigned RowW              = $clog2(Rows + 1)
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    // from the pins: a beat, stored or not
    input  logic                    s_valid_i,
    input  logic                    s_last_i,
    // from the framer
    input  logic                    valid_i,         // it is stored
    input  logic                    last_i,
    input  logic [DATA_W-1:0]       data_i,
    input  logic [  LenW-1:0]       len_i,
    // to the ports
    output logic                    ecn_valid_o,
    output l3_e                     l3_o,
    output l3_e                     raw_l3_o,        // the same if the header is whole
    output logic [       1:0]       tags_o,          // as far as seen
    output ecn_e                    ecn_o,
    output ecn_e                    raw_ecn_o,       // the same where it is ECT
    output logic [      15:0]       raw_checksum_o,
    output logic [       5:0]       dscp_o,          // where there is an L3 header
    output logic                    has_tag_o,       // a whole one
    output logic [       2:0]       pcp_o,           // of the first one
    // to the second half, in the cycle of the beat
    output logic [  RowW-1:0]       row_now_o,
    output logic [ Lanes-1:0][15:0] head_o,          // first two bytes at each word
    output logic [ Lanes-1:0][15:0] body_o,          // the two before them
    // ... and one cycle later
    output logic                    valid_o,
    output logic                    last_o,
    output logic [  RowW-1:0]       row_o,           // number of the beat in its frame, Rows from there on
    output logic                    told_o,          // ecn_valid_o was, or is now
    output logic                    ipv6_o,          // by the ethertype, readable or not
    output logic [       4:0]       l4_o             // word after the base header
);

  logic [Lanes-1:0][15:0] head, body;
  for (genvar j = 0; j < int'(Lanes); j++) begin : gen_lanes
    assign body[j] = {data_i[32*j+:8], data_i[32*j+8+:8]};
    assign head[j] = {data_i[32*j+16+:8], data_i[32*j+24+:8]};
  end

  // 0x8100 or 0x88A8: the bits that both share, then the five in which they differ.
  function automatic logic is_tag(input logic [15:0] ethertype);
    logic [4:0] differing;
    differing = {ethertype[11], ethertype[8], ethertype[7], ethertype[5], ethertype[3]};
    return (ethertype & 16'hF657) == 16'h8000 && (differing == 5'b01000 || differing == 5'b10111);
  endfunction

  // So many tags, one behind the other.
  function automatic logic [1:0] count(input logic [MaxTags-1:0] tag);
    return {tag[0] && tag[1], tag[0] && (!tag[1] || tag[2])};
  endfunction

  // 0x0800 or 0x86DD, told apart by bit 15.
  function automatic logic is_ip(input logic [15:0] ethertype);
    return (ethertype & 16'h7122) == 16'h0000 && (ethertype & 16'h8EDD) == (ethertype[15] ? 16'h86DD : 16'h0800);
  endfunction

  // What the frame says if it has a certain number of tags, as far as this beat goes.
  typedef struct packed {
    logic        known;     // the ethertype is in this beat
    logic        ipv6;
    logic        ipv4;      // the ethertype says so, here or before
    logic        complete;  // all that the ECN strobe needs
    l3_e         l3;
    ecn_e        ecn;
    logic [5:0]  dscp;
    logic [4:0]  l4;
    logic        sums;      // the checksum is in this beat
    logic [15:0] checksum;
  } found_t;

  logic [RowW-1:0] row_q;
  logic [MaxTags-1:0] tag_q, tag, tag_here;
  logic [1:0] tags, ethertype_tags;
  logic ipv4_q;
  found_t [MaxTags:0] found;
  found_t now;

  // `first` has the L3 header's first two bytes: version and length, or version, and the octet of DSCP and ECN.
  function automatic found_t look(input int unsigned n, input logic [15:0] ethertype, input logic [15:0] first,
                                  input logic [15:0] checksum, input logic [RowW-1:0] row, input logic ipv4_before);
    found_t at;
    logic ip, version;
    ip          = is_ip(ethertype);
    at.known    = row == RowW'((3 + n) / Lanes);
    at.sums     = row == RowW'((6 + n) / Lanes);
    at.checksum = checksum;
    at.ipv6     = ethertype[15];
    at.ipv4     = at.known ? ip && !at.ipv6 : ipv4_before;
    at.complete = (at.known && !at.ipv4) || (at.ipv4 && at.sums);
    version     = at.ipv6 ? first[15:12] == 4'd6 : first[15:12] == 4'd4 && first[11:8] >= 4'd5;
    at.l3       = !ip || !version ? L3None : at.ipv6 ? L3Ipv6 : L3Ipv4;
    at.ecn      = !ip || !version ? NotEct : ecn_e'(at.ipv6 ? first[5:4] : first[1:0]);
    at.dscp     = at.ipv6 ? first[11:6] : first[7:2];
    at.l4       = (at.ipv6 ? 5'd10 : 5'(first[11:8])) + 5'(3 + n);
    return at;
  endfunction

  always_comb begin
    // tags and ethertype: at word 3, or one more for each tag
    for (int unsigned c = 0; c < MaxTags; c++) begin
      tag_here[c] = is_tag(body[(3+c)%Lanes]);
      tag[c] = tag_q[c] && row_q != '0;
      if (row_q == RowW'((3 + c) / Lanes)) tag[c] = tag_here[c];
    end
    tags = count(tag);
    // A beat that has them all does not ask which one it is.
    ethertype_tags = (Lanes >= 8) ? count(tag_here) : tags;
    for (int unsigned n = 0; n <= MaxTags; n++) begin
      found[n] = look(n, body[(3+n)%Lanes], head[(3+n)%Lanes], body[(6+n)%Lanes], row_q, ipv4_q && row_q != '0);
    end
    now = found[ethertype_tags];
    // A beat that has all headers wants no count: each tag chooses, the first one last.
    if (Lanes > 8) now = tag_here[0] ? (tag_here[1] ? (tag_here[2] ? found[3] : found[2]) : found[1]) : found[0];
    // Two numbers of tags have the checksum in one beat, the two higher ones in a later one, which takes it if they are
    // known to be so many: then one tag chooses.
    now.sums     = row_q == RowW'(6 / Lanes) || (row_q == RowW'(9 / Lanes) && &tag_q[1:0]);
    now.checksum = found[tags].checksum;
    if (Lanes <= 8 && row_q == RowW'(6 / Lanes)) now.checksum = found[{1'b0, tag[0]}].checksum;
    else if (Lanes <= 8) now.checksum = found[{1'b1, tag[2]}].checksum;
  end

  l3_e raw_l3_q;
  ecn_e raw_ecn_q;
  logic long_q;
  logic [6:0] pairs_q;
  logic [MaxTags:0] complete_q;
  always_ff @(posedge clk_i) begin
    if (s_valid_i) begin
      tag_q  <= tag;
      ipv4_q <= now.ipv4;
      for (int unsigned n = 0; n <= MaxTags; n++) complete_q[n] <= found[n].complete && !STORE_AND_FORWARD;
      if (row_q == '0) {raw_l3_q, raw_ecn_q} <= {L3None, NotEct};
      if (now.known) begin
        raw_l3_q  <= now.l3;
        raw_ecn_q <= now.ecn;
        dscp_o    <= now.dscp;
        ipv6_o    <= now.ipv6;
        l4_o      <= now.l4;
      end
      tags_o <= tags;
      if (now.sums) raw_checksum_o <= now.checksum;
      if (row_q == RowW'(3 / Lanes)) pcp_o <= head[3%Lanes][15:13];
      long_q  <= len_i[LenW-1:8] != '0;
      pairs_q <= len_i[7:1];
      row_o   <= row_q;
      last_o  <= last_i;
      if (row_q != RowW'(Rows)) row_q <= row_q + 1'b1;
      if (s_last_i) row_q <= '0;
    end
    valid_o <= valid_i;
    if (rst_i) {row_q, valid_o} <= '0;
  end

  // ---- when to tell, a cycle later: the number of tags only chooses ------------------------------------------------
  logic told_q, told_before;
  assign told_before = row_o != '0 && told_q;
  assign ecn_valid_o = valid_o && (complete_q[tags_o] || (last_o && !told_before));
  assign told_o      = complete_q[tags_o] || last_o || told_before;
  always_ff @(posedge clk_i) if (valid_o) told_q <= told_o;

  // A header that ends before word p is whole if the frame has 4p + 2 bytes. In store-and-forward the length grows with
  // the beats, and so this is asked of each.
  logic whole;
  assign whole     = long_q || pairs_q >= {1'b0, l4_o, 1'b1};
  assign l3_o      = whole ? raw_l3_q : L3None;
  assign ecn_o     = whole ? raw_ecn_q : NotEct;
  assign has_tag_o = tags_o != '0 && (long_q || pairs_q >= 7'd9);
  assign raw_l3_o  = raw_l3_q;
  assign raw_ecn_o = raw_ecn_q;

  logic unused;
  assign unused    = &{len_i[0], now.complete};

  assign head_o    = head;
  assign body_o    = body;
  assign row_now_o = row_q;

  // The ECN field of a frame is reported once, at its last beat at the latest.
  logic reported_q;
  always_ff @(posedge clk_i) reported_q <= !rst_i && !(valid_o && last_o) && (reported_q || ecn_valid_o);
  `TM_ASSERT_IF(EcnOnce_A, ecn_valid_o, !reported_q, "the ECN strobe came twice in one frame")
  `TM_ASSERT_IF(EcnByTheEnd_A, valid_o && last_o, reported_q || ecn_valid_o, "a frame ended without its ECN strobe")

endmodule
