// SPDX-License-Identifier: BSD-3-Clause
// Selects the next frame of one port between frames and hands its rows to the output, one each cycle.
//
// Contract:
// * A frame is selected in a cycle in which `tx_en_i` is set, no frame is open and the output can take a row: the
//   oldest that waits, or, if none waits, the one stored by this cycle's verdict. Its first row stands on the output
//   in the next cycle, which is the cycle it departs in (`depart_o`).
// * A flushed frame is read without being shown, one row each cycle, without regard to `tx_en_i` or the sink.
// * With CODEL: no frame is selected while `wait_i` is set. The oldest frame, selected while `pause_i` is set, departs
//   in the next cycle as any other but is not read (`pending_o`) until it is sent, in the first cycle of `deliver_i` in
//   which a row is there, or dropped (`drop_i`): then its rows are skipped, and the next frame is selected in that very
//   cycle and pauses too.
// * A stored frame that is being taken back in this cycle (`abort_i`) is not selected.
`include "tm_assert.svh"

module tm_depart #(
    parameter int unsigned DESCRIPTOR_W = 34,  // bits
    parameter int unsigned MARK = 33,  // the bit that says that the frame is marked
    parameter bit CODEL = 1'b0  // a frame may pause before it is sent, and be dropped
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    tx_en_i,
    // from admit: the frame stored in this cycle, and the one arriving
    input  logic                    stored_i,
    input  logic [DESCRIPTOR_W-1:0] stored_descriptor_i,
    input  logic                    arriving_i,
    input  logic                    abort_i,
    input  logic                    cut_i,
    input  logic                    next_frame_i,         // the next frame's first beat is on the bus
    output logic                    leaving_o,            // the arriving frame has been selected
    // descriptors
    input  logic                    waiting_i,
    input  logic                    head_is_newest_i,
    input  logic [DESCRIPTOR_W-1:0] head_i,
    input  logic                    flushing_i,
    output logic                    push_o,
    output logic                    pop_o,
    // buffer
    input  logic                    available_i,
    input  logic                    row_last_i,
    output logic                    look_o,
    output logic                    look_mark_o,          // it is of a frame that is marked
    output logic                    fetch_o,
    output logic                    skip_o,               // the rows of the frame in descriptor_o are not read
    // from and to CoDel
    input  logic                    pause_i,
    input  logic                    wait_i,
    input  logic                    deliver_i,
    input  logic                    drop_i,
    input  logic                    head_mark_i,          // CoDel marks the head if it is selected in this cycle
    input  logic                    mark_next_i,          // or the frame selected before
    output logic                    pulled_o,             // a frame is selected, by no flush
    output logic                    head_pulled_o,        // it is the one that waited longest
    output logic                    pulled_arriving_o,    // it is still arriving
    output logic                    failed_o,             // one could be, but there is none
    output logic                    chained_o,            // after a drop
    output logic                    pauses_o,             // it is not read yet
    output logic                    pending_o,
    // the row on the output
    output logic                    valid_o,
    input  logic                    ready_i,
    output logic                    error_o,
    output logic [             2:0] row_o,                // row number within the frame, 7 and beyond as 7
    output logic [DESCRIPTOR_W-1:0] descriptor_o,
    // events
    output logic                    depart_o,             // a frame departs (or is dropped at the head) in this cycle
    output logic                    gone_o,               // its last row is taken in this cycle
    output logic                    dropped_o             // it is dropped, not sent
);

  logic valid_q, open_q, discard_q, cut_q, leaving_q, depart_q;
  logic [2:0] row_q;
  logic [DESCRIPTOR_W-1:0] next;
  logic
      taken,
      can_load,
      between,
      more,
      head_arriving,
      idle,
      head_may,
      stored_may,
      select_head,
      select_stored,
      select_next,
      select,
      pauses,
      dropped,
      pending_q;

  always_comb begin
    taken = valid_q && (ready_i || discard_q);
    can_load = taken || !valid_q;
    head_arriving = arriving_i && head_is_newest_i && !leaving_q;

    // What may be selected if no frame is open: ready before the memory says whether its row is the frame's last one.
    idle = can_load && !(CODEL && (wait_i || pending_q));
    head_may = idle && waiting_i && available_i
        && (flushing_i ? !head_arriving : tx_en_i && !(head_arriving && abort_i));
    stored_may = idle && !waiting_i && available_i && tx_en_i;

    between = valid_q ? row_last_i : !open_q;
    more = can_load && available_i && !between;
    select_head = between && head_may;
    select_stored = between && stored_may && stored_i;
    dropped = CODEL && pending_q && drop_i;
    select_next = dropped && waiting_i && !flushing_i && !(head_arriving && abort_i);
    select = select_head || select_stored || select_next;
    pauses = select_next || (CODEL && select_head && pause_i && !flushing_i && !head_arriving);
  end

  // A row is of the frame that leaves, or that has been selected and pauses, or else the first one of the next.
  always_comb begin
    if (between && !pending_q) look_mark_o = next[MARK] || (waiting_i && head_mark_i);
    else look_mark_o = descriptor_o[MARK] || mark_next_i;
  end

  // The oldest row is read whenever the output can take one, whoever it may belong to.
  assign look_o = can_load;
  assign next = waiting_i ? head_i : stored_descriptor_i;
  assign fetch_o = more || ((select_head || select_stored) && !pauses)
      || (CODEL && pending_q && deliver_i && available_i);
  assign skip_o = dropped;
  assign pop_o = select_head || select_next;
  assign push_o = stored_i && !select_stored;

  // ---- a frame that pauses ----
  if (CODEL) begin : gen_pending
    always_ff @(posedge clk_i) begin
      pending_q <= pauses || (pending_q && !drop_i && !(deliver_i && available_i));
      if (rst_i) pending_q <= 1'b0;
    end
  end else begin : gen_no_pending
    logic unused;
    assign unused    = &{pause_i, wait_i, deliver_i, drop_i};
    assign pending_q = 1'b0;
  end

  assign pulled_o = select && !(select_head && flushing_i);
  assign head_pulled_o = pop_o;
  assign pulled_arriving_o = pop_o && head_arriving;
  assign failed_o = (between && idle && tx_en_i && !waiting_i && !stored_i) || (dropped && !select_next);
  assign chained_o = dropped;
  assign pauses_o = pauses;
  assign pending_o = pending_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q   <= 1'b0;
      open_q    <= 1'b0;
      discard_q <= 1'b0;
      cut_q     <= 1'b0;
      leaving_q <= 1'b0;
      depart_q  <= 1'b0;
    end else begin
      valid_q  <= fetch_o || (valid_q && !taken);
      open_q   <= !between;
      depart_q <= select;
      if (select) discard_q <= select_head && flushing_i;
      if (cut_i) cut_q <= 1'b1;
      else if (gone_o) cut_q <= 1'b0;
      if (next_frame_i) leaving_q <= 1'b0;
      else if (select_stored || (pop_o && head_arriving)) leaving_q <= 1'b1;
    end
    if (select) row_q <= '0;
    else if (more && row_q != '1) row_q <= row_q + 3'd1;
    if (select) descriptor_o <= next;
  end

  assign valid_o   = valid_q && !discard_q;
  assign error_o   = cut_q && row_last_i;
  assign row_o     = row_q;
  assign depart_o  = depart_q;
  assign gone_o    = (taken && row_last_i) || dropped;
  assign dropped_o = discard_q || dropped;
  assign leaving_o = leaving_q;

  `TM_ASSERT_NEXT(HoldUntilTaken_A, valid_o && !ready_i, valid_o, "a row that was offered and not taken is gone")
  `TM_ASSERT_IF(PendingAlone_A, pending_q, !valid_q, "a frame pauses while a row stands on the output")
  `TM_ASSERT_IF(NoAbortWhileLeaving_A, abort_i, !leaving_q, "a frame is aborted that has begun to leave")

endmodule
