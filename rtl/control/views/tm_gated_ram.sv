// SPDX-License-Identifier: BSD-3-Clause
// Simple dual-port RAM of which the output is 0 in every cycle that does not follow a read.
//
// Contract: a read takes one cycle. Outputs of several such RAMs are combined by OR, without a multiplexer: the zero
// comes from the synchronous reset that block RAM has on its output latch. The same address is never written and read
// in one cycle (Collision_A). Contents are not reset; with ZERO they are 0 at power-up, as the bitstream sets them.
`include "tm_assert.svh"

module tm_gated_ram #(
    parameter int unsigned WIDTH = 36,  // bits
    parameter int unsigned DEPTH = 512,  // words
    parameter bit ZERO = 1'b0,
    localparam int unsigned AddrW = $clog2(DEPTH)
) (
    input  logic             clk_i,
    // write
    input  logic             wr_en_i,
    input  logic [AddrW-1:0] wr_addr_i,
    input  logic [WIDTH-1:0] wr_data_i,
    // read
    input  logic             rd_en_i,
    input  logic [AddrW-1:0] rd_addr_i,
    output logic [WIDTH-1:0] rd_data_o
);

  (* ram_style = "block" *) logic [WIDTH-1:0] words[DEPTH];

  if (ZERO) begin : gen_zero
    initial words = '{default: '0};
  end

  always_ff @(posedge clk_i) begin
    if (wr_en_i) words[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_o <= words[rd_addr_i];
    else rd_data_o <= '0;
  end

  `TM_ASSERT_STARTED(Collision_A, !(wr_en_i && rd_en_i && wr_addr_i == rd_addr_i),
                     "a word is read in the cycle that writes it")

endmodule
