// SPDX-License-Identifier: BSD-3-Clause
// Reads the headers of the frames that pass: wires the two halves of the walk to the classifier and lines up the times.
//
// In: the beats of offered frames, from the pins. Out, counted from the pins: the class two cycles after the beat that
// decides it; ECN one cycle after its beat (FLAGS_VERDICT=0) or two (1), as the beat bus is one cycle later then. The
// tally comes two cycles after the beat bus shows the last beat; its frame is NON_IP and Not-ECT if bytes were missing,
// too many or out of place, since then no header can be trusted. With FLAGS_VERDICT=0 the class parts of meta_o are
// zero and flags_valid_o never comes: the class is in the tally alone.
module tm_header_walk
  import tm_pkg::*;
#(
    parameter int unsigned DATA_W            = 256,
    parameter bit          STORE_AND_FORWARD = 1'b0,
    parameter bit          FLAGS_VERDICT     = 1'b0
) (
    input  logic              clk_i,
    input  logic              rst_i,
    // from the framer
    input  logic              beat_valid_i,
    input  logic              beat_last_i,
    input  logic [DATA_W-1:0] beat_data_i,
    input  logic [  LenW-1:0] beat_len_i,
    input  logic              end_misshaped_i,  // one cycle after the last beat
    // to the ports
    output logic              ecn_valid_o,
    output logic              flags_valid_o,
    output meta_t             meta_o,
    // to the counters
    output logic              tally_valid_o,
    output class_e            tally_class_o,
    output logic              tally_ece_o,
    output ecn_e              tally_ecn_o,
    output logic [  LenW-1:0] tally_len_o
);

  localparam int unsigned Lanes = DATA_W / 32;
  localparam int unsigned RowW = $clog2(32 / Lanes + 1);

  // one cycle behind the pins
  logic valid, last, told, ecn_valid, ipv6, ip_long, fragment;
  logic [RowW-1:0] row;
  l3_e l3;
  logic [1:0] tags;
  ecn_e ecn;
  logic [15:0] raw_checksum, checksum, option;
  logic [4:0] l4, l3_end;
  logic [5:0] words;
  logic [6:0] ip_len;
  logic [7:0] protocol, next_header;
  logic [Lanes-1:0][15:0] head;
  logic [Lanes-1:0] offset;
  logic [LenW-1:0] len_q;

  // two cycles behind
  logic walked, tcp, last_q, ip_long_q, payload;
  l3_e l3_q;
  ecn_e ecn_q;
  class_e class_id;
  tcp_flags_t flags;
  logic misshaped_q;
  logic [4:0] tcp_at, l3_end_q;
  logic [5:0] words_q;
  logic [6:0] ip_len_q;
  logic [15:0] tcp_word;
  logic [LenW-1:0] len_qq;

  tm_l3_walk #(
      .DATA_W           (DATA_W),
      .STORE_AND_FORWARD(STORE_AND_FORWARD)
  ) i_l3_walk (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .valid_i       (beat_valid_i),
      .last_i        (beat_last_i),
      .data_i        (beat_data_i),
      .len_i         (beat_len_i),
      .ecn_valid_o   (ecn_valid),
      .l3_o          (l3),
      .tags_o        (tags),
      .ecn_o         (ecn),
      .raw_checksum_o(raw_checksum),
      .valid_o       (valid),
      .last_o        (last),
      .row_o         (row),
      .told_o        (told),
      .ipv6_o        (ipv6),
      .l4_o          (l4),
      .l3_end_o      (l3_end),
      .words_o       (words),
      .protocol_o    (protocol),
      .fragment_o    (fragment),
      .next_header_o (next_header),
      .option_o      (option),
      .ip_long_o     (ip_long),
      .ip_len_o      (ip_len),
      .head_o        (head),
      .offset_o      (offset)
  );

  tm_checksum_mark i_checksum_mark (
      .checksum_i(raw_checksum),
      .ecn_i     (ecn),
      .checksum_o(checksum)
  );

  tm_chain_walk #(
      .DATA_W           (DATA_W),
      .STORE_AND_FORWARD(STORE_AND_FORWARD)
  ) i_chain_walk (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .valid_i      (valid),
      .last_i       (last),
      .row_i        (row),
      .told_i       (told),
      .l3_i         (l3),
      .ipv6_i       (ipv6),
      .tags_i       (tags),
      .l4_i         (l4),
      .protocol_i   (protocol),
      .fragment_i   (fragment),
      .next_header_i(next_header),
      .option_i     (option),
      .head_i       (head),
      .offset_i     (offset),
      .walked_o     (walked),
      .tcp_o        (tcp),
      .tcp_at_o     (tcp_at),
      .tcp_word_o   (tcp_word)
  );

  // Everything the classifier needs, in step with the end of the walk.
  always_ff @(posedge clk_i) begin
    if (beat_valid_i) len_q <= beat_len_i;
    if (valid) begin
      len_qq    <= len_q;
      l3_q      <= l3;
      ecn_q     <= ecn;
      words_q   <= words;
      l3_end_q  <= l3_end;
      ip_long_q <= ip_long;
      ip_len_q  <= ip_len;
    end
    misshaped_q <= end_misshaped_i;
    last_q      <= valid && last;
    if (rst_i) last_q <= 1'b0;
  end

  tm_classify i_classify (
      .l3_i      (l3_q),
      .words_i   (words_q),
      .l3_end_i  (l3_end_q),
      .ip_long_i (ip_long_q),
      .ip_len_i  (ip_len_q),
      .tcp_i     (tcp),
      .tcp_at_i  (tcp_at),
      .tcp_word_i(tcp_word),
      .class_o   (class_id),
      .flags_o   (flags),
      .payload_o (payload)
  );

  class_e tally_class;
  logic   tally_ece;
  ecn_e   tally_ecn;
  assign tally_class = misshaped_q ? NonIp : class_id;
  assign tally_ece   = !misshaped_q && flags.ece;
  assign tally_ecn   = misshaped_q ? NotEct : ecn_q;

  if (FLAGS_VERDICT) begin : gen_flags_verdict
    l3_e late_l3_q;
    logic [1:0] late_tags_q;
    ecn_e late_ecn_q;
    logic [15:0] late_checksum_q;
    class_e held_class_q;
    tcp_flags_t held_flags_q;
    logic held_payload_q;

    always_ff @(posedge clk_i) begin
      ecn_valid_o     <= ecn_valid;
      late_l3_q       <= l3;
      late_tags_q     <= tags;
      late_ecn_q      <= ecn;
      late_checksum_q <= checksum;
      if (walked) begin
        held_class_q   <= class_id;
        held_flags_q   <= flags;
        held_payload_q <= payload;
      end
      tally_valid_o <= last_q;
      tally_class_o <= tally_class;
      tally_ece_o   <= tally_ece;
      tally_ecn_o   <= tally_ecn;
      tally_len_o   <= len_qq;
      if (rst_i) begin
        ecn_valid_o   <= 1'b0;
        tally_valid_o <= 1'b0;
      end
    end

    assign flags_valid_o = walked;
    assign meta_o = '{
            l3: late_l3_q,
            tags: late_tags_q,
            ecn: late_ecn_q,
            checksum: late_checksum_q,
            class_id: walked ? class_id : held_class_q,
            flags: walked ? flags : held_flags_q,
            payload: walked ? payload : held_payload_q
        };
  end else begin : gen_ecn_verdict
    assign ecn_valid_o   = ecn_valid;
    assign flags_valid_o = 1'b0;
    assign meta_o = '{
            l3: l3,
            tags: tags,
            ecn: ecn,
            checksum: checksum,
            class_id: NonIp,
            flags: '0,
            payload: 1'b0
        };
    assign tally_valid_o = last_q;
    assign tally_class_o = tally_class;
    assign tally_ece_o   = tally_ece;
    assign tally_ecn_o   = tally_ecn;
    assign tally_len_o   = len_qq;
  end

endmodule
