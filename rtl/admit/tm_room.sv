// SPDX-License-Identifier: BSD-3-Clause
// Whether the port's storage can take the whole frame now judged: enough rows beside those of earlier frames (one row
// stays spare), a descriptor, and no row of it lost already.
module tm_room
  import tm_arith_pkg::*;
#(
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

  // Rows that the frame may have, less one if none was freed. Its first row is left out, so one carry chain does.
  logic [AddrW-1:0] not_used, spare;
  logic too_many;
  assign not_used  = ~rows_used_i;  // a signal of its own: in a wider sum its bits above would be ones
  assign spare     = PowerOfTwo ? not_used : AddrW'(ROWS - 1) - rows_used_i;
  assign too_many  = less_than(wide_t'(spare), wide_t'(more_rows_i), !freed_i, SumW);
  assign no_room_o = overflow_i || no_descriptor_i || too_many;

endmodule
