// SPDX-License-Identifier: BSD-3-Clause
// Whether the ring has the rows for the whole frame that may be judged in the next cycle, and lost none of it before.
//
// Contract: `no_room_o` belongs to the frame judged in this cycle. A frame needs its rows and SpareRows - 1 more:
// what it counts is up to two rows and three cycles old.
module tm_room
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter int unsigned ROWS = 512,  // rows of the ring
    localparam int unsigned AddrW = $clog2(ROWS)
) (
    input  logic             clk_i,
    input  logic [AddrW-1:0] rows_used_i,  // of frames before the one judged in the next cycle
    input  logic [NeedW-1:0] next_need_i,  // its rows, and SpareRows - 1
    input  logic             overflow_i,   // a row of the frame judged in this cycle found no place
    output logic             no_room_o
);

  localparam int unsigned SumW = (AddrW > NeedW) ? AddrW : NeedW;
  localparam bit PowerOfTwo = (1 << AddrW) == ROWS;

  logic [AddrW-1:0] not_used, spare;
  logic too_many_q;
  assign not_used = ~rows_used_i;  // a signal of its own: in a wider sum its bits above would be ones
  assign spare    = PowerOfTwo ? not_used : AddrW'(ROWS - 1) - rows_used_i;
  always_ff @(posedge clk_i) too_many_q <= less_than(wide_t'(spare), wide_t'(next_need_i), 1'b0, SumW);
  assign no_room_o = overflow_i || too_many_q;

endmodule
