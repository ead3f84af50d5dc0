// SPDX-License-Identifier: BSD-3-Clause
// Simple dual-port RAM: one write port, one read port, one clock; inferred as block RAM or UltraRAM.
//
// Contract: a read takes one cycle and its data stay until the next read. The same address is never written and
// read in one cycle (Collision_A), so that no family's collision behaviour matters. With SPECULATIVE it may be: the
// owner reads before it knows whether there is a word, and sees to it that such a read is not used. Contents are not
// reset.
`include "tm_assert.svh"

module tm_ram #(
    parameter int unsigned WIDTH = 72,  // bits
    parameter int unsigned DEPTH = 512,  // words
    // Only the assertion below reads it.
    // verilator lint_off UNUSEDPARAM
    parameter bit SPECULATIVE = 1'b0,
    // verilator lint_on UNUSEDPARAM
    // Only the attribute below reads it, and Verilator does not count that.
    // verilator lint_off UNUSEDPARAM
    parameter STYLE = "auto",  // ram_style: "block", "ultra", "distributed" or "auto"
    // verilator lint_on UNUSEDPARAM
    localparam int unsigned AddrW = (DEPTH > 1) ? $clog2(DEPTH) : 1
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

  (* ram_style = STYLE *) logic [WIDTH-1:0] words[DEPTH];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) words[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_o <= words[rd_addr_i];
  end

  `TM_ASSERT_STARTED(Collision_A, SPECULATIVE || !(wr_en_i && rd_en_i && wr_addr_i == rd_addr_i),
                     "a word is read in the cycle that writes it")

endmodule
