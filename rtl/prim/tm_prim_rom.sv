// SPDX-License-Identifier: BSD-3-Clause
// A table in block RAM, read by one or two ports.
//
// Contract: `rd_data_o` is the word one cycle after its read, and 0 in every cycle that does not follow one.
module tm_prim_rom #(
    parameter int unsigned WIDTH = 8,  // bits
    parameter int unsigned DEPTH = 16,  // words
    parameter int unsigned PORTS = 1,
    parameter logic [DEPTH-1:0][WIDTH-1:0] WORDS = '0,
    localparam int unsigned AddrW = $clog2(DEPTH)
) (
    input  logic                        clk_i,
    input  logic [PORTS-1:0]            rd_en_i,
    input  logic [PORTS-1:0][AddrW-1:0] rd_addr_i,
    output logic [PORTS-1:0][WIDTH-1:0] rd_data_o
);

  (* rom_style = "block", romstyle = "no_rw_check" *) logic [WIDTH-1:0] words[DEPTH];

  initial begin
    for (int unsigned w = 0; w < DEPTH; w++) words[w] = WORDS[w];
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < PORTS; p++) begin
      if (rd_en_i[p]) rd_data_o[p] <= words[rd_addr_i[p]];
      else rd_data_o[p] <= '0;
    end
  end

endmodule
