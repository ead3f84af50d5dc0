// SPDX-License-Identifier: BSD-3-Clause
// Second half of the header walk: the IPv6 extension headers, and the place of the TCP flags.
//
// Works one cycle behind the beats on what tm_l3_walk collected. In one cycle it takes, from the beat at hand, the
// protocol, the first extension header, the second one and the place of the TCP flags, as many of them as the beat
// holds. Places are word numbers (see tm_l3_walk): an extension header at p has next header and length in `head[p]` and
// a fragment offset in `body[p+1]`, which may be in the next beat; a TCP header at p has data offset and flags in
// `head[p+3]`. A third extension header, what follows one of more than 68 bytes, and anything that begins or ends behind
// byte 127, is not looked at.
//
// It looks into the beat through tm_word_window: at the second extension header in the cycle it works, at the TCP flags
// from the next cycle on. The results are registered; tcp_o and walked_o come with the word they tell of. walked_o comes
// once a frame: when the byte that decides has been seen, or with the frame's last beat, or always then in
// store-and-forward.
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
    input  logic             clk_i,
    input  logic             rst_i,
    // from the first half
    input  logic             valid_i,
    input  logic             last_i,
    input  logic [ RowW-1:0] row_i,
    input  logic             told_i,
    input  l3_e              l3_i,
    input  logic             ipv6_i,
    input  logic [      1:0] tags_i,
    input  logic [      4:0] l4_i,
    input  logic [      7:0] protocol_i,
    input  logic             fragment_i,
    input  logic [      7:0] next_header_i,
    input  logic [     15:0] option_i,        // the first extension header
    input  logic [Lanes-1:0] offset_i,
    // to and from the window: the second extension header
    output logic [LaneW-1:0] option2_lane_o,
    input  logic [     15:0] option2_i,
    // ... and the TCP flags
    output logic             found_o,         // they are in this beat
    // to the classifier, one cycle later
    output logic             walked_o,
    output logic             tcp_o,           // they were found
    output logic [      4:0] flags_at_o       // their word
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

  // Words of a header whose length field is not too long: behind more than 17 words no TCP flags can be in the window.
  function automatic logic [4:0] words_of(input state_e header, input logic [3:0] length);
    unique case (header)
      StOptions: return {4'(length[2:0]) + 4'd1, 1'b0};
      StAuth: return 5'(length) + 5'd2;
      default: return 5'd2;
    endcase
  endfunction

  function automatic logic too_long(input state_e header, input logic [4:0] length);
    return (header == StOptions && length != '0) || (header == StAuth && length[4:1] != '0);
  endfunction

  function automatic logic in_row(input logic [5:0] place, input logic [RowW-1:0] row);
    return 32'(place >> LaneW) == 32'(row);
  endfunction

  state_e state_q, s0, b1, s1, s2, s3;
  logic second_q, second;  // the header waited for is the second extension header
  logic [4:0] at_q, at0, at1, at2;  // where it begins (a first one: behind the base header)
  logic [5:0] next1, next2, flags_at;
  logic offset_next_q, offset_next, split1, split2;  // a fragment offset is in the next beat's first word
  logic fresh, ext1, ext2;
  logic [4:0] first_option;  // word of the first extension header

  assign first_option = 5'd13 + 5'(tags_i);
  assign fresh        = row_i == '0;

  always_comb begin
    // the protocol
    s0  = fresh ? StProtocol : state_q;
    at0 = second_q && !fresh ? at_q : l4_i;
    if (s0 == StProtocol && in_row(6'd5 + 6'(tags_i), row_i)) begin
      s0 = ipv6_i ? after(next_header_i) : protocol_i == 8'd6 && !fragment_i ? StTcp : StDone;
    end

    // the first extension header
    b1     = ProtocolApart ? state_q : s0;
    s1     = s0;
    at1    = at0;
    ext1   = b1[2] && !(ProtocolApart && fresh) && !(second_q && !fresh) && in_row(6'(first_option), row_i);
    second = ext1 || (second_q && !fresh);
    next1  = 6'(first_option) + 6'(words_of(b1, option_i[3:0]));
    split1 = 1'b0;
    if (ext1) begin
      s1     = next1[5] || too_long(b1, option_i[7:3]) ? StDone : after(option_i[15:8]);
      at1    = next1[4:0];
      split1 = b1 == StFragment && LaneW'(first_option) == LaneW'(Lanes - 1);
      if (b1 == StFragment && !split1 && offset_i[LaneW'(first_option+5'd1)]) s1 = StDone;
    end
  end

  // the second, then TCP
  always_comb begin
    s2     = s1;
    at2    = at1;
    ext2   = s1[2] && second && in_row(6'(at1), row_i);
    next2  = 6'(at1) + 6'(words_of(s1, option2_i[3:0]));
    split2 = 1'b0;
    if (ext2) begin
      s2     = next2[5] || too_long(s1, option2_i[7:3]) || option2_i[15:8] != 8'd6 ? StDone : StTcp;
      at2    = next2[4:0];
      split2 = s1 == StFragment && at1[LaneW-1:0] == LaneW'(Lanes - 1);
      if (s1 == StFragment && !split2 && offset_i[at1[LaneW-1:0]+1'b1]) s2 = StDone;
    end

    // a fragment offset left over from the beat before
    offset_next = split1 || split2;
    if (offset_next_q && !fresh && offset_i[0]) begin
      s2          = StDone;
      offset_next = 1'b0;
    end

    // TCP
    flags_at = 6'(at2) + 6'd3;
    if (s2 == StTcp && flags_at[5]) s2 = StDone;
    found_o = valid_i && s2 == StTcp && in_row(flags_at, row_i);
    s3      = found_o ? StDone : s2;
  end

  assign option2_lane_o = at1[LaneW-1:0];

  // The byte that decides has been seen.
  logic told_walked_q, decided;
  assign decided = told_i && (l3_i == L3None || (s3 == StDone && !offset_next));

  always_ff @(posedge clk_i) begin
    walked_o <= 1'b0;
    if (valid_i) begin
      state_q       <= s3;
      at_q          <= at2;
      second_q      <= second;
      offset_next_q <= offset_next;
      tcp_o         <= found_o || (!fresh && tcp_o);
      if (found_o) flags_at_o <= flags_at[4:0];
      walked_o      <= (fresh || !told_walked_q) && (last_i || (decided && !STORE_AND_FORWARD));
      told_walked_q <= (!fresh && told_walked_q) || last_i || (decided && !STORE_AND_FORWARD);
    end
    if (rst_i) walked_o <= 1'b0;
  end

  // The walk of a frame ends once, with its last beat at the latest.
  logic reported_q, ended_q;
  always_ff @(posedge clk_i) begin
    ended_q    <= !rst_i && valid_i && last_i;
    reported_q <= !rst_i && !ended_q && (reported_q || walked_o);
  end
  WalkedOnce_A :
  assert property (@(posedge clk_i) disable iff (rst_i) walked_o |-> !reported_q)
  else $error("the end of the walk came twice in one frame");
  WalkedByTheEnd_A :
  assert property (@(posedge clk_i) disable iff (rst_i) ended_q |-> reported_q || walked_o)
  else $error("a frame ended before its walk");

  // It does not end before the ECN strobe.
  EcnFirst_A :
  assert property (@(posedge clk_i) disable iff (rst_i) walked_o |-> $past(told_i))
  else $error("the end of the walk came before the ECN strobe");

endmodule
