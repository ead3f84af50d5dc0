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
    localparam int unsigned UserW = user_pins(BUILD)
) (
    input logic clk_i,
    input logic rst_i,
    input logic [StampW-1:0] time_i,
    input logic tx_en_i,
    // from parse
    input beat_t beat_i,
    input logic [1:0][RowW-1:0] beat_row_i,  // as it came, and with marked_copy as it leaves if the frame is marked
    input logic [UserW-1:0] user_i,
    input tally_t tally_i,
    // config
    input cfg_t cfg_i,
    input order_t order_i,
    // from and to the units that ports share
    input law_rsp_t law_i,
    output law_req_t law_o,
    // to the sink
    output sink_t m_o,
    output logic [BUILD.data_w-1:0] m_data_o,
    output logic [BeatBytes-1:0] m_keep_o,
    output logic [UserW-1:0] m_user_o,
    input logic m_ready_i,
    // state
    output held_t held_o,
    // events
    output arrival_t arrival_o,
    output departure_t departure_o
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

  admitted_t admitted;
  read_t read;
  logic take, refuse, leaving, arrive_stored;
  logic overflow, freed, available, depart, codel_mark;
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
      .beat_i,
      .rows_used_i    (rows_used),
      .freed_i        (freed),
      .overflow_i     (overflow),
      .leaving_i      (leaving),
      .depart_i       (depart),
      .depart_len_i   (departing.len),
      .cfg_i,
      .order_i,
      .red_i          (law_i.red),
      .red_o          (law_o.red),
      .take_o         (take),
      .refuse_o       (refuse),
      .admitted_o     (admitted),
      .bytes_o        (bytes),
      .packets_o      (packets),
      .arrival_o,
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
      .beat_valid_i (beat_i.strobes.valid),
      .beat_first_i (beat_i.strobes.first),
      .beat_take_i  (take),
      .beat_row_i   (beat_row_i[0]),
      .beat_marked_i(beat_row_i[1]),
      .rewind_i     (refuse),
      .overflow_o   (overflow),
      .rows_used_o  (rows_used),
      .freed_o      (freed),
      .look_i       (read.look),
      .look_marked_i(read.look_mark),
      .fetch_i      (read.fetch),
      .skip_i       (read.skip),
      .skip_rows_i  (skip_rows),
      .available_o  (available),
      .row_o        (row)
  );

  // ---- depart ----
  assign judged_descriptor = {admitted.mark, beat_i.meta.l3, beat_i.meta.tags, beat_i.meta.checksum, beat_i.len};

  localparam int unsigned DescriptorW = $bits(descriptor_t) + user_w(BUILD);
  logic [DescriptorW-1:0] judged_whole, departing_whole;
  assign departing = departing_whole[$bits(descriptor_t)-1:0];
  assign judged_whole = DescriptorW'({user_i, judged_descriptor});
  assign m_user_o = UserW'(departing_whole >> $bits(descriptor_t));

  tm_egress #(
      .BUILD       (BUILD),
      .DESCRIPTOR_W(DescriptorW),
      .MARK        ($bits(descriptor_t) - 1)
  ) egress (
      .clk_i,
      .rst_i,
      .time_i,
      .tx_en_i,
      .admitted_i         (admitted),
      .stored_descriptor_i(judged_whole),
      .meta_i             (beat_i.meta),
      .bytes_i            (bytes),
      .leaving_o          (leaving),
      .tally_push_i       (arrive_stored),
      .tally_i,
      .stamp_i            (beat_i.stamp),
      .cfg_i,
      .order_i,
      .law_i              (law_i.codel),
      .law_o              (law_o.codel),
      .flushing_o         (held_o.flushing),
      .available_i        (available),
      .row_last_i         (row[BUILD.data_w]),
      .read_o             (read),
      .skip_rows_o        (skip_rows),
      .valid_o            (m_o.valid),
      .ready_i            (m_ready_i),
      .error_o            (m_o.error),
      .row_o              (row_number),
      .descriptor_o       (departing_whole),
      .mark_o             (codel_mark),
      .depart_o           (depart),
      .departure_o
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

  assign m_keep_o       = {row[RowW-1:BUILD.data_w+1], 1'b1};
  assign m_o.last       = row[BUILD.data_w];
  assign m_o.len        = departing.len;
  assign held_o.bytes   = BytesW'(bytes);
  assign held_o.packets = PacketsW'(packets);

endmodule
