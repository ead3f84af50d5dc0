// SPDX-License-Identifier: BSD-3-Clause
// One port's frames in the pool, read ahead of depart: to depart what a ring would be whose rows may come late.
//
// Contract:
// * The next frame, the oldest that waits or else the one that the last verdict stored, is opened as soon as its port
//   of the pool is free, so that its first rows are at hand before it is selected (`oldest_i.pop`). Until then
//   `blocked_o`.
// * `look_i` shows the row at hand on `row_o` in the next cycle, held until the next look; `fetch_i`, only ever with it
//   and while the row is `available_o`, takes it.
// * A frame that turns out wrong when it is open already and not selected is read to its end and not shown; its copy in
//   the pool is not rewound.
`include "tm_assert.svh"

module tm_pool_queue
  import tm_pkg::*;
  import tm_pool_pkg::*;
#(
    parameter int unsigned ROW_W = 288,  // bits
    parameter int unsigned LAST  = 256   // the bit that says a row is the last
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
    output logic                    available_o,
    output logic                    blocked_o,
    output logic      [  ROW_W-1:0] row_o,
    // from and to the pool
    // verilator lint_off UNUSEDSIGNAL
    input  pool_rsp_t               pool_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic      [  ROW_W-1:0] pool_row_i,
    output pool_req_t               pool_o
);

  logic opened_q, discard_q, discarded_q, kept_q, reading_q, may_open, arriving, drop_opened, open, discard;

  assign arriving    = oldest_i.waiting ? oldest_i.arriving : admitted_i.arriving;
  assign may_open    = (oldest_i.waiting || admitted_i.stored) && !(arriving && admitted_i.wrong);
  assign open        = may_open && !opened_q && !discard_q && pool_i.open_ready;
  assign drop_opened = opened_q && admitted_i.aborting && oldest_i.waiting && oldest_i.arriving;

  always_ff @(posedge clk_i) begin
    opened_q  <= open || (opened_q && !oldest_i.pop && !drop_opened);
    kept_q    <= drop_opened;
    // That a row is the last comes late: the next frame is opened a cycle later.
    discarded_q <= discard && pool_i.valid && pool_row_i[LAST];
    discard_q <= drop_opened || (discard_q && !discarded_q);
    if (fetch_i) reading_q <= !pool_row_i[LAST];
    if (look_i) row_o <= pool_row_i;
    if (rst_i) {opened_q, kept_q, discard_q, discarded_q, reading_q} <= '0;
  end

  // Rows of the frame before stand in front of those that nobody wants.
  assign discard = discard_q && !discarded_q && !reading_q;
  assign available_o = pool_i.valid && !discard;
  assign blocked_o = !pool_i.valid || discard_q;

  assign pool_o = '{
          copy: copy_i,
          rewind: rewind_i && !kept_q,
          crowded: admitted_i.crowded,
          open: open,
          first_cell: oldest_i.waiting ? head_cell_i : pool_i.first_cell,
          rows: oldest_i.waiting ? head_rows_i : stored_rows_i,
          arriving: arriving,
          fetch: fetch_i,
          discard: discard
      };

  `TM_ASSERT_IF(PopOpened_A, oldest_i.pop, opened_q, "a frame is selected that was not opened")
  `TM_ASSERT_IF(FetchThere_A, fetch_i, available_o && look_i, "a row is fetched that is not at hand")

endmodule
