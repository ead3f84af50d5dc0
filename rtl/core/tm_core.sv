// SPDX-License-Identifier: BSD-3-Clause
// The queues of all ports behind one parser: everything on the packet's way, nothing of the registers.
//
// Contract: the input is never blocked. Each copy of a frame is judged by its own port; they share what parse says.
module tm_core
  import tm_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    localparam int unsigned BeatBytes = BUILD.data_w / 8,
    localparam int unsigned UserW = user_pins(BUILD)
) (
    input logic clk_i,
    input logic rst_i,
    input logic [StampW-1:0] time_i,
    input logic [BUILD.ports-1:0] tx_en_i,
    // from the source
    input logic s_valid_i,
    input logic [BUILD.data_w-1:0] s_data_i,
    input logic [BeatBytes-1:0] s_keep_i,
    input logic s_last_i,
    input logic [BUILD.ports-1:0] s_dest_i,
    input logic [15:0] s_len_i,
    input logic [UserW-1:0] s_user_i,  // first beat
    input logic s_error_i,
    // to the sinks
    output logic [BUILD.ports-1:0][BUILD.data_w-1:0] m_data_o,
    output logic [BUILD.ports-1:0][BeatBytes-1:0] m_keep_o,
    output logic [BUILD.ports-1:0] m_last_o,
    output logic [BUILD.ports-1:0] m_valid_o,
    input logic [BUILD.ports-1:0] m_ready_i,
    output logic [BUILD.ports-1:0][LenW-1:0] m_len_o,
    output logic [BUILD.ports-1:0][UserW-1:0] m_user_o,
    output logic [BUILD.ports-1:0] m_error_o,
    // config
    input cfg_t [BUILD.ports-1:0] cfg_i,
    input logic [BUILD.ports-1:0] flush_i,
    // Without RED and CODEL nothing looks at these.
    // verilator lint_off UNUSEDSIGNAL
    input logic [BUILD.ports-1:0] word_valid_i,  // a word for RED of these ports
    input red_word_t word_i,
    input logic [BUILD.ports-1:0] commit_i,  // cfg_i changes in this cycle: a commit, a soft reset
    input logic [BUILD.ports-1:0][1:0] law_reset_i,  // with commit_i: a slot's law starts anew
    input logic [BUILD.ports-1:0][1:0] red_load_i,  // with commit_i: maxp and slope as configured
    input logic [BUILD.ports-1:0] codel_reset_i,  // CoDel starts anew
    input logic [BUILD.ports-1:0] seed_load_i,
    input logic [31:0] seed_i,  // valid during reset and with seed_load_i
    // verilator lint_on UNUSEDSIGNAL
    // state
    output logic [BUILD.ports-1:0][BytesW-1:0] bytes_o,
    output logic [BUILD.ports-1:0][PacketsW-1:0] packets_o,
    output logic [BUILD.ports-1:0] flushing_o,
    output red_view_t [(BUILD.ports+7)/8-1:0] red_view_o,
    output logic law_busy_o,  // CoDel's engine works for a port
    // events
    output event_t [BUILD.ports-1:0] event_o,
    output logic [BUILD.ports-1:0] arrive_valid_o,
    output outcome_e [BUILD.ports-1:0] arrive_outcome_o,
    output class_e arrive_class_o,
    output logic arrive_ece_o,
    output logic [LenW-1:0] arrive_len_o,
    output logic [BUILD.ports-1:0] depart_valid_o,
    output departure_e [BUILD.ports-1:0] depart_kind_o,
    output class_e [BUILD.ports-1:0] depart_class_o,
    output logic [BUILD.ports-1:0] depart_ece_o,
    output logic [BUILD.ports-1:0][LenW-1:0] depart_len_o,
    output logic [BUILD.ports-1:0][StampW-1:0] depart_sojourn_o,
    output logic [BUILD.ports-1:0] cut_o,
    output logic bad_valid_o,
    output bad_e bad_kind_o,
    output logic reset_in_frame_o
);

  localparam int unsigned RowW = BUILD.data_w + BeatBytes;
  localparam int unsigned MinusW = minus_w(BUILD);
  localparam int unsigned RowsW = rows_w(BUILD);

  logic beat_valid, beat_first, ecn_valid, flags_valid, end_valid, end_bad;
  logic [BUILD.ports-1:0] beat_ports, judged;
  logic [RowW-1:0] beat_row, beat_marked;
  logic [LenW-1:0] beat_len, len_q, next_len;
  logic [RowsW-1:0] beat_rows, more_rows_q;
  logic [BUILD.ports-1:0][StampW-1:0] stamp;
  logic [UserW-1:0] user;
  meta_t meta;
  ecn_e next_ecn, tally_ecn;
  logic unused_beat_last, unused_tally_valid;  // the ports learn of a frame's end and tally from `end_valid`

  tm_parse #(
      .BUILD(BUILD)
  ) parse (
      .clk_i,
      .rst_i,
      .s_valid_i,
      .s_data_i,
      .s_keep_i,
      .s_last_i,
      .s_dest_i,
      .s_len_i,
      .s_error_i,
      .beat_valid_o (beat_valid),
      .beat_first_o (beat_first),
      .beat_last_o  (unused_beat_last),
      .beat_ports_o (beat_ports),
      .beat_row_o   (beat_row),
      .beat_marked_o(beat_marked),
      .beat_len_o   (beat_len),
      .beat_rows_o  (beat_rows),
      .ecn_valid_o  (ecn_valid),
      .flags_valid_o(flags_valid),
      .end_valid_o  (end_valid),
      .end_bad_o    (end_bad),
      .meta_o       (meta),
      .next_ecn_o   (next_ecn),
      .tally_valid_o(unused_tally_valid),
      .tally_class_o(arrive_class_o),
      .tally_ece_o  (arrive_ece_o),
      .tally_ecn_o  (tally_ecn),
      .tally_len_o  (arrive_len_o),
      .bad_valid_o,
      .bad_kind_o,
      .reset_in_frame_o
  );

  assign next_len = beat_valid ? beat_len : len_q;
  always_ff @(posedge clk_i) begin
    len_q <= next_len;
    if (beat_valid) more_rows_q <= beat_rows - 1'b1;
  end

  // Without FLAGS_VERDICT every port judges in the same cycle: one stamp serves them all.
  if (BUILD.flags_verdict) begin : gen_stamps
    always_ff @(posedge clk_i) for (int p = 0; p < BUILD.ports; p++) if (judged[p]) stamp[p] <= time_i;
  end else begin : gen_stamp
    logic [StampW-1:0] stamp_q;
    always_ff @(posedge clk_i) if (ecn_valid) stamp_q <= time_i;
    assign stamp = {BUILD.ports{stamp_q}};
  end

  tm_user #(
      .WIDTH(user_w(BUILD))
  ) frame_user (
      .clk_i,
      .s_user_i,
      .first_i(beat_valid && beat_first),
      .user_o (user)
  );

  // ---- what the ports' laws share ----
  logic [BUILD.ports-1:0][1:0] decay_valid;
  red_ram_t [BUILD.ports-1:0] feed;
  logic [BUILD.ports-1:0][1:0][MinusW-1:0] minus_average;
  logic [BUILD.ports-1:0] empty, law_step, law_now, law_final, law_request, law_entering, law_from_now, law_again;
  logic [BUILD.ports-1:0][MinusW-1:0] decay;
  logic [31:0] law_increment;

  tm_laws #(
      .BUILD(BUILD)
  ) laws (
      .clk_i,
      .rst_i,
      .time_i,
      .judged_i       (judged),
      .empty_i        (empty),
      .minus_average_i(minus_average),
      .law_request_i  (law_request),
      .law_entering_i (law_entering),
      .law_from_now_i (law_from_now),
      .law_again_i    (law_again),
      .cfg_i,
      .word_valid_i,
      .word_i,
      .commit_i,
      .law_reset_i,
      .red_load_i,
      .decay_valid_o  (decay_valid),
      .decay_o        (decay),
      .feed_o         (feed),
      .red_view_o,
      .law_step_o     (law_step),
      .law_now_o      (law_now),
      .law_final_o    (law_final),
      .law_increment_o(law_increment),
      .law_busy_o
  );

  for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
    tm_port #(
        .BUILD(BUILD),
        .PORT (p)
    ) queue (
        .clk_i,
        .rst_i,
        .time_i,
        .tx_en_i         (tx_en_i[p]),
        .beat_valid_i    (beat_valid),
        .beat_first_i    (beat_first),
        .beat_port_i     (beat_ports[p]),
        .beat_row_i      (beat_row),
        .beat_marked_i   (beat_marked),
        .next_len_i      (next_len),
        .len_i           (len_q),
        .more_rows_i     (more_rows_q),
        .user_i          (user),
        .ecn_valid_i     (ecn_valid),
        .flags_valid_i   (flags_valid),
        .end_valid_i     (end_valid),
        .end_bad_i       (end_bad),
        .next_ecn_i      (next_ecn),
        .meta_i          (meta),
        .tally_class_i   (arrive_class_o),
        .tally_ece_i     (arrive_ece_o),
        .tally_len_i     (arrive_len_o),
        .tally_stamp_i   (stamp[p]),
        .cfg_i           (cfg_i[p]),
        .flush_i         (flush_i[p]),
        .commit_i        (commit_i[p]),
        .law_reset_i     (law_reset_i[p]),
        .seed_load_i     (seed_load_i[p]),
        .seed_i,
        .decay_valid_i   (decay_valid[p]),
        .decay_i         (decay[p]),
        .feed_i          (feed[p]),
        .minus_average_o (minus_average[p]),
        .codel_reset_i   (codel_reset_i[p]),
        .law_step_i      (law_step[p]),
        .law_now_i       (law_now[p]),
        .law_final_i     (law_final[p]),
        .law_increment_i (law_increment),
        .law_request_o   (law_request[p]),
        .law_entering_o  (law_entering[p]),
        .law_from_now_o  (law_from_now[p]),
        .law_again_o     (law_again[p]),
        .m_data_o        (m_data_o[p]),
        .m_keep_o        (m_keep_o[p]),
        .m_last_o        (m_last_o[p]),
        .m_valid_o       (m_valid_o[p]),
        .m_ready_i       (m_ready_i[p]),
        .m_len_o         (m_len_o[p]),
        .m_user_o        (m_user_o[p]),
        .m_error_o       (m_error_o[p]),
        .bytes_o         (bytes_o[p]),
        .packets_o       (packets_o[p]),
        .flushing_o      (flushing_o[p]),
        .judged_o        (judged[p]),
        .arrive_valid_o  (arrive_valid_o[p]),
        .arrive_outcome_o(arrive_outcome_o[p]),
        .depart_valid_o  (depart_valid_o[p]),
        .depart_kind_o   (depart_kind_o[p]),
        .depart_class_o  (depart_class_o[p]),
        .depart_ece_o    (depart_ece_o[p]),
        .depart_len_o    (depart_len_o[p]),
        .depart_sojourn_o(depart_sojourn_o[p]),
        .cut_o           (cut_o[p])
    );
    assign empty[p] = packets_o[p] == 0;
    // What the verdict saw, kept until the frame has ended and its class is known.
    logic [BytesW-1:0] judged_bytes_q;
    always_ff @(posedge clk_i) if (judged[p]) judged_bytes_q <= bytes_o[p];
    assign event_o[p] = '{
            valid: arrive_valid_o[p],
            stamp: stamp[p],
            len: arrive_len_o,
            class_id: arrive_class_o,
            ece: arrive_ece_o,
            ecn: tally_ecn,
            outcome: arrive_outcome_o[p],
            bytes: judged_bytes_q
        };
  end

endmodule
