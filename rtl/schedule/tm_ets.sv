// SPDX-License-Identifier: BSD-3-Clause
// Enhanced transmission selection (IEEE 802.1Q clause 8.6.8.3): which queue of a line sends the next frame. Strict
// queues come first, the highest number before the others; what they leave is shared by deficit round robin.
//
// Contract:
// * `sending_o`, one bit or none, is the queue whose frame is being sent, until it ends: `behind_i` says that its last
//   row stands there, which the line takes if it is ready, or that it was taken. The next frame is selected in that
//   very cycle, or in any in which none is sent, if `select_i` lets it; `grant_o` is its queue, which sends from the
//   next cycle on.
// * A queue that has a frame says so (`waiting_i`) until it sends, with the frame's length (`len_i`). The one that
//   sends says in the last cycle of its frame whether another waits behind it, and how long that one is.
// * One whose next frame waits but is yet to be read says that instead (`behind_i.soon`), and counts as one that has
//   it: it keeps its place, and where the choice is such a frame none is selected until it can be sent.
// * The choice is that of Linux's `ets`, asked in that cycle: a queue that begins to wait joins the end of the round
//   with a deficit of one quantum, and leaves it when it has no frame. The first of the round sends while its deficit
//   covers its frame; if it does not, the queue is given a quantum and moves to the end. Of queues that begin in one
//   cycle the highest number joins first.
// * A quantum is in bytes. Of MAX_FRAME or more, a frame is selected in every cycle in which one waits, unless the
//   choice is yet to be read. A smaller one takes a cycle without a grant for each round in which no queue's deficit
//   covers its frame, and one for each queue that begins. 0 never sends.
`include "tm_assert.svh"

module tm_ets
  import tm_pkg::*;
  import tm_arith_pkg::*;
  import tm_schedule_pkg::behind_t;
#(
    parameter int unsigned QUEUES = 8,
    parameter int unsigned MAX_FRAME = DefaultBuild.max_frame,  // bytes
    parameter int unsigned QUANTUM_W = 18  // bits of a quantum
) (
    input  logic                                clk_i,
    input  logic                                rst_i,
    // from the queues
    input  logic    [QUEUES-1:0]                waiting_i,
    input  logic    [QUEUES-1:0][     LenW-1:0] len_i,
    input  behind_t [QUEUES-1:0]                behind_i,
    // config
    input  logic    [QUEUES-1:0]                strict_i,
    input  logic    [QUEUES-1:0][QUANTUM_W-1:0] quantum_i,
    // from and to the line
    input  logic                                ready_i,
    input  logic                                select_i,
    output logic    [QUEUES-1:0]                grant_o,
    output logic    [QUEUES-1:0]                sending_o
);

  // A deficit is below a quantum and a frame. That of a queue that waits is less the length of its frame already, from
  // the second cycle on: its sign says whether it covers the frame, and no selection waits for a comparison.
  localparam int unsigned DeficitW = $clog2((1 << QUANTUM_W) + (1 << LenW)) + 1;
  localparam int unsigned Sign = DeficitW - 1;
  typedef logic [DeficitW-1:0] deficit_t;

  logic [QUEUES-1:0] at_end, ended, soon, late, follows, sending_q, seen_q, whole, whole_q;
  logic [QUEUES-1:0]
      others, behind, strict, shares, sharing, blocks, covered, clear, fits, charged, counted, pick, choice;
  deficit_t [QUEUES-1:0] deficit_q, left, reduced, raised;
  logic [QUEUES-1:0][QUEUES-1:0] ahead;  // ahead[i][j]: i is before j in the round; of each pair, one
  logic ends, selects, any_strict, again, again_covered, one_shares, behind_shares, behind_covered;
  logic [1:0][QUEUES-1:0] charged_if;  // of the two cases

  for (genvar q = 0; q < QUEUES; q++) begin : gen_behind
    assign {at_end[q], ended[q], soon[q]} = {behind_i[q].at_end, behind_i[q].ended, behind_i[q].soon};
    assign follows[q] = behind_i[q].valid || soon[q];
    assign late[q] = soon[q] && !(sending_q[q] ? behind_i[q].valid : waiting_i[q]);
  end

  // ---- who waits: those that do not send, and behind the frame that is being sent, if it ends now ----
  // Whether it does is known last, with the line's readiness: all below is what follows from a selection.
  assign ends    = (ready_i && (sending_q & at_end) != '0) || (sending_q & ended) != '0;
  assign selects = select_i && (sending_q == '0 || ends);
  assign others  = (waiting_i | soon) & ~sending_q;
  assign behind  = sending_q & follows;
  assign strict  = others & strict_i;
  assign sharing = others & ~strict_i;

  // ---- the others: `clear` are those that no other stands before whose deficit covers its frame ----
  // One that is not known to cover it, as it has just begun, lets none pass.
  assign any_strict = strict != '0;
  assign one_shares = (sharing & (sharing - 1'b1)) == '0;
  for (genvar q = 0; q < QUEUES; q++) begin : gen_other
    logic [QUEUES-1:0] in_front;
    for (genvar j = 0; j < QUEUES; j++) begin : gen_before
      assign in_front[j] = blocks[j] && ahead[j][q];
    end
    assign whole[q] = quantum_i[q] >= QUANTUM_W'(MAX_FRAME);
    assign blocks[q] = sharing[q] && !(seen_q[q] && deficit_q[q][Sign]);
    assign covered[q] = sharing[q] && (seen_q[q] ? !deficit_q[q][Sign] : whole_q[q]);
    assign clear[q] = in_front == '0;
    // One alone is given its quantum and sends.
    assign pick[q] = any_strict ? strict[q] && (strict >> q) == QUEUES'(1)
        : (covered[q] && clear[q]) || (sharing[q] && !blocks[q] && one_shares && !behind_shares && whole[q]);
  end

  // ---- the one that sent: it may go on ----
  // Whether its deficit covers that frame is known late: what follows is worked out for both cases.
  assign behind_shares  = (behind & ~strict_i) != '0;
  assign behind_covered = (behind & ~strict_i & fits) != '0;
  always_comb begin
    {again, again_covered} = '0;
    for (int unsigned q = 0; q < QUEUES; q++) begin
      if (strict_i[q]) again |= behind[q] && (strict >> q) == '0;
      else again |= behind[q] && !any_strict && sharing == '0 && whole[q];
      again_covered |= behind[q] && !strict_i[q] && !any_strict && clear[q];
    end
  end
  assign choice    = (again || (again_covered && behind_covered)) ? behind : pick;
  assign grant_o   = selects ? choice & ~late : '0;
  assign sending_o = sending_q;

  always_ff @(posedge clk_i) begin
    whole_q <= whole;
    seen_q  <= (sharing | (ends ? behind & ~strict_i : '0)) & ~grant_o;
    if (sending_q == '0 || ends) sending_q <= grant_o;
    if (rst_i) {seen_q, sending_q} <= '0;
  end

  // ---- deficits ----
  for (genvar q = 0; q < QUEUES; q++) begin : gen_deficit
    logic [QUEUES-1:0] sends_before;  // in the round
    logic may_charge;
    for (genvar j = 0; j < QUEUES; j++) begin : gen_before
      assign sends_before[j] = sending_q[j] && ahead[j][q];
    end
    assign left[q] = deficit_t'(sub_borrow(wide_t'(deficit_q[q]), wide_t'(behind_i[q].last), 1'b1));
    assign fits[q] = !left[q][Sign];
    assign may_charge = selects && !any_strict && (behind & strict_i) == '0 && clear[q];
    assign charged_if[0][q] = may_charge && (sending_q[q] ? behind[q] : sharing[q] && !blocks[q]);
    assign charged_if[1][q] = may_charge && !sending_q[q] && sharing[q] && !blocks[q] && sends_before == '0;
    assign charged[q] = charged_if[behind_covered][q];
    // The length is taken off when the frame is seen for the first time.
    assign counted[q] = sending_q[q] ? behind[q] && ends : !seen_q[q];
    assign reduced[q] = (sending_q[q] || late[q]) ? left[q] : deficit_q[q] - deficit_t'(len_i[q]);
    assign raised[q] = deficit_q[q] + deficit_t'(quantum_i[q]) + (sending_q[q] ? ~deficit_t'(behind_i[q].last) : '0);
    // A queue that sends keeps its place until its frame ends.
    assign shares[q] = !strict_i[q] && (others[q] || (sending_q[q] && !(ends && !follows[q])));

    always_ff @(posedge clk_i) begin
      if (!shares[q] || rst_i) deficit_q[q] <= deficit_t'(quantum_i[q]);
      else if (charged[q]) deficit_q[q] <= raised[q];
      else if (counted[q]) deficit_q[q] <= reduced[q];
    end
  end

  // ---- the order of the round: those that do not wait are behind all that do ----
  for (genvar i = 0; i < QUEUES; i++) begin : gen_ahead
    assign ahead[i][i] = 1'b0;
    for (genvar j = i + 1; j < QUEUES; j++) begin : gen_pair
      logic before_q;  // i before j
      logic [1:0] before_if;
      always_comb begin
        for (int unsigned c = 0; c < 2; c++) begin
          before_if[c] = before_q;
          if (charged_if[c][i] != charged_if[c][j]) before_if[c] = charged_if[c][j];
          if (shares[i] != shares[j]) before_if[c] = shares[i];
          else if (!shares[i]) before_if[c] = 1'b0;
        end
      end
      always_ff @(posedge clk_i) before_q <= before_if[behind_covered] && !rst_i;
      assign ahead[i][j] = before_q;
      assign ahead[j][i] = !before_q;
    end
  end

  for (genvar q = 0; q < QUEUES; q++) begin : gen_assert
    `TM_ASSERT_IF(LenFits_A, others[q] && !late[q], len_i[q] <= LenW'(MAX_FRAME), "a frame is longer than MAX_FRAME")
    `TM_ASSERT_IF(NextFits_A, (behind[q] && ends) || late[q], behind_i[q].last < LenW'(MAX_FRAME),
                  "a frame is longer than MAX_FRAME")
    `TM_ASSERT_IF(Sends_A, sharing[q], quantum_i[q] != '0, "a quantum of 0: its queue never sends")
  end
  `TM_ASSERT(OneGrant_A, (grant_o & (grant_o - 1'b1)) == '0 && (grant_o & ~(others | (ends ? behind : '0))) == '0,
             "two queues are selected, or one that has no frame")

endmodule
