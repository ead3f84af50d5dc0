// SPDX-License-Identifier: BSD-3-Clause
// One port's way out, wired: the frames that wait, the choice of the next, CoDel, and the departures' tally.
//
// Contract: that of tm_depart, tm_descriptors and tm_sojourn; with CODEL that of docs/codel-rules.md besides. The
// descriptor is any word; its bits [LenW-1:0] are the frame's length less one, from which its rows are counted.
module tm_egress
  import tm_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    parameter int unsigned DESCRIPTOR_W = 35,
    parameter int unsigned MARK = 34,  // the descriptor's bit that says that the frame is marked
    localparam int unsigned BeatBytes = BUILD.data_w / 8,
    localparam int unsigned CountW = count_w(BUILD),
    localparam int unsigned RowAddrW = $clog2(BUILD.rows)
) (
    input logic clk_i,
    input logic rst_i,
    input logic [StampW-1:0] time_i,
    input tm_schedule_pkg::permit_t permit_i,
    // from admit: the frame stored by the verdict of the cycle before, and the one arriving
    // Without CODEL nothing looks at some of these.
    // verilator lint_off UNUSEDSIGNAL
    input admitted_t admitted_i,
    input logic [DESCRIPTOR_W-1:0] stored_descriptor_i,
    input meta_t meta_i,
    input logic [StampW-1:0] stored_time_i,
    input logic [CountW-1:0] bytes_i,
    output logic leaving_o,
    // from admit: a stored frame has arrived
    input logic tally_push_i,
    input tally_t tally_i,
    input logic [StampW-1:0] stamp_i,  // of its verdict
    // config
    input cfg_t cfg_i,
    input order_t order_i,
    // from and to CoDel's engine
    input codel_rsp_t law_i,
    // verilator lint_on UNUSEDSIGNAL
    output codel_req_t law_o,
    // buffer
    input at_hand_t row_i,
    output read_t read_o,
    output logic [RowAddrW-1:0] skip_rows_o,
    output oldest_t oldest_o,
    output logic [DESCRIPTOR_W-1:0] oldest_descriptor_o,
    // the row on the output
    output logic valid_o,
    output logic error_o,
    output logic [2:0] row_o,
    output logic [DESCRIPTOR_W-1:0] descriptor_o,
    output logic mark_o,  // a law marks it
    output tm_schedule_pkg::behind_t behind_o,
    // events
    output logic depart_o,
    output departure_t departure_o
);

  localparam int unsigned HeadW = (head_w(BUILD) > 0) ? head_w(BUILD) : 1;

  logic push, pop, waiting, head_arriving, flushing, gone, dropped, pending;
  pull_t pull;
  fate_t fate;
  logic [DESCRIPTOR_W-1:0] head;
  logic [HeadW-1:0] stored_law, head_law;

  localparam int unsigned FillW = $clog2(BeatBytes);

  tm_descriptors #(
      .WIDTH (HeadW + DESCRIPTOR_W),
      .FRAMES(BUILD.descriptors)
  ) descriptors (
      .clk_i,
      .rst_i,
      .push_i         (push),
      .push_data_i    ({stored_law, stored_descriptor_i}),
      .arriving_i     (admitted_i.arriving),
      .end_i          (admitted_i.ends),
      .abort_i        (admitted_i.aborting),
      .pop_i          (pop),
      .waiting_o      (waiting),
      .head_arriving_o(head_arriving),
      .head_o         ({head_law, head}),
      .flush_i        (order_i.flush),
      .flushing_o     (flushing)
  );

  tm_depart #(
      .DESCRIPTOR_W(DESCRIPTOR_W),
      .MARK        (MARK),
      .FILL_W      (FillW),
      .CODEL       (BUILD.codel),
      .LATE        (BUILD.pool)
  ) departure (
      .clk_i,
      .rst_i,
      .tx_en_i        (permit_i.tx_en),
      .admitted_i,
      .stored_descriptor_i,
      .leaving_o,
      .waiting_i      (waiting),
      .head_arriving_i(head_arriving),
      .head_i         (head),
      .flushing_i     (flushing),
      .push_o         (push),
      .pop_o          (pop),
      .row_i,
      .look_o         (read_o.look),
      .look_mark_o    (read_o.look_mark),
      .fetch_o        (read_o.fetch),
      .skip_o         (read_o.skip),
      .fate_i         (fate),
      .pull_o         (pull),
      .pending_o      (pending),
      .valid_o,
      .ready_i        (permit_i.ready),
      .error_o,
      .row_o,
      .descriptor_o,
      .behind_o,
      .depart_o,
      .gone_o         (gone),
      .dropped_o      (dropped)
  );

  tm_departure_laws #(
      .BUILD(BUILD)
  ) laws (
      .clk_i,
      .rst_i,
      .time_i,
      .stored_i     (admitted_i.stored),
      .stored_time_i,
      .stored_last_i(stored_descriptor_i[LenW-1:0]),
      .meta_i,
      .mark_i       (admitted_i.mark),
      .deferred_i   (admitted_i.deferred),
      .abort_i      (admitted_i.aborting),
      .bytes_i,
      .depart_last_i(descriptor_o[LenW-1:0]),
      .head_valid_i (waiting),
      .head_i       (head_law),
      .head_last_i  (head[LenW-1:0]),
      .pull_i       (pull),
      .pending_i    (pending),
      .available_i  (!row_i.blocked),
      .cfg_i,
      .codel_reset_i(order_i.codel_reset),
      .codel_rsp_i  (law_i),
      .codel_req_o  (law_o),
      .stored_head_o(stored_law),
      .fate_o       (fate)
  );

  assign oldest_o = '{waiting: waiting, arriving: head_arriving, flushing: flushing, pop: pop};
  assign oldest_descriptor_o = head;
  assign mark_o = fate.mark;
  assign skip_rows_o = BUILD.codel ? RowAddrW'(descriptor_o[LenW-1:FillW]) + 1'b1 : '0;

  tm_sojourn #(
      .FRAMES(BUILD.descriptors)
  ) sojourn (
      .clk_i,
      .rst_i,
      .time_i,
      .push_i   (tally_push_i),
      .stamp_i,
      .class_i  (tally_i.class_id),
      .ece_i    (tally_i.ece),
      .len_i    (tally_i.len),
      .depart_i (depart_o),
      .gone_i   (gone),
      .kind_i   (dropped ? DepartHeadDropped : fate.kind),
      .valid_o  (departure_o.valid),
      .kind_o   (departure_o.kind),
      .class_o  (departure_o.class_id),
      .ece_o    (departure_o.ece),
      .len_o    (departure_o.len),
      .sojourn_o(departure_o.sojourn)
  );

endmodule
