// SPDX-License-Identifier: BSD-3-Clause
// The queues of all ports behind one parser: everything on the packet's way, nothing of the registers.
//
// Contract: the input is never blocked. Each copy of a frame is judged by its own port; they share what parse says.
module tm_core
  import tm_pkg::*;
  import tm_pool_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    localparam int unsigned BeatBytes = BUILD.data_w / 8,
    localparam int unsigned Lines = BUILD.ports / BUILD.queues,
    localparam int unsigned UserW = user_pins(BUILD),
    localparam int unsigned RewritingW = tm_rewrite_pkg::rewriting_w(BUILD)
) (
    input logic clk_i,
    input logic rst_i,
    input logic [StampW-1:0] time_i,
    // from the source
    input logic s_valid_i,
    input logic [BUILD.data_w-1:0] s_data_i,
    input logic [BeatBytes-1:0] s_keep_i,
    input logic s_last_i,
    input logic [Lines-1:0] s_dest_i,
    input logic [15:0] s_len_i,
    input logic [UserW-1:0] s_user_i,  // first beat
    input logic s_error_i,
    // to the sinks
    output sink_t [BUILD.ports-1:0] m_o,
    output tm_schedule_pkg::behind_t [BUILD.ports-1:0] behind_o,
    output logic [BUILD.ports-1:0][BUILD.data_w-1:0] m_data_o,
    output logic [BUILD.ports-1:0][BeatBytes-1:0] m_keep_o,
    output logic [BUILD.ports-1:0][RewritingW+UserW-1:0] m_user_o,  // that of tm_port
    input tm_schedule_pkg::permit_t [BUILD.ports-1:0] permit_i,
    // config
    input cfg_t [BUILD.ports-1:0] cfg_i,
    input order_t [BUILD.ports-1:0] order_i,
    input red_word_t word_i,
    input queue_word_t queue_word_i,
    // state
    output held_t [BUILD.ports-1:0] held_o,
    output red_view_t [(BUILD.ports+7)/8-1:0] red_view_o,
    output pool_state_t pool_o,
    output logic law_busy_o,  // ARED waits for a visit, or CoDel's engine works for a port
    // events
    output event_t [BUILD.ports-1:0] event_o,
    output arrival_t [BUILD.ports-1:0] arrival_o,
    output tally_t tally_o,  // of the frame in arrival_o
    output departure_t [BUILD.ports-1:0] departure_o,
    output mishap_t mishap_o
);

  localparam int unsigned RowW = BUILD.data_w + BeatBytes;

  strobes_t strobes;
  logic [BUILD.ports-1:0] dest, beat_ports, judged, judged_q;
  logic [BUILD.queues-1:0] chosen;
  logic by_class;
  logic [RowW-1:0] beat_row, beat_marked;
  logic [LenW-1:0] soon_len, next_len_q, len_q;
  logic [NeedW-1:0] need_q;
  logic [BUILD.ports-1:0][StampW-1:0] stamp;
  logic [UserW-1:0] user;
  ecn_e next_ecn;
  meta_t meta;
  class_ece_t class_ece;
  logic next_end, next_bad;
  logic unused_tally_valid;  // the ports learn of a frame's tally from `next_end`

  // Every queue of a line gets the frame; all but one let go of it when it is known which one takes it.
  for (genvar p = 0; p < BUILD.ports; p++) begin : gen_dest
    assign dest[p] = s_dest_i[p/BUILD.queues];
  end

  tm_parse #(
      .BUILD(BUILD)
  ) parse (
      .clk_i,
      .rst_i,
      .s_valid_i,
      .s_data_i,
      .s_keep_i,
      .s_last_i,
      .s_dest_i     (dest),
      .s_len_i,
      .s_error_i,
      .word_i       (queue_word_i),
      .strobes_o    (strobes),
      .beat_ports_o (beat_ports),
      .beat_row_o   (beat_row),
      .beat_marked_o(beat_marked),
      .soon_len_o   (soon_len),
      .next_ecn_o   (next_ecn),
      .meta_o       (meta),
      .class_ece_o  (class_ece),
      .queue_o      (chosen),
      .by_class_o   (by_class),
      .next_end_o   (next_end),
      .next_bad_o   (next_bad),
      .tally_valid_o(unused_tally_valid),
      .tally_o,
      .mishap_o
  );

  // A frame is judged two cycles after the row that tells it was on the pins.
  always_ff @(posedge clk_i) begin
    {len_q, next_len_q} <= {next_len_q, soon_len};
    need_q <= NeedW'((32'(soon_len) + SpareRows * BeatBytes - 1) / BeatBytes);
  end

  // When a frame was judged, from two cycles later on, so that it stands until the frame is counted. Without
  // FLAGS_VERDICT every port judges in the same cycle: one stamp serves them all.
  logic [StampW-1:0] time_q;
  always_ff @(posedge clk_i) {judged_q, time_q} <= {judged, time_i};
  if (BUILD.flags_verdict) begin : gen_stamps
    always_ff @(posedge clk_i) for (int p = 0; p < BUILD.ports; p++) if (judged_q[p]) stamp[p] <= time_q;
  end else begin : gen_stamp
    logic [1:0] told_q;
    logic [StampW-1:0] stamp_q;
    always_ff @(posedge clk_i) begin
      told_q <= {told_q[0], strobes.next_ecn_valid && !rst_i};
      if (told_q[1]) stamp_q <= time_q;
    end
    assign stamp = {BUILD.ports{stamp_q}};
  end

  tm_user #(
      .WIDTH(user_w(BUILD)),
      .WAIT (class_wait(BUILD))
  ) frame_user (
      .clk_i,
      .s_user_i,
      .first_i(strobes.valid && strobes.first),
      .user_o (user)
  );

  law_req_t [BUILD.ports-1:0] law_req;
  law_rsp_t [BUILD.ports-1:0] law_rsp;

  tm_laws #(
      .BUILD(BUILD)
  ) laws (
      .clk_i,
      .rst_i,
      .time_i,
      .law_i (law_req),
      .law_o (law_rsp),
      .cfg_i,
      .order_i,
      .word_i,
      .red_view_o,
      .busy_o(law_busy_o)
  );

  held_t [BUILD.ports-1:0] held;

  pool_req_t [BUILD.ports-1:0] pool_req;
  pool_rsp_t [BUILD.ports-1:0] pool_rsp;
  logic [BUILD.ports-1:0][RowW-1:0] pool_row;
  if (BUILD.pool) begin : gen_pool
    tm_pool_ports #(
        .BUILD(BUILD)
    ) pool (
        .clk_i,
        .rst_i,
        .strobes_i   (strobes),
        .beat_ports_i(beat_ports),
        .beat_row_i  (beat_row),
        .soon_len_i  (soon_len),
        .cfg_i,
        .port_i      (pool_req),
        .port_o      (pool_rsp),
        .row_o       (pool_row),
        .state_o     (pool_o)
    );
  end else begin : gen_no_pool
    logic unused;
    assign unused   = &pool_req;
    assign pool_rsp = '0;
    assign pool_o   = '0;
    for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
      assign pool_row[p] = '0;
    end
  end

  for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
    beat_t beat;
    assign beat = '{
            strobes: strobes,
            mine: beat_ports[p],
            soon_len: soon_len,
            next_len: next_len_q,
            len: len_q,
            next_need: need_q,
            next_end: next_end,
            next_bad: next_bad,
            elsewhere: !chosen[p%BUILD.queues],
            by_class: by_class,
            next_ecn: next_ecn,
            meta: meta,
            class_ece: class_ece,
            stamp: stamp[p]
        };

    tm_port #(
        .BUILD(BUILD),
        .PORT (p)
    ) queue (
        .clk_i,
        .rst_i,
        .time_i,
        .beat_i     (beat),
        .beat_row_i ({beat_marked, beat_row}),
        .user_i     (user),
        .tally_i    (tally_o),
        .cfg_i      (cfg_i[p]),
        .order_i    (order_i[p]),
        .law_i      (law_rsp[p]),
        .law_o      (law_req[p]),
        .pool_i     (pool_rsp[p]),
        .pool_row_i (pool_row[p]),
        .pool_o     (pool_req[p]),
        .m_o        (m_o[p]),
        .behind_o   (behind_o[p]),
        .m_data_o   (m_data_o[p]),
        .m_keep_o   (m_keep_o[p]),
        .m_user_o   (m_user_o[p]),
        .permit_i   (permit_i[p]),
        .held_o     (held[p]),
        .arrival_o  (arrival_o[p]),
        .departure_o(departure_o[p])
    );
    assign judged[p] = law_req[p].red.judged;
    // A register packed with B's choice must not be pulled away from it: what goes far is told one cycle later still.
    always_ff @(posedge clk_i) begin
      {held_o[p].bytes, held_o[p].packets} <= {held[p].bytes, held[p].packets};
      if (rst_i) {held_o[p].bytes, held_o[p].packets} <= '0;
    end
    assign held_o[p].flushing = held[p].flushing;
    // What the verdict saw, kept until the frame has ended and its class is known.
    logic [BytesW-1:0] judged_bytes_q;
    always_ff @(posedge clk_i) if (judged_q[p]) judged_bytes_q <= held[p].bytes;
    assign event_o[p] = '{
            valid: arrival_o[p].valid,
            stamp: stamp[p],
            len: tally_o.len,
            class_id: tally_o.class_id,
            ece: tally_o.ece,
            ecn: tally_o.ecn,
            outcome: arrival_o[p].outcome,
            bytes: judged_bytes_q
        };
  end

endmodule
