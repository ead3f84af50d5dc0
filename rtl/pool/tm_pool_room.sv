// SPDX-License-Identifier: BSD-3-Clause
// How many rows of the pool the frame that is judged next may take.
//
// Contract: `rows_used_o` is to a verdict what tm_ring's is: what frames hold that came before the one judged in the
// next cycle, as it was a cycle ago, and with it the SpareCells that a verdict leaves free: three rows of other frames
// may be on their way to cells of their own, and the free list keeps up to three. Nothing is free with `stop_i`.
module tm_pool_room
  import tm_pkg::*;
#(
    parameter  int unsigned CELLS      = 64,
    parameter  int unsigned CELL_ROWS  = 2,
    parameter  int unsigned MOST_CELLS = 145,                       // of a frame
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned ManyW      = $clog2(MOST_CELLS + 1),
    localparam int unsigned AddrW      = $clog2(CELLS * CELL_ROWS)
) (
    input  logic             clk_i,
    input  logic             stop_i,
    // from parse
    input  logic             next_new_i,     // a frame that is judged in two cycles has not begun before this cycle
    input  logic             begins_i,       // a frame's first row is on the beat bus
    // from the writer, a cycle behind the bus
    input  logic             written_new_i,  // a frame's first row
    input  logic [ManyW-1:0] cells_i,        // of the frame before that row, or else of its own
    input  logic             back_i,         // they are free again
    input  logic [  CellW:0] free_cells_i,
    output logic [AddrW-1:0] rows_used_o
);

  // tm_room asks for SpareRows - 1 rows more than the frame's. At least one cell: the list keeps its last.
  localparam int unsigned SpareCells = (CELL_ROWS == 1) ? 1 : 6 - (SpareRows - 1) / CELL_ROWS;
  localparam int unsigned RoomW = CellW + 2;

  logic own;
  logic signed [RoomW-1:0] left;
  logic [CellW:0] room_q;  // cells

  assign own = back_i || !(next_new_i || begins_i || written_new_i);
  assign left = $signed(
      RoomW'(free_cells_i)
  ) - $signed(
      RoomW'(SpareCells)
  ) + $signed(
      own ? RoomW'(cells_i) : RoomW'(0)
  );
  always_ff @(posedge clk_i) room_q <= (stop_i || left[RoomW-1]) ? '0 : left[CellW:0];

  assign rows_used_o = AddrW'(CELLS * CELL_ROWS - 1) - AddrW'(room_q * (CellW + 1)'(CELL_ROWS));

endmodule
