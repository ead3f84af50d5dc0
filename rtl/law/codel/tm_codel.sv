// SPDX-License-Identifier: BSD-3-Clause
// CoDel of one port: whether the frame that is pulled has waited too long, and what becomes of it then.
//
// Contract: docs/codel.md, "Cycles", is exact. `pause_o` is a handful of flags: a frame pulled while it is set is not
// sent at once, but waits as `pending_i` for `deliver_o` or `drop_o`. Everything that takes longer than a cycle happens
// beside the frames: a pull moves the state two cycles later, and what a request to tm_codel_law brings comes when it
// comes. Times are in units of 1024 ns, 32 bits, and wrap.
`include "tm_assert.svh"

module tm_codel
  import tm_pkg::*;
#(
    parameter int unsigned COUNT_W = 15  // bits of B
) (
    input  logic                          clk_i,
    input  logic                          rst_i,
    input  logic       [       31:0]      unit_i,           // time_i[41:10]
    // from admit
    input  logic                          stored_i,
    input  logic       [   LenW-1:0]      stored_len_i,
    input  logic       [COUNT_W-1:0]      bytes_i,
    // the head, of tm_ahead
    input  logic                          head_valid_i,
    input  logic       [       31:0]      head_stamp_i,
    input  logic       [        3:0]      head_code_i,      // {class, ECE} if it is Not-ECT, else 14 for ECT, 15 for CE
    // from depart
    input  logic                          pulled_i,         // a frame is pulled in this cycle, by no flush
    input  logic                          head_pulled_i,    // and it is the head, not stored in this cycle
    input  logic                          arriving_i,       // it is still arriving
    input  logic                          failed_i,         // or it finds none
    input  logic                          chained_i,        // it follows a head drop
    input  logic                          pauses_i,         // the frame pulled is not sent at once
    input  logic                          pending_i,        // a frame that was pulled waits for its fate
    input  logic                          available_i,      // its first row is there
    // to depart
    output logic                          pause_o,
    output logic                          wait_o,           // no pull in this cycle
    output logic                          deliver_o,
    output logic                          drop_o,
    // to buffer, rewrite and tally: of the frame that leaves
    output logic                          mark_o,
    output logic                          mark_next_o,      // in the next cycle, if none is pulled in this one
    output logic                          head_mark_o,      // in the next cycle, if the head is
    output departure_e                    kind_o,
    // config
    // A port needs as many of the configured bytes as it can hold.
    // verilator lint_off UNUSEDSIGNAL
    input  codel_t                        cfg_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic       [        6:0][1:0] protect_i,
    input  logic                          reset_i,
    // from and to tm_codel_law
    input  logic                          law_step_i,
    input  logic                          law_now_i,
    input  logic                          law_final_i,
    input  logic       [       31:0]      law_increment_i,
    output logic                          law_request_o,
    output logic                          law_entering_o,
    output logic                          law_from_now_o,
    output logic                          law_again_o
);

  localparam logic [3:0] CodeEct = 4'd14;
  localparam logic [3:0] CodeCe = 4'd15;

  // A pull on its way through the two cycles until the state moves.
  typedef struct packed {
    logic frame;     // a frame was pulled,
    logic failed;    // or there was none
    logic chained;   // after a head drop
    logic pauses;
    logic above;
    logic arriving;
  } pull_t;

  pull_t pull_1_q, pull_2_q;
  logic above, over, nonzero, late, due;
  logic set_q, dropping_q, busy_q, final_q, base_q, stale_q, fresh_q, may_again_q, entering_q, from_now_q, move_q;
  logic entered_q, ready_q, ok_q, decided_q, hold, is_small, standing, ok, leaves, decide, signal, request, take;
  logic over_head, over_q, marked_q, ce_signalled_q, protected_q;
  logic [3:0] code_q;
  logic [13:0] protect;
  logic [LenW-1:0] largest_q;
  logic [COUNT_W-1:0] exempt;
  // Only the sign counts.
  // verilator lint_off UNUSEDSIGNAL
  logic [COUNT_W:0] over_exempt;
  // verilator lint_on UNUSEDSIGNAL

  // ---- now stands still while a departure goes on, and while what counts from it is not yet done ----
  assign hold   = pauses_i || pending_i || base_q;
  assign wait_o = stale_q;

  tm_codel_times times (
      .clk_i,
      .unit_i,
      .hold_i     (hold),
      .head_stamp_i,
      .cfg_i,
      .set_i      (set_q),
      .move_i     (law_step_i || (law_final_i && move_q)),
      .move_now_i (law_now_i),
      .increment_i(law_increment_i),
      .above_o    (above),
      .over_o     (over),
      .nonzero_o  (nonzero),
      .late_o     (late),
      .due_o      (due)
  );

  // ---- a signal is due: the head may have to take it ----
  assign pause_o = cfg_i.on && head_valid_i && set_q && late && (!dropping_q || (due && !busy_q));

  // ---- two cycles after a pull the state moves ----
  assign exempt  = cfg_i.exempt_largest ? COUNT_W'(largest_q) : cfg_i.exempt_bytes[COUNT_W-1:0];
  always_comb begin
    // B less the bytes exempt, and less one more where B may not reach them either: negative is small.
    over_exempt = {1'b0, bytes_i} + {1'b1, ~exempt} + (COUNT_W + 1)'(cfg_i.exempt_below);
    is_small    = pull_2_q.arriving || over_exempt[COUNT_W];
    standing    = pull_2_q.frame && pull_2_q.above && !is_small;
    ok          = standing && set_q && late;
    leaves      = (pull_2_q.frame || pull_2_q.failed) && !ok;
  end

  // ---- the fate of a frame that paused ----
  assign protect = protect_i;
  always_comb begin
    decide    = pending_i && ready_q && !decided_q;
    signal    = decide && ok_q && !entered_q && !busy_q && (!dropping_q || due);
    deliver_o = decided_q || (decide && (!ok_q || entered_q || (!busy_q && dropping_q && !due)));
    drop_o    = 1'b0;
    take      = 1'b0;
    if (signal) begin
      if (code_q == CodeEct || code_q == CodeCe) take = cfg_i.ecn;
      deliver_o = take || (code_q < CodeEct && protect[code_q]);
      drop_o    = !deliver_o;
    end
    request = drop_o || take;
  end

  // ---- how it leaves ----
  assign mark_o = code_q == CodeEct && (over_q || marked_q);

  // Its next row is read before that is in registers.
  assign over_head = cfg_i.on && over && head_valid_i;
  assign head_mark_o = head_code_i == CodeEct && over_head;
  assign mark_next_o = mark_o || (code_q == CodeEct && take);

  always_comb begin
    kind_o = DepartPlain;
    if (protected_q) kind_o = DepartProtected;
    if (ce_signalled_q) kind_o = DepartCeSignalled;
    if (mark_o) kind_o = !marked_q ? DepartThreshold : over_q ? DepartMarkedThreshold : DepartMarked;
  end

  assign law_request_o  = request;
  assign law_entering_o = entering_q;
  assign law_from_now_o = from_now_q;
  assign law_again_o    = may_again_q && !due;

  always_ff @(posedge clk_i) begin
    stale_q <= hold;
    final_q <= law_final_i;
    decided_q <= deliver_o && !available_i;
    pull_1_q <= '{
        frame: pulled_i && (cfg_i.on || chained_i),
        failed: failed_i && (cfg_i.on || chained_i),
        chained: chained_i,
        pauses: pauses_i,
        above: cfg_i.on && above && head_valid_i && head_pulled_i,
        arriving: arriving_i
    };
    pull_2_q <= pull_1_q;
    if (pull_2_q.frame) ok_q <= ok;
    if (pulled_i) begin
      code_q         <= head_code_i;
      over_q         <= over_head && head_pulled_i;
      entered_q      <= chained_i && !dropping_q;
      ready_q        <= 1'b0;
      marked_q       <= 1'b0;
      ce_signalled_q <= 1'b0;
      protected_q    <= 1'b0;
    end else begin
      if (pull_2_q.pauses) ready_q <= 1'b1;
      if (signal && deliver_o) begin
        marked_q       <= code_q == CodeEct;
        ce_signalled_q <= code_q == CodeCe;
        protected_q    <= code_q < CodeEct;
        if (cfg_i.threshold_once) over_q <= 1'b0;
      end
    end

    // A request, and what it brings.
    if (request) begin
      entering_q  <= !dropping_q;
      from_now_q  <= take && dropping_q && cfg_i.mark_from_now;
      may_again_q <= !fresh_q && (due || !cfg_i.reentry_past);
      move_q      <= 1'b1;
      if (!dropping_q) fresh_q <= 1'b0;
    end else if (pull_2_q.chained && leaves && !entering_q) move_q <= 1'b0;
    if (request) {busy_q, base_q} <= {1'b1, !dropping_q || (take && cfg_i.mark_from_now)};
    else begin
      if (final_q) busy_q <= 1'b0;
      if (law_now_i) base_q <= 1'b0;
    end

    // The state.
    if (standing) set_q <= set_q || nonzero;
    else if (pull_2_q.frame || (pull_2_q.failed && (pull_2_q.chained || !cfg_i.keep_first_above))) set_q <= 1'b0;
    if (request) dropping_q <= 1'b1;
    else if (leaves && !(pull_2_q.chained && entering_q)) dropping_q <= 1'b0;
    if (stored_i && stored_len_i > largest_q) largest_q <= stored_len_i;

    if (rst_i || reset_i) begin
      set_q      <= 1'b0;
      dropping_q <= 1'b0;
      fresh_q    <= 1'b1;
      largest_q  <= '0;
    end
    if (rst_i) begin
      {busy_q, base_q, stale_q, final_q, decided_q, over_q} <= '0;
      {pull_1_q.frame, pull_1_q.failed, pull_1_q.pauses} <= '0;
      {pull_2_q.frame, pull_2_q.failed, pull_2_q.pauses} <= '0;
      {marked_q, ce_signalled_q, protected_q} <= '0;
    end
  end

  `TM_ASSERT_IF(RequestServed_A, law_request_o, !busy_q, "a port asks the law again while it waits for it")
  // What is foretold of a mark comes true.
  logic foretold_q, told_q;
  always_ff @(posedge clk_i) begin
    told_q     <= !rst_i && !pulled_i;
    foretold_q <= mark_next_o;
  end
  `TM_ASSERT_IF(Foretold_A, told_q, mark_o == foretold_q, "what was foretold of a mark does not come true")
  `TM_ASSERT(OneFate_A, !(deliver_o && drop_o), "a frame is delivered and dropped")
  `TM_ASSERT_IF(PauseLookedAt_A, pauses_i && !chained_i, pause_o, "a frame pauses that was not looked at")

endmodule
