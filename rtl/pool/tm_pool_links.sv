// SPDX-License-Identifier: BSD-3-Clause
// Which cell comes behind one: kept once for the readers, and once for the walker, who read at the same time.
//
// Contract: `next_o` comes one cycle after its read, `walk_next_o` two after each cycle's `walk_cell_i`; with them
// whether their parity is wrong. A cell may be read in the cycle that links it, by who does not use what comes.
module tm_pool_links #(
    parameter  int unsigned CELLS = 64,
    localparam int unsigned CellW = $clog2(CELLS)
) (
    input  logic             clk_i,
    // from the writer: behind link_cell_i comes next_cell_i
    input  logic             link_i,
    input  logic [CellW-1:0] link_cell_i,
    input  logic [CellW-1:0] next_cell_i,
    // from and to the readers
    input  logic             read_i,
    input  logic [CellW-1:0] read_cell_i,
    output logic [CellW-1:0] next_o,
    output logic             next_bad_o,
    // from and to the walker
    input  logic [CellW-1:0] walk_cell_i,
    output logic [CellW-1:0] walk_next_o,
    output logic             walk_bad_o
);

  logic next_parity, walk_parity;

  tm_prim_ram #(
      .WIDTH(CellW + 1),
      .DEPTH(CELLS),
      .SPECULATIVE(1'b1)
  ) of_readers (
      .clk_i,
      .wr_en_i  (link_i),
      .wr_addr_i(link_cell_i),
      .wr_data_i({^next_cell_i, next_cell_i}),
      .rd_en_i  (read_i),
      .rd_addr_i(read_cell_i),
      .rd_data_o({next_parity, next_o})
  );

  tm_prim_ram #(
      .WIDTH(CellW + 1),
      .DEPTH(CELLS),
      .REGISTERED(1'b1),
      .SPECULATIVE(1'b1)
  ) of_walker (
      .clk_i,
      .wr_en_i  (link_i),
      .wr_addr_i(link_cell_i),
      .wr_data_i({^next_cell_i, next_cell_i}),
      .rd_en_i  (1'b1),
      .rd_addr_i(walk_cell_i),
      .rd_data_o({walk_parity, walk_next_o})
  );

  assign next_bad_o = next_parity != ^next_o;
  assign walk_bad_o = walk_parity != ^walk_next_o;

endmodule
