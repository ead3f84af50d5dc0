// SPDX-License-Identifier: BSD-3-Clause
// The class of a frame, from what the header walk found.
//
// Combinational. The first that matches: no readable IP, not (readable) TCP, SYN-ACK, SYN, control, data, pure ACK.
// The payload follows from the IP length alone: what it counts from its base on, less the headers up to the end of the
// TCP header. Flags are zero unless the class is one of TCP's; `class_ece_o` has the one bit set that stands for class
// and ECE flag. All places are word numbers (see tm_l3_walk).
module tm_classify
  import tm_pkg::*;
(
    input  l3_e               l3_i,
    input  logic              ip_long_i,    // IP length of 128 or more: no header reaches that far
    input  logic              ip_odd_i,     // it is no multiple of four
    input  logic              long_i,       // the frame has more bytes than any of its headers can need
    input  logic       [ 6:0] pairs_i,      // byte pairs in the frame, less four
    input  logic              tcp_i,        // there is a TCP header within the window
    input  logic       [ 4:0] flags_at_i,   // word of its flags, three behind its first
    input  logic       [ 5:0] ip_end_i,     // word of the flags of a TCP header behind the IP packet
    input  logic       [15:0] tcp_word_i,   // data offset .. flags
    output class_e            class_o,
    output class_ece_t        class_ece_o,
    output tcp_flags_t        flags_o,
    output logic              payload_o
);

  logic readable, payload, enough, exact;
  logic [3:0] length;  // of the TCP header, in words
  logic [6:0] left;  // words from there on, up to the end of the IP packet, or negative
  tcp_flags_t flags;

  assign flags = tcp_flags_t'(tcp_word_i[8:0]);

  // Pairs of bits in tables: the length comes late, and a carry chain takes longer.
  function automatic logic at_least(logic [3:0] some, logic [3:0] other);
    logic [1:0] above, equal;
    for (int i = 0; i < 2; i++) begin
      above[i] = (some[2*i+1] && !other[2*i+1]) || (some[2*i+1] == other[2*i+1] && some[2*i] && !other[2*i]);
      equal[i] = some[2*i+:2] == other[2*i+:2];
    end
    return above[1] || (equal[1] && (above[0] || equal[0]));
  endfunction

  assign length = tcp_word_i[15:12];
  assign left = 7'(ip_end_i) - 7'(flags_at_i);
  assign enough = !left[6] && (left[5:4] != '0 || at_least(left[3:0], length));
  assign exact = left[5:4] == '0 && left[3:0] == length;

  // All 20 bytes are there (8 behind the flags' word), the header has at least those, and ends within the IP packet.
  assign readable = l3_i != L3None && tcp_i && (long_i || pairs_i >= {1'b0, flags_at_i, 1'b1})
                 && length >= 4'd5 && (ip_long_i || enough);
  assign payload = ip_long_i || ip_odd_i || !exact;

  // What the class of a TCP header is, if it is readable, which is known last.
  class_e of_tcp;
  always_comb begin
    if (flags.syn) of_tcp = flags.ack ? SynAck : Syn;
    else if (flags.rst || (flags.fin && !payload)) of_tcp = TcpCtrl;
    else if (payload) of_tcp = Data;
    else of_tcp = flags.ack ? Ack : TcpCtrl;
    class_o = l3_i == L3None ? NonIp : readable ? of_tcp : OtherIp;
  end

  always_comb begin
    class_ece_o             = readable ? class_ece_t'(1) << {of_tcp, flags.ece} : '0;
    class_ece_o[NonIp][0]   = l3_i == L3None;
    class_ece_o[OtherIp][0] = l3_i != L3None && !readable;
  end

  logic unused;
  assign unused    = &tcp_word_i[11:9];  // reserved

  assign flags_o   = readable ? flags : '0;
  assign payload_o = readable && payload;

endmodule
