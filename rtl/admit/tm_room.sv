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
    input  logic [RowsW-1:0] rows_i,           // rows of the frame now judged
    input  logic             overflow_i,
    input  logic             no_descriptor_i,
    output logic             no_room_o
);

  localparam int unsigned SumW = ((AddrW > RowsW) ? AddrW : RowsW) + 1;

  logic too_many;
  assign too_many  = SumW'(rows_used_i) + SumW'(rows_i) > SumW'(ROWS - 1) + SumW'(freed_i);
  assign no_room_o = overflow_i || no_descriptor_i || too_many;

endmodule
