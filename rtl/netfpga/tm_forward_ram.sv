// SPDX-License-Identifier: BSD-3-Clause
// A tm_prim_ram that may be read where it is written: such a read shows the new word.
//
// Contract: that of tm_prim_ram, but that a read of the address written in the same cycle is allowed.
module tm_forward_ram #(
    parameter int unsigned WIDTH = 64,  // bits
    parameter int unsigned DEPTH = 512,  // words
    localparam int unsigned AddrW = $clog2(DEPTH)
) (
    input  logic             clk_i,
    input  logic             wr_en_i,
    input  logic [AddrW-1:0] wr_addr_i,
    input  logic [WIDTH-1:0] wr_data_i,
    input  logic             rd_en_i,
    input  logic [AddrW-1:0] rd_addr_i,
    output logic [WIDTH-1:0] rd_data_o
);

  logic meet, met_q;
  logic [WIDTH-1:0] stored, written_q;

  assign meet = wr_en_i && rd_en_i && wr_addr_i == rd_addr_i;

  always_ff @(posedge clk_i) begin
    if (rd_en_i) met_q <= meet;
    if (meet) written_q <= wr_data_i;
  end

  tm_prim_ram #(
      .STYLE("auto"),
      .WIDTH(WIDTH),
      .DEPTH(DEPTH)
  ) storage (
      .clk_i,
      .wr_en_i,
      .wr_addr_i,
      .wr_data_i,
      .rd_en_i  (rd_en_i && !meet),
      .rd_addr_i,
      .rd_data_o(stored)
  );

  assign rd_data_o = met_q ? written_q : stored;

endmodule
