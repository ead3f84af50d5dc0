// SPDX-License-Identifier: BSD-3-Clause
// One port's whole queue under any source that keeps parse's rules, any configuration, which may change in every cycle,
// any sink and any flush: what goes in comes out, whole, once and in order, or is refused or dropped for a reason, or
// another queue takes it instead (elsewhere_i).
//
// One frame of the solver's choice is followed (`chosen`). Its rows carry a mark and their number, every other row only
// whether it is a first one. `ahead_q` counts the frames that have to leave before it.
module formal_port
  import tm_pkg::*;
#(
    parameter  int unsigned ROWS          = 12,
    parameter  int unsigned DESCRIPTORS   = 3,
    parameter  int unsigned MAX_ROWS      = 3,                           // rows of 8 bytes of a frame
    parameter  bit          FLAGS_VERDICT = 1'b0,
    parameter  bit          MARKED_COPY   = 1'b0,
    localparam int unsigned RowsW         = $clog2(MAX_ROWS + 2),
    localparam int unsigned FramesW       = $clog2(DESCRIPTORS + 2) + 1
) (
    input logic             clk_i,
    // the source's choices
    input logic             valid_i,
    input logic             last_i,
    input logic             offer_i,
    input logic  [LenW-1:0] length_i,
    input logic             ecn_i,        // the beat before completed the ECN field
    input logic             flags_i,      // ... ended the walk
    input logic             bad_i,
    input meta_t            meta_i,       // in the next cycle
    input logic             elsewhere_i,  // another queue takes the frame, if it is judged now
    input logic             choose_i,
    // everybody else's
    input cfg_t             cfg_i,
    input logic             tx_en_i,
    input logic             flush_i,
    input logic             m_ready_i
);

  logic [1:0] started_q = '0;  // two cycles of reset
  logic boot_q;
  always_ff @(posedge clk_i) started_q <= {started_q[0], 1'b1};
  assign boot_q = !started_q[1];

  // ---- the source: frames of one to MAX_ROWS rows, no more than their length needs, strobes one cycle behind -------
  // Their length is there a cycle before each row; without one it may be any.
  meta_t meta_q;
  class_ece_t class_ece;
  logic in_frame_q, told_q, walked_q, strobe_q, end_q, bad_q;
  logic [LenW-1:0] soon_len, soon_len_q, next_len_q, len_q;
  logic [RowsW-1:0] soon_rows, soon_number, number_q, number, rows;
  logic coming, soon_last, valid, first, last, offer, ecn_valid, flags_valid, end_valid;
  logic next_ecn_valid, next_flags_valid, told, walked;

  assign coming           = valid_i && !boot_q;
  assign soon_number      = in_frame_q ? number_q : '0;
  assign soon_len         = in_frame_q ? soon_len_q : length_i;
  assign soon_rows        = RowsW'((32'(soon_len) + 7) / 8);
  assign soon_last        = last_i || soon_number + 1'b1 == soon_rows;
  // Of the beat in the last cycle: each once in a frame, at its end at the latest, the flags not before the ECN field.
  assign end_valid        = !boot_q && end_q;
  assign told             = !end_q && (told_q || ecn_valid);
  assign walked           = !end_q && (walked_q || flags_valid);
  assign next_ecn_valid   = !boot_q && valid && !told && (ecn_i || last);
  assign next_flags_valid = !boot_q && valid && !walked && (told || next_ecn_valid) && (flags_i || last);

  always_ff @(posedge clk_i) begin
    {valid, first, last, offer} <= {coming, !in_frame_q, soon_last, offer_i};
    {number, rows}              <= {soon_number, soon_rows};
    if (coming) begin
      in_frame_q <= !soon_last;
      number_q   <= soon_number + 1'b1;
      soon_len_q <= soon_len;
    end
    {len_q, next_len_q} <= {next_len_q, soon_len};
    meta_q <= meta_i;
    strobe_q <= valid;
    end_q    <= valid && last;
    {told_q, walked_q} <= {told, walked};
    {ecn_valid, flags_valid} <= {next_ecn_valid, next_flags_valid};
    if (boot_q) begin
      {in_frame_q, valid, strobe_q, end_q, told_q, walked_q} <= '0;
    end
    // A frame with fewer rows than its length promised is wrong.
    bad_q <= bad_i;
    Short_M : assume (!(valid && last && number + 1'b1 != rows) || bad_i);
    Length_M : assume (!coming || in_frame_q || (length_i >= LenW'(MinFrame) && 32'(length_i) <= 8 * MAX_ROWS));
    if (boot_q) Quiet_M : assume (!flush_i && !tx_en_i && !dut.arrive_stored_q);
  end

  // ---- the chosen frame's colour ------------------------------------------------------------------------------------
  logic chosen_q, chosen, in_chosen_q;  // it has begun; its rows are coming
  logic choose;
  logic [71:0] row, marked;

  assign choose = choose_i && valid && first && offer && !chosen_q;
  assign chosen = choose || (in_chosen_q && !first);

  always_comb begin
    row        = '0;
    row[64]    = last;
    row[16]    = chosen;
    row[17]    = first;
    row[19:18] = chosen ? 2'(number) : '0;
    marked     = row;
    marked[0]  = 1'b1;  // a bit of the checksum's places
  end

  always_ff @(posedge clk_i) begin
    if (valid && first) in_chosen_q <= choose;
    if (choose) chosen_q <= 1'b1;
    if (boot_q) {chosen_q, in_chosen_q} <= '0;
  end

  // ---- the port -----------------------------------------------------------------------------------------------------
  logic [63:0] m_data;
  logic [ 7:0] m_keep;
  logic m_last, m_valid, m_error, arrive_valid, judged;
  logic [LenW-1:0] m_len;
  logic [BytesW-1:0] bytes;
  logic [PacketsW-1:0] packets;
  outcome_e outcome;

  localparam build_t Build = '{
      ports: 1,
      data_w: 64,
      tuser_w: 17,
      rows: ROWS,
      descriptors: DESCRIPTORS,
      marked_copy: MARKED_COPY,
      max_frame: 8 * MAX_ROWS,
      queues: 1,
      flags_verdict: FLAGS_VERDICT,
      default: '0
  };

  beat_t beat;
  order_t order;
  law_req_t law;
  sink_t sink;
  held_t held;
  arrival_t arrival;
  always_comb begin
    class_ece = class_ece_t'(1) << {meta_q.class_id, meta_q.flags.ece};
    order = '0;
    order.flush = flush_i;
    beat = '{
        strobes: '{
            valid: valid,
            first: first,
            last: last,
            next_ecn_valid: next_ecn_valid,
            next_flags_valid: next_flags_valid
        },
        mine: offer,
        soon_len: soon_len,
        next_len: next_len_q,
        len: len_q,
        next_need: NeedW'((32'(next_len_q) + 8 * SpareRows - 1) / 8),
        next_end: valid && last,
        next_bad: bad_i,
        elsewhere: elsewhere_i,
        by_class: 1'b0,
        next_ecn: meta_i.ecn,
        meta: meta_q,
        class_ece: class_ece,
        stamp: '0
    };
  end
  assign {m_valid, m_last, m_len} = {sink.valid, sink.last, sink.len};
  assign m_error                  = sink.error && sink.last;
  assign {bytes, packets}         = {BytesW'(dut.bytes), PacketsW'(dut.packets)};  // `held` tells it late
  assign {arrive_valid, outcome}  = {arrival.valid, arrival.outcome};
  assign judged                   = law.red.judged;

  tm_port #(
      .BUILD(Build)
  ) dut (
      .clk_i,
      .rst_i      (boot_q),
      .time_i     ('0),
      .beat_i     (beat),
      .beat_row_i ({marked, row}),
      .user_i     ('0),
      .tally_i    ('0),
      .cfg_i,
      .order_i    (order),
      .law_i      ('0),
      .law_o      (law),
      .pool_i     ('0),
      .pool_row_i ('0),
      .pool_o     (),
      .m_o        (sink),
      .m_data_o   (m_data),
      .m_keep_o   (m_keep),
      .m_user_o   (),
      .permit_i   ('{ready: m_ready_i, tx_en: tx_en_i}),
      .held_o     (held),
      .arrival_o  (arrival),
      .departure_o()
  );

  // ---- frames held, and the chosen one's turn -----------------------------------------------------------------------
  // A frame is held from its verdict until its last row is taken at the output, or dropped there. A cycle after the
  // verdict it begins to leave or to wait.
  logic [FramesW-1:0] held_q, ahead_q;
  logic live_q, fresh_q, judge_open_q;  // the chosen frame is held; since the cycle before; it has not been judged
  logic stored, aborted, gone, flush, let_go, chosen_stored, chosen_aborted;
  logic newest_q;  // no frame was stored after it
  logic [LenW-1:0] chosen_len_q;
  logic chosen_mark_q, chosen_ect_q;
  logic condemned_q;  // a flush came while it waited
  logic turn, selected, begun_q;  // it is next, or at the output; it is selected now, or was

  assign stored         = dut.admission.stores;
  assign aborted        = dut.admitted.aborting;
  assign let_go         = dut.admission.arrival.due && elsewhere_i;
  assign gone           = dut.egress.gone;
  assign flush          = flush_i && !dut.egress.flushing;
  assign chosen_stored  = stored && judge_open_q;
  assign chosen_aborted = aborted && live_q && newest_q;

  always_ff @(posedge clk_i) begin
    held_q <= held_q + FramesW'(stored) - FramesW'(aborted) - FramesW'(gone);
    if (choose) judge_open_q <= 1'b1;
    else if (judged || let_go) judge_open_q <= 1'b0;
    fresh_q <= chosen_stored && !boot_q;
    if (chosen_stored) begin
      live_q        <= 1'b1;
      newest_q      <= 1'b1;
      ahead_q       <= held_q - FramesW'(gone);
      chosen_len_q  <= len_q;
      chosen_mark_q <= dut.admission.mark;
      chosen_ect_q  <= meta_q.ecn != NotEct;
      condemned_q   <= 1'b0;
    end else begin
      if (stored) newest_q <= 1'b0;
      if (gone && live_q) begin
        if (ahead_q != '0) ahead_q <= ahead_q - 1'b1;
        else live_q <= 1'b0;
      end
      if (chosen_aborted) live_q <= 1'b0;
      if (flush && live_q && !begun_q) condemned_q <= fresh_q ? dut.egress.push : !selected;
    end
    if (boot_q) begin
      held_q <= '0;
      {live_q, newest_q, judge_open_q, condemned_q} <= '0;
    end
  end

  // ---- at the output ------------------------------------------------------------------------------------------------
  logic [1:0] number_out_q;
  assign turn     = live_q && ahead_q == '0;
  assign selected = dut.egress.pop && (turn || (live_q && ahead_q == FramesW'(1) && gone));

  always_ff @(posedge clk_i) begin
    if (dut.egress.departure.taken) number_out_q <= m_last ? '0 : number_out_q + 1'b1;
    if (chosen_stored) begun_q <= 1'b0;
    else if (selected || (fresh_q && !dut.egress.push)) begun_q <= 1'b1;
    if (boot_q) number_out_q <= '0;
  end

  logic loaded;  // a row stands at the output, shown or not
  assign loaded = dut.egress.departure.valid_q;

  always_ff @(posedge clk_i) begin
    if (!boot_q) begin
      // Rows at the output belong to the frame whose turn it is: none lost, repeated, swapped, merged.
      InOrder_A : assert (!loaded || m_data[16] == turn);
      RowsInOrder_A : assert (!loaded || !turn || m_data[19:18] == number_out_q);
      FramesApart_A : assert (!loaded || m_data[17] == (number_out_q == '0));
      // ... and so do its length and its mark.
      OwnLength_A : assert (!loaded || !turn || m_len == chosen_len_q);
      OwnMark_A : assert (!loaded || !turn || dut.departing.mark == chosen_mark_q);
      MarkedRow_A : assert (!loaded || m_data[0] == (MARKED_COPY && dut.departing.mark));
      NotEctUnmarked_A : assert (!loaded || !turn || chosen_ect_q || !dut.departing.mark);
      // A flush drops what waited, and nothing else is dropped.
      FlushedNotShown_A : assert (!m_valid || !turn || !condemned_q);
      KeptNotDropped_A : assert (!loaded || m_valid || !turn || condemned_q);
    end
  end

  // ---- occupancy ----------------------------------------------------------------------------------------------------
  // A limit reaches a verdict in two cycles, or three right behind another event. Departures are seen in three.
  logic [1:0][BytesW-1:0] limit_q;
  logic [1:0][PacketsW-1:0] limit_packets_q;
  logic [1:0] left_q;
  always_ff @(posedge clk_i) begin
    limit_q         <= {limit_q[0], cfg_i.limit_bytes};
    limit_packets_q <= {limit_packets_q[0], cfg_i.limit_packets};
    left_q          <= boot_q ? '0 : {left_q[0], dut.depart};
    if (!boot_q) begin
      PacketsHeld_A :
      assert (FramesW'(packets) == held_q - FramesW'((loaded || dut.egress.departure.open_q) && !dut.depart) +
              FramesW'(left_q[0]) + FramesW'(left_q[1]));
      ByteLimit_A : assert (!stored || 32'(bytes) + 32'(len_q) <= 32'(limit_q[1]));
      PacketLimit_A : assert (!stored || packets < limit_packets_q[1]);
    end
  end

  // ---- true marking: without a law of its own, a Not-ECT frame is refused by nothing but a limit -------------------
  logic lawless, full;
  assign lawless = meta_q.ecn == NotEct && dut.admission.cfg_q.law[dut.admission.cfg_q.slot_of[NotEct]] == LawNone;
  assign full = dut.admission.full || dut.admission.no_room || !dut.admission.cfg_q.enable;

  always_ff @(posedge clk_i) begin
    if (!boot_q) begin
      RefusedWhenFull_A : assert (!(judged && lawless) || full || stored || (end_valid && bad_q));
      NotEctNotMarked_A : assert (!(stored && meta_q.ecn == NotEct) || !dut.admission.mark);
      NoEcnNotMarked_A : assert (!(stored && dut.admission.cfg_q.noecn) || !dut.admission.mark);
      CeNotMarked_A : assert (!(stored && meta_q.ecn == Ce) || !dut.admission.mark);
      FullIsRefused_A : assert (!(judged && full) || !stored);
    end
  end

  // ---- one verdict and one outcome for each copy --------------------------------------------------------------------
  logic offered_q, judged_q;
  logic [1:0] tally_q;  // two cycles behind the end
  logic keeps;
  assign keeps = outcome inside {Pass, PassCe, Mark, CeSignalled, Protected};

  logic stored_q;  // of the frame that arrives
  logic [1:0] ended_stored_q;
  always_ff @(posedge clk_i) begin
    if (valid && first) offered_q <= offer;
    else if (let_go) offered_q <= 1'b0;
    judged_q <= !(end_valid || (valid && first && !judged)) && (judged_q || judged);
    tally_q <= {tally_q[0], end_valid && offered_q && !let_go};
    stored_q <= !end_valid && (stored_q || stored);
    ended_stored_q <= {ended_stored_q[0], (stored_q || stored) && !aborted};
    if (boot_q) {offered_q, judged_q, tally_q, stored_q} <= '0;
    if (!boot_q) begin
      JudgedOnce_A : assert (!judged || (!judged_q && offered_q));
      Judged_A : assert (!(end_valid && offered_q) || judged || judged_q || let_go);
      LetGo_A : assert (!let_go || (!judged && !judged_q && !stored));
      OneTally_A : assert (arrive_valid == tally_q[1]);
      OutcomeTrue_A : assert (!arrive_valid || keeps == ended_stored_q[1]);
    end
  end

  // Why: the port follows the frame as the source does.
  logic inside_q, underway;  // a frame is arriving: before this row, and behind it
  logic followed, own;  // the frame on the bus has a copy for this port
  assign underway = strobe_q ? !end_q : inside_q;
  assign own      = (inside_q || strobe_q) && offered_q;
  always_comb begin
    followed = dut.valid_q == (strobe_q && own) && dut.first_q == (strobe_q && !inside_q && own);
    if (valid ? first == underway : 1'b0) followed = 1'b0;
    if (in_frame_q != (valid ? !last : underway)) followed = 1'b0;
    if (strobe_q ? 1'b0 : end_q) followed = 1'b0;
    if (!inside_q && (told_q || walked_q)) followed = 1'b0;
    if (dut.admission.arrival.copy_q != own) followed = 1'b0;
    if (dut.admission.arrival.end_q != (end_q && own)) followed = 1'b0;
    if (dut.admission.arrival.wrong_q != (end_q && bad_q && own)) followed = 1'b0;
    if (dut.admission.arrival.storable_q != (dut.admission.arrival.due_q && !dut.admission.arrival.wrong_q)) begin
      followed = 1'b0;
    end
    if (dut.admission.arrival.barred_q == dut.admission.arrival.storable_q) followed = 1'b0;
    if (dut.admission.arrival.taken_q && !own) followed = 1'b0;
    if (strobe_q && !inside_q && dut.admission.arrival.judged_q) followed = 1'b0;
    if (dut.admission.arrival.arriving_q && !(inside_q && offered_q && judged_q)) followed = 1'b0;
    if (inside_q && offered_q && judged_q != dut.admission.arrival.judged_q) followed = 1'b0;
    if (inside_q && offered_q && (FLAGS_VERDICT ? walked_q && !judged_q : told_q != judged_q)) followed = 1'b0;
    if (inside_q && offered_q && judged_q && !told_q) followed = 1'b0;
    if (!inside_q && judged_q) followed = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    inside_q <= underway && !boot_q;
    if (!boot_q) Followed_A : assert (followed);
  end

  // ---- no deadlock --------------------------------------------------------------------------------------------------
  // With a whole frame waiting and an output that takes rows, a row leaves in one of any three cycles.
  logic [1:0] idle_q;
  logic whole;  // a frame is held that has ended
  assign whole = held_q > FramesW'(dut.admitted.arriving);

  always_ff @(posedge clk_i) begin
    if (boot_q || dut.egress.departure.taken || !whole || !m_ready_i || !tx_en_i) idle_q <= '0;
    else if (!(&idle_q)) idle_q <= idle_q + 1'b1;
    if (!boot_q) Progress_A : assert (!(&idle_q));
  end

  // ---- AXI4-Stream: what is offered stays as it is until it is taken ------------------------------------------------
  logic waits_q;
  logic [63:0] data_q;
  logic [7:0] keep_q;
  logic last_q, error_q;
  logic [LenW-1:0] out_len_q;
  always_ff @(posedge clk_i) begin
    waits_q <= !boot_q && m_valid && !m_ready_i;
    {data_q, keep_q, last_q, error_q, out_len_q} <= {m_data, m_keep, m_last, m_error, m_len};
    if (!boot_q && waits_q) begin
      ValidStays_A : assert (m_valid);
      BeatStays_A : assert ({m_data, m_keep, m_last, m_error, m_len} == {data_q, keep_q, last_q, error_q, out_len_q});
    end
  end

endmodule
