// SPDX-License-Identifier: BSD-3-Clause
// Chooses one of several that ask, in turn.
//
// Contract: `pick_o` has one bit set while any of `ask_i` is. With `next_i` the turn passes to the one behind it, so
// that one who asks waits for each of the others once at most.
`include "tm_assert.svh"

module tm_pool_turn #(
    parameter int unsigned PORTS = 5
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [PORTS-1:0] ask_i,
    input  logic             next_i,
    output logic [PORTS-1:0] pick_o
);

  logic [PORTS-1:0] behind_q;  // those behind the one who had the turn last
  logic [PORTS-1:0] late;

  function automatic logic [PORTS-1:0] first(input logic [PORTS-1:0] of);
    logic found = 1'b0;
    for (int unsigned p = 0; p < PORTS; p++) begin
      first[p] = of[p] && !found;
      found |= of[p];
    end
  endfunction

  function automatic logic [PORTS-1:0] behind(input logic [PORTS-1:0] pick);
    logic found = 1'b0;
    for (int unsigned p = 0; p < PORTS; p++) begin
      behind[p] = found;
      found |= pick[p];
    end
  endfunction

  assign late   = ask_i & behind_q;
  assign pick_o = late != '0 ? first(late) : first(ask_i);

  always_ff @(posedge clk_i) begin
    if (next_i && ask_i != '0) behind_q <= behind(pick_o);
    if (rst_i) behind_q <= '0;
  end

  `TM_ASSERT(OnePick_A, $onehot0(pick_o) && (pick_o != '0) == (ask_i != '0) && (pick_o & ~ask_i) == '0,
             "another than one of those who ask is picked")

endmodule
