// SPDX-License-Identifier: BSD-3-Clause
// One port's queue, wired in the order of the packet's way: admit, buffer, depart, rewrite. The beat bus and the
// strobes are parse's (rtl/parse/tm_parse.sv). The first beat of a frame that the ECN field admits stands on `m_*` two
// cycles after it was on the bus at the earliest: one for the verdict, one for the read (docs/verdict.md).
module tm_port
  import tm_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    parameter int unsigned PORT = 0,  // its random words are its own
    localparam int unsigned BeatBytes = BUILD.data_w / 8,
    localparam int unsigned RowW = BUILD.data_w + BeatBytes,
    localparam int unsigned RowsW = rows_w(BUILD),
    localparam int unsigned MinusW = minus_w(BUILD),
    localparam int unsigned UserW = user_pins(BUILD)
) (
    input  logic                                      clk_i,
    input  logic                                      rst_i,
    input  logic       [      StampW-1:0]             time_i,
    input  logic                                      tx_en_i,
    // from parse
    input  logic                                      beat_valid_i,
    input  logic                                      beat_first_i,
    input  logic                                      beat_port_i,
    input  logic       [        RowW-1:0]             beat_row_i,
    input  logic       [        RowW-1:0]             beat_marked_i,
    input  logic       [        LenW-1:0]             next_len_i,
    input  logic       [        LenW-1:0]             len_i,
    input  logic       [       RowsW-1:0]             more_rows_i,
    input  logic       [       UserW-1:0]             user_i,
    input  logic                                      ecn_valid_i,
    input  logic                                      flags_valid_i,
    input  logic                                      end_valid_i,
    input  logic                                      end_bad_i,
    input  ecn_e                                      next_ecn_i,
    input  meta_t                                     meta_i,
    input  class_e                                    tally_class_i,
    input  logic                                      tally_ece_i,
    input  logic       [        LenW-1:0]             tally_len_i,
    input  logic       [      StampW-1:0]             tally_stamp_i,
    // config
    input  cfg_t                                      cfg_i,
    input  logic                                      flush_i,
    input  logic                                      commit_i,
    input  logic       [             1:0]             law_reset_i,
    input  logic                                      seed_load_i,
    input  logic       [            31:0]             seed_i,
    // from and to RED's shared unit
    input  logic       [             1:0]             decay_valid_i,
    input  logic       [      MinusW-1:0]             decay_i,
    input  red_ram_t                                  feed_i,
    output logic       [             1:0][MinusW-1:0] minus_average_o,
    // from and to CoDel's engine
    input  logic                                      codel_reset_i,
    input  logic                                      law_step_i,
    input  logic                                      law_now_i,
    input  logic                                      law_final_i,
    input  logic       [            31:0]             law_increment_i,
    output logic                                      law_request_o,
    output logic                                      law_entering_o,
    output logic                                      law_from_now_o,
    output logic                                      law_again_o,
    // to the sink
    output logic       [BUILD.data_w-1:0]             m_data_o,
    output logic       [   BeatBytes-1:0]             m_keep_o,
    output logic                                      m_last_o,
    output logic                                      m_valid_o,
    input  logic                                      m_ready_i,
    output logic       [        LenW-1:0]             m_len_o,
    output logic       [       UserW-1:0]             m_user_o,
    output logic                                      m_error_o,
    // state
    output logic       [      BytesW-1:0]             bytes_o,
    output logic       [    PacketsW-1:0]             packets_o,
    output logic                                      flushing_o,
    // events
    output logic                                      judged_o,
    output logic                                      arrive_valid_o,
    output outcome_e                                  arrive_outcome_o,
    output logic                                      depart_valid_o,
    output departure_e                                depart_kind_o,
    output class_e                                    depart_class_o,
    output logic                                      depart_ece_o,
    output logic       [        LenW-1:0]             depart_len_o,
    output logic       [      StampW-1:0]             depart_sojourn_o,
    output logic                                      cut_o
);

  localparam int unsigned CountW = count_w(BUILD);
  localparam int unsigned FramesW = frames_w(BUILD);
  localparam int unsigned RowAddrW = $clog2(BUILD.rows);
  localparam bit Copies = keeps_marked_copy(BUILD);
  localparam logic [RowW-1:0] Twice = Copies ? RowW'(BUILD.data_w'(markable(BUILD.data_w))) : '0;

  typedef struct packed {
    logic            mark;
    l3_e             l3;
    logic [1:0]      tags;
    logic [15:0]     checksum;
    logic [LenW-1:0] len;
  } descriptor_t;

  logic stored, take, mark, refuse, aborting, arriving, leaving, arrive_stored;
  logic overflow, freed, look, look_marked, fetch, skip, available, depart, codel_mark;
  logic [RowAddrW-1:0] rows_used, skip_rows;
  logic [CountW-1:0] bytes;
  logic [FramesW-1:0] packets;
  logic [RowW-1:0] row;
  logic [2:0] row_number;
  descriptor_t judged_descriptor, departing;

  // ---- admit ----
  tm_admit #(
      .BUILD(BUILD),
      .PORT (PORT)
  ) admission (
      .clk_i,
      .rst_i,
      .beat_valid_i,
      .beat_first_i,
      .beat_port_i,
      .next_len_i,
      .len_i,
      .more_rows_i,
      .ecn_valid_i,
      .flags_valid_i,
      .end_valid_i,
      .end_bad_i,
      .next_ecn_i,
      .meta_i,
      .rows_used_i    (rows_used),
      .freed_i        (freed),
      .overflow_i     (overflow),
      .leaving_i      (leaving),
      .depart_i       (depart),
      .depart_len_i   (departing.len),
      .cfg_i,
      .commit_i,
      .law_reset_i,
      .seed_load_i,
      .seed_i,
      .decay_valid_i,
      .decay_i,
      .feed_i,
      .minus_average_o,
      .judged_o,
      .take_o         (take),
      .stored_o       (stored),
      .mark_o         (mark),
      .refuse_o       (refuse),
      .abort_o        (aborting),
      .arriving_o     (arriving),
      .cut_o,
      .bytes_o        (bytes),
      .packets_o      (packets),
      .arrive_valid_o,
      .arrive_outcome_o,
      .arrive_stored_o(arrive_stored)
  );

  // ---- buffer ----
  tm_buffer #(
      .ROW_W(RowW),
      .ROWS (BUILD.rows),
      .ULTRA(BUILD.ultra),
      .SKIP (BUILD.codel),
      .TWICE(Twice)
  ) buffer (
      .clk_i,
      .rst_i,
      .beat_valid_i,
      .beat_first_i,
      .beat_take_i  (take),
      .beat_row_i,
      .beat_marked_i,
      .rewind_i     (refuse),
      .overflow_o   (overflow),
      .rows_used_o  (rows_used),
      .freed_o      (freed),
      .look_i       (look),
      .look_marked_i(look_marked),
      .fetch_i      (fetch),
      .skip_i       (skip),
      .skip_rows_i  (skip_rows),
      .available_o  (available),
      .row_o        (row)
  );

  // ---- depart ----
  assign judged_descriptor = {mark, meta_i.l3, meta_i.tags, meta_i.checksum, len_i};

  localparam int unsigned DescriptorW = $bits(descriptor_t) + user_w(BUILD);
  logic [DescriptorW-1:0] judged_whole, departing_whole;
  assign departing = departing_whole[$bits(descriptor_t)-1:0];
  assign judged_whole = DescriptorW'({user_i, judged_descriptor});
  assign m_user_o = UserW'(departing_whole >> $bits(descriptor_t));

  tm_egress #(
      .DESCRIPTOR_W (DescriptorW),
      .FRAMES       (BUILD.descriptors),
      .ROWS         (BUILD.rows),
      .BEAT_BYTES   (BeatBytes),
      .COUNT_W      (CountW),
      .MARK         ($bits(descriptor_t) - 1),
      .CODEL        (BUILD.codel),
      .FLAGS_VERDICT(BUILD.flags_verdict)
  ) egress (
      .clk_i,
      .rst_i,
      .time_i,
      .tx_en_i,
      .judged_i           (judged_o),
      .stored_i           (stored),
      .stored_descriptor_i(judged_whole),
      .meta_i,
      .mark_i             (mark),
      .bytes_i            (bytes),
      .arriving_i         (arriving),
      .abort_i            (aborting),
      .cut_i              (cut_o),
      .next_frame_i       (beat_valid_i && beat_first_i),
      .leaving_o          (leaving),
      .tally_push_i       (arrive_stored),
      .tally_stamp_i,
      .tally_class_i,
      .tally_ece_i,
      .tally_len_i,
      .codel_i            (cfg_i.codel),
      .protect_i          (cfg_i.protect),
      .wait_flags_i       (cfg_i.wait_flags),
      .codel_reset_i,
      .law_step_i,
      .law_now_i,
      .law_final_i,
      .law_increment_i,
      .law_request_o,
      .law_entering_o,
      .law_from_now_o,
      .law_again_o,
      .flush_i,
      .flushing_o,
      .available_i        (available),
      .row_last_i         (row[BUILD.data_w]),
      .look_o             (look),
      .look_mark_o        (look_marked),
      .fetch_o            (fetch),
      .skip_o             (skip),
      .skip_rows_o        (skip_rows),
      .valid_o            (m_valid_o),
      .ready_i            (m_ready_i),
      .error_o            (m_error_o),
      .row_o              (row_number),
      .descriptor_o       (departing_whole),
      .mark_o             (codel_mark),
      .depart_o           (depart),
      .tally_valid_o      (depart_valid_o),
      .tally_kind_o       (depart_kind_o),
      .tally_class_o      (depart_class_o),
      .tally_ece_o        (depart_ece_o),
      .tally_len_o        (depart_len_o),
      .tally_sojourn_o    (depart_sojourn_o)
  );

  // ---- rewrite ----
  // A row that is kept marked as well was read as it is to leave.
  tm_rewrite #(
      .DATA_W(BUILD.data_w)
  ) rewrite (
      .data_i    (row[BUILD.data_w-1:0]),
      .row_i     (row_number),
      .mark_i    (!Copies && (departing.mark || codel_mark)),
      .l3_i      (departing.l3),
      .tags_i    (departing.tags),
      .checksum_i(departing.checksum),
      .data_o    (m_data_o)
  );

  assign m_keep_o  = {row[RowW-1:BUILD.data_w+1], 1'b1};
  assign m_last_o  = row[BUILD.data_w];
  assign m_len_o   = departing.len;
  assign bytes_o   = BytesW'(bytes);
  assign packets_o = PacketsW'(packets);

endmodule
