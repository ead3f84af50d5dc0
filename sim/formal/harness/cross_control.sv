// SPDX-License-Identifier: BSD-3-Clause
// CoDel's control of one port and its reference: what a pull does to the state, and the fate of a frame that paused.
//
// Contract: any inputs in any cycle, as tm_codel has them. `moved_o` tells that a pull moves the state in this cycle:
// `reference_state_o` and `twin_state_o` are {first_above counts, dropping} after it. `decided_o` tells that the fate
// of a frame that paused comes true: `reference_fate_o` and `twin_fate_o` are {drop, request, entering}, and in the
// next cycle `reference_code_o` and `twin_code_o` how the frame leaves. The flags of the frame, which the twin keeps
// in registers, are shown to the reference; its code and the largest frame are kept here.
module cross_control
  import tm_pkg::*;
(
    input logic clk_i,
    input logic rst_i,
    input logic [31:0] unit_i,
    input logic [23:0] bytes_i,
    input logic stored_i,
    input logic [LenW-1:0] stored_last_i,
    input logic [LenW-1:0] depart_last_i,
    input logic head_valid_i,
    input logic [31:0] head_stamp_i,
    input logic [3:0] head_code_i,
    input logic pulled_i,
    input logic head_pulled_i,
    input logic arriving_i,
    input logic failed_i,
    input logic chained_i,
    input logic pauses_i,
    input logic pending_i,
    input logic [9:0] switches_i,  // as in CODEL_SETTINGS
    input logic [31:0] target_i,
    input logic [31:0] interval_i,
    input logic [31:0] ce_threshold_i,
    input logic [23:0] exempt_bytes_i,
    input logic [13:0] protect_i,
    input logic law_step_i,
    input logic law_now_i,
    input logic law_final_i,
    input logic [31:0] law_increment_i,
    output logic moved_o,
    output logic [1:0] reference_state_o,
    output logic [1:0] twin_state_o,
    output logic decided_o,
    output logic met_o,  // the frame meets a signal, it is over ce_threshold, and the state: to the model
    output logic over_o,
    output logic dropping_o,
    output logic [2:0] reference_fate_o,
    output logic [2:0] twin_fate_o,
    output logic left_o,
    output logic [4:0] reference_code_o,
    output logic [4:0] twin_code_o
);

  codel_t cfg;
  logic deliver, drop, request, mark;
  departure_e kind;
  logic pending, fated_q;
  logic is_ect, is_ce, is_protected;

  always_comb begin
    cfg                  = '0;
    cfg.on               = switches_i[0];
    cfg.ecn              = switches_i[1];
    cfg.at_once          = switches_i[2];
    cfg.exempt_below     = switches_i[3];
    cfg.exempt_largest   = switches_i[4];
    cfg.converge         = switches_i[5];
    cfg.mark_from_now    = switches_i[6];
    cfg.reentry_past     = switches_i[7];
    cfg.threshold_once   = switches_i[8];
    cfg.keep_first_above = switches_i[9];
    cfg.target           = target_i;
    cfg.interval         = interval_i;
    cfg.ce_threshold     = ce_threshold_i;
    cfg.exempt_bytes     = exempt_bytes_i;
  end

  // A frame meets its fate once: then it is pending no more.
  assign pending = pending_i && !fated_q && !pulled_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) fated_q <= 1'b1;
    else if (pulled_i) fated_q <= 1'b0;
    else if (deliver || drop) fated_q <= 1'b1;
  end

  fate_t twin_fate;
  codel_req_t law;
  assign {deliver, drop, mark, kind, request} = {
    twin_fate.deliver, twin_fate.drop, twin_fate.mark, twin_fate.kind, law.request
  };

  tm_codel #(
      .COUNT_W(24)
  ) twin (
      .clk_i,
      .rst_i,
      .unit_i,
      .stored_i,
      .stored_last_i,
      .depart_last_i,
      .bytes_i,
      .head_i('{valid: head_valid_i, stamp: {head_stamp_i, 10'b0}, code: head_code_i}),
      .pull_i(
      '{
          frame: pulled_i,
          head: head_pulled_i,
          arriving: arriving_i,
          failed: failed_i,
          chained: chained_i,
          pauses: pauses_i
      }
      ),
      .pending_i(pending),
      .available_i(1'b1),
      .fate_o(twin_fate),
      .cfg_i(cfg),
      .protect_i,
      .reset_i(1'b0),
      .law_i('{step: law_step_i, now: law_now_i, done: law_final_i, increment: law_increment_i}),
      .law_o(law)
  );

  // ---- a pull, three cycles later; B counts a cycle before ----
  // Small and arriving are one flag to the reference: both say that what stands behind is no queue.
  // What departed in the cycle before is still in B, and so it is in what is exempt.
  logic [24:0] exempt_q;
  logic [LenW-1:0] largest_q;
  always_ff @(posedge clk_i) begin
    exempt_q <= 25'(switches_i[4] ? 24'(largest_q) : exempt_bytes_i) + 25'(depart_last_i) + 25'd1;
    if (stored_i && stored_last_i >= largest_q) largest_q <= stored_last_i + 1'b1;
    if (rst_i) largest_q <= '0;
    Exempt_M : assume (!exempt_q[24]);
    Length_M : assume (stored_last_i != '1);
  end
  logic is_small, next_set, next_dropping, empty_set, empty_dropping, follows;
  spinal_codel_times size (
      .io_now        ('0),
      .io_stamp      ('0),
      .io_target     ('0),
      .io_interval   ('0),
      .io_ceThreshold('0),
      .io_firstAbove ('0),
      .io_dropNext   ('0),
      .io_atOnce     (1'b0),
      .io_behind     (bytes_i),
      .io_exempt     (exempt_q[23:0]),
      .io_exemptBelow(switches_i[3]),
      .io_isAbove    (),
      .io_isOver     (),
      .io_isSmall    (is_small),
      .io_isLate     (),
      .io_isDue      (),
      .io_fresh      (),
      .io_isVoid     ()
  );

  logic above_q, small_q;
  always_ff @(posedge clk_i) {above_q, small_q} <= {twin.pull_2_q.head, is_small || twin.pull_2_q.arriving};
  assign follows = twin.pull_3_q.chained && twin.entering_q;
  spinal_codel_control state (
      .io_switches_ecn           (1'b0),
      .io_switches_thresholdOnce (1'b0),
      .io_switches_keepFirstAbove(switches_i[9]),
      .io_isEct                  (1'b0),
      .io_isCe                   (1'b0),
      .io_isProtected            (1'b1),                   // its fate comes later: here no signal meets it
      .io_isAbove                (above_q),
      .io_isSmall                (small_q),
      .io_isOver                 (1'b0),
      .io_isLate                 (twin.late),
      .io_isDue                  (1'b0),
      .io_isVoid                 (!twin.nonzero),
      .io_followsEntering        (follows),
      .io_afterDrop              (twin.pull_3_q.chained),
      .io_firstAboveSet          (twin.set_q),
      .io_dropping               (twin.dropping_q),
      .io_code                   (),
      .io_drops                  (),
      .io_marks                  (),
      .io_requests               (),
      .io_entering               (),
      .io_nextSet                (next_set),
      .io_nextDropping           (next_dropping),
      .io_emptySet               (empty_set),
      .io_emptyDropping          (empty_dropping)
  );

  logic moved_q, began_q;
  logic [1:0] state_q;
  always_ff @(posedge clk_i) begin
    moved_q <= (twin.pull_3_q.frame != twin.pull_3_q.failed) && !request && !rst_i;
    state_q <= twin.pull_3_q.frame ? {next_set, next_dropping} : {empty_set, empty_dropping};
  end
  assign moved_o           = moved_q;
  assign reference_state_o = state_q;
  assign twin_state_o      = {twin.set_q, twin.dropping_q};

  // ---- the fate of a frame that paused: what it goes by is that of the cycle before, and the configuration of what a
  // signal makes of it one more ----
  logic drops, requests, entering, decides, settled, settled_q;
  logic [4:0] code, code_q;
  logic [3:0] head_code_q;  // the code with which the frame was pulled
  logic known_q;  // a frame was
  logic left_q, ecn_q, ecn_2_q, protected_q, protected_2_q, ok_q, due_q, entered_q;
  assign is_ect       = head_code_q == 4'd14;
  assign is_ce        = head_code_q == 4'd15;
  assign is_protected = head_code_q < 4'd14 && protect_i[head_code_q];
  always_ff @(posedge clk_i) begin
    {ecn_2_q, ecn_q, protected_2_q, protected_q} <= {ecn_q, switches_i[1], protected_q, is_protected};
    {ok_q, due_q, entered_q, settled_q} <= {twin.ok_q, twin.due, twin.entered_q, settled && !rst_i};
  end

  spinal_codel_control fate (
      .io_switches_ecn           (ecn_2_q),
      .io_switches_thresholdOnce (switches_i[8]),
      .io_switches_keepFirstAbove(1'b0),
      .io_isEct                  (is_ect),
      .io_isCe                   (is_ce),
      .io_isProtected            (protected_2_q),
      .io_isAbove                (ok_q),
      .io_isSmall                (1'b0),
      .io_isOver                 (twin.over_q),
      .io_isLate                 (1'b1),
      .io_isDue                  (due_q),
      .io_isVoid                 (1'b0),
      .io_followsEntering        (entered_q),
      .io_afterDrop              (1'b0),
      .io_firstAboveSet          (1'b1),
      .io_dropping               (twin.dropping_q),
      .io_code                   (code),
      .io_drops                  (drops),
      .io_marks                  (),
      .io_requests               (requests),
      .io_entering               (entering),
      .io_nextSet                (),
      .io_nextDropping           (),
      .io_emptySet               (),
      .io_emptyDropping          ()
  );

  // The twin waits for the law before a signal meets a frame; a frame that is delivered for another reason does not.
  assign decides          = pending && twin.ready_q && !deliver && !drop;
  assign settled          = decides && (!twin.busy_q || !twin.ok_q || twin.entered_q);
  assign decided_o        = settled_q;
  assign met_o            = ok_q && !entered_q && (!twin.dropping_q || due_q);
  assign over_o           = twin.over_q;
  assign dropping_o       = twin.dropping_q;
  assign reference_fate_o = {drops, requests, entering};
  assign twin_fate_o      = {drop, request, request && !twin.dropping_q};

  always_ff @(posedge clk_i) begin
    left_q <= settled_q && !drop && !pulled_i && !rst_i;
    code_q <= code;
  end
  assign left_o           = left_q;
  assign reference_code_o = code_q;
  // The numbers of the counters: 12 and 16 on.
  always_comb begin
    unique case (kind)
      DepartPlain:           twin_code_o = 5'd12;
      DepartHeadDropped:     twin_code_o = 5'd13;
      DepartMarked:          twin_code_o = 5'd16;
      DepartThreshold:       twin_code_o = 5'd17;
      DepartMarkedThreshold: twin_code_o = 5'd18;
      DepartProtected:       twin_code_o = 5'd19;
      DepartCeSignalled:     twin_code_o = 5'd20;
      default:               twin_code_o = 5'd31;
    endcase
  end

  initial {began_q, known_q} = '0;
  always_ff @(posedge clk_i) begin
    known_q <= known_q || pulled_i;
    if (pulled_i) head_code_q <= head_code_i;
    began_q <= began_q || rst_i;
    // While a frame is pending nothing else is pulled.
    Alone_M : assume (!(decides && (twin.pull_3_q.frame || twin.pull_3_q.failed)));
    if (began_q) begin
      if (moved_o) State_A : assert (reference_state_o == twin_state_o);
      if (decided_o) Fate_A : assert (reference_fate_o == twin_fate_o && deliver == !drop);
      if (left_o) Code_A : assert (reference_code_o == twin_code_o);
      Largest_A : assert (twin.largest_q == largest_q);
      Pulled_A : assert (known_q ? twin.code_q == head_code_q : fated_q);
      Flags_A : assert (fated_q || !(twin.marked_q || twin.ce_signalled_q || twin.protected_q));
      Once_A : assert (!(deliver || drop) || (!fated_q && settled_q));
      Acts_A : assert (deliver != drop || !(deliver || twin.take_q || twin.keep_q));
      if (twin.pull_3_q.frame) Stands_A : assert (twin.pull_3_q.head == (above_q && !small_q));
    end
  end

endmodule
