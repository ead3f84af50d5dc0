// SPDX-License-Identifier: BSD-3-Clause
// The rows of a pool, in slices whose block RAMs hold a bit or more of every row.
//
// Contract: that of tm_prim_ram, SPECULATIVE. Behind blocks that hold a part of the rows each would stand a
// multiplexer, in the longest path of a pool. A block RAM has 16,384 bits besides those for parity, which go with words
// of 8 bits alone: with up to 2,048 rows, or more than 16,384, there is one slice.
module tm_pool_rows #(
    parameter  int unsigned ROW_W = 288,                           // bits
    parameter  int unsigned ROWS  = 128,
    localparam int unsigned AddrW = (ROWS > 1) ? $clog2(ROWS) : 1
) (
    input  logic             clk_i,
    // write
    input  logic             wr_en_i,
    input  logic [AddrW-1:0] wr_addr_i,
    input  logic [ROW_W-1:0] wr_data_i,
    // read
    input  logic             rd_en_i,
    input  logic [AddrW-1:0] rd_addr_i,
    output logic [ROW_W-1:0] rd_data_o
);

  localparam int unsigned BlockBits = 16384;
  localparam int unsigned SliceW = (ROWS <= 2048 || ROWS > BlockBits) ? ROW_W : BlockBits >> AddrW;

  for (genvar low = 0; low < ROW_W; low += SliceW) begin : gen_slice
    localparam int unsigned Width = (ROW_W - low < SliceW) ? ROW_W - low : SliceW;
    tm_prim_ram #(
        .WIDTH      (Width),
        .DEPTH      (ROWS),
        .SPECULATIVE(1'b1)
    ) slice (
        .clk_i,
        .wr_en_i,
        .wr_addr_i,
        .wr_data_i(wr_data_i[low+:Width]),
        .rd_en_i,
        .rd_addr_i,
        .rd_data_o(rd_data_o[low+:Width])
    );
  end

endmodule
