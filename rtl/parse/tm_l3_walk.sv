// SPDX-License-Identifier: BSD-3-Clause
// First half of the header walk: VLAN tags, L3 kind, ECN field, checksum, from the beats as they pass.
//
// Every header of a frame starts at a byte 4p + 2, so a place is a word number p: its first two bytes are `head[p]`, its
// next two are `body[p+1]`, and a beat holds DATA_W/32 of each. The L3 header is at p = 3 + tags. A field at a fixed
// distance from it is picked by the number of tags alone, out of the one beat it can be in for that number.
//
// ecn_valid_o comes one cycle after the beat that holds the last byte it needs (13 + 4*tags without an IP ethertype,
// 15 + 4*tags for IPv6, 25 + 4*tags for IPv4), or after the frame's last one if that is first, or always then in
// store-and-forward, where the length is known no sooner. l3_o, tags_o, ecn_o and raw_checksum_o stay until the next
// frame comes in. What the second half needs leaves with the beat it came in, one cycle late.
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
    // from the framer
    input  logic                    valid_i,
    input  logic                    last_i,
    input  logic [DATA_W-1:0]       data_i,
    input  logic [  LenW-1:0]       len_i,
    // to the ports
    output logic                    ecn_valid_o,
    output l3_e                     l3_o,
    output logic [       1:0]       tags_o,          // as far as seen
    output ecn_e                    ecn_o,
    output logic [      15:0]       raw_checksum_o,
    // to the second half, in the cycle of the beat
    output logic                    fresh_o,         // the frame's first
    output logic [ Lanes-1:0][15:0] head_o,          // first two bytes at each word
    // ... and one cycle later
    output logic                    valid_o,
    output logic                    last_o,
    output logic [  RowW-1:0]       row_o,           // number of the beat in its frame, Rows from there on
    output logic                    told_o,          // ecn_valid_o was, or is now
    output logic                    ipv6_o,          // by the ethertype, readable or not
    output logic [       4:0]       l4_o,            // word after the base header
    output logic [ Lanes-1:0][15:0] head_q_o,
    output logic [ Lanes-1:0][15:0] body_q_o
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

  // 0x0800 or 0x86DD, told apart by bit 15.
  function automatic logic is_ip(input logic [15:0] ethertype);
    return (ethertype & 16'h7122) == 16'h0000 && (ethertype & 16'h8EDD) == (ethertype[15] ? 16'h86DD : 16'h0800);
  endfunction

  // ---- tags and ethertype: at word 3, or one more for each tag --------------------------------------------------
  logic [RowW-1:0] row_q;
  logic [MaxTags-1:0] tag_q, tag;
  logic [1:0] tags;
  logic [MaxTags:0] ip_at, ipv6_at;
  logic known_now, ipv4, ipv4_q, ipv4_now, ipv6;

  always_comb begin
    for (int unsigned c = 0; c < MaxTags; c++) begin
      tag[c] = tag_q[c] && row_q != '0;
      if (row_q == RowW'((3 + c) / Lanes)) tag[c] = is_tag(body[(3+c)%Lanes]);
    end
    tags = {tag[0] && tag[1], tag[0] && (!tag[1] || tag[2])};
    for (int unsigned c = 0; c <= MaxTags; c++) begin
      ip_at[c]   = is_ip(body[(3+c)%Lanes]);
      ipv6_at[c] = body[(3+c)%Lanes][15];
    end
  end

  // ---- fields at a fixed distance from the L3 header: word `base` + tags ------------------------------------------
  function automatic logic [15:0] pick(input logic [Lanes-1:0][15:0] from, input int unsigned base,
                                       input logic [1:0] n);
    logic [MaxTags:0][15:0] candidates;  // an index, not a case: four to one is one lookup table a bit
    for (int unsigned i = 0; i <= MaxTags; i++) candidates[i] = from[(base+i)%Lanes];
    return candidates[n];
  endfunction

  function automatic logic here(input int unsigned base, input logic [1:0] n, input logic [RowW-1:0] row);
    logic [MaxTags:0] candidates;
    for (int unsigned i = 0; i <= MaxTags; i++) candidates[i] = row == RowW'((base + i) / Lanes);
    return candidates[n];
  endfunction

  logic [15:0] first_word;
  logic [4:0] l4, l4_known;
  logic right_version, whole;
  l3_e raw_l3_q, raw_l3, l3;
  ecn_e raw_ecn_q, raw_ecn;

  assign known_now     = here(3, tags, row_q);
  assign ipv6          = ipv6_at[tags];
  assign ipv4_now      = ip_at[tags] && !ipv6;
  assign ipv4          = known_now ? ipv4_now : ipv4_q && row_q != '0;
  assign first_word    = pick(head, 3, tags);
  assign right_version = ipv6 ? first_word[15:12] == 4'd6 : first_word[15:12] == 4'd4 && first_word[11:8] >= 4'd5;
  assign l4            = (ipv6 ? 5'd10 : 5'(first_word[11:8])) + 5'd3 + 5'(tags);

  // In store-and-forward the length grows with the beats, so the check is repeated on what was found.
  always_comb begin
    raw_l3   = row_q == '0 ? L3None : raw_l3_q;
    raw_ecn  = raw_ecn_q;
    l4_known = l4_o;
    if (known_now) begin
      raw_l3   = !ip_at[tags] || !right_version ? L3None : ipv6 ? L3Ipv6 : L3Ipv4;
      raw_ecn  = ecn_e'(ipv6 ? first_word[5:4] : first_word[1:0]);
      l4_known = l4;
    end
  end

  // A header that ends before word p is whole if the frame has 4p + 2 bytes.
  assign whole = len_i[LenW-1:8] != '0 || len_i[7:1] >= {1'b0, l4_known, 1'b1};
  assign l3    = whole ? raw_l3 : L3None;

  // ---- when to tell ----------------------------------------------------------------------------------------------
  logic told_q, tell, complete;
  assign complete = (known_now && !ipv4_now) || (ipv4 && here(6, tags, row_q));
  assign tell     = valid_i && ((last_i && (row_q == '0 || !told_q)) || (complete && !STORE_AND_FORWARD));

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      tag_q  <= tag;
      ipv4_q <= ipv4;
      told_q <= tell || (row_q != '0 && told_q);
      if (known_now || row_q == '0 || STORE_AND_FORWARD) begin
        raw_l3_q  <= raw_l3;
        raw_ecn_q <= raw_ecn;
        l3_o      <= l3;
        ecn_o     <= raw_ecn;
        if (l3 == L3None) ecn_o <= NotEct;
      end
      tags_o <= tags;
      if (known_now) begin
        ipv6_o <= ipv6;
        l4_o   <= l4;
      end
      if (here(6, tags, row_q)) raw_checksum_o <= pick(body, 6, tags);
      head_q_o <= head;
      body_q_o <= body;
      row_o    <= row_q;
      last_o   <= last_i;
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

  logic unused;
  assign unused  = &{len_i[0], first_word};

  assign head_o  = head;
  assign fresh_o = row_q == '0;
  assign told_o  = told_q;

  // The ECN field of a frame is reported once, at its last beat at the latest.
  logic reported_q;
  always_ff @(posedge clk_i) reported_q <= !rst_i && !(valid_o && last_o) && (reported_q || ecn_valid_o);
  EcnOnce_A :
  assert property (@(posedge clk_i) disable iff (rst_i) ecn_valid_o |-> !reported_q)
  else $error("the ECN strobe came twice in one frame");
  EcnByTheEnd_A :
  assert property (@(posedge clk_i) disable iff (rst_i) valid_o && last_o |-> reported_q || ecn_valid_o)
  else $error("a frame ended without its ECN strobe");

endmodule
