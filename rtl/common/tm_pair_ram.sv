// SPDX-License-Identifier: BSD-3-Clause
// Simple dual-port RAM whose words are written in pairs and read one at a time; inferred as block RAM with a write port
// twice as wide as its read port.
//
// Contract: that of tm_ram, of a pair: a read takes one cycle and its data stay until the next read; a pair that is
// written in the cycle of its read reads as anything, and the owner does not use that (Collision_A, but with
// SPECULATIVE). `rd_second_i` chooses the word of the pair. Contents are not reset.
`include "tm_assert.svh"

module tm_pair_ram #(
    parameter int unsigned WIDTH = 80,  // bits of a word
    parameter int unsigned DEPTH = 512,  // pairs
    // Only the assertion below reads it.
    // verilator lint_off UNUSEDPARAM
    parameter bit SPECULATIVE = 1'b0,
    // verilator lint_on UNUSEDPARAM
    localparam int unsigned AddrW = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
    input  logic                        clk_i,
    // write
    input  logic                        wr_en_i,
    input  logic [AddrW-1:0]            wr_addr_i,
    input  logic [      1:0][WIDTH-1:0] wr_data_i,    // second, first
    // read
    input  logic                        rd_en_i,
    input  logic [AddrW-1:0]            rd_addr_i,
    input  logic                        rd_second_i,
    output logic [WIDTH-1:0]            rd_data_o
);

  (* ram_style = "block" *) logic [WIDTH-1:0] words[2*DEPTH];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) begin
      for (int unsigned second = 0; second < 2; second++) words[{wr_addr_i, 1'(second)}] <= wr_data_i[second];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_o <= words[{rd_addr_i, rd_second_i}];
  end

  `TM_ASSERT_STARTED(Collision_A, SPECULATIVE || !(wr_en_i && rd_en_i && wr_addr_i == rd_addr_i),
                     "a pair is read in the cycle that writes it")

endmodule
