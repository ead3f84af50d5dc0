// SPDX-License-Identifier: BSD-3-Clause
// First half of the header walk: VLAN tags, L3 kind, ECN field, checksum, from the beats as they pass.
//
// Every header of a frame starts at a byte 4p + 2, so a place is a word number p: its first two bytes are `head[p]`, its
// next two are `body[p+1]`, and a beat holds DATA_W/32 of each. The L3 header is at p = 3 + tags. Fields at a fixed
// distance from it are picked by the number of tags alone and collected in registers as their beat comes by; nothing
// of a frame is kept but those.
//
// ecn_valid_o comes one cycle after the beat that holds the last byte it needs (13 + 4*tags without an IP ethertype,
// 15 + 4*tags for IPv6, 25 + 4*tags for IPv4), or after the frame's last one if that is first, or always then in
// store-and-forward, where the length is known no sooner. l3_o, tags_o, ecn_o and raw_checksum_o stay until the next
// frame comes in. The collected fields leave to the second half with the beat they came in, one cycle late.
module tm_l3_walk
  import tm_pkg::*;
#(
    parameter  int unsigned DATA_W            = 256,
    parameter  bit          STORE_AND_FORWARD = 1'b0,
    localparam int unsigned Lanes             = DATA_W / 32,
    localparam int unsigned Rows              = 32 / Lanes,         // beats that hold bytes 0 to 127
    localparam int unsigned RowW              = $clog2(Rows + 1)
) (
    input  logic                       clk_i,
    input  logic                       rst_i,
    // from the framer
    input  logic                       valid_i,
    input  logic                       last_i,
    input  logic [DATA_W-1:0]          data_i,
    input  logic [  LenW-1:0]          len_i,
    // to the ports
    output logic                       ecn_valid_o,
    output l3_e                        l3_o,
    output logic [       1:0]          tags_o,
    output ecn_e                       ecn_o,
    output logic [      15:0]          raw_checksum_o,
    // to the second half, one cycle late
    output logic                       valid_o,
    output logic                       last_o,
    output logic [  RowW-1:0]          row_o,            // number of the beat in its frame, Rows from there on
    output logic                       told_o,           // ecn_valid_o was, or is now
    output logic                       ipv6_o,           // by the ethertype, readable or not
    output logic [       4:0]          l4_o,             // word after the base header
    output logic [       4:0]          l3_end_o,         // word from which the IP length counts
    output logic [       5:0]          words_o,          // words the frame has behind byte 2, at most 63
    output logic [       7:0]          protocol_o,       // IPv4, in the beat of word 5 + tags
    output logic                       fragment_o,       // IPv4, likewise
    output logic [       7:0]          next_header_o,    // IPv6, likewise
    output logic [      15:0]          option_o,         // first IPv6 extension header: next header and length
    output logic                       ip_long_o,        // IP length of 128 or more
    output logic [       6:0]          ip_len_o,         // ... and its low bits
    output logic [ Lanes-1:0][15:0]    head_o,           // first two bytes at each word of the beat
    output logic [ Lanes-1:0]          offset_o          // IPv6 fragment offset at each word is not zero
);

  logic [Lanes-1:0][15:0] head, body;
  for (genvar j = 0; j < int'(Lanes); j++) begin : gen_lanes
    assign body[j] = {data_i[32*j+:8], data_i[32*j+8+:8]};
    assign head[j] = {data_i[32*j+16+:8], data_i[32*j+24+:8]};
  end

  // 0x8100 or 0x88A8, tested apart: bits that both share, and the five in which they differ.
  function automatic logic is_tag(input logic [15:0] ethertype);
    return {ethertype[15:12], ethertype[10:9], ethertype[6], ethertype[4], ethertype[2:0]} == 11'b1000_00_0_0_000
           && ({ethertype[11], ethertype[8], ethertype[7], ethertype[5], ethertype[3]} == 5'b01000
               || {ethertype[11], ethertype[8], ethertype[7], ethertype[5], ethertype[3]} == 5'b10111);
  endfunction

  // ---- tags and ethertype -------------------------------------------------------------------------------------
  logic [RowW-1:0] row_q;
  logic [1:0] tags_q, tags;
  logic known_q, known, known_now, ip_q, ip, ipv6_q, ipv6;

  always_comb begin
    tags      = row_q == '0 ? 2'd0 : tags_q;
    known     = row_q != '0 && known_q;
    known_now = 1'b0;
    ip        = row_q != '0 && ip_q;
    ipv6      = ipv6_q;
    for (int unsigned c = 0; c <= MaxTags; c++) begin
      if (row_q == RowW'((3 + c) / Lanes) && !known && 32'(tags) == c) begin
        if (c < MaxTags && is_tag(body[(3+c)%Lanes])) begin
          tags = tags + 2'd1;
        end else begin
          known     = 1'b1;
          known_now = 1'b1;
          ip        = body[(3+c)%Lanes] == 16'h0800 || body[(3+c)%Lanes] == 16'h86DD;
          ipv6      = body[(3+c)%Lanes][15];
        end
      end
    end
  end

  // ---- fields at a fixed distance from the L3 header: word `base` + tags ------------------------------------------
  function automatic logic [15:0] pick(input logic [Lanes-1:0][15:0] from, input int unsigned base,
                                       input logic [1:0] n);
    unique case (n)
      2'd0: return from[base%Lanes];
      2'd1: return from[(base+1)%Lanes];
      2'd2: return from[(base+2)%Lanes];
      default: return from[(base+3)%Lanes];
    endcase
  endfunction

  function automatic logic here(input int unsigned base, input logic [1:0] n, input logic [RowW-1:0] row);
    unique case (n)
      2'd0: return row == RowW'(base / Lanes);
      2'd1: return row == RowW'((base + 1) / Lanes);
      2'd2: return row == RowW'((base + 2) / Lanes);
      default: return row == RowW'((base + 3) / Lanes);
    endcase
  endfunction

  logic [15:0] first_word, fragment_word, ip_len;
  logic right_version;
  ecn_e ecn;
  logic [4:0] l4, l4_known;
  logic [7:0] ip_words;
  logic [5:0] words;

  assign first_word    = pick(head, 3, tags);
  assign fragment_word = pick(body, 5, tags);
  assign right_version = ipv6 ? first_word[15:12] == 4'd6 : first_word[15:12] == 4'd4 && first_word[11:8] >= 4'd5;
  assign ecn           = ecn_e'(ipv6 ? first_word[5:4] : first_word[1:0]);
  assign l4            = 5'd3 + 5'(tags) + (ipv6 ? 5'd10 : 5'(first_word[11:8]));
  assign ip_len        = ipv6 ? pick(head, 4, tags) : pick(body, 4, tags);

  // A header that ends before word p is whole if the frame has p words behind byte 2.
  assign ip_words      = 8'(len_i[7:2]) + 8'(len_i[1]);
  assign words         = len_i[LenW-1:8] != '0 || ip_words[6] ? 6'd63 : ip_words[5:0];

  // ---- what the ports need first ----------------------------------------------------------------------------------
  // In store-and-forward the length grows with the beats, so the check is repeated with what was found.
  l3_e raw_l3_q, raw_l3, l3;
  ecn_e raw_ecn_q, raw_ecn;
  logic told_q, tell, complete;

  always_comb begin
    raw_l3   = row_q == '0 ? L3None : raw_l3_q;
    raw_ecn  = raw_ecn_q;
    l4_known = l4_o;
    if (known_now) begin
      raw_l3   = !ip || !right_version ? L3None : ipv6 ? L3Ipv6 : L3Ipv4;
      raw_ecn  = ecn;
      l4_known = l4;
    end
    l3 = words > 6'(l4_known) ? raw_l3 : L3None;
  end

  assign complete = known && (!ip || ipv6 || row_q >= RowW'((6 + 32'(tags)) / Lanes));
  assign tell     = valid_i && (row_q == '0 || !told_q) && (last_i || (complete && !STORE_AND_FORWARD));

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      tags_q  <= tags;
      known_q <= known;
      ip_q    <= ip;
      ipv6_q  <= ipv6;
      told_q  <= tell || (row_q != '0 && told_q);
      if (known_now || row_q == '0 || STORE_AND_FORWARD) begin
        raw_l3_q  <= raw_l3;
        raw_ecn_q <= raw_ecn;
        l3_o      <= l3;
        ecn_o     <= l3 == L3None ? NotEct : raw_ecn;
      end
      if (known_now) begin
        l4_o     <= l4;
        l3_end_o <= 5'd3 + 5'(tags) + (ipv6 ? 5'd10 : 5'd0);
      end
      if (here(6, tags, row_q)) raw_checksum_o <= pick(body, 6, tags);
      if (here(4, tags, row_q)) begin
        ip_long_o <= ip_len[15:7] != '0;
        ip_len_o  <= ip_len[6:0];
      end
      protocol_o    <= 8'(pick(head, 5, tags));
      fragment_o    <= fragment_word[12:0] != '0;
      next_header_o <= fragment_word[15:8];
      option_o      <= pick(head, 13, tags);
      head_o        <= head;
      for (int unsigned j = 0; j < Lanes; j++) offset_o[j] <= body[j][15:3] != '0;
      words_o <= words;
      row_o   <= row_q;
      last_o  <= last_i;
      if (row_q != RowW'(Rows)) row_q <= row_q + 1'b1;
      if (last_i) row_q <= '0;
    end
    valid_o     <= valid_i;
    ecn_valid_o <= tell;
    if (rst_i) begin
      row_q       <= '0;
      valid_o     <= 1'b0;
      ecn_valid_o <= 1'b0;
    end
  end

  assign told_o = told_q;
  assign ipv6_o = ipv6_q;
  assign tags_o = tags_q;

  // The ECN field of a frame is reported once, at its last beat at the latest.
  logic told_before_q;
  always_ff @(posedge clk_i) if (valid_i) told_before_q <= told_q && row_q != '0;
  EcnOnce_A :
  assert property (@(posedge clk_i) disable iff (rst_i) ecn_valid_o |-> !told_before_q)
  else $error("the ECN strobe came twice in one frame");
  EcnByTheEnd_A :
  assert property (@(posedge clk_i) disable iff (rst_i) valid_o && last_o |-> told_q)
  else $error("a frame ended without its ECN strobe");

endmodule
