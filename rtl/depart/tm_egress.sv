// SPDX-License-Identifier: BSD-3-Clause
// One port's way out, wired: the frames that wait, the choice of the next, CoDel, and the departures' tally.
//
// Contract: that of tm_depart, tm_descriptors and tm_sojourn; with CODEL that of docs/codel.md besides. The descriptor
// is any word; its bits [LenW-1:0] are the frame's length.
module tm_egress
  import tm_pkg::*;
#(
    parameter  int unsigned DESCRIPTOR_W  = 35,
    parameter  int unsigned FRAMES        = 508,          // frames the port can hold
    parameter  int unsigned ROWS          = 512,
    parameter  int unsigned BEAT_BYTES    = 32,
    parameter  int unsigned COUNT_W       = 15,           // bits of B
    parameter  int unsigned MARK          = 34,           // the descriptor's bit that says that the frame is marked
    parameter  bit          CODEL         = 1'b0,
    parameter  bit          FLAGS_VERDICT = 1'b0,
    localparam int unsigned RowAddrW      = $clog2(ROWS)
) (
    input  logic                               clk_i,
    input  logic                               rst_i,
    input  logic       [      StampW-1:0]      time_i,
    input  logic                               tx_en_i,
    // from admit: the frame judged, or stored, in this cycle, and the one arriving
    input  logic                               judged_i,
    input  logic                               stored_i,
    input  logic       [DESCRIPTOR_W-1:0]      stored_descriptor_i,
    // Without CODEL nothing looks at these.
    // verilator lint_off UNUSEDSIGNAL
    input  meta_t                              meta_i,
    input  logic                               mark_i,
    input  logic       [     COUNT_W-1:0]      bytes_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic                               arriving_i,
    input  logic                               abort_i,
    input  logic                               cut_i,
    input  logic                               next_frame_i,
    output logic                               leaving_o,
    // from admit: a stored frame has arrived
    input  logic                               tally_push_i,
    input  logic       [      StampW-1:0]      tally_stamp_i,
    input  class_e                             tally_class_i,
    input  logic                               tally_ece_i,
    input  logic       [        LenW-1:0]      tally_len_i,
    // config
    // verilator lint_off UNUSEDSIGNAL
    input  codel_t                             codel_i,
    input  logic       [             6:0][1:0] protect_i,
    input  logic                               wait_flags_i,         // a verdict knows the class
    input  logic                               codel_reset_i,
    // from and to CoDel's engine
    input  logic                               law_step_i,
    input  logic                               law_now_i,
    input  logic                               law_final_i,
    input  logic       [            31:0]      law_increment_i,
    // verilator lint_on UNUSEDSIGNAL
    output logic                               law_request_o,
    output logic                               law_entering_o,
    output logic                               law_from_now_o,
    output logic                               law_again_o,
    input  logic                               flush_i,
    output logic                               flushing_o,
    // buffer
    input  logic                               available_i,
    input  logic                               row_last_i,
    output logic                               look_o,
    output logic                               look_mark_o,
    output logic                               fetch_o,
    output logic                               skip_o,
    output logic       [    RowAddrW-1:0]      skip_rows_o,
    // the row on the output
    output logic                               valid_o,
    input  logic                               ready_i,
    output logic                               error_o,
    output logic       [             2:0]      row_o,
    output logic       [DESCRIPTOR_W-1:0]      descriptor_o,
    output logic                               mark_o,               // CoDel marks it
    // events
    output logic                               depart_o,
    output logic                               tally_valid_o,
    output departure_e                         tally_kind_o,
    output class_e                             tally_class_o,
    output logic                               tally_ece_o,
    output logic       [        LenW-1:0]      tally_len_o,
    output logic       [      StampW-1:0]      tally_sojourn_o
);

  localparam int unsigned HeadW = head_w(CODEL);

  logic push, pop, waiting, head_is_newest, gone, dropped;
  pull_t pull;
  fate_t fate;
  codel_req_t law_req;
  logic [DESCRIPTOR_W-1:0] head;
  logic ahead_valid;
  logic [HeadW-1:0] stored_ahead, ahead;

  tm_descriptors #(
      .WIDTH  (DESCRIPTOR_W),
      .FRAMES (FRAMES),
      .AHEAD_W(CODEL ? HeadW : 0)
  ) descriptors (
      .clk_i,
      .rst_i,
      .offer_i         (judged_i),
      .push_i          (push),
      .push_data_i     (stored_descriptor_i),
      .push_ahead_i    (stored_ahead),
      .unpush_i        (abort_i),
      .pop_i           (pop),
      .waiting_o       (waiting),
      .head_is_newest_o(head_is_newest),
      .head_o          (head),
      .ahead_valid_o   (ahead_valid),
      .ahead_o         (ahead),
      .flush_i,
      .flushing_o
  );

  tm_depart #(
      .DESCRIPTOR_W(DESCRIPTOR_W),
      .MARK        (MARK),
      .CODEL       (CODEL)
  ) departure (
      .clk_i,
      .rst_i,
      .tx_en_i,
      .stored_i,
      .stored_descriptor_i,
      .arriving_i,
      .abort_i,
      .cut_i,
      .next_frame_i,
      .leaving_o,
      .waiting_i        (waiting),
      .head_is_newest_i (head_is_newest),
      .head_i           (head),
      .flushing_i       (flushing_o),
      .push_o           (push),
      .pop_o            (pop),
      .available_i,
      .row_last_i,
      .look_o,
      .look_mark_o,
      .fetch_o,
      .skip_o,
      .pause_i          (fate.pause),
      .wait_i           (fate.hold),
      .deliver_i        (fate.deliver),
      .drop_i           (fate.drop),
      .head_mark_i      (fate.head_mark),
      .mark_next_i      (fate.mark_next),
      .pulled_o         (pull.frame),
      .head_pulled_o    (pull.head),
      .pulled_arriving_o(pull.arriving),
      .failed_o         (pull.failed),
      .chained_o        (pull.chained),
      .pauses_o         (pull.pauses),
      .pending_o        (pull.pending),
      .valid_o,
      .ready_i,
      .error_o,
      .row_o,
      .descriptor_o,
      .depart_o,
      .gone_o           (gone),
      .dropped_o        (dropped)
  );

  tm_departure_laws #(
      .COUNT_W      (COUNT_W),
      .CODEL        (CODEL),
      .FLAGS_VERDICT(FLAGS_VERDICT)
  ) laws (
      .clk_i,
      .rst_i,
      .time_i,
      .stored_i,
      .stored_len_i (stored_descriptor_i[LenW-1:0]),
      .meta_i,
      .mark_i,
      .bytes_i,
      .head_valid_i (ahead_valid),
      .head_i       (ahead),
      .pull_i       (pull),
      .available_i,
      .codel_i,
      .protect_i,
      .wait_flags_i,
      .codel_reset_i,
      .codel_rsp_i  ('{step: law_step_i, now: law_now_i, done: law_final_i, increment: law_increment_i}),
      .codel_req_o  (law_req),
      .stored_head_o(stored_ahead),
      .fate_o       (fate)
  );

  assign {law_request_o, law_entering_o, law_from_now_o, law_again_o} = law_req;
  assign mark_o = fate.mark;
  assign skip_rows_o = CODEL ? RowAddrW'((32'(descriptor_o[LenW-1:0]) + BEAT_BYTES - 1) / BEAT_BYTES) : '0;

  tm_sojourn #(
      .FRAMES(FRAMES)
  ) sojourn (
      .clk_i,
      .rst_i,
      .time_i,
      .push_i   (tally_push_i),
      .stamp_i  (tally_stamp_i),
      .class_i  (tally_class_i),
      .ece_i    (tally_ece_i),
      .len_i    (tally_len_i),
      .depart_i (depart_o),
      .gone_i   (gone),
      .kind_i   (dropped ? DepartHeadDropped : fate.kind),
      .valid_o  (tally_valid_o),
      .kind_o   (tally_kind_o),
      .class_o  (tally_class_o),
      .ece_o    (tally_ece_o),
      .len_o    (tally_len_o),
      .sojourn_o(tally_sojourn_o)
  );

endmodule
