// SPDX-License-Identifier: BSD-3-Clause
// One port's frames in the pool, read ahead of depart: to depart what a ring would be whose rows may come late.
//
// Contract:
// * The next frame, the oldest that waits or else the one that the last verdict stored, is opened as soon as its port
//   of the pool is free, so that its first rows are at hand before it is selected (`oldest_i.pop`). Until then
//   `blocked_o`.
// * `look_i`: the output can take a row. `fetch_i`, only ever with it and while a row is `available_o`, takes it: the
//   pool shows it from the next cycle on, until another is taken, in a look.
// * A frame that turns out wrong when it is open already and not selected is read to its end and not shown; its copy in
//   the pool is not rewound. What stands on the output leaves first.
// * With SKIP `skip_i`, while the first row of a frame that was selected is at hand and not fetched, lets go of the
//   frame. In that very cycle another may be selected, opened or not: of one that was not, the rows come later.
`include "tm_assert.svh"

module tm_pool_queue
  import tm_pkg::*;
  import tm_pool_pkg::*;
#(
    parameter bit SKIP = 1'b0  // frames may be skipped
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    // from parse and admit
    input  logic                    copy_i,
    input  logic                    rewind_i,
    // verilator lint_off UNUSEDSIGNAL
    input  admitted_t               admitted_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic      [  NeedW-1:0] stored_rows_i,
    // the oldest frame that waits
    // verilator lint_off UNUSEDSIGNAL
    input  oldest_t                 oldest_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic      [NumberW-1:0] head_cell_i,
    input  logic      [  NeedW-1:0] head_rows_i,
    // from and to depart
    input  logic                    look_i,
    input  logic                    fetch_i,
    input  logic                    skip_i,
    output logic                    available_o,
    output logic                    blocked_o,
    // from and to the pool
    // verilator lint_off UNUSEDSIGNAL
    input  pool_rsp_t               pool_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic                    pool_last_i,    // the row that the pool shows is its frame's last
    output pool_req_t               pool_o
);

  logic opened_q, discard_q, discarded, kept_q, reading, may_open, arriving, drop_opened, open, discard;
  logic paused_q, in_front;  // a frame is selected and not fetched; its rows are the next
  logic skipping_q, skipped, skipping, behind;  // rows that are skipped are at hand; others are, or will be, behind
  logic late_q;  // selected before it was opened: of `late_cell_q` and `late_rows_q`
  logic [NumberW-1:0] late_cell_q;
  logic [NeedW-1:0] late_rows_q;

  assign arriving    = oldest_i.waiting ? oldest_i.arriving : admitted_i.arriving;
  assign may_open    = late_q || ((oldest_i.waiting || admitted_i.stored) && !(arriving && admitted_i.wrong));
  assign open        = may_open && !opened_q && !discard_q && pool_i.open_ready;
  assign drop_opened = opened_q && admitted_i.aborting && oldest_i.waiting && oldest_i.arriving;

  always_ff @(posedge clk_i) begin
    opened_q  <= ((open && !late_q) || opened_q) && !oldest_i.pop && !drop_opened;
    kept_q    <= drop_opened;
    discard_q <= drop_opened || (discard_q && !discarded);
    paused_q <= SKIP && (oldest_i.pop || (paused_q && !skip_i)) && !fetch_i;
    skipping_q <= SKIP && ((skip_i && behind) || skipping);
    late_q <= SKIP && ((late_q && !open) || (oldest_i.pop && !opened_q && !open));
    if (SKIP && oldest_i.pop) {late_cell_q, late_rows_q} <= {head_cell_i, head_rows_i};
    if (rst_i) {opened_q, kept_q, discard_q, paused_q, skipping_q, late_q} <= '0;
  end

  // ---- which rows were the last of their frames ----
  logic fetched_q, reading_q, threw_q, skips_q;
  assign reading   = fetched_q ? !pool_last_i : reading_q;  // a frame has begun to be fetched, and not ended
  assign discarded = threw_q && pool_last_i;
  assign skipped   = skips_q && pool_last_i;
  always_ff @(posedge clk_i) begin
    fetched_q <= fetch_i;
    reading_q <= reading;
    threw_q   <= discard && look_i && !skipping && pool_i.valid;
    skips_q   <= skipping && look_i && pool_i.valid;
    if (rst_i) {fetched_q, reading_q, threw_q, skips_q} <= '0;
  end

  // Rows of the frame before stand in front of those that nobody wants.
  assign in_front = paused_q && !late_q;
  assign behind = opened_q || open || discard_q;
  assign skipping = skipping_q && !skipped;
  assign discard = skipping || (discard_q && !discarded && !reading && !in_front);
  assign available_o = pool_i.valid && !discard;
  assign blocked_o = !pool_i.valid || skipping || (discard_q && !in_front);

  always_comb begin
    pool_o = '{
        copy: copy_i,
        rewind: rewind_i && !kept_q,
        crowded: admitted_i.crowded,
        open: open,
        first_cell: oldest_i.waiting ? head_cell_i : pool_i.first_cell,
        rows: oldest_i.waiting ? head_rows_i : stored_rows_i,
        arriving: arriving,
        fetch: fetch_i,
        discard: discard && look_i,
        skip: SKIP && skip_i && !behind
    };
    // It had ended: depart selects no other in this way.
    if (late_q) {pool_o.first_cell, pool_o.rows, pool_o.arriving} = {late_cell_q, late_rows_q, 1'b0};
  end

  `TM_ASSERT_IF(PopOpened_A, oldest_i.pop, opened_q || skip_i, "a frame is selected that was not opened")
  `TM_ASSERT_IF(SkipAtHand_A, skip_i, SKIP && paused_q && pool_i.valid && !discard,
                "a frame is skipped that is not at hand")
  `TM_ASSERT_IF(FetchThere_A, fetch_i, available_o && look_i, "a row is fetched that is not at hand")

endmodule
