// SPDX-License-Identifier: BSD-3-Clause
// One port's whole queue under any source that keeps parse's rules, any configuration, which may change in every cycle,
// any sink and any flush: what goes in comes out, whole, once and in order, or is refused or dropped for a reason.
//
// One frame of the solver's choice is followed (`chosen`). Its rows carry a mark and their number, every other row only
// whether it is a first one. `ahead_q` counts the frames that have to leave before it.
module formal_port
  import tm_pkg::*;
#(
    parameter  int unsigned ROWS          = 7,
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
    input logic             ecn_i,       // the beat before completed the ECN field
    input logic             flags_i,     // ... ended the walk
    input logic             bad_i,
    input ecn_e             next_ecn_i,
    input meta_t            meta_i,
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
  logic in_frame_q, told_q, walked_q, strobe_q, end_q, short_q;
  logic [LenW-1:0] len_q, next_len;
  ecn_e ecn_q;
  logic [RowsW-1:0] rows_q, rows, number_q, number;
  logic valid, first, last, ecn_valid, flags_valid, end_valid;

  assign valid       = valid_i && !boot_q;
  assign first       = !in_frame_q;
  assign number      = first ? '0 : number_q;
  assign next_len    = valid && first ? length_i : len_q;
  assign rows        = RowsW'((32'(next_len) + 7) / 8);
  assign last        = last_i || number + 1'b1 == rows;
  // Of the beat in the last cycle: each once in a frame, at its end at the latest, the flags not before the ECN field.
  assign end_valid   = !boot_q && end_q;
  assign ecn_valid   = !boot_q && strobe_q && !told_q && (ecn_i || end_q);
  assign flags_valid = !boot_q && strobe_q && !walked_q && (told_q || ecn_valid) && (flags_i || end_q);

  always_ff @(posedge clk_i) begin
    strobe_q <= valid;
    end_q    <= valid && last;
    if (valid) begin
      in_frame_q <= !last;
      number_q   <= number + 1'b1;
      rows_q     <= rows;
    end
    len_q <= next_len;
    told_q <= !end_q && (told_q || ecn_valid);
    walked_q <= !end_q && (walked_q || flags_valid);
    if (boot_q) begin
      {in_frame_q, strobe_q, end_q, told_q, walked_q} <= '0;
    end
    // A frame with fewer rows than its length promised is wrong.
    short_q <= number + 1'b1 != rows;
    Short_M : assume (!(end_valid && short_q) || bad_i);
    ecn_q <= next_ecn_i;
    Ecn_M : assume (meta_i.ecn == ecn_q);
    Length_M : assume (length_i >= LenW'(MinFrame) && 32'(length_i) <= 8 * MAX_ROWS);
    if (boot_q) Quiet_M : assume (!flush_i && !tx_en_i && !dut.arrive_stored_q);
  end

  // ---- the chosen frame's colour ------------------------------------------------------------------------------------
  logic chosen_q, chosen, in_chosen_q;  // it has begun; its rows are coming
  logic choose;
  logic [71:0] row, marked;

  assign choose = choose_i && valid && first && offer_i && !chosen_q;
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
    order = '0;
    order.flush = flush_i;
    beat = '{
        strobes: '{
            valid: valid,
            first: first,
            last: 1'b0,
            ecn_valid: ecn_valid,
            flags_valid: flags_valid,
            end_valid: end_valid,
            end_bad: bad_i
        },
        mine: offer_i,
        next_len: next_len,
        len: len_q,
        more_rows: MoreRowsW'(rows_q - 1'b1),
        next_ecn: next_ecn_i,
        meta: meta_i,
        stamp: '0
    };
  end
  assign {m_valid, m_last, m_error, m_len} = sink;
  assign {bytes, packets}                  = {held.bytes, held.packets};
  assign {arrive_valid, outcome}           = {arrival.valid, arrival.outcome};
  assign judged                            = law.red.judged;

  tm_port #(
      .BUILD(Build)
  ) dut (
      .clk_i,
      .rst_i      (boot_q),
      .time_i     ('0),
      .tx_en_i,
      .beat_i     (beat),
      .beat_row_i ({marked, row}),
      .user_i     ('0),
      .tally_i    ('0),
      .cfg_i,
      .order_i    (order),
      .law_i      ('0),
      .law_o      (law),
      .m_o        (sink),
      .m_data_o   (m_data),
      .m_keep_o   (m_keep),
      .m_user_o   (),
      .m_ready_i,
      .held_o     (held),
      .arrival_o  (arrival),
      .departure_o()
  );

  // ---- frames held, and the chosen one's turn -----------------------------------------------------------------------
  // A frame is held from its verdict until its last row is taken at the output, or dropped there.
  logic [FramesW-1:0] held_q, ahead_q;
  logic live_q, judge_open_q;  // the chosen frame is held; it has not been judged
  logic stored, aborted, gone, chosen_stored, chosen_aborted;
  logic newest_q;  // no frame was stored after it
  logic [LenW-1:0] chosen_len_q;
  logic chosen_mark_q, chosen_ect_q;
  logic condemned_q;  // a flush came while it waited
  logic turn, selected, begun_q;  // it is next, or at the output; it is selected now, or was

  assign stored         = dut.admitted.stored;
  assign aborted        = dut.admitted.aborting;
  assign gone           = dut.egress.gone;
  assign chosen_stored  = stored && judge_open_q;
  assign chosen_aborted = aborted && live_q && newest_q;

  always_ff @(posedge clk_i) begin
    held_q <= held_q + FramesW'(stored) - FramesW'(aborted) - FramesW'(gone);
    if (choose) judge_open_q <= 1'b1;
    else if (judged) judge_open_q <= 1'b0;
    if (chosen_stored) begin
      live_q        <= 1'b1;
      newest_q      <= 1'b1;
      ahead_q       <= held_q - FramesW'(gone);
      chosen_len_q  <= len_q;
      chosen_mark_q <= dut.admitted.mark;
      chosen_ect_q  <= meta_i.ecn != NotEct;
      condemned_q   <= flush_i && !dut.egress.flushing_o && dut.egress.push;
    end else begin
      if (stored) newest_q <= 1'b0;
      if (gone && live_q) begin
        if (ahead_q != '0) ahead_q <= ahead_q - 1'b1;
        else live_q <= 1'b0;
      end
      if (chosen_aborted) live_q <= 1'b0;
      if (flush_i && !dut.egress.flushing_o && live_q && !begun_q) condemned_q <= !selected;
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
    if (chosen_stored) begun_q <= !dut.egress.push;
    else if (selected) begun_q <= 1'b1;
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
  logic [  BytesW-1:0] limit_q;
  logic [PacketsW-1:0] limit_packets_q;
  always_ff @(posedge clk_i) begin
    limit_q         <= cfg_i.limit_bytes;
    limit_packets_q <= cfg_i.limit_packets;
    if (!boot_q) begin
      PacketsHeld_A :
      assert (FramesW'(packets) == held_q - FramesW'((loaded || dut.egress.departure.open_q) && !dut.depart));
      ByteLimit_A : assert (!stored || 32'(bytes) + 32'(len_q) <= 32'(limit_q[LenW+1:0]));
      PacketLimit_A : assert (!stored || packets < limit_packets_q);
    end
  end

  // ---- true marking: without a law of its own, a Not-ECT frame is refused by nothing but a limit -------------------
  logic lawless, full;
  assign lawless = meta_i.ecn == NotEct && dut.admission.cfg_q.law[dut.admission.cfg_q.slot_of[NotEct]] == LawNone;
  assign full = dut.admission.over_bytes || dut.admission.over_packets || dut.admission.no_room
      || !dut.admission.cfg_q.enable;

  always_ff @(posedge clk_i) begin
    if (!boot_q) begin
      RefusedWhenFull_A : assert (!(judged && lawless) || full || stored || (end_valid && bad_i));
      NotEctNotMarked_A : assert (!(stored && meta_i.ecn == NotEct) || !dut.admitted.mark);
      NoEcnNotMarked_A : assert (!(stored && dut.admission.cfg_q.noecn) || !dut.admitted.mark);
      CeNotMarked_A : assert (!(stored && meta_i.ecn == Ce) || !dut.admitted.mark);
      FullIsRefused_A : assert (!(judged && full) || !stored);
    end
  end

  // ---- one verdict and one outcome for each copy --------------------------------------------------------------------
  logic offered_q, judged_q, tally_q;
  logic keeps;
  assign keeps = outcome inside {Pass, PassCe, Mark, CeSignalled, Protected};

  logic stored_q, aborted_q, ended_stored_q;  // of the frame on the bus; of the one that ended last
  always_ff @(posedge clk_i) begin
    if (valid && first) offered_q <= offer_i;
    judged_q <= !(end_valid || (valid && first && !judged)) && (judged_q || judged);
    tally_q <= end_valid && offered_q;
    stored_q <= !end_valid && (stored_q || stored);
    ended_stored_q <= (stored_q || stored) && !aborted;
    if (boot_q) {offered_q, judged_q, tally_q, stored_q} <= '0;
    if (!boot_q) begin
      JudgedOnce_A : assert (!judged || (!judged_q && offered_q));
      Judged_A : assert (!(end_valid && offered_q) || judged || judged_q);
      OneTally_A : assert (arrive_valid == tally_q);
      OutcomeTrue_A : assert (!arrive_valid || keeps == ended_stored_q);
    end
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
