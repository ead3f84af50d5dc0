// SPDX-License-Identifier: BSD-3-Clause
// Whether the port's storage can take the whole frame now judged: enough rows beside those of earlier frames (one row
// stays spare), a descriptor, and no row of it lost already.
module tm_room #(
    parameter int unsigned ROWS = 512,  // rows of the ring
    parameter int unsigned RowsW = 10,  // width of a frame's row count
    localparam int unsigned AddrW = $clog2(ROWS)
) (
    input  logic [AddrW-1:0] rows_used_i,      // rows of earlier frames that had not been read a cycle ago
    input  logic             freed_i,          // one of them has been since
    input  logic [RowsW-1:0] more_rows_i,      // rows of the frame now judged, behind its first
    input  logic             overflow_i,
    input  logic             no_descriptor_i,
    output logic             no_room_o
);

  localparam int unsigned SumW = (AddrW > RowsW) ? AddrW : RowsW;
  localparam bit PowerOfTwo = (1 << AddrW) == ROWS;

  // Rows that the frame may have, less one if none was freed. Its first row is left out, so one carry chain does: too
  // many are missing if spare + freed - more_rows - 1 is negative.
  logic [AddrW-1:0] not_used;
  logic [ SumW-1:0] spare;
  logic [ SumW+1:0] left;
  logic too_many, unused;
  assign not_used  = ~rows_used_i;  // a signal of its own: in a wider sum its bits above would be ones
  assign spare     = PowerOfTwo ? SumW'(not_used) : SumW'(ROWS - 1) - SumW'(rows_used_i);
  assign left      = {1'b0, spare, freed_i} - {1'b0, SumW'(more_rows_i), 1'b1};
  assign too_many  = left[SumW+1];
  assign unused    = ^left[SumW:0];
  assign no_room_o = overflow_i || no_descriptor_i || too_many;

endmodule
