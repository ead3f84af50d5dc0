// SPDX-License-Identifier: BSD-3-Clause
// CoDel of one port: whether the frame that is pulled has waited too long, and what becomes of it then.
//
// Contract: docs/codel-rules.md, "Cycles", is exact. `fate_o.pause` is a handful of flags: a frame pulled while it is
// set is not sent at once, but waits, pending, to be delivered or dropped. Everything that takes longer than a cycle
// happens with the frames: a pull moves the state three cycles later, and what a request to tm_codel_law brings comes
// when it comes. All of `fate_o` but the marks is a register, or one and a flag. Times are in units of 1024 ns, 32
// bits, and wrap.
`include "tm_assert.svh"

module tm_codel
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter int unsigned COUNT_W = 15,   // bits of B
    parameter bit          LATE    = 1'b0  // no fate is decided before the frame's first row is there
) (
    input  logic                          clk_i,
    input  logic                          rst_i,
    input  logic       [ UnitsW-1:0]      unit_i,         // time_i[41:10]
    // from admit
    input  logic                          stored_i,
    input  logic       [   LenW-1:0]      stored_last_i,  // its length less one
    input  logic       [COUNT_W-1:0]      bytes_i,        // B, but with the frame that departed in the last cycle
    input  logic       [   LenW-1:0]      depart_last_i,  // the length less one of the frame that departs in this one
    // from and to depart: what is pulled, by no flush, and its fate
    input  head_t                         head_i,
    input  pull_t                         pull_i,
    input  logic                          pending_i,      // the frame pulled before is not read yet
    input  logic                          available_i,    // its first row is there
    output fate_t                         fate_o,
    // config
    // A port needs as many of the configured bytes as it can hold.
    // verilator lint_off UNUSEDSIGNAL
    input  codel_t                        cfg_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic       [        6:0][1:0] protect_i,
    input  logic                          reset_i,
    // from and to tm_codel_law
    input  codel_rsp_t                    law_i,
    output codel_req_t                    law_o
);

  // A pull on its way through the three cycles until the state moves: `head` becomes what it takes to be above, and
  // then what it takes to stand in the way of those behind it.
  // verilator lint_off UNUSEDSIGNAL
  pull_t pull_1_q, pull_2_q, pull_3_q;
  // verilator lint_on UNUSEDSIGNAL
  logic pause, mark, above, over, nonzero, late, due;
  logic set_q, dropping_q, busy_q, final_q, base_q, stale_q, fresh_q, may_again_q, entering_q, from_now_q, move_q;
  logic hold, is_small, standing, ok, leaves, decides, meets, signal, request;
  logic armed_q, entered_q, ready_q, ok_q, takes_q, keeps_q;
  logic deliver_q, drop_q, take_q, keep_q;  // what becomes of the frame that is pending
  departure_e kind;
  logic never_q;  // ce_threshold is off
  logic over_q, marked_q, ce_signalled_q, protected_q;
  logic [3:0] code_q;
  logic [13:0] protect;
  logic [LenW-1:0] largest_q;
  logic [COUNT_W-1:0] exempt;
  logic [COUNT_W:0] exempt_q;  // with the frame that departed in the last cycle

  // ---- now stands still while a departure goes on, and while what counts from it is not yet done ----
  assign hold = pull_i.pauses || pending_i || base_q;

  tm_codel_times times (
      .clk_i,
      .unit_i,
      .hold_i      (hold),
      .head_stamp_i(head_i.stamp[StampW-1:10]),
      .cfg_i,
      .set_i       (set_q),
      .move_i      (law_i.step || (law_i.done && move_q)),
      .move_now_i  (law_i.now),
      .increment_i (law_i.increment),
      .above_o     (above),
      .over_o      (over),
      .nonzero_o   (nonzero),
      .late_o      (late),
      .due_o       (due)
  );

  // ---- a signal is due: the head may have to take it ----
  assign pause = armed_q && cfg_i.on && head_i.valid;

  // ---- three cycles after a pull the state moves ----
  // More than the queue can hold exempts whatever it holds.
  always_comb begin
    exempt = cfg_i.exempt_bytes[COUNT_W-1:0];
    if (cfg_i.exempt_bytes >> COUNT_W != '0) exempt = '1;
    if (cfg_i.exempt_largest) exempt = COUNT_W'(largest_q);
  end
  always_comb begin
    is_small = pull_2_q.arriving || less_than(wide_t'(bytes_i), wide_t'(exempt_q), !cfg_i.exempt_below, COUNT_W + 1);
    standing = pull_3_q.frame && pull_3_q.head;
    ok       = standing && set_q && late;
    leaves   = (pull_3_q.frame || pull_3_q.failed) && !ok;
  end

  // ---- the fate of a frame that paused, decided in the cycle before ----
  assign protect = protect_i;
  assign decides = pending_i && ready_q && !deliver_q && !drop_q && (!LATE || available_i);
  assign meets = ok_q && !entered_q;
  assign signal = decides && meets && !busy_q && (!dropping_q || due);
  assign request = drop_q || take_q;

  // ---- how it leaves ----
  assign mark = code_q == HeadEct && (over_q || marked_q);

  always_comb begin
    kind = DepartPlain;
    if (protected_q) kind = DepartProtected;
    if (ce_signalled_q) kind = DepartCeSignalled;
    if (mark) kind = !marked_q ? DepartThreshold : over_q ? DepartMarkedThreshold : DepartMarked;
  end

  assign fate_o = '{pause: pause, hold: stale_q, deliver: deliver_q, drop: drop_q, mark: mark, kind: kind};
  assign law_o  = '{request: request, entering: entering_q, from_now: from_now_q, again: may_again_q && !due};

  always_ff @(posedge clk_i) begin
    stale_q <= hold;
    if (!hold) never_q <= cfg_i.ce_threshold == CodelNever;
    final_q <= law_i.done;
    exempt_q <= {1'b0, exempt} + (COUNT_W + 1)'(depart_last_i) + 1'b1;
    armed_q <= set_q && late && (!dropping_q || (due && !busy_q));
    pull_1_q <= pull_i;
    pull_1_q.frame <= pull_i.frame && (cfg_i.on || pull_i.chained);
    pull_1_q.failed <= pull_i.failed && (cfg_i.on || pull_i.chained);
    pull_1_q.head <= cfg_i.on && head_i.valid && pull_i.head;
    pull_2_q <= pull_1_q;
    pull_2_q.head <= pull_1_q.head && above;
    pull_3_q <= pull_2_q;
    pull_3_q.head <= pull_2_q.head && !is_small;
    if (pull_3_q.frame) ok_q <= ok;

    takes_q <= cfg_i.ecn && (code_q == HeadEct || code_q == HeadCe);
    keeps_q <= code_q < HeadEct && protect[code_q];
    deliver_q <= (signal && (takes_q || keeps_q)) || (decides && (!meets || (!busy_q && dropping_q && !due))) ||
                 (deliver_q && !available_i);
    drop_q <= signal && !takes_q && !keeps_q;
    take_q <= signal && takes_q;
    keep_q <= signal && keeps_q;

    if (pull_i.frame) begin
      code_q         <= head_i.code;
      over_q         <= cfg_i.on && over && !never_q && head_i.valid && pull_i.head;
      entered_q      <= pull_i.chained && !dropping_q;
      ready_q        <= 1'b0;
      marked_q       <= 1'b0;
      ce_signalled_q <= 1'b0;
      protected_q    <= 1'b0;
    end else begin
      if (pull_3_q.pauses) ready_q <= 1'b1;
      if (take_q || keep_q) begin
        marked_q       <= code_q == HeadEct;
        ce_signalled_q <= code_q == HeadCe;
        protected_q    <= keep_q;
        if (cfg_i.threshold_once) over_q <= 1'b0;
      end
    end

    // A request, and what it brings.
    if (request) begin
      entering_q  <= !dropping_q;
      from_now_q  <= take_q && dropping_q && cfg_i.mark_from_now;
      may_again_q <= !fresh_q && (due || !cfg_i.reentry_past);
      move_q      <= 1'b1;
      if (!dropping_q) fresh_q <= 1'b0;
    end else if (pull_3_q.chained && leaves && !entering_q) move_q <= 1'b0;
    if (request) {busy_q, base_q} <= {1'b1, !dropping_q || (take_q && cfg_i.mark_from_now)};
    else begin
      if (final_q) busy_q <= 1'b0;
      if (law_i.now) base_q <= 1'b0;
    end

    // The state.
    if (standing) set_q <= set_q || nonzero;
    else if (pull_3_q.frame || (pull_3_q.failed && (pull_3_q.chained || !cfg_i.keep_first_above))) set_q <= 1'b0;
    if (request) dropping_q <= 1'b1;
    else if (leaves && !(pull_3_q.chained && entering_q)) dropping_q <= 1'b0;
    if (stored_i && stored_last_i >= largest_q) largest_q <= stored_last_i + 1'b1;

    if (rst_i || reset_i) begin
      set_q      <= 1'b0;
      dropping_q <= 1'b0;
      fresh_q    <= 1'b1;
      largest_q  <= '0;
    end
    if (rst_i) begin
      {busy_q, base_q, stale_q, final_q, over_q} <= '0;
      {deliver_q, drop_q, take_q, keep_q} <= '0;
      {pull_1_q.frame, pull_1_q.failed, pull_1_q.pauses} <= '0;
      {pull_2_q.frame, pull_2_q.failed, pull_2_q.pauses} <= '0;
      {pull_3_q.frame, pull_3_q.failed, pull_3_q.pauses} <= '0;
      {marked_q, ce_signalled_q, protected_q} <= '0;
    end
  end

  `TM_ASSERT_IF(RequestServed_A, request, !busy_q, "a port asks the law again while it waits for it")
  `TM_ASSERT(OneFate_A, !(deliver_q && drop_q), "a frame is delivered and dropped")
  `TM_ASSERT_IF(PauseLookedAt_A, pull_i.pauses && !pull_i.chained, pause, "a frame pauses that was not looked at")

endmodule
