// SPDX-License-Identifier: BSD-3-Clause
// Transmission selection of a few queues: any frames, any quanta of a frame or more and any strict queues, which may
// change in every cycle while no queue waits or sends. A frame takes any number of cycles, and any to be read first.
//
// The rule next to it is Linux's: a list of those that share, whose first sends, or is given a quantum and moves to the
// end.
module formal_ets
  import tm_pkg::*;
  import tm_schedule_pkg::behind_t;
#(
    parameter int unsigned QUEUES = 3,
    parameter int unsigned QUANTUM_W = 3
) (
    input logic                                clk_i,
    input logic    [QUEUES-1:0]                waiting_i,
    input logic    [QUEUES-1:0][     LenW-1:0] len_i,
    input behind_t [QUEUES-1:0]                behind_i,
    input logic    [QUEUES-1:0]                strict_i,
    input logic    [QUEUES-1:0][QUANTUM_W-1:0] quantum_i,
    input logic                                ready_i,
    input logic                                select_i
);

  localparam int unsigned MaxFrame = (1 << LenW) - 1;
  localparam int unsigned PlaceW = $clog2(QUEUES + 1);
  localparam int unsigned DeficitW = $clog2((1 << QUANTUM_W) + (1 << LenW)) + 1;  // with sign
  typedef logic [DeficitW-1:0] deficit_t;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [QUEUES-1:0] grant, sending;
  tm_ets #(
      .QUEUES   (QUEUES),
      .MAX_FRAME(MaxFrame),
      .QUANTUM_W(QUANTUM_W)
  ) dut (
      .clk_i,
      .rst_i(!started_q),
      .waiting_i,
      .len_i,
      .behind_i,
      .strict_i,
      .quantum_i,
      .ready_i,
      .select_i,
      .grant_o(grant),
      .sending_o(sending)
  );

  // ---- who waits, whose frame is yet to be read, and in which cycles is selected ----
  logic [QUEUES-1:0] gone, follows, soon, waits, late, ends;
  logic [QUEUES-1:0][LenW-1:0] len;
  logic selects;
  always_comb begin
    for (int unsigned q = 0; q < QUEUES; q++) begin
      gone[q]    = (behind_i[q].at_end && ready_i) || behind_i[q].ended;
      follows[q] = behind_i[q].valid;
      soon[q] = behind_i[q].soon;
      len[q] = (sending[q] || !waiting_i[q]) ? behind_i[q].last + 1'b1 : len_i[q];
    end
  end
  assign ends    = sending & gone;
  assign waits   = ((waiting_i | soon) & ~sending) | (ends & (follows | soon));
  assign late    = waits & ~(sending & follows) & ~(waiting_i & ~sending);
  assign selects = select_i && (sending == '0 || ends != '0);

  // ---- the rule ----
  logic [QUEUES-1:0] shares, active_q;
  logic [QUEUES-1:0][PlaceW-1:0] list_q, list, kept;  // queue numbers, the first lowest
  logic [PlaceW-1:0] count_q, count, kept_count;
  deficit_t [QUEUES-1:0] deficit_q, deficit;
  logic [QUEUES-1:0] expected;
  assign shares = (waits | (sending & ~gone)) & ~strict_i;

  always_comb begin
    // Those that do not wait any more leave the list, new ones join it: the highest number first.
    {kept, kept_count, deficit} = {list_q, count_q, deficit_q};
    {list, count} = '0;
    for (int unsigned k = 0; k < QUEUES; k++) begin
      if (PlaceW'(k) < kept_count && shares[kept[k]]) begin
        list[count] = kept[k];
        count       = count + 1'b1;
      end
    end
    for (int q = QUEUES - 1; q >= 0; q--) begin
      if (shares[q] && !active_q[q]) begin
        list[count] = PlaceW'(q);
        count       = count + 1'b1;
        deficit[q]  = deficit_t'(quantum_i[q]);
      end
    end

    expected = '0;
    if (selects) begin
      for (int q = 0; q < QUEUES; q++) if (waits[q] && strict_i[q]) expected = QUEUES'(1) << q;
      for (int visit = 0; visit < 2; visit++) begin
        if (expected == '0 && count != '0) begin
          if (deficit_t'(len[list[0]]) <= deficit[list[0]]) begin
            expected = QUEUES'(1) << list[0];
            if (!late[list[0]]) deficit[list[0]] = deficit[list[0]] - deficit_t'(len[list[0]]);
          end else begin
            deficit[list[0]] = deficit[list[0]] + deficit_t'(quantum_i[list[0]]);
            kept             = list;
            for (int unsigned k = 0; k + 1 < QUEUES; k++) if (PlaceW'(k + 1) < count) list[k] = kept[k+1];
            list[count-1'b1] = kept[0];
          end
        end
      end
    end
  end

  // What a queue has been given since it began to share, less what another was: in rounds.
  logic signed [3:0] apart_q;  // of queues 0 and 1
  logic [1:0] given;
  assign given = dut.charged[1:0];

  logic [QUEUES-1:0][QUANTUM_W-1:0] quantum_q;
  logic [QUEUES-1:0] strict_q, waited_q;
  logic steady;
  assign steady = {quantum_q, strict_q} == {quantum_i, strict_i};
  logic [QUEUES-1:0][LenW-1:0] len_q;
  logic [QUEUES-1:0] whole, possible, bounded, same_deficit, same_place;
  always_comb begin
    for (int unsigned q = 0; q < QUEUES; q++) begin
      whole[q] = quantum_i[q] >= QUANTUM_W'(MaxFrame);
      possible[q] = (!waits[q] || len[q] != '0) && (!waited_q[q] || !waits[q] || len[q] == len_q[q]);
      bounded[q] = !active_q[q] || $signed(dut.deficit_q[q]) < $signed(deficit_t'(quantum_q[q]) + deficit_t'(MaxFrame));
      // That of a queue which waits in the second cycle or later is less its frame already.
      same_deficit[q] = !active_q[q] || dut.deficit_q[q] == deficit_q[q] - (dut.seen_q[q] ? deficit_t'(len_q[q]) : '0);
      same_place[q] = 1'b1;
      for (int unsigned k = 0; k < q; k++) begin
        if (PlaceW'(q) < count_q && !dut.ahead[list_q[k]][list_q[q]]) same_place[q] = 1'b0;
      end
    end
  end

  // What the others follow from in one step: how registers, list and deficits belong together.
  logic [QUEUES-1:0] round, listed;
  logic [QUEUES-1:0][QUEUES-1:0] pairs;
  always_comb begin
    listed = '0;
    for (int unsigned k = 0; k < QUEUES; k++) if (PlaceW'(k) < count_q) listed |= QUEUES'(1) << list_q[k];
    for (int unsigned q = 0; q < QUEUES; q++) begin
      round[q] = listed[q] == active_q[q] && dut.seen_q[q] == (active_q[q] && waited_q[q]) && dut.whole_q[q]
          && !(sending[q] && waited_q[q]) && (!active_q[q] || sending[q] || waited_q[q])
          && (!(sending[q] || waited_q[q]) || active_q[q] == !strict_q[q]);
      if (active_q[q]) begin
        if ($signed(
                deficit_q[q]
            ) < 0 || $signed(
                deficit_q[q]
            ) >= $signed(
                deficit_t'(quantum_q[q]) + deficit_t'(MaxFrame)
            ))
          round[q] = 1'b0;
        if (sending[q] && list_q[0] != PlaceW'(q)) round[q] = 1'b0;
        if (list_q[0] != PlaceW'(q) && $signed(deficit_q[q]) < $signed(deficit_t'(MaxFrame))) round[q] = 1'b0;
      end else if (dut.deficit_q[q] != deficit_t'(quantum_q[q])) round[q] = 1'b0;
      for (int unsigned j = 0; j < QUEUES; j++) begin
        pairs[q][j] = q >= j || dut.ahead[q][j] == active_q[q] || (active_q[q] && active_q[j]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    {active_q, list_q, count_q, deficit_q} <= {shares, list, count, deficit};
    apart_q <= shares[1:0] != 2'b11 ? '0 : apart_q + 4'(given[0]) - 4'(given[1]);
    {quantum_q, strict_q} <= {quantum_i, strict_i};
    {waited_q, len_q} <= {waits & ~grant, len};
    if (!started_q) {active_q, count_q, apart_q, waited_q} <= '0;

    Quiet_M : assume ((sending == '0 && (waiting_i | soon) == '0) || (started_q && steady));
    Whole_M : assume (whole == '1);
    Frames_M : assume (possible == '1);

    if (started_q) begin
      Order_A : assert (grant == (expected & ~late));
      Conserving_A : assert (!selects || waits == '0 || grant != '0 || (expected & late) != '0);
      AtHand_A : assert ((grant & late) == '0);
      Strict_A : assert ((grant & ~strict_i) == '0 || (waits & strict_i) == '0);
      Rounds_A : assert (apart_q >= -1 && apart_q <= 1);
      Bound_A : assert (bounded == '1);
      Deficit_A : assert (same_deficit == '1);
      Place_A : assert (same_place == '1);
      Round_A :
      assert (round == '1 && pairs == '1 && 32'(count_q) == $countones(active_q) && (sending & (sending - 1'b1)) == '0);
    end
  end

endmodule
