// SPDX-License-Identifier: BSD-3-Clause
// The verdict next to its reference: limits and occupancy, step law, verdict and protection of the twin against one
// table.
//
// Contract: all inputs are those of the verdict in three cycles, or, with `abort_i`, of a frame that may be taken back
// then; `reference_o` and `twin_o` are {outcome, stored, marked} of this cycle's verdict, whose B and P are `bytes_o`
// and `packets_o`. A frame is stored where `judge_i` was set and both say so. The reference looks at B and the limits
// alone, the twin made its compares a cycle ago. Right behind an event that moved B the byte limit is that of the
// event. Linux's spacing is not in force in any slot: a commit refuses it.
module cross_verdict
  import tm_pkg::*;
  import tm_admit_pkg::*;
#(
    localparam int unsigned STORAGE = (1 << BytesW) - (1 << LenW) - 1,
    localparam int unsigned DESCRIPTORS = (1 << PacketsW) - 3
) (
    input  logic                            clk_i,
    input  logic                            rst_i,
    input  logic                            judge_i,
    input  logic                            abort_i,
    input  logic                            depart_i,
    input  logic [    LenW-1:0]             depart_last_i,
    // the frame
    input  logic [    LenW-1:0]             len_i,
    input  logic                            room_i,
    input  logic [         1:0]             ecn_i,
    input  logic [         2:0]             class_i,
    input  logic                            ece_i,
    // RED, by slot
    input  logic [         1:0]             red_signal_i,
    input  logic [         1:0]             red_forced_i,
    // config
    input  logic                            enable_i,
    input  logic                            limit_bytes_on_i,
    input  logic [  BytesW-1:0]             limit_bytes_i,
    input  logic                            limit_packets_on_i,
    input  logic [PacketsW-1:0]             limit_packets_i,
    input  logic [         3:0]             slot_of_i,
    input  logic [         1:0][       1:0] law_i,
    input  logic [         1:0][BytesW-1:0] k_i,
    input  logic                            noecn_i,
    input  logic                            harddrop_i,
    input  logic [        13:0]             protect_i,
    output logic [  BytesW-1:0]             bytes_o,
    output logic [PacketsW-1:0]             packets_o,
    output logic [         5:0]             reference_o,
    output logic [         5:0]             twin_o
);

  typedef struct packed {
    logic judge;
    logic abort;
    logic [LenW-1:0] len;
    logic room;
    logic [1:0] ecn;
    logic [2:0] class_id;
    logic ece;
    logic [1:0] red_signal;
    logic [1:0] red_forced;
    logic enable;
    logic limit_bytes_on;
    logic [BytesW-1:0] limit_bytes;
    logic limit_packets_on;
    logic [PacketsW-1:0] limit_packets;
    logic [3:0] slot_of;
    logic [1:0][1:0] law;
    logic [1:0][BytesW-1:0] k;
    logic noecn;
    logic harddrop;
    logic [13:0] protect;
  } case_t;

  case_t case_d, soon_q, next_q, case_q;
  logic stores, aborts;
  logic [3:0] outcome;
  logic stored, marked, twin_store, twin_mark, over_bytes, over_packets;
  logic [1:0] above;
  logic [1:0] signals, forced;
  logic [BytesW-1:0] soon_bytes;
  outcome_e twin_outcome;
  cfg_t cfg;
  class_ece_t class_ece;

  assign case_d = '{
          judge: judge_i,
          abort: abort_i,
          len: len_i,
          room: room_i,
          ecn: ecn_i,
          class_id: class_i,
          ece: ece_i,
          red_signal: red_signal_i,
          red_forced: red_forced_i,
          enable: enable_i,
          limit_bytes_on: limit_bytes_on_i,
          limit_bytes: limit_bytes_i,
          limit_packets_on: limit_packets_on_i,
          limit_packets: limit_packets_i,
          slot_of: slot_of_i,
          law: law_i,
          k: k_i,
          noecn: noecn_i,
          harddrop: harddrop_i,
          protect: protect_i
      };
  assign stores = case_q.judge && !case_q.abort && twin_store && stored;
  assign aborts = case_q.judge && case_q.abort;
  always_ff @(posedge clk_i) {case_q, next_q, soon_q} <= {next_q, soon_q, case_d};

  spinal_verdict_table reference (
      .io_config_enable        (case_q.enable),
      .io_config_limitBytesOn  (case_q.limit_bytes_on),
      .io_config_limitBytes    (case_q.limit_bytes),
      .io_config_limitPacketsOn(case_q.limit_packets_on),
      .io_config_limitPackets  (case_q.limit_packets),
      .io_config_slotOf        (case_q.slot_of),
      .io_config_law_0         (case_q.law[0]),
      .io_config_law_1         (case_q.law[1]),
      .io_config_threshold_0   (case_q.k[0]),
      .io_config_threshold_1   (case_q.k[1]),
      .io_config_noEcn         (case_q.noecn),
      .io_config_hardDrop      (case_q.harddrop),
      .io_config_linux         (2'b00),
      .io_config_protect       (case_q.protect),
      .io_occupancy            (bytes_o),
      .io_packets              (packets_o),
      .io_length               (16'(case_q.len)),
      .io_hasRoom              (case_q.room),
      .io_codepoint            (case_q.ecn),
      .io_kind                 (case_q.class_id),
      .io_ece                  (case_q.ece),
      .io_redSignal            (case_q.red_signal),
      .io_redForced            (case_q.red_forced),
      .io_outcome              (outcome),
      .io_stored               (stored),
      .io_marked               (marked)
  );
  // An outcome comes one cycle late.
  logic twin_stored_q, twin_marked_q;
  always_ff @(posedge clk_i) begin
    reference_o                    <= {outcome, stored, marked};
    {twin_stored_q, twin_marked_q} <= {twin_store, twin_mark && twin_store};
  end

  tm_occupancy #(
      .STORAGE    (STORAGE),
      .DESCRIPTORS(DESCRIPTORS)
  ) occupancy (
      .clk_i,
      .rst_i,
      .next_len_i          (next_q.len),
      .soon_len_i          (soon_q.len),
      .next_abort_i        (next_q.abort),
      .changes_i           ({2{stores || aborts}}),
      .abort_i             (aborts),
      .depart_i,
      .depart_last_i,
      .soon_limit_bytes_i  (soon_q.limit_bytes_on ? soon_q.limit_bytes : '1),
      .next_limit_packets_i(next_q.limit_packets_on ? next_q.limit_packets : '1),
      .next_k_i            (next_q.k),
      .bytes_o,
      .soon_bytes_o        (soon_bytes),
      .packets_o,
      .over_bytes_o        (over_bytes),
      .over_packets_o      (over_packets),
      .full_o              (),
      .above_o             (above)
  );

  // RED's word where it is the law, and what tm_admit makes of the configuration.
  for (genvar s = 0; s < 2; s++) begin : gen_slot
    assign {signals[s], forced[s]} = {case_q.red_signal[s], case_q.red_forced[s]} & {2{case_q.law[s] == LawRed}};
  end

  always_comb begin
    cfg          = '0;
    cfg.slot_of  = case_q.slot_of;
    cfg.law      = {law_e'(case_q.law[1]), law_e'(case_q.law[0])};
    cfg.noecn    = case_q.noecn;
    cfg.harddrop = case_q.harddrop;
    class_ece    = class_ece_t'(1) << {case_q.class_id, case_q.ece};
  end

  tm_verdict #(
      .FLAGS_VERDICT(1'b1)
  ) verdict (
      .clk_i,
      .abort_i       (aborts),
      .may_store_i   ({3{!case_q.abort}}),
      .kind_i        (kind_of(DefaultBuild, cfg, ecn_e'(case_q.ecn))),
      .class_ece_i   (class_ece),
      .over_bytes_i  (over_bytes),
      .over_packets_i(over_packets),
      .full_i        (over_bytes || over_packets),
      .no_room_i     (!case_q.room),
      .above_i       (above),
      .red_signal_i  (signals),
      .red_forced_i  (forced),
      .enable_i      (case_q.enable),
      .protect_i     (case_q.protect),
      .outcome_o     (twin_outcome),
      .stores_o      (twin_store),
      .changes_o     (),
      .mark_o        (twin_mark)
  );
  // A mark says something only of a frame that is stored.
  assign twin_o = {twin_outcome, twin_stored_q, twin_marked_q};

  logic [1:0] left_q;  // what departed two cycles ago leaves P in this one
  logic [3:0] began_q;  // a reset, and cycles without one since; nothing is judged before the fourth
  logic judged_q;
  // The sum of the lengths: stored, less what was taken back, less what departed three cycles ago or earlier.
  logic [BytesW-1:0] held_q, departed_q, departed_2_q, moved;
  always_comb begin
    moved = '0;
    if (stores) moved = BytesW'(case_q.len);
    if (aborts) moved = -BytesW'(case_q.len);
  end
  initial {began_q, judged_q} = '0;
  always_ff @(posedge clk_i) begin
    began_q <= rst_i ? 4'b0001 : {began_q[2:0] & {3{began_q[0]}}, began_q[0]};
    left_q <= {left_q[0], depart_i && !rst_i};
    judged_q <= &began_q && !case_q.abort;
    held_q <= held_q + moved - departed_2_q;
    departed_q <= depart_i ? BytesW'(depart_last_i) + 1'b1 : '0;
    departed_2_q <= departed_q;
    if (rst_i) {held_q, departed_q, departed_2_q} <= '0;
    Departed_M : assume (!left_q[1] || packets_o != 0);
    Begin_M : assume (&began_q || !case_q.judge);
    Forced_M : assume ((red_forced_i & ~red_signal_i) == 0);
    Class_M : assume (class_i != 3'd7);
    NoEcn_M : assume (!noecn_i || protect_i == '0);
    Law_M : assume (law_i[0] != 2'd3 && law_i[1] != 2'd3);
    // A commit refuses limits that the build cannot hold, and a queue never holds more than it can.
    Limit_M : assume (limit_bytes_i <= STORAGE && limit_packets_i <= DESCRIPTORS);
    Held_M : assume (bytes_o <= STORAGE && soon_bytes <= bytes_o && packets_o <= DESCRIPTORS);
    if (began_q[0]) Bytes_A : assert (bytes_o == held_q);
    if (judged_q) Same_A : assert (reference_o == twin_o);
  end

endmodule
