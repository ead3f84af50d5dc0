// SPDX-License-Identifier: BSD-3-Clause
// Admission to one port, wired: follow the arriving frame, compare what is held with the limits and the law, judge.
//
// Contract: strobes come with the row that tells them. In the cycle after the verdict `stored` says that the frame is
// held and `mark` that it will leave marked, or `rewind_o` takes its rows back; so it does one cycle after the end of a
// frame that turns out wrong before it leaves (`aborting`). `bytes_o` is B as the verdict of this cycle sees it.
module tm_admit
  import tm_pkg::*;
  import tm_admit_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    parameter int unsigned PORT = 0,  // its random words are its own
    localparam int unsigned CountW = count_w(BUILD),
    localparam int unsigned FramesW = frames_w(BUILD)
) (
    input logic clk_i,
    input logic rst_i,
    // from parse: neither mine, len, meta and the stamp nor the higher bits of next_need
    // verilator lint_off UNUSEDSIGNAL
    input beat_t beat_i,
    // verilator lint_on UNUSEDSIGNAL
    input logic next_first_i,
    input logic next_port_i,
    // from buffer
    input logic [$clog2(BUILD.rows)-1:0] rows_used_i,
    input logic overflow_i,
    input logic over_share_i,
    // from depart
    input logic leaving_i,
    input logic depart_i,
    input logic [LenW-1:0] depart_last_i,  // the length less one
    // config
    input cfg_t cfg_i,
    // Without RED nothing looks at these.
    // verilator lint_off UNUSEDSIGNAL
    input order_t order_i,
    // from and to RED's shared unit
    input red_rsp_t red_i,
    // verilator lint_on UNUSEDSIGNAL
    output red_req_t red_o,
    // the verdict and what follows from it
    output logic next_copy_o,
    output logic take_o,
    output logic rewind_o,
    output admitted_t admitted_o,
    // state
    output logic [CountW-1:0] bytes_o,
    output logic [CountW-1:0] law_bytes_o,  // without the frame that departed two cycles ago
    output logic [FramesW-1:0] packets_o,
    // events
    output arrival_t arrival_o,
    output logic arrive_stored_o
);

  localparam int unsigned Storage = storage(BUILD);
  localparam int unsigned LimitW = $clog2(Storage + (1 << LenW));

  // Limits and thresholds are looked up one cycle early, or two; everything else of a configuration waits for them.
  // verilator lint_off UNUSEDSIGNAL
  cfg_t next_cfg_q, cfg_q;
  // verilator lint_on UNUSEDSIGNAL
  always_ff @(posedge clk_i) {cfg_q, next_cfg_q} <= {next_cfg_q, cfg_i};

  // verilator lint_off UNUSEDSIGNAL
  strobes_t strobes;
  // verilator lint_on UNUSEDSIGNAL
  assign strobes = beat_i.strobes;
  assign red_o.judged = admitted_o.judged;
  assign red_o.bytes = BytesW'(bytes_o);
  assign red_o.packets = PacketsW'(packets_o);

  logic stores, mark, next_abort, over_bytes, over_packets, full, no_room;
  logic [2:0] may_store;
  logic [1:0] changes, above, red_signal, red_forced;
  outcome_e outcome;
  kind_t [3:0] next_kinds_q;  // indexed by ECN codepoint
  kind_t kind_q;
  logic over_share_q;

  tm_arrival #(
      .FLAGS_VERDICT(BUILD.flags_verdict)
  ) arrival (
      .clk_i,
      .rst_i,
      .next_first_i,
      .next_port_i,
      .next_ecn_valid_i  (strobes.next_ecn_valid),
      .next_flags_valid_i(strobes.next_flags_valid),
      .next_end_i        (beat_i.next_end),
      .next_bad_i        (beat_i.next_bad),
      .next_wait_flags_i (next_cfg_q.wait_flags),
      .by_class_i        (beat_i.by_class),
      .elsewhere_i       (beat_i.elsewhere),
      .judge_o           (admitted_o.judged),
      .may_store_o       (may_store),
      .stores_i          (stores),
      .outcome_i         (outcome),
      .next_copy_o       (next_copy_o),
      .take_o            (take_o),
      .end_o             (admitted_o.ends),
      .wrong_o           (admitted_o.wrong),
      .rewind_o          (rewind_o),
      .abort_o           (admitted_o.aborting),
      .next_abort_o      (next_abort),
      .arriving_o        (admitted_o.arriving),
      .leaving_i         (leaving_i),
      .cut_o             (admitted_o.cut),
      .arrive_valid_o    (arrival_o.valid),
      .arrive_outcome_o  (arrival_o.outcome),
      .arrive_stored_o   (arrive_stored_o)
  );

  assign arrival_o.cut = admitted_o.cut;
  assign admitted_o.crowded = over_share_q && outcome == NoRoom;
  always_ff @(posedge clk_i) begin
    over_share_q <= over_share_i && admitted_o.judged && !rst_i;
    admitted_o.stored <= stores && !rst_i;
    admitted_o.mark <= mark;
    admitted_o.deferred <= kind_q.deferred;
  end

  tm_occupancy #(
      .STORAGE    (Storage),
      .DESCRIPTORS(BUILD.descriptors),
      .CUT_SHORT  (cut_short(BUILD))
  ) occupancy (
      .clk_i,
      .rst_i,
      .next_len_i          (beat_i.next_len),
      .soon_len_i          (beat_i.soon_len),
      .next_abort_i        (next_abort),
      .changes_i           (changes),
      .abort_i             (admitted_o.aborting),
      .depart_i            (depart_i),
      .depart_last_i       (depart_last_i),
      .soon_limit_bytes_i  (cfg_i.limit_bytes[LimitW-1:0]),
      .next_limit_packets_i(next_cfg_q.limit_packets[FramesW-1:0]),
      .next_k_i            ({next_cfg_q.k[1][CountW-1:0], next_cfg_q.k[0][CountW-1:0]}),
      .bytes_o,
      .soon_bytes_o        (law_bytes_o),
      .packets_o,
      .over_bytes_o        (over_bytes),
      .over_packets_o      (over_packets),
      .full_o              (full),
      .above_o             (above)
  );

  tm_room #(
      .ROWS(BUILD.rows)
  ) room (
      .clk_i,
      .rows_used_i,
      .next_need_i(beat_i.next_need),
      .overflow_i,
      .no_room_o  (no_room)
  );

  // A frame's codepoint is known a cycle early, what each one stands for two: the codepoint only chooses.
  always_ff @(posedge clk_i) begin
    for (int unsigned e = 0; e < 4; e++) next_kinds_q[e] <= kind_of(BUILD, cfg_i, ecn_e'(e));
    kind_q <= next_kinds_q[beat_i.next_ecn];
  end

  if (BUILD.red) begin : gen_red
    tm_red #(
        .PORTS((BUILD.ports / 8 > PORT / 8) ? 8 : BUILD.ports % 8),
        .PORT (PORT),
        .LINUX(BUILD.red_linux)
    ) red (
        .clk_i,
        .rst_i,
        .step_i(admitted_o.judged),
        .slot_i  (kind_q.slot),
        .signal_o(red_signal),
        .forced_o(red_forced),
        .law_i   (cfg_i.law),
        .red_i   (cfg_i.red),
        .commit_i(order_i.commit),
        .law_reset_i(order_i.law_reset),
        .seed_load_i(order_i.seed_load),
        .seed_i(order_i.seed),
        .load_i(red_i.load),
        .chance_i(red_i.chance),
        .reach_i(red_i.reach),
        .counted_o(red_o.counted)
    );
  end else begin : gen_no_red
    assign {red_signal, red_forced} = '0;
    assign red_o.counted            = '0;
  end

  tm_verdict #(
      .FLAGS_VERDICT(BUILD.flags_verdict)
  ) verdict (
      .clk_i,
      .abort_i       (admitted_o.aborting),
      .may_store_i   (may_store),
      .kind_i        (kind_q),
      .class_ece_i   (beat_i.class_ece),
      .over_bytes_i  (over_bytes),
      .over_packets_i(over_packets),
      .full_i        (full),
      .no_room_i     (no_room || over_share_i),
      .above_i       (above),
      .red_signal_i  (red_signal),
      .red_forced_i  (red_forced),
      .enable_i      (cfg_q.enable),
      .protect_i     (cfg_q.protect),
      .outcome_o     (outcome),
      .stores_o      (stores),
      .changes_o     (changes),
      .mark_o        (mark)
  );

endmodule
