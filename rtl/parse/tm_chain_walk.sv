// SPDX-License-Identifier: BSD-3-Clause
// Second half of the header walk: the IPv6 extension headers, and the place of the TCP flags.
//
// Works in three cycles. In the beat's own it takes the protocol and the first extension header out of the beat and
// works out where that one ends, for each kind that it may turn out to be. In the next it chooses, in the third it
// takes the second one and the place of the TCP flags, as many as the beat holds; each keeps a state from beat to beat.
// Places are word numbers (see tm_l3_walk): an extension header at p has next header and length in `head[p]` and a
// fragment offset in `body[p+1]`, which may be in the next beat; a TCP header at p has data offset and flags in
// `head[p+3]`. A third extension header, what follows one of more than 68 bytes, or ends behind byte 127, is ignored.
//
// It looks into the beat through tm_word_window: at the second extension header in the third cycle, at the TCP flags
// from the fourth on. The results are registered; tcp_o and walked_o come with the word they tell of. walked_o comes
// once a frame: when the byte that decides has been seen, or with the frame's last beat, or always then in
// store-and-forward.
`include "tm_assert.svh"

module tm_chain_walk
  import tm_pkg::*;
#(
    parameter  int unsigned DATA_W            = 256,
    parameter  bit          STORE_AND_FORWARD = 1'b0,
    localparam int unsigned Lanes             = DATA_W / 32,
    localparam int unsigned LaneW             = $clog2(Lanes),
    localparam int unsigned Rows              = 32 / Lanes,
    localparam int unsigned RowW              = $clog2(Rows + 1)
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   s_valid_i,      // from the pins: a beat, stored or not
    // from the first half, with the beat
    input  logic [ RowW-1:0]       row_now_i,
    input  logic [Lanes-1:0][15:0] head_i,
    input  logic [Lanes-1:0][15:0] body_i,
    input  logic [MaxTags:0]       fragment_i,
    input  logic [Lanes-1:0]       offset_i,
    // ... and one cycle later
    input  logic                   valid_i,
    input  logic                   last_i,
    input  logic [ RowW-1:0]       row_i,
    input  logic                   told_i,
    input  l3_e                    l3_i,
    input  logic                   ipv6_i,
    input  logic [      1:0]       tags_i,
    input  logic [      4:0]       l4_i,
    input  logic                   late_offset_i,  // of the beat's first word
    // to and from the window, another cycle later: the second extension header
    output logic                   walk_valid_o,
    output logic                   walk_fresh_o,   // the frame's first beat
    output logic [      4:0]       option2_at_o,
    output logic                   is_options_o,   // its kind; neither: a fragment header
    output logic                   is_auth_o,
    input  logic [      4:0]       flags2_at_i,    // the word of the flags behind it
    input  logic [      2:0]       flags2_here_i,  // by kind: the flags behind it are in this beat
    input  logic [      2:0]       stops2_i,       // or will not come
    // to the classifier, two cycles later
    output logic                   walked_o,
    output logic                   tcp_o,          // they were found
    output logic [      4:0]       flags_at_o      // their word
);

  // What the walk waits for next. The first three are extension headers.
  typedef enum logic [2:0] {
    StOptions  = 3'b100,  // hop-by-hop, routing, destination options: 8 * (length + 1) bytes
    StFragment = 3'b101,  // 8 bytes
    StAuth     = 3'b110,  // authentication header: 4 * (length + 2) bytes
    StTcp      = 3'b001,
    StProtocol = 3'b010,  // not known yet
    StDone     = 3'b000
  } state_e;

  // Up to 256 bit the first extension header is in a later beat than the protocol that tells of it.
  localparam bit ProtocolApart = Lanes <= 8;

  function automatic state_e after(input logic [7:0] next_header);
    unique case (next_header)
      8'd0, 8'd43, 8'd60: return StOptions;
      8'd44: return StFragment;
      8'd51: return StAuth;
      8'd6: return StTcp;
      default: return StDone;
    endcase
  endfunction

  function automatic logic in_row(input logic [5:0] place, input logic [RowW-1:0] row);
    return 32'(place >> LaneW) == 32'(row);
  endfunction

  // ---- the first cycle: the protocol, and the first extension header at word 13 + tags -----------------------------
  // What they say is worked out for each number of tags, and the number, which comes last, only chooses, in the next
  // cycle. Where it is known from an earlier beat, it chooses first.
  typedef struct packed {
    logic   here;  // the protocol is in this beat
    state_e ipv6;
    logic   tcp;   // IPv4
  } base_t;

  // An extension header, and where it ends if it is one of these kinds. Behind more than 17 words no TCP flags can be
  // in the window.
  typedef struct packed {
    logic       here;
    logic [7:0] next;          // what follows it, looked up in the second cycle
    logic       offset;        // a fragment's is not zero
    logic       options_long;
    logic [4:0] options_end;
    logic       auth_long;
    logic [4:0] auth_end;
    logic [4:0] fragment_end;
  } header_t;

  function automatic header_t look(input logic [15:0] word, input logic [1:0] n, input logic here, input logic offset);
    header_t header;
    logic too_long;
    header.here                               = here;
    header.next                               = word[15:8];
    header.offset                             = offset;
    too_long                                  = word[7:4] != '0;
    {header.options_long, header.options_end} = 6'd15 + 6'(n) + {2'b00, word[2:0], 1'b0};
    {header.auth_long, header.auth_end}       = 6'd15 + 6'(n) + 6'(word[3:0]);
    header.options_long |= too_long || word[3];
    header.auth_long |= too_long;
    header.fragment_end = 5'd15 + 5'(n);
    return header;
  endfunction

  // How far the walk has come with a beat.
  typedef struct packed {
    state_e     what;    // what it waits for
    logic       passed;  // the extension header that this cycle looks for is behind it
    logic       split;   // and its fragment offset in the next beat's first word
    logic [4:0] at;      // where `what` begins
  } walk_t;

  // What the walk waits for once it has seen what the beat has of the base header.
  function automatic state_e after_base(input state_e what, input base_t base, input logic ipv6);
    if (what != StProtocol || !base.here) return what;
    return ipv6 ? base.ipv6 : base.tcp ? StTcp : StDone;
  endfunction

  // The walk behind an extension header of a kind, which is in the beat.
  // verilator lint_off UNUSEDSIGNAL
  function automatic walk_t after_option(input state_e kind, input header_t header, input logic ends_beat);
    after_option = '{what: after(header.next), passed: 1'b1, split: 1'b0, at: 'x};
    unique case (kind)
      StOptions: begin
        after_option.at = header.options_end;
        if (header.options_long) after_option.what = StDone;
      end
      StAuth: begin
        after_option.at = header.auth_end;
        if (header.auth_long) after_option.what = StDone;
      end
      default: begin
        after_option.at    = header.fragment_end;
        after_option.split = ends_beat;
        if (header.offset) after_option.what = StDone;
      end
    endcase
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  base_t [MaxTags:0] bases, bases_q;
  header_t [MaxTags:0] headers, headers_q;  // all alike where the number is known
  header_t header;
  logic [MaxTags:0][15:0] words;
  logic [MaxTags:0] here, split_offset;
  logic fresh_q;  // the frame's first beat

  always_comb begin
    for (int unsigned n = 0; n <= MaxTags; n++) begin
      bases[n].here   = row_now_i == RowW'((5 + n) / Lanes);
      bases[n].ipv6   = after(body_i[(5+n)%Lanes][15:8]);
      bases[n].tcp    = head_i[(5+n)%Lanes][7:0] == 8'd6 && !fragment_i[n];
      words[n]        = head_i[(13+n)%Lanes];
      here[n]         = row_now_i == RowW'((13 + n) / Lanes);
      split_offset[n] = (13 + n) % Lanes != Lanes - 1 && offset_i[(14+n)%Lanes];
      headers[n]      = look(words[n], 2'(n), here[n], split_offset[n]);
    end
    if (ProtocolApart) begin
      headers = {(MaxTags + 1) {look(words[tags_i], tags_i, here[tags_i] && row_now_i != '0, split_offset[tags_i])}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_valid_i) begin
      bases_q   <= bases;
      headers_q <= headers;
      fresh_q   <= row_now_i == '0;
    end
  end

  // ---- the second cycle: what follows the base header, and where the first extension header ends -------------------
  walk_t first, first_q;
  state_e base, kind;
  logic ext1, behind_first, ends_beat;

  assign header       = ProtocolApart ? headers_q[0] : headers_q[tags_i];
  assign base         = after_base(fresh_q ? StProtocol : first_q.what, bases_q[tags_i], ipv6_i);
  assign kind         = ProtocolApart ? first_q.what : base;
  assign behind_first = first_q.passed && !fresh_q;
  assign ext1         = kind[2] && !behind_first && header.here;
  assign ends_beat    = LaneW'(5'd13 + 5'(tags_i)) == LaneW'(Lanes - 1);

  always_comb begin
    first = '{what: base, passed: behind_first, split: 1'b0, at: behind_first ? first_q.at : l4_i};
    if (ext1) first = after_option(kind, header, ends_beat);
    if (first_q.split && !fresh_q && late_offset_i) first.what = StDone;
  end

  logic valid_q, last_q, told_q, none_q, new_q;
  logic [RowW-1:0] row_q;
  logic offset_q;  // of the beat's first word
  always_ff @(posedge clk_i) begin
    valid_q <= valid_i && !rst_i;
    if (valid_i) begin
      first_q  <= first;
      last_q   <= last_i;
      told_q   <= told_i;
      none_q   <= l3_i == L3None;
      new_q    <= fresh_q;
      row_q    <= row_i;
      offset_q <= late_offset_i;
    end
  end

  // ---- the third: the second extension header, and the place of the TCP flags --------------------------------------
  // They are three words behind a header that was passed, or where the window has them behind a second one.
  // Whether there is a second one is known late: it chooses between what is ready. Whether its flags are here, the
  // window says: what ends the walk waits for no sum.
  walk_t second, second_q;  // `at` are the TCP flags, if it waits for TCP
  logic ext2, stops, split2, ends, found, done;
  logic [5:0] ahead;  // the flags, without a second header
  // The flags are in this beat, or will not come: without a second header, with one, and with one passed before.
  (* keep *) logic [2:0] here_now, over;

  always_comb begin
    ext2 = first_q.what[2] && first_q.passed && !second_q.passed && in_row(6'(first_q.at), row_q);
    ahead = {1'b0, first_q.at} + 6'd3;
    stops = second_q.split && !new_q && offset_q;
    split2 = first_q.what == StFragment && &first_q.at[LaneW-1:0];
    {over[1], here_now[1]} = {stops2_i[0], flags2_here_i[0]};
    if (first_q.what == StFragment) {over[1], here_now[1]} = {stops2_i[1], flags2_here_i[1]};
    if (first_q.what == StAuth) {over[1], here_now[1]} = {stops2_i[2], flags2_here_i[2]};
    {over[2], here_now[2]} = {second_q.what == StDone, second_q.what == StTcp && in_row(6'(second_q.at), row_q)};
    over[0] = first_q.what == StDone || (first_q.what == StTcp && ahead[5]);
    here_now[0] = first_q.what == StTcp && in_row(ahead, row_q);
    ends = stops || (second_q.passed ? over[2] : ext2 ? over[1] : over[0]);
    found = (second_q.passed ? here_now[2] : ext2 ? here_now[1] : here_now[0]) && !ends;
    done = (found || ends || (tcp_o && !new_q)) && !first_q.split && !(ext2 && split2);
    second.what = ends ? StDone : second_q.passed ? second_q.what : ext2 ? StTcp : first_q.what;
    {second.passed, second.split} = {second_q.passed || ext2, ext2 && split2};
    second.at = second_q.passed ? second_q.at : ext2 ? flags2_at_i : ahead[4:0];
  end

  assign option2_at_o = first_q.at;
  assign is_options_o = first_q.what == StOptions;
  assign is_auth_o    = first_q.what == StAuth;
  assign walk_valid_o = valid_q;
  assign walk_fresh_o = new_q;

  // The byte that decides has been seen.
  logic told_walked_q, decided, walked;
  assign decided = told_q && (none_q || done);
  assign walked  = last_q || (decided && !STORE_AND_FORWARD);

  always_ff @(posedge clk_i) begin
    walked_o <= valid_q && walked && (new_q || !told_walked_q) && !rst_i;
    if (valid_q) begin
      second_q <= second;
      tcp_o    <= found || (!new_q && tcp_o);
      if (new_q || !tcp_o) flags_at_o <= second.at;
      told_walked_q <= (!new_q && told_walked_q) || walked;
    end
    if (valid_i && fresh_q) second_q.passed <= 1'b0;  // a new frame's first beat is next
  end

  // The walk of a frame ends once, with its last beat at the latest.
  logic reported_q, ended_q;
  always_ff @(posedge clk_i) begin
    ended_q    <= !rst_i && valid_q && last_q;
    reported_q <= !rst_i && !ended_q && (reported_q || walked_o);
  end
  `TM_ASSERT_IF(WalkedOnce_A, walked_o, !reported_q, "the end of the walk came twice in one frame")
  `TM_ASSERT_IF(WalkedByTheEnd_A, ended_q, reported_q || walked_o, "a frame ended before its walk")

  // It does not end before the ECN strobe.
  `TM_ASSERT_IF(EcnFirst_A, walked_o, $past(told_q), "the end of the walk came before the ECN strobe")

endmodule
