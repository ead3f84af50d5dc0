// SPDX-License-Identifier: BSD-3-Clause
// A few words in the memory that LUTs are: written at the clock, read at once, at one or several places.
//
// Contract: `rd_data_o` is the word at `rd_addr_i` as it was at the start of the cycle. Contents are not reset.
module tm_prim_lut_ram #(
    parameter int unsigned WIDTH = 8,  // bits
    parameter int unsigned DEPTH = 4,  // words
    parameter int unsigned READS = 1,
    localparam int unsigned AddrW = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
    input  logic                        clk_i,
    // write
    input  logic                        wr_en_i,
    input  logic [AddrW-1:0]            wr_addr_i,
    input  logic [WIDTH-1:0]            wr_data_i,
    // read
    input  logic [READS-1:0][AddrW-1:0] rd_addr_i,
    output logic [READS-1:0][WIDTH-1:0] rd_data_o
);

  (* ram_style = "distributed", ramstyle = "MLAB, no_rw_check" *) logic [WIDTH-1:0] words[DEPTH];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) words[wr_addr_i] <= wr_data_i;
  end

  for (genvar r = 0; r < READS; r++) begin : gen_read
    assign rd_data_o[r] = words[rd_addr_i[r]];
  end

endmodule
