// SPDX-License-Identifier: BSD-3-Clause
// Reads the headers of the frames that pass: wires the two halves of the walk to the classifier and lines up the times.
//
// In: the beats of offered frames, from the pins. Out, counted from the pins, as the beat bus is one cycle later: ECN
// two cycles after its beat, and the class two cycles after the beat that decides it. next_ecn_o says one cycle early
// what meta_o.ecn will be. The tally comes two cycles after the beat bus shows the last beat; its frame is NON_IP and
// Not-ECT if bytes were missing, too many or out of place, since then no header can be trusted. With FLAGS_VERDICT=0
// the class parts of meta_o are zero and flags_valid_o never comes: the class is in the tally alone.
module tm_header_walk
  import tm_pkg::*;
#(
    parameter int unsigned DATA_W            = 256,
    parameter bit          STORE_AND_FORWARD = 1'b0,
    parameter bit          FLAGS_VERDICT     = 1'b0
) (
    input  logic                clk_i,
    input  logic                rst_i,
    // from the framer
    input  logic                beat_valid_i,
    input  logic                beat_last_i,
    input  logic   [DATA_W-1:0] beat_data_i,
    input  logic   [  LenW-1:0] beat_len_i,
    input  logic                end_misshaped_i,  // one cycle after the last beat
    // to the ports
    output logic                ecn_valid_o,
    output logic                flags_valid_o,
    output meta_t               meta_o,
    output ecn_e                next_ecn_o,
    // of the beat on the beat bus, if its frame has a header that is whole
    output logic   [       2:0] bus_row_o,        // number of the beat in its frame, 7 and beyond as 7
    output l3_e                 bus_l3_o,
    output logic   [       1:0] bus_tags_o,
    output logic   [      15:0] bus_checksum_o,   // once marked
    // to the counters
    output logic                tally_valid_o,
    output class_e              tally_class_o,
    output logic                tally_ece_o,
    output ecn_e                tally_ecn_o,
    output logic   [  LenW-1:0] tally_len_o
);

  localparam int unsigned Lanes = DATA_W / 32;
  localparam int unsigned LaneW = $clog2(Lanes);
  localparam int unsigned RowW = $clog2(32 / Lanes + 1);

  // in the cycle of the pins
  logic [1:0] tags_now;
  logic [RowW-1:0] row_now;
  logic fragment;
  logic [7:0] protocol, next_header;
  logic [15:0] option;
  logic [Lanes-1:0] offset;
  logic [Lanes-1:0][15:0] head, body;

  // one cycle behind
  logic valid, last, told, ecn_valid, ipv6, long_q;
  logic [RowW-1:0] row;
  l3_e l3;
  logic [1:0] tags;
  ecn_e ecn, raw_ecn;
  logic [15:0] raw_checksum, checksum;
  logic tcp2;
  logic [7:0] length2;
  logic [4:0] l4;
  logic [LaneW-1:0] option2_lane;
  logic [LenW-1:0] len_q;
  logic [6:0] pairs_q;

  // two cycles behind
  logic walked, tcp, last_q, long_qq, misshaped_q, payload, ip_long, ip_odd;
  l3_e l3_q;
  ecn_e ecn_q;
  logic [5:0] ip_end;
  logic [15:0] tcp_word;
  logic [4:0] flags_at;
  logic [6:0] pairs_qq;
  logic [LenW-1:0] len_qq;
  class_e class_id;
  tcp_flags_t flags;

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
      .raw_l3_o      (bus_l3_o),
      .tags_o        (tags),
      .ecn_o         (ecn),
      .raw_ecn_o     (raw_ecn),
      .raw_checksum_o(raw_checksum),
      .tags_now_o    (tags_now),
      .row_now_o     (row_now),
      .head_o        (head),
      .body_o        (body),
      .valid_o       (valid),
      .last_o        (last),
      .row_o         (row),
      .told_o        (told),
      .ipv6_o        (ipv6),
      .l4_o          (l4)
  );

  tm_checksum_mark i_checksum_mark (
      .checksum_i(raw_checksum),
      .ecn_i     (raw_ecn),
      .checksum_o(checksum)
  );

  tm_fields #(
      .LANES(Lanes)
  ) i_fields (
      .clk_i        (clk_i),
      .valid_i      (beat_valid_i),
      .tags_now_i   (tags_now),
      .head_i       (head),
      .body_i       (body),
      .walk_valid_i (valid),
      .row_i        (row),
      .tags_i       (tags),
      .ipv6_i       (ipv6),
      .protocol_o   (protocol),
      .fragment_o   (fragment),
      .next_header_o(next_header),
      .option_o     (option),
      .offset_o     (offset),
      .ip_long_o    (ip_long),
      .ip_odd_o     (ip_odd),
      .ip_end_o     (ip_end)
  );

  tm_chain_walk #(
      .DATA_W           (DATA_W),
      .STORE_AND_FORWARD(STORE_AND_FORWARD)
  ) i_chain_walk (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .beat_valid_i  (beat_valid_i),
      .tags_now_i    (tags_now),
      .row_now_i     (row_now),
      .protocol_i    (protocol),
      .fragment_i    (fragment),
      .next_header_i (next_header),
      .option_i      (option),
      .offset_i      (offset),
      .valid_i       (valid),
      .last_i        (last),
      .row_i         (row),
      .told_i        (told),
      .l3_i          (l3),
      .ipv6_i        (ipv6),
      .tags_i        (tags),
      .l4_i          (l4),
      .option2_lane_o(option2_lane),
      .tcp2_i        (tcp2),
      .length2_i     (length2),
      .walked_o      (walked),
      .tcp_o         (tcp),
      .flags_at_o    (flags_at)
  );

  tm_word_window #(
      .LANES(Lanes)
  ) i_word_window (
      .clk_i         (clk_i),
      .valid_i       (beat_valid_i),
      .head_i        (head),
      .walk_valid_i  (valid),
      .walk_fresh_i  (row == '0),
      .option2_lane_i(option2_lane),
      .tcp2_o        (tcp2),
      .length2_o     (length2),
      .tcp_i         (tcp),
      .flags_lane_i  (flags_at[LaneW-1:0]),
      .flags_o       (tcp_word)
  );

  // Everything else the classifier needs, in step with the end of the walk.
  always_ff @(posedge clk_i) begin
    if (beat_valid_i) begin
      len_q   <= beat_len_i;
      long_q  <= beat_len_i[LenW-1:8] != '0;
      pairs_q <= beat_len_i[7:1] - 7'd4;
    end
    if (valid) begin
      len_qq   <= len_q;
      long_qq  <= long_q;
      pairs_qq <= pairs_q;
      l3_q     <= l3;
      ecn_q    <= ecn;
    end
    misshaped_q <= end_misshaped_i;
    last_q      <= valid && last;
    if (rst_i) last_q <= 1'b0;
  end

  tm_classify i_classify (
      .l3_i      (l3_q),
      .ip_long_i (ip_long),
      .ip_odd_i  (ip_odd),
      .ip_end_i  (ip_end),
      .long_i    (long_qq),
      .pairs_i   (pairs_qq),
      .tcp_i     (tcp),
      .flags_at_i(flags_at),
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

  // In step with the beat bus.
  l3_e late_l3_q;
  logic [1:0] late_tags_q;
  ecn_e late_ecn_q;
  logic [15:0] late_checksum_q;

  always_ff @(posedge clk_i) begin
    ecn_valid_o     <= ecn_valid;
    late_l3_q       <= l3;
    late_tags_q     <= tags;
    late_ecn_q      <= ecn;
    late_checksum_q <= checksum;
    tally_valid_o   <= last_q;
    tally_class_o   <= tally_class;
    tally_ece_o     <= tally_ece;
    tally_ecn_o     <= tally_ecn;
    tally_len_o     <= len_qq;
    if (rst_i) begin
      ecn_valid_o   <= 1'b0;
      tally_valid_o <= 1'b0;
    end
  end

  assign next_ecn_o = ecn;

  assign bus_row_o = (32'(row) > 7) ? 3'd7 : 3'(row);
  assign bus_tags_o = tags;
  assign bus_checksum_o = checksum;

  class_e told_class;
  tcp_flags_t told_flags;
  logic told_payload;

  if (FLAGS_VERDICT) begin : gen_flags_verdict
    class_e held_class_q;
    tcp_flags_t held_flags_q;
    logic held_payload_q;

    always_ff @(posedge clk_i) begin
      if (walked) begin
        held_class_q   <= class_id;
        held_flags_q   <= flags;
        held_payload_q <= payload;
      end
    end

    assign flags_valid_o = walked;
    assign {told_class, told_flags, told_payload} =
        walked ? {class_id, flags, payload} : {held_class_q, held_flags_q, held_payload_q};
  end else begin : gen_ecn_verdict
    assign flags_valid_o = 1'b0;
    assign {told_class, told_flags, told_payload} = '0;

    logic unused;
    assign unused = &{walked, payload, flags};
  end

  assign meta_o = '{
          l3: late_l3_q,
          tags: late_tags_q,
          ecn: late_ecn_q,
          checksum: late_checksum_q,
          class_id: told_class,
          flags: told_flags,
          payload: told_payload
      };

endmodule
