// SPDX-License-Identifier: BSD-3-Clause
// Second half of the header walk: the IPv6 extension headers, and the place of the TCP flags.
//
// Works in two cycles. In the beat's own it takes the protocol and the first extension header out of the beat and works
// out where that one ends, for each kind that it may turn out to be. In the next it takes the second one and the place
// of the TCP flags, as many of them as the beat holds. Places are word numbers (see tm_l3_walk): an extension header at
// p has next header and length in `head[p]` and a fragment offset in `body[p+1]`, which may be in the next beat; a TCP
// header at p has data offset and flags in `head[p+3]`. A third extension header, what follows one of more than 68
// bytes, and anything that begins or ends behind byte 127, is not looked at.
//
// It looks into the beat through tm_word_window: at the second extension header in the second cycle, at the TCP flags
// from the third on. The results are registered; tcp_o and walked_o come with the word they tell of. walked_o comes
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
    input  logic             clk_i,
    input  logic             rst_i,
    // from the first half, with the beat
    input  logic             beat_valid_i,
    input  logic [      1:0] tags_now_i,
    input  logic [ RowW-1:0] row_now_i,
    input  logic [      7:0] protocol_i,
    input  logic             fragment_i,
    input  logic [      7:0] next_header_i,
    input  logic [     15:0] option_i,        // the first extension header
    input  logic [Lanes-1:0] offset_i,
    // ... and one cycle later
    input  logic             valid_i,
    input  logic             last_i,
    input  logic [ RowW-1:0] row_i,
    input  logic             told_i,
    input  l3_e              l3_i,
    input  logic             ipv6_i,
    input  logic [      1:0] tags_i,
    input  logic [      4:0] l4_i,
    // to and from the window: the second extension header
    output logic [LaneW-1:0] option2_lane_o,
    input  logic             tcp2_i,          // what follows it is TCP
    input  logic [      7:0] length2_i,
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

  function automatic logic too_long(input state_e header, input logic [4:0] length);
    return (header == StOptions && length != '0) || (header == StAuth && length[4:1] != '0);
  endfunction

  function automatic logic in_row(input logic [5:0] place, input logic [RowW-1:0] row);
    return 32'(place >> LaneW) == 32'(row);
  endfunction

  // ---- the first cycle: the protocol, and the first extension header at word 13 + tags -----------------------------
  state_e base_q, first_after_q;
  logic fresh;  // the frame's first beat
  logic base_tcp_q, base_here_q, first_here_q, options_done_q, auth_done_q, first_offset_q;
  logic [4:0] options_end_q, auth_end_q, fragment_end_q;  // where it ends, if it is one of these
  logic [Lanes-1:0] offset_q;
  logic [5:0] options_end, auth_end;
  logic [MaxTags:0] base_here, first_here, first_offset;

  // Words of a header whose length field is not too long: behind more than 17 words no TCP flags can be in the window.
  assign options_end = 6'd15 + 6'(tags_now_i) + {2'b00, option_i[2:0], 1'b0};
  assign auth_end    = 6'd15 + 6'(tags_now_i) + 6'(option_i[3:0]);
  always_comb begin
    for (int unsigned n = 0; n <= MaxTags; n++) begin
      base_here[n]    = row_now_i == RowW'((5 + n) / Lanes);
      first_here[n]   = row_now_i == RowW'((13 + n) / Lanes);
      first_offset[n] = (13 + n) % Lanes != Lanes - 1 && offset_i[(14+n)%Lanes];
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_valid_i) begin
      base_q         <= after(next_header_i);
      base_tcp_q     <= protocol_i == 8'd6 && !fragment_i;
      base_here_q    <= base_here[tags_now_i];
      first_here_q   <= first_here[tags_now_i] && !(ProtocolApart && row_now_i == '0);
      fresh          <= row_now_i == '0;
      first_after_q  <= after(option_i[15:8]);
      first_offset_q <= first_offset[tags_now_i];
      options_end_q  <= options_end[4:0];
      options_done_q <= options_end[5] || too_long(StOptions, option_i[7:3]);
      auth_end_q     <= auth_end[4:0];
      fragment_end_q <= 5'd15 + 5'(tags_now_i);
      auth_done_q    <= auth_end[5] || too_long(StAuth, option_i[7:3]);
      offset_q       <= offset_i;
    end
  end

  // ---- the second cycle ---------------------------------------------------------------------------------------------
  state_e state_q, s0, b1, s1, s2, s3;
  logic second_q, second;  // the header waited for is the second extension header
  logic placed_q, placed;  // at_q is the place of the TCP flags
  logic [4:0] at_q, at0, at1;  // where it begins (a first one: behind the base header)
  logic [5:0] begins, length2, flags_at;
  logic offset_next_q, offset_next, split1, split2;  // a fragment offset is in the next beat's first word
  logic ext1, ext2, found;


  always_comb begin
    // the protocol
    s0     = fresh ? StProtocol : state_q;
    placed = placed_q && !fresh;
    at0    = (second_q || placed_q) && !fresh ? at_q : l4_i;
    if (s0 == StProtocol && base_here_q) s0 = ipv6_i ? base_q : base_tcp_q ? StTcp : StDone;

    // the first extension header
    b1     = ProtocolApart ? state_q : s0;
    s1     = s0;
    at1    = at0;
    ext1   = b1[2] && !(second_q && !fresh) && first_here_q;
    second = ext1 || (second_q && !fresh);
    split1 = 1'b0;
    if (ext1) begin
      s1 = first_after_q;
      unique case (b1)
        StOptions: begin
          at1 = options_end_q;
          if (options_done_q) s1 = StDone;
        end
        StAuth: begin
          at1 = auth_end_q;
          if (auth_done_q) s1 = StDone;
        end
        default: begin
          at1    = fragment_end_q;
          split1 = LaneW'(5'd13 + 5'(tags_i)) == LaneW'(Lanes - 1);
          if (first_offset_q) s1 = StDone;
        end
      endcase
    end
  end

  // the second, then TCP: its flags are three words behind it; the least that can be between is added beside the look
  // at the second header's length
  always_comb begin
    s2      = s1;
    ext2    = s1[2] && second && in_row(6'(at1), row_i);
    split2  = 1'b0;
    begins  = 6'(at1) + (ext2 ? 6'd5 : placed ? 6'd0 : 6'd3);
    length2 = '0;
    if (ext2) begin
      if (s1 == StOptions) length2 = {2'b00, length2_i[2:0], 1'b0};
      else if (s1 == StAuth) length2 = 6'(length2_i[3:0]);
      s2     = too_long(s1, length2_i[7:3]) || !tcp2_i ? StDone : StTcp;
      split2 = s1 == StFragment && at1[LaneW-1:0] == LaneW'(Lanes - 1);
      if (s1 == StFragment && !split2 && offset_q[at1[LaneW-1:0]+1'b1]) s2 = StDone;
    end

    // a fragment offset left over from the beat before
    offset_next = split1 || split2;
    if (offset_next_q && !fresh && offset_q[0]) begin
      s2          = StDone;
      offset_next = 1'b0;
    end

    // TCP
    flags_at = begins + length2;
    if (s2 == StTcp && flags_at[5]) s2 = StDone;
    found = valid_i && s2 == StTcp && in_row(flags_at, row_i);
    s3    = found ? StDone : s2;
  end

  assign option2_lane_o = at1[LaneW-1:0];

  // The byte that decides has been seen.
  logic told_walked_q, decided;
  assign decided = told_i && (l3_i == L3None || (s3 == StDone && !offset_next));

  always_ff @(posedge clk_i) begin
    walked_o <= 1'b0;
    if (valid_i) begin
      state_q       <= s3;
      at_q          <= s2 == StTcp ? flags_at[4:0] : at1;
      placed_q      <= s2 == StTcp;
      second_q      <= second;
      offset_next_q <= offset_next;
      tcp_o         <= found || (!fresh && tcp_o);
      if (fresh || !tcp_o) flags_at_o <= flags_at[4:0];
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
  `TM_ASSERT_IF(WalkedOnce_A, walked_o, !reported_q, "the end of the walk came twice in one frame")
  `TM_ASSERT_IF(WalkedByTheEnd_A, ended_q, reported_q || walked_o, "a frame ended before its walk")

  // It does not end before the ECN strobe.
  `TM_ASSERT_IF(EcnFirst_A, walked_o, $past(told_i), "the end of the walk came before the ECN strobe")

endmodule
