// SPDX-License-Identifier: BSD-3-Clause
// One port's queue, wired in the order of the packet's way: admit, buffer, depart. What leaves is rewritten behind the
// selection among queues (tm_lines), unless rows are kept marked. The beat bus and the strobes are parse's
// (rtl/parse/tm_parse.sv). A port has the row in a register of its own, in the cycle of the strobes that it tells. The
// first beat of a frame that the ECN field admits stands on `m_*` two cycles later at the earliest: one for the
// verdict, one for the read (docs/verdict.md).
module tm_port
  import tm_pkg::*;
  import tm_pool_pkg::*;
  import tm_rewrite_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    parameter int unsigned PORT = 0,  // its random words are its own
    localparam int unsigned BeatBytes = BUILD.data_w / 8,
    localparam int unsigned RowW = BUILD.data_w + BeatBytes,
    localparam int unsigned UserW = user_pins(BUILD),
    localparam int unsigned RewritingW = rewriting_w(BUILD),
    localparam int unsigned RowAddrW = $clog2(BUILD.rows)
) (
    input logic clk_i,
    input logic rst_i,
    input logic [StampW-1:0] time_i,
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
    // from and to the pool, in a build with one
    // verilator lint_off UNUSEDSIGNAL
    input pool_rsp_t pool_i,
    input logic [RowW-1:0] pool_row_i,
    // verilator lint_on UNUSEDSIGNAL
    output pool_req_t pool_o,
    // to the sink
    output sink_t m_o,
    output tm_schedule_pkg::behind_t behind_o,
    output logic [BUILD.data_w-1:0] m_data_o,
    output logic [BeatBytes-1:0] m_keep_o,
    output logic [RewritingW+UserW-1:0] m_user_o,  // {how the row is rewritten, what travels with the frame}
    input tm_schedule_pkg::permit_t permit_i,
    // state
    output held_t held_o,
    // events
    output arrival_t arrival_o,
    output departure_t departure_o
);

  localparam int unsigned CountW = count_w(BUILD);
  localparam int unsigned FramesW = frames_w(BUILD);
  localparam bit Copies = keeps_marked_copy(BUILD);
  localparam bit MarkLate = BUILD.codel || BUILD.tcn || BUILD.mark_on_departure;  // laws that compare as a frame leaves
  localparam logic [RowW-1:0] Twice = Copies ? RowW'(BUILD.data_w'(markable(BUILD.data_w))) : '0;

  // What is kept of a frame: {what travels with it, how it is rewritten, this}.
  typedef struct packed {
    logic            mark;
    logic [LenW-1:0] last;  // the length less one
  } descriptor_t;
  localparam int unsigned RewriteW = rewrite_w(BUILD);
  localparam int unsigned CellW = BUILD.pool ? $clog2(cells(BUILD)) : 0;  // the number of the frame's first cell
  localparam int unsigned DescriptorW = CellW + user_w(BUILD) + RewriteW + $bits(descriptor_t);

  admitted_t admitted;
  read_t read;
  at_hand_t at_hand;
  arrival_t arrived;
  logic take, rewind, leaving, judged_q, arrive_stored_q, stored_arrived;
  logic overflow, over_share, depart, marked;
  // Where rows are kept marked, nothing is rewritten.
  // verilator lint_off UNUSEDSIGNAL
  logic law_mark;
  logic [2:0] row_number;
  descriptor_t stored, departing;
  // verilator lint_on UNUSEDSIGNAL
  logic [RowAddrW-1:0] rows_used, skip_rows;
  logic [CountW-1:0] bytes, law_bytes;
  logic [FramesW-1:0] packets;
  logic [RowW-1:0] row;

  // ---- the row, in the cycle of what it tells ----
  // A port looks at its own frames alone: so what it makes of the strobes is in registers of its own, near by.
  logic valid_q, first_q, open_q, open, next_first, next_new, next_copy;
  logic [1:0][RowW-1:0] row_q;
  always_ff @(posedge clk_i) begin
    valid_q <= beat_i.strobes.valid && next_copy && !rst_i;
    first_q <= next_first && next_copy;
    open_q  <= open && !rst_i;
    row_q   <= beat_row_i;
  end
  assign open       = beat_i.strobes.valid ? !beat_i.strobes.last : open_q;  // behind the row on the bus
  assign next_first = beat_i.strobes.valid && beat_i.strobes.first;
  assign next_new   = next_first || !open;

  // ---- admit ----
  tm_admit #(
      .BUILD(BUILD),
      .PORT (PORT)
  ) admission (
      .clk_i,
      .rst_i,
      .beat_i,
      .next_first_i   (next_first),
      .next_port_i    (beat_i.mine),
      .rows_used_i    (rows_used),
      .overflow_i     (overflow),
      .over_share_i   (over_share),
      .leaving_i      (leaving),
      .depart_i       (depart),
      .depart_last_i  (departing.last),
      .cfg_i,
      .order_i,
      .red_i          (law_i.red),
      .red_o          (law_o.red),
      .next_copy_o    (next_copy),
      .take_o         (take),
      .rewind_o       (rewind),
      .admitted_o     (admitted),
      .bytes_o        (bytes),
      .law_bytes_o    (law_bytes),
      .packets_o      (packets),
      .arrival_o      (arrived),
      .arrive_stored_o(stored_arrived)
  );

  // The class of a frame is known two cycles after its last row, one after what became of it.
  always_ff @(posedge clk_i) begin
    {judged_q, arrive_stored_q} <= {arrived.valid, stored_arrived};
    if (rst_i) {judged_q, arrive_stored_q} <= '0;
  end
  assign arrival_o = '{valid: judged_q, outcome: arrived.outcome, cut: arrived.cut};

  // ---- buffer ----
  // verilator lint_off UNUSEDSIGNAL
  oldest_t oldest;
  logic [DescriptorW-1:0] oldest_descriptor;
  // verilator lint_on UNUSEDSIGNAL
  assign held_o.flushing = oldest.flushing;
  if (BUILD.pool) begin : gen_pool
    localparam int unsigned FillW = $clog2(BeatBytes);
    logic unused;
    assign unused = &{next_new, take, first_q, row_q, read, skip_rows};

    tm_pool_queue #(
        .SKIP(BUILD.codel)
    ) frames (
        .clk_i,
        .rst_i,
        .copy_i       (valid_q),
        .rewind_i     (rewind),
        .admitted_i   (admitted),
        .stored_rows_i(NeedW'(stored.last[LenW-1:FillW]) + 1'b1),
        .oldest_i     (oldest),
        .head_cell_i  (NumberW'(oldest_descriptor[$bits(descriptor_t)+RewriteW+:CellW])),
        .head_rows_i  (NeedW'(oldest_descriptor[LenW-1:FillW]) + 1'b1),
        .look_i       (read.look),
        .fetch_i      (read.fetch),
        .skip_i       (read.skip),
        .available_o  (at_hand.available),
        .blocked_o    (at_hand.blocked),
        .pool_i,
        .pool_last_i  (pool_row_i[BUILD.data_w]),
        .pool_o
    );
    assign row = pool_row_i;
    assign {overflow, over_share, rows_used} = {pool_i.overflow, pool_i.over, RowAddrW'(pool_i.rows_used)};
  end else begin : gen_ring
    tm_buffer #(
        .ROW_W(RowW),
        .ROWS(BUILD.rows),
        .ULTRA(BUILD.ultra),
        .SKIP(BUILD.codel),
        .TWICE(Twice),
        .MARK_LATE(MarkLate)
    ) buffer (
        .clk_i,
        .rst_i,
        .beat_valid_i (valid_q),
        .beat_first_i (first_q),
        .next_new_i   (next_new),
        .beat_take_i  (take),
        .beat_row_i   (row_q[0]),
        .beat_marked_i(row_q[1]),
        .rewind_i     (rewind),
        .overflow_o   (overflow),
        .rows_used_o  (rows_used),
        .look_i       (read.look),
        .marked_i     (MarkLate ? marked : read.look_mark),
        .fetch_i      (read.fetch),
        .skip_i       (read.skip),
        .skip_rows_i  (skip_rows),
        .available_o  (at_hand.available),
        .blocked_o    (at_hand.blocked),
        .row_o        (row)
    );
    assign {pool_o, over_share} = '0;
  end

  // ---- depart ----
  assign at_hand.last = row[BUILD.data_w];
  // What the verdict was of, with it.
  meta_t meta_q;
  logic [LenW-1:0] last_q;
  logic [UserW-1:0] user_q;
  logic [StampW-1:0] time_q;
  always_ff @(posedge clk_i) begin
    {meta_q, user_q, time_q} <= {beat_i.meta, user_i, time_i};
    last_q                   <= beat_i.len - 1'b1;
  end
  assign stored = '{mark: admitted.mark, last: last_q};
  logic [DescriptorW-1:0] stored_descriptor, departing_descriptor;
  assign departing = departing_descriptor[$bits(descriptor_t)-1:0];
  assign marked    = departing.mark || law_mark;
  logic [UserW-1:0] departing_user;
  assign departing_user = UserW'(departing_descriptor >> $bits(descriptor_t) + RewriteW + CellW);

  tm_egress #(
      .BUILD       (BUILD),
      .DESCRIPTOR_W(DescriptorW),
      .MARK        ($bits(descriptor_t) - 1)
  ) egress (
      .clk_i,
      .rst_i,
      .time_i,
      .permit_i,
      .admitted_i         (admitted),
      .stored_descriptor_i(stored_descriptor),
      .meta_i             (meta_q),
      .stored_time_i      (time_q),
      .bytes_i            (law_bytes),
      .leaving_o          (leaving),
      .tally_push_i       (arrive_stored_q),
      .tally_i,
      .stamp_i            (beat_i.stamp),
      .cfg_i,
      .order_i,
      .law_i              (law_i.codel),
      .law_o              (law_o.codel),
      .row_i              (at_hand),
      .read_o             (read),
      .skip_rows_o        (skip_rows),
      .oldest_o           (oldest),
      .oldest_descriptor_o(oldest_descriptor),
      .valid_o            (m_o.valid),
      .error_o            (m_o.error),
      .row_o              (row_number),
      .descriptor_o       (departing_descriptor),
      .mark_o             (law_mark),
      .behind_o,
      .depart_o           (depart),
      .departure_o
  );

  // ---- how a row is rewritten as it leaves ----
  assign m_data_o = row[BUILD.data_w-1:0];
  if (Copies) begin : gen_copies
    // A row that is kept marked as well was read as it is to leave.
    assign stored_descriptor = DescriptorW'({user_q, stored});
    assign m_user_o          = departing_user;
  end else begin : gen_rewrite
    rewrite_t   stored_rewrite;
    rewriting_t rewriting;
    assign stored_rewrite = '{l3: meta_q.l3, tags: meta_q.tags, checksum: meta_q.checksum};
    if (BUILD.pool) begin : gen_cell
      assign stored_descriptor = DescriptorW'({user_q, pool_i.first_cell[CellW-1:0], stored_rewrite, stored});
    end else begin : gen_no_cell
      assign stored_descriptor = DescriptorW'({user_q, stored_rewrite, stored});
    end
    assign rewriting = '{mark: marked, row: row_number, how: departing_descriptor[$bits(descriptor_t)+:RewriteW]};
    assign m_user_o  = {rewriting, departing_user};
  end

  assign m_keep_o = {row[RowW-1:BUILD.data_w+1], 1'b1};
  assign m_o.last = row[BUILD.data_w];
  assign m_o.len  = departing.last + 1'b1;
  // What is held goes far, and B is needed here: it is told one cycle late.
  always_ff @(posedge clk_i) begin
    {held_o.bytes, held_o.packets} <= {BytesW'(bytes), PacketsW'(packets)};
    if (rst_i) {held_o.bytes, held_o.packets} <= '0;
  end

endmodule
