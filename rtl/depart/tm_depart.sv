// SPDX-License-Identifier: BSD-3-Clause
// Selects the next frame of one port between frames and hands its rows to the output, one each cycle.
//
// Contract:
// * A frame is selected in a cycle in which `tx_en_i` is set, no frame is open and the output can take a row: the
//   oldest that waits, or, if none waits, the one stored by this cycle's verdict. Its first row stands on the output
//   in the next cycle, which is the cycle it departs in (`depart_o`).
// * A flushed frame is read without being shown, one row each cycle, without regard to `tx_en_i` or the sink.
// * With CODEL: no frame is selected while `hold` is set. The oldest frame, selected while `pause` is set, departs
//   in the next cycle as any other but is not read (`pending`) until it is sent, in the first cycle of `deliver` in
//   which a row is there, or dropped (`drop`): then its rows are skipped, and the next frame is selected in that very
//   cycle and pauses too.
// * A stored frame that is being taken back in this cycle (`aborting`) is not selected.
`include "tm_assert.svh"

module tm_depart
  import tm_pkg::*;
#(
    parameter int unsigned DESCRIPTOR_W = 34,  // bits
    parameter int unsigned MARK = 33,  // the bit that says that the frame is marked
    parameter bit CODEL = 1'b0  // a frame may pause before it is sent, and be dropped
) (
    input logic clk_i,
    input logic rst_i,
    input logic tx_en_i,
    // from admit: the frame stored in this cycle, and the one arriving
    // verilator lint_off UNUSEDSIGNAL
    input admitted_t admitted_i,
    // verilator lint_on UNUSEDSIGNAL
    input logic [DESCRIPTOR_W-1:0] stored_descriptor_i,
    output logic leaving_o,  // the arriving frame has been selected
    // descriptors
    input logic waiting_i,
    input logic head_is_newest_i,
    input logic [DESCRIPTOR_W-1:0] head_i,
    input logic flushing_i,
    output logic push_o,
    output logic pop_o,
    // buffer
    input logic available_i,
    input logic row_last_i,
    output logic look_o,
    output logic look_mark_o,  // it is of a frame that is marked
    output logic fetch_o,
    output logic skip_o,  // the rows of the frame in descriptor_o are not read
    // from and to CoDel
    // verilator lint_off UNUSEDSIGNAL
    input fate_t fate_i,  // all but what the tally says of it
    // verilator lint_on UNUSEDSIGNAL
    output pull_t pull_o,
    output logic pending_o,  // the frame pulled before is not read; no part of pull_o, which follows from fate_i
    // the row on the output
    output logic valid_o,
    input logic ready_i,
    output logic error_o,
    output logic [2:0] row_o,  // row number within the frame, 7 and beyond as 7
    output logic [DESCRIPTOR_W-1:0] descriptor_o,
    // events
    output logic depart_o,  // a frame departs (or is dropped at the head) in this cycle
    output logic gone_o,  // its last row is taken in this cycle
    output logic dropped_o  // it is dropped, not sent
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
    head_arriving = admitted_i.arriving && head_is_newest_i && !leaving_q;

    // What may be selected if no frame is open: ready before the memory says whether its row is the frame's last one.
    idle = can_load && !(CODEL && (fate_i.hold || pending_q));
    head_may = idle && waiting_i && available_i
        && (flushing_i ? !head_arriving : tx_en_i && !(head_arriving && admitted_i.aborting));
    stored_may = idle && !waiting_i && available_i && tx_en_i;

    between = valid_q ? row_last_i : !open_q;
    more = can_load && available_i && !between;
    select_head = between && head_may;
    select_stored = between && stored_may && admitted_i.stored;
    dropped = CODEL && pending_q && fate_i.drop;
    select_next = dropped && waiting_i && !flushing_i && !(head_arriving && admitted_i.aborting);
    select = select_head || select_stored || select_next;
    pauses = select_next || (CODEL && select_head && fate_i.pause && !flushing_i && !head_arriving);
  end

  // A row is of the frame that leaves, or that has been selected and pauses, or else the first one of the next.
  always_comb begin
    if (between && !pending_q) look_mark_o = next[MARK] || (waiting_i && fate_i.head_mark);
    else look_mark_o = descriptor_o[MARK] || fate_i.mark_next;
  end

  // The oldest row is read whenever the output can take one, whoever it may belong to.
  assign look_o = can_load;
  assign next = waiting_i ? head_i : stored_descriptor_i;
  assign fetch_o = more || ((select_head || select_stored) && !pauses)
      || (CODEL && pending_q && fate_i.deliver && available_i);
  assign skip_o = dropped;
  assign pop_o = select_head || select_next;
  assign push_o = admitted_i.stored && !select_stored;

  // ---- a frame that pauses ----
  if (CODEL) begin : gen_pending
    always_ff @(posedge clk_i) begin
      pending_q <= pauses || (pending_q && !fate_i.drop && !(fate_i.deliver && available_i));
      if (rst_i) pending_q <= 1'b0;
    end
  end else begin : gen_no_pending
    assign pending_q = 1'b0;
  end

  assign pending_o = pending_q;
  assign pull_o = '{
          frame: select && !(select_head && flushing_i),
          head: pop_o,
          arriving: pop_o && head_arriving,
          failed: (between && idle && tx_en_i && !waiting_i && !admitted_i.stored) || (dropped && !select_next),
          chained: dropped,
          pauses: pauses
      };

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
      if (admitted_i.cut) cut_q <= 1'b1;
      else if (gone_o) cut_q <= 1'b0;
      if (admitted_i.next_frame) leaving_q <= 1'b0;
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
  `TM_ASSERT_IF(NoAbortWhileLeaving_A, admitted_i.aborting, !leaving_q, "a frame is aborted that has begun to leave")

endmodule
