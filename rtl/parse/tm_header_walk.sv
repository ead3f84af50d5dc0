// SPDX-License-Identifier: BSD-3-Clause
// Reads the headers of the frames that pass: wires the two halves of the walk to the classifier.
//
// In: the beats of offered frames, from the pins. Out: what the headers say, in step with the beat bus
// (tm_header_times). A frame is NON_IP and Not-ECT in its tally if bytes were missing, too many or out of place, since
// then no header can be trusted. meta_o holds until the next beat of the pins that is not its frame's.
module tm_header_walk
  import tm_pkg::*;
#(
    parameter int unsigned DATA_W            = 256,
    parameter bit          STORE_AND_FORWARD = 1'b0,
    parameter bit          FLAGS_VERDICT     = 1'b0,
    parameter int unsigned QUEUES            = 1      // of a line
) (
    input logic clk_i,
    input logic rst_i,
    // from the pins: a beat, stored or not
    input logic s_valid_i,
    input logic s_last_i,
    // from the framer
    input logic beat_valid_i,
    input logic beat_last_i,
    input logic [DATA_W-1:0] beat_data_i,
    input logic [LenW-1:0] beat_len_i,
    input logic end_misshaped_i,  // one cycle after the last beat
    // from control; without QUEUES nothing looks at it
    // verilator lint_off UNUSEDSIGNAL
    input queue_word_t word_i,
    // verilator lint_on UNUSEDSIGNAL
    // to the ports
    output logic next_ecn_valid_o,  // meta_o has it in the next cycle
    output logic next_flags_valid_o,
    output meta_t meta_o,
    output class_ece_t class_ece_o,  // as meta_o has it
    output logic [QUEUES-1:0] queue_o,  // the one that takes the frame (tm_queue_map)
    output logic by_class_o,
    output l3_found_t bus_found_o,  // of the beat on the beat bus, if its frame has a header that is whole
    // to the counters
    output logic tally_valid_o,
    output tally_t tally_o
);

  localparam int unsigned Lanes = DATA_W / 32;
  localparam int unsigned LaneW = $clog2(Lanes);
  localparam int unsigned RowW = $clog2(32 / Lanes + 1);

  // in the cycle of the pins
  logic [ RowW-1:0] row_now;
  logic [MaxTags:0] fragment;
  logic [Lanes-1:0] offset;
  logic [Lanes-1:0][15:0] head, body;

  // one cycle behind
  logic valid, last, told, ecn_valid, ipv6, long_q;
  logic [RowW-1:0] row;
  l3_e l3, raw_l3;
  logic [1:0] tags;
  ecn_e ecn, raw_ecn;
  logic [15:0] raw_checksum, checksum;
  logic [5:0] dscp;
  logic has_tag;
  logic [2:0] pcp;
  logic [4:0] l4;
  logic [LenW-1:0] len_q;
  logic [6:0] pairs_q;
  logic [Lanes-1:0][15:0] head_q, body_q;
  logic [Lanes-1:0] offset_q;

  // two cycles behind
  logic walk_valid, walk_fresh, ip_long, ip_odd;
  logic is_options, is_auth;
  logic [4:0] option2_at, flags2_at;
  logic [2:0] flags2_here, stops2;
  logic [5:0] ip_end;

  // what the class follows from: two cycles behind, and three
  typedef struct packed {
    l3_e             l3;
    ecn_e            ecn;
    logic            long_frame;
    logic [6:0]      pairs;
    logic [LenW-1:0] len;
  } facts_t;
  facts_t facts_q, facts_late_q;
  logic last_q, last_late_q, misshaped_q, misshaped_late_q;
  logic ip_long_q, ip_odd_q;
  logic [5:0] ip_end_q;
  logic walked, tcp, payload;
  logic [15:0] tcp_word;
  logic [4:0] flags_at;
  class_e class_id;
  class_ece_t class_ece;
  tcp_flags_t flags;

  tm_l3_walk #(
      .DATA_W           (DATA_W),
      .STORE_AND_FORWARD(STORE_AND_FORWARD)
  ) i_l3_walk (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .s_valid_i     (s_valid_i),
      .s_last_i      (s_last_i),
      .valid_i       (beat_valid_i),
      .last_i        (beat_last_i),
      .data_i        (beat_data_i),
      .len_i         (beat_len_i),
      .ecn_valid_o   (ecn_valid),
      .l3_o          (l3),
      .raw_l3_o      (raw_l3),
      .tags_o        (tags),
      .ecn_o         (ecn),
      .raw_ecn_o     (raw_ecn),
      .raw_checksum_o(raw_checksum),
      .dscp_o        (dscp),
      .has_tag_o     (has_tag),
      .pcp_o         (pcp),
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
      .clk_i       (clk_i),
      .s_valid_i   (s_valid_i),
      .head_i      (head),
      .body_i      (body),
      .walk_valid_i(valid),
      .row_i       (row),
      .tags_i      (tags),
      .ipv6_i      (ipv6),
      .late_head_i (head_q),
      .late_body_i (body_q),
      .fragment_o  (fragment),
      .offset_o    (offset),
      .ip_long_o   (ip_long),
      .ip_odd_o    (ip_odd),
      .ip_end_o    (ip_end)
  );

  tm_chain_walk #(
      .DATA_W           (DATA_W),
      .STORE_AND_FORWARD(STORE_AND_FORWARD)
  ) i_chain_walk (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .s_valid_i    (s_valid_i),
      .row_now_i    (row_now),
      .head_i       (head),
      .body_i       (body),
      .fragment_i   (fragment),
      .offset_i     (offset),
      .valid_i      (valid),
      .last_i       (last),
      .row_i        (row),
      .told_i       (told),
      .l3_i         (l3),
      .ipv6_i       (ipv6),
      .tags_i       (tags),
      .l4_i         (l4),
      .late_offset_i(offset_q[0]),
      .walk_valid_o (walk_valid),
      .walk_fresh_o (walk_fresh),
      .option2_at_o (option2_at),
      .is_options_o (is_options),
      .is_auth_o    (is_auth),
      .flags2_at_i  (flags2_at),
      .flags2_here_i(flags2_here),
      .stops2_i     (stops2),
      .walked_o     (walked),
      .tcp_o        (tcp),
      .flags_at_o   (flags_at)
  );

  tm_word_window #(
      .LANES(Lanes)
  ) i_word_window (
      .clk_i        (clk_i),
      .head_i       (head_q),
      .offset_i     (offset_q),
      .row_i        (row),
      .walk_valid_i (walk_valid),
      .walk_fresh_i (walk_fresh),
      .option2_at_i (option2_at),
      .is_options_i (is_options),
      .is_auth_i    (is_auth),
      .flags2_at_o  (flags2_at),
      .flags2_here_o(flags2_here),
      .stops2_o     (stops2),
      .tcp_i        (tcp),
      .flags_lane_i (flags_at[LaneW-1:0]),
      .flags_o      (tcp_word)
  );

  // Everything else the classifier needs, in step with the end of the walk.
  always_ff @(posedge clk_i) begin
    {head_q, body_q, offset_q} <= {head, body, offset};
    if (s_valid_i) begin
      len_q   <= beat_len_i;
      long_q  <= beat_len_i[LenW-1:8] != '0;
      pairs_q <= beat_len_i[7:1] - 7'd4;
    end
    if (valid) facts_q <= '{l3: l3, ecn: ecn, long_frame: long_q, pairs: pairs_q, len: len_q};
    if (walk_valid) begin
      facts_late_q                    <= facts_q;
      {ip_long_q, ip_odd_q, ip_end_q} <= {ip_long, ip_odd, ip_end};
    end
    {misshaped_late_q, misshaped_q} <= {misshaped_q, end_misshaped_i};
    {last_late_q, last_q}           <= {last_q, valid && last};
    if (rst_i) {last_late_q, last_q} <= '0;
  end

  tm_classify i_classify (
      .l3_i       (facts_late_q.l3),
      .ip_long_i  (ip_long_q),
      .ip_odd_i   (ip_odd_q),
      .long_i     (facts_late_q.long_frame),
      .pairs_i    (facts_late_q.pairs),
      .tcp_i      (tcp),
      .flags_at_i (flags_at),
      .ip_end_i   (ip_end_q),
      .tcp_word_i (tcp_word),
      .class_o    (class_id),
      .class_ece_o(class_ece),
      .flags_o    (flags),
      .payload_o  (payload)
  );

  tally_t tally;
  assign tally.class_id = misshaped_late_q ? NonIp : class_id;
  assign tally.ece      = !misshaped_late_q && flags.ece;
  assign tally.ecn      = misshaped_late_q ? NotEct : facts_late_q.ecn;
  assign tally.len      = facts_late_q.len;

  tm_header_times #(
      .FLAGS_VERDICT(FLAGS_VERDICT)
  ) times (
      .clk_i,
      .rst_i,
      .ecn_valid_i(ecn_valid),
      .found_i    ('{l3, raw_l3, tags, ecn, checksum, (32'(row) > 7) ? 3'd7 : 3'(row), dscp, has_tag, pcp}),
      .walked_i   (walked),
      .class_i    (class_id),
      .class_ece_i(class_ece),
      .flags_i    (flags),
      .payload_i  (payload),
      .ended_i    (last_late_q),
      .tally_i    (tally),
      .next_ecn_valid_o,
      .next_flags_valid_o,
      .meta_o,
      .class_ece_o,
      .bus_found_o,
      .tally_valid_o,
      .tally_o
  );

  if (QUEUES > 1) begin : gen_queues
    tm_queue_map #(
        .QUEUES       (QUEUES),
        .FLAGS_VERDICT(FLAGS_VERDICT)
    ) queue_map (
        .clk_i,
        .rst_i,
        .word_i,
        .ecn_valid_i  (next_ecn_valid_o),
        .l3_i         (bus_found_o.l3),
        .ecn_i        (FLAGS_VERDICT ? bus_found_o.ecn : raw_ecn),  // (as known at once: it only counts with `l3_i`)
        .dscp_i       (bus_found_o.dscp),
        .has_tag_i    (bus_found_o.has_tag),
        .pcp_i        (bus_found_o.pcp),
        .flags_valid_i(walked),
        .class_i      (class_id),
        .ece_i        (flags.ece),
        .queue_o,
        .by_class_o
    );
  end else begin : gen_one_queue
    assign {queue_o, by_class_o} = 2'b10;
  end

endmodule
