// SPDX-License-Identifier: BSD-3-Clause
// Selects the next frame of one port between frames and hands its rows to the output, one each cycle.
//
// Contract:
// * A frame is selected in a cycle in which `tx_en_i` is set, no frame is open and the output can take a row: the
//   oldest that waits, or, if none waits, the one stored by the verdict of the cycle before. Its first row stands on
//   the output in the next cycle, which is the cycle it departs in (`depart_o`).
// * The rows of a frame are counted: nothing here waits for the memory to say which is the last. A frame that turns out
//   wrong while it leaves may have fewer; from then on each row has left before the next is read, and the memory says.
// * A flushed frame is read without being shown, one row each cycle, without regard to `tx_en_i`; it is selected once
//   what stood on the output has been taken.
// * With CODEL: no frame is selected while `hold` is set. The oldest frame, selected while `pause` is set, departs
//   in the next cycle as any other but is not read (`pending`) until it is sent, in the first cycle of `deliver` in
//   which a row is there, or dropped (`drop`): then its rows are skipped, and the next frame is selected in that very
//   cycle and pauses too; with LATE only if it has arrived.
// * A stored frame that is being taken back in this cycle (`aborting`) is not selected.
`include "tm_assert.svh"

module tm_depart
  import tm_pkg::*;
#(
    parameter int unsigned DESCRIPTOR_W = 34,  // bits
    parameter int unsigned MARK = 33,  // the bit that says that the frame is marked
    parameter int unsigned FILL_W = 5,  // bits that count the bytes of a row
    parameter bit CODEL = 1'b0,  // a frame may pause before it is sent, and be dropped
    parameter bit LATE = 1'b0,  // the rows of a frame that has arrived may come late, also once it is selected
    localparam int unsigned MoreW = LenW - FILL_W
) (
    input logic clk_i,
    input logic rst_i,
    input logic tx_en_i,
    // from admit: the frame stored by the last verdict, and the one arriving
    // verilator lint_off UNUSEDSIGNAL
    input admitted_t admitted_i,
    // verilator lint_on UNUSEDSIGNAL
    input logic [DESCRIPTOR_W-1:0] stored_descriptor_i,
    output logic leaving_o,  // the arriving frame has been selected
    // descriptors
    input logic waiting_i,
    input logic head_arriving_i,
    input logic [DESCRIPTOR_W-1:0] head_i,
    input logic flushing_i,
    output logic push_o,
    output logic pop_o,
    // buffer
    input at_hand_t row_i,
    output logic look_o,
    output logic look_mark_o,  // it is of a frame that was marked as it came
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
    output logic error_o,  // the frame turned out wrong: it counts with the last row
    output logic [2:0] row_o,  // row number within the frame, 7 and beyond as 7
    output logic [DESCRIPTOR_W-1:0] descriptor_o,
    output tm_schedule_pkg::behind_t behind_o,
    // events
    output logic depart_o,  // a frame departs (or is dropped at the head) in this cycle
    output logic gone_o,  // its last row is taken in this cycle, or found to have been
    output logic dropped_o  // it is dropped, not sent
);

  logic valid_q, valid_d, last_q, discard_q, discard_d, cut_q, leaving_q, depart_q;
  logic offered_q;  // there is a row, and not of a frame that is discarded
  logic open_q, single_q, one_more_q, arriving_q;  // rows of the frame are yet to be read; how many, and do they arrive
  logic [MoreW-1:0] more_q, next_more;
  logic [2:0] row_q;
  logic [DESCRIPTOR_W-1:0] next;
  logic
      taken,
      can_load,
      between,
      more,
      still,
      head_may,
      stored_may,
      select_head,
      select_stored,
      select_next,
      select,
      pauses,
      sent,
      dropped,
      pending_q;

  // ---- a frame that turned out wrong while it leaves ----
  // What the memory says of a row is looked at one cycle after the row was taken; until then nothing is read.
  logic asked_q, row_last_q, ended, wrong;
  always_ff @(posedge clk_i) begin
    asked_q    <= !rst_i && taken && cut_q && open_q;
    row_last_q <= row_i.last;
    if (admitted_i.cut) cut_q <= 1'b1;
    else if (gone_o) cut_q <= 1'b0;
    if (rst_i) cut_q <= 1'b0;
  end
  assign ended = asked_q && row_last_q;
  assign wrong = admitted_i.wrong;

  always_comb begin
    can_load = !offered_q || ready_i;
    taken = valid_q && can_load;
    between = !open_q;

    still = between && !(CODEL && (fate_i.hold || pending_q));
    head_may = waiting_i && !row_i.blocked && (flushing_i ? !head_arriving_i : tx_en_i && !(head_arriving_i && wrong));
    stored_may = !waiting_i && admitted_i.stored && !row_i.blocked && tx_en_i && !(admitted_i.arriving && wrong);

    more = can_load && open_q && ((!LATE && !arriving_q) || row_i.available) && !(cut_q && (valid_q || ended));
    // Whether the output can take a row is known last.
    select_head = can_load && (still && head_may);
    select_stored = can_load && (still && stored_may);
    dropped = CODEL && pending_q && fate_i.drop;
    sent = CODEL && pending_q && fate_i.deliver && !row_i.blocked;
    select_next = dropped && waiting_i && !flushing_i && !(head_arriving_i && (wrong || LATE));
    select = select_head || select_stored || select_next;
    pauses = select_next || (CODEL && select_head && fate_i.pause && !flushing_i && !head_arriving_i);
  end

  // A row is of the frame that leaves, or that has been selected and pauses, or else the first one of the next.
  assign look_mark_o = (between && !pending_q) ? next[MARK] : descriptor_o[MARK];

  // The oldest row is read whenever the output can take one, whoever it may belong to.
  assign look_o = can_load;
  assign next = waiting_i ? head_i : stored_descriptor_i;
  // Behind its first row a frame has as many as its length less one fills.
  assign next_more = next[LenW-1:FILL_W];
  assign fetch_o = more || ((select_head || select_stored) && !pauses) || sent;
  assign skip_o = dropped;
  assign pop_o = select_head || select_next;
  assign push_o = admitted_i.stored && !select_stored && !admitted_i.aborting;

  // ---- a frame that pauses ----
  if (CODEL) begin : gen_pending
    always_ff @(posedge clk_i) begin
      pending_q <= pauses || (pending_q && !dropped && !sent);
      if (rst_i) pending_q <= 1'b0;
    end
  end else begin : gen_no_pending
    assign pending_q = 1'b0;
  end

  assign pending_o = pending_q;
  assign pull_o = '{
          frame: select && !(select_head && flushing_i),
          head: pop_o,
          arriving: pop_o && head_arriving_i,
          failed: (can_load && still && tx_en_i && !waiting_i && !admitted_i.stored) || (dropped && !select_next),
          chained: dropped,
          pauses: pauses
      };

  assign valid_d = fetch_o || (valid_q && !taken);
  assign discard_d = select ? select_head && flushing_i : discard_q;
  always_ff @(posedge clk_i) begin
    valid_q   <= valid_d;
    discard_q <= discard_d;
    offered_q <= valid_d && !discard_d && !rst_i;
    depart_q  <= select;
    if (can_load) last_q <= sent ? single_q : open_q ? one_more_q : next_more == '0;

    // Which of the rows is read next.
    if (select) begin
      open_q       <= !pauses && next_more != '0;
      single_q     <= next_more == '0;
      more_q       <= next_more;
      one_more_q   <= next_more == MoreW'(1);
      row_q        <= '0;
      descriptor_o <= next;
    end else begin
      if (sent) open_q <= !single_q;
      else if (ended || (more && one_more_q)) open_q <= 1'b0;
      if (more) begin
        more_q     <= more_q - 1'b1;
        one_more_q <= more_q == MoreW'(2);
        if (row_q != '1) row_q <= row_q + 3'd1;
      end
    end
    arriving_q <= !admitted_i.ends && (select ? (waiting_i ? head_arriving_i : admitted_i.arriving) : arriving_q);

    if (admitted_i.judged) leaving_q <= 1'b0;
    else if (select_stored || (pop_o && head_arriving_i)) leaving_q <= admitted_i.arriving;
    if (rst_i) {valid_q, depart_q, open_q, discard_q, leaving_q} <= '0;
  end

  // One that is stored in this very cycle is none that waits. What comes soon does so without the line's help; else it
  // is not said any more: of a frame that is flushed, taken back or about to pause, and while none may be taken.
  logic will_pause, comes;
  assign will_pause = CODEL && fate_i.pause && !head_arriving_i;
  assign comes = LATE && still && waiting_i && !(head_arriving_i && wrong) && tx_en_i && !flushing_i && !will_pause;
  assign behind_o = '{
          at_end: offered_q && last_q,
          ended: ended,
          valid: still && head_may && !flushing_i && !will_pause,
          soon: comes,
          last: head_i[LenW-1:0]
      };

  assign valid_o = offered_q;
  assign error_o = cut_q;
  assign row_o = row_q;
  assign depart_o = depart_q;
  assign gone_o = (taken && last_q) || ended || dropped;
  assign dropped_o = discard_q || dropped;
  assign leaving_o = leaving_q;

  `TM_ASSERT_NEXT(HoldUntilTaken_A, valid_o && !ready_i, valid_o, "a row that was offered and not taken is gone")
  `TM_ASSERT(OfferedIsValid_A, offered_q == (valid_q && !discard_q), "what was foretold of an offer does not come true")
  `TM_ASSERT_IF(PendingAlone_A, pending_q, !valid_q, "a frame pauses while a row stands on the output")
  `TM_ASSERT_IF(LastIsLast_A, valid_q && !cut_q, last_q == row_i.last, "a frame's rows are counted wrong")
  `TM_ASSERT_IF(NoAbortWhileLeaving_A, admitted_i.aborting, !leaving_q, "a frame is aborted that has begun to leave")

endmodule
