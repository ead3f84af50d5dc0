// SPDX-License-Identifier: BSD-3-Clause
// Enhanced transmission selection (IEEE 802.1Q clause 8.6.8.3): which queue of a line sends the next frame. Strict
// queues come first, the highest number before the others; what they leave is shared by deficit round robin.
//
// Contract:
// * A frame is selected in a cycle of `select_i`: `grant_o`, one bit or none, is its queue. A queue that has a frame
//   says so (`waiting_i`) until it is selected, with the length of the oldest (`len_i`). It shows the next one, or
//   none, from the next cycle on.
// * The choice is that of Linux's `ets`, asked in that cycle: a queue that begins to wait joins the end of the round
//   with a deficit of one quantum. The first of the round sends while its deficit covers its frame; if it does not, the
//   queue is given a quantum and moves to the end. Of queues that begin in one cycle the highest number joins first.
// * A quantum is in bytes. Of MAX_FRAME or more, a frame is selected in every cycle in which one waits. A smaller one
//   takes a cycle without a grant for each further quantum that a frame needs. 0 never sends.
`include "tm_assert.svh"

module tm_ets
  import tm_pkg::*;
#(
    parameter int unsigned QUEUES = 8,
    parameter int unsigned MAX_FRAME = DefaultBuild.max_frame,  // bytes
    parameter int unsigned QUANTUM_W = 18  // bits of a quantum
) (
    input  logic                             clk_i,
    input  logic                             rst_i,
    // from the queues
    input  logic [QUEUES-1:0]                waiting_i,
    input  logic [QUEUES-1:0][     LenW-1:0] len_i,
    // config
    input  logic [QUEUES-1:0]                strict_i,
    input  logic [QUEUES-1:0][QUANTUM_W-1:0] quantum_i,
    // to the line
    input  logic                             select_i,
    output logic [QUEUES-1:0]                grant_o
);

  // A queue is given a quantum while its deficit is less than a frame.
  localparam int unsigned DeficitW = $clog2((1 << QUANTUM_W) + (1 << LenW));

  logic [QUEUES-1:0] strict, shares, first, second, covered, whole, grant, charged;
  logic [QUEUES-1:0][DeficitW-1:0] deficit_q;
  logic [QUEUES-1:0][QUEUES-1:0] ahead;  // ahead[i][j]: i is before j in the round; of each pair, one
  logic moves;

  // ---- the first of the round, and the one behind it ----
  function automatic logic [QUEUES-1:0] foremost(input logic [QUEUES-1:0] of,
                                                 input logic [QUEUES-1:0][QUEUES-1:0] ahead_of);
    foremost = of;
    for (int unsigned i = 0; i < QUEUES; i++) begin
      for (int unsigned j = 0; j < QUEUES; j++) if (of[j] && ahead_of[j][i]) foremost[i] = 1'b0;
    end
  endfunction

  assign strict = waiting_i & strict_i;
  assign shares = waiting_i & ~strict_i;
  assign first  = foremost(shares, ahead);
  assign second = foremost(shares & ~first, ahead);

  // ---- the choice ----
  for (genvar q = 0; q < QUEUES; q++) begin : gen_queue
    assign covered[q] = DeficitW'(len_i[q]) <= deficit_q[q];
    assign whole[q] = quantum_i[q] >= QUANTUM_W'(MAX_FRAME);
    assign grant[q]   = strict != '0 ? strict[q] && (strict >> q) == QUEUES'(1)
        : (first[q] && (covered[q] || (second == '0 && whole[q]))) || (second[q] && covered[q] && moves);
    assign charged[q] = select_i && strict == '0 && first[q] && !covered[q];

    always_ff @(posedge clk_i) begin
      if (!shares[q]) deficit_q[q] <= DeficitW'(quantum_i[q]);
      else begin
        deficit_q[q] <= deficit_q[q] + (charged[q] ? DeficitW'(quantum_i[q]) : '0)
            - (select_i && grant[q] ? DeficitW'(len_i[q]) : '0);
      end
    end
  end
  assign moves   = (first & covered) == '0;
  assign grant_o = select_i ? grant : '0;

  // ---- the order of the round: those that do not wait are behind all that do ----
  for (genvar i = 0; i < QUEUES; i++) begin : gen_ahead
    assign ahead[i][i] = 1'b0;
    for (genvar j = i + 1; j < QUEUES; j++) begin : gen_pair
      logic before_q;  // i before j
      always_ff @(posedge clk_i) begin
        if (shares[i] != shares[j]) before_q <= shares[i];
        else if (!shares[i] || charged[i]) before_q <= 1'b0;
        else if (charged[j]) before_q <= 1'b1;
        if (rst_i) before_q <= 1'b0;
      end
      assign ahead[i][j] = before_q;
      assign ahead[j][i] = !before_q;
    end
  end

  for (genvar q = 0; q < QUEUES; q++) begin : gen_assert
    `TM_ASSERT_IF(LenFits_A, waiting_i[q], len_i[q] <= LenW'(MAX_FRAME), "a frame is longer than MAX_FRAME")
    `TM_ASSERT_IF(Sends_A, waiting_i[q] && !strict_i[q], quantum_i[q] != '0, "a quantum of 0: its queue never sends")
  end
  `TM_ASSERT(OneGrant_A, (grant_o & (grant_o - 1'b1)) == '0 && (grant_o & ~waiting_i) == '0,
             "two queues are selected, or one that has no frame")

endmodule
