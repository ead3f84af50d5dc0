// SPDX-License-Identifier: BSD-3-Clause
// The class of a frame, from what the header walk found.
//
// Combinational. The first that matches: no readable IP, not (readable) TCP, SYN-ACK, SYN, control, data, pure ACK.
// The payload follows from the IP length alone: what the IP length counts behind word `l3_end_i`, less the headers up
// to the end of the TCP header. Flags are zero unless the class is one of TCP's.
module tm_classify
  import tm_pkg::*;
(
    input  l3_e                l3_i,
    input  logic        [ 5:0] words_i,    // words the frame has behind byte 2, at most 63
    input  logic        [ 4:0] l3_end_i,
    input  logic               ip_long_i,  // IP length of 128 or more: no header reaches that far
    input  logic        [ 6:0] ip_len_i,
    input  logic               tcp_i,
    input  logic        [ 4:0] tcp_at_i,
    input  logic        [15:0] tcp_word_i,
    output class_e             class_o,
    output tcp_flags_t         flags_o,
    output logic               payload_o
);

  logic [5:0] ip_end, tcp_end;  // words
  logic readable, tcp, payload;
  tcp_flags_t flags;

  assign ip_end    = 6'(l3_end_i) + 6'(ip_len_i[6:2]);
  assign tcp_end   = 6'(tcp_at_i) + 6'(tcp_word_i[15:12]);
  assign flags     = tcp_flags_t'(tcp_word_i[8:0]);

  // All 20 bytes are there, the header has at least those, and it ends within the IP packet.
  assign readable  = tcp_i && words_i >= 6'(tcp_at_i) + 6'd6 && tcp_word_i[15:12] >= 4'd5
                  && (ip_long_i || ip_end >= tcp_end);

  assign payload   = ip_long_i || ip_end != tcp_end || ip_len_i[1:0] != '0;

  always_comb begin
    if (l3_i == L3None) class_o = NonIp;
    else if (!readable) class_o = OtherIp;
    else if (flags.syn) class_o = flags.ack ? SynAck : Syn;
    else if (flags.rst || (flags.fin && !payload)) class_o = TcpCtrl;
    else if (payload) class_o = Data;
    else class_o = flags.ack ? Ack : TcpCtrl;
  end

  assign tcp       = l3_i != L3None && readable;
  assign flags_o   = tcp ? flags : '0;
  assign payload_o = tcp && payload;

endmodule
