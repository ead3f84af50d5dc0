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

  // The head as CoDel looks at it: time of its verdict, and what a signal may do to it.
  localparam int unsigned AheadW = CODEL ? 36 : 0;
  localparam int unsigned AheadPins = CODEL ? 36 : 1;

  logic push, pop, waiting, head_is_newest, gone, dropped;
  logic
      pause,
      hold_off,
      deliver,
      drop,
      head_mark,
      mark_next,
      pulled,
      head_pulled,
      pulled_arriving,
      failed,
      chained,
      pauses,
      pending;
  logic [DESCRIPTOR_W-1:0] head;
  logic ahead_valid;
  logic [AheadPins-1:0] stored_ahead, ahead;
  departure_e kind;

  tm_descriptors #(
      .WIDTH  (DESCRIPTOR_W),
      .FRAMES (FRAMES),
      .AHEAD_W(AheadW)
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
      .pause_i          (pause),
      .wait_i           (hold_off),
      .deliver_i        (deliver),
      .drop_i           (drop),
      .head_mark_i      (head_mark),
      .mark_next_i      (mark_next),
      .pulled_o         (pulled),
      .head_pulled_o    (head_pulled),
      .pulled_arriving_o(pulled_arriving),
      .failed_o         (failed),
      .chained_o        (chained),
      .pauses_o         (pauses),
      .pending_o        (pending),
      .valid_o,
      .ready_i,
      .error_o,
      .row_o,
      .descriptor_o,
      .depart_o,
      .gone_o           (gone),
      .dropped_o        (dropped)
  );

  if (CODEL) begin : gen_codel
    departure_e sent_kind;

    // Class and ECE of a frame without ECT, 14 for ECT, 15 for CE, whoever set it: four bits do.
    logic ect;
    logic [3:0] code;
    logic wait_flags_q;  // of the configuration that the verdict follows
    assign ect = meta_i.ecn == Ect0 || meta_i.ecn == Ect1;
    always_ff @(posedge clk_i) wait_flags_q <= wait_flags_i;
    always_comb begin
      code = wait_flags_q ? {meta_i.class_id, meta_i.flags.ece} : {NonIp, 1'b0};
      if (mark_i || meta_i.ecn == Ce) code = 4'd15;
      else if (ect) code = 4'd14;
    end
    assign stored_ahead = {time_i[41:10], code};

    tm_codel #(
        .COUNT_W(COUNT_W)
    ) codel (
        .clk_i,
        .rst_i,
        .unit_i       (time_i[41:10]),
        .stored_i,
        .stored_len_i (stored_descriptor_i[LenW-1:0]),
        .bytes_i,
        .head_valid_i (ahead_valid),
        .head_stamp_i (ahead[35:4]),
        .head_code_i  (ahead[3:0]),
        .pulled_i     (pulled),
        .head_pulled_i(head_pulled),
        .arriving_i   (pulled_arriving),
        .failed_i     (failed),
        .chained_i    (chained),
        .pauses_i     (pauses),
        .pending_i    (pending),
        .available_i,
        .pause_o      (pause),
        .wait_o       (hold_off),
        .deliver_o    (deliver),
        .drop_o       (drop),
        .mark_o,
        .mark_next_o  (mark_next),
        .head_mark_o  (head_mark),
        .kind_o       (sent_kind),
        .cfg_i        (codel_i),
        .protect_i    (FLAGS_VERDICT ? protect_i : '0),
        .reset_i      (codel_reset_i),
        .law_step_i,
        .law_now_i,
        .law_final_i,
        .law_increment_i,
        .law_request_o,
        .law_entering_o,
        .law_from_now_o,
        .law_again_o
    );

    assign kind = dropped ? DepartHeadDropped : sent_kind;
    assign skip_rows_o = RowAddrW'((32'(descriptor_o[LenW-1:0]) + BEAT_BYTES - 1) / BEAT_BYTES);
  end else begin : gen_no_codel
    logic unused;
    assign unused = &{ahead_valid, ahead, pulled, head_pulled, pulled_arriving, failed, chained, pauses, pending};
    assign {pause, hold_off, deliver, drop, mark_o, head_mark, mark_next, stored_ahead} = '0;
    assign {law_request_o, law_entering_o, law_from_now_o, law_again_o} = '0;
    assign kind = dropped ? DepartHeadDropped : DepartPlain;
    assign skip_rows_o = '0;
  end

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
      .kind_i   (kind),
      .valid_o  (tally_valid_o),
      .kind_o   (tally_kind_o),
      .class_o  (tally_class_o),
      .ece_o    (tally_ece_o),
      .len_o    (tally_len_o),
      .sojourn_o(tally_sojourn_o)
  );

endmodule
