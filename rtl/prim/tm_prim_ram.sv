// SPDX-License-Identifier: BSD-3-Clause
// Simple dual-port RAM: one write port, one read port, one clock; inferred as block RAM or UltraRAM.
//
// Contract: a row of WORDS words is written at once, and one word is read: the low bits of `rd_addr_i` choose it, so
// that a memory with a write port wider than its read port is a multiplexer that takes no logic. A read takes one cycle
// and its data stay until the next read; with GATED they are 0 in every cycle that does not follow a read, so that
// several outputs meet in an OR: the zero comes from the synchronous reset that block RAM has on its output latch.
// With REGISTERED all that comes one cycle later, out of a register: for whoever has logic behind it.
// A row is never written and read in one cycle (Collision_A), so that no family's collision behaviour matters. With
// SPECULATIVE it may be: the owner reads before it knows whether there is a word, and sees to it that such a read is
// not used. Contents are not reset; with ZERO they are 0 at power-up, as the bitstream sets them.
`include "tm_assert.svh"

module tm_prim_ram #(
    parameter int unsigned WIDTH = 72,  // bits of a word
    parameter int unsigned DEPTH = 512,  // rows
    parameter int unsigned WORDS = 1,  // of a row; a power of two
    parameter bit GATED = 1'b0,
    parameter bit REGISTERED = 1'b0,
    parameter bit ZERO = 1'b0,
    // Only the assertion below reads it.
    // verilator lint_off UNUSEDPARAM
    parameter bit SPECULATIVE = 1'b0,
    // Only the attribute below reads it, and Verilator does not count that.
    parameter string STYLE = "block",  // "block", "ultra" or "auto"
    // verilator lint_on UNUSEDPARAM
    localparam int unsigned RowW = (DEPTH > 1) ? $clog2(DEPTH) : 1,
    localparam int unsigned WordW = $clog2(WORDS)
) (
    input  logic                             clk_i,
    // write
    input  logic                             wr_en_i,
    input  logic [      RowW-1:0]            wr_addr_i,
    input  logic [     WORDS-1:0][WIDTH-1:0] wr_data_i,
    // read
    input  logic                             rd_en_i,
    input  logic [RowW+WordW-1:0]            rd_addr_i,
    output logic [     WIDTH-1:0]            rd_data_o
);

  // Intel chooses the memory by its size. It and Yosys add no logic for collisions if told that none matters.
  (* ram_style = STYLE, ramstyle = "no_rw_check", no_rw_check *) logic [WIDTH-1:0] words[WORDS*DEPTH];

  if (ZERO) begin : gen_zero
    initial words = '{default: '0};
  end

  localparam int unsigned PlaceW = (WordW > 0) ? WordW : 1;
  always @(posedge clk_i) begin  // always_ff allows no initial
    for (int unsigned w = 0; w < WORDS; w++) begin
      if (wr_en_i) words[(RowW+WordW)'({wr_addr_i, PlaceW'(w)}>>(PlaceW-WordW))] <= wr_data_i[w];
    end
  end

  logic [WIDTH-1:0] read_q;
  always_ff @(posedge clk_i) begin
    if (rd_en_i) read_q <= words[rd_addr_i];
    else if (GATED) read_q <= '0;
  end

  if (REGISTERED) begin : gen_register
    always_ff @(posedge clk_i) rd_data_o <= read_q;
  end else begin : gen_latch
    assign rd_data_o = read_q;
  end

  `TM_ASSERT_STARTED(Collision_A, SPECULATIVE || !(wr_en_i && rd_en_i && wr_addr_i == rd_addr_i[WordW+:RowW]),
                     "a row is read in the cycle that writes it")

endmodule
