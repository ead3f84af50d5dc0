// SPDX-License-Identifier: BSD-3-Clause
// Lets all ports read one memory in turn: a row in each cycle, and with it, or instead, the number of the next cell.
//
// Contract: that of tm_pool_port for each port. Who asks waits for one read of each other port at most.
`include "tm_assert.svh"

module tm_pool_read #(
    parameter  int unsigned PORTS     = 5,
    parameter  int unsigned ROW_W     = 288,                                     // bits
    parameter  int unsigned LAST      = 256,
    parameter  int unsigned CELLS     = 64,
    parameter  int unsigned CELL_ROWS = 2,
    parameter  int unsigned ROWS_W    = 9,
    localparam int unsigned CellW     = $clog2(CELLS),
    localparam int unsigned PlaceW    = (CELL_ROWS > 1) ? $clog2(CELL_ROWS) : 1
) (
    input  logic                          clk_i,
    input  logic                          rst_i,
    // from and to depart, port by port
    input  logic [ PORTS-1:0]             open_i,
    input  logic [ PORTS-1:0][ CellW-1:0] open_cell_i,
    input  logic [ PORTS-1:0][ROWS_W-1:0] open_rows_i,
    input  logic [ PORTS-1:0]             open_arriving_i,
    output logic [ PORTS-1:0]             open_ready_o,
    input  logic [ PORTS-1:0]             skip_i,
    output logic [ PORTS-1:0]             valid_o,
    input  logic [ PORTS-1:0]             ready_i,
    output logic [ PORTS-1:0][ ROW_W-1:0] row_o,
    // from the writer
    input  logic                          written_i,
    input  logic [ROWS_W-1:0]             rows_put_i,
    input  logic                          close_i,
    // from and to the memories
    output logic                          read_o,
    output logic                          read_next_o,
    output logic [ CellW-1:0]             read_cell_o,
    output logic [PlaceW-1:0]             read_place_o,
    input  logic [ ROW_W-1:0]             row_i,
    input  logic [ CellW-1:0]             next_i,
    // to and from the walker
    output logic [ PORTS-1:0]             release_o,
    output logic [ PORTS-1:0][ CellW-1:0] release_cell_o,
    input  logic [ PORTS-1:0]             released_i
);

  logic closed_q;
  logic [PORTS-1:0] want, issue, next;
  logic [PORTS-1:0][ CellW-1:0] cells;
  logic [PORTS-1:0][PlaceW-1:0] places;

  tm_pool_turn #(
      .PORTS(PORTS)
  ) turn (
      .clk_i,
      .rst_i,
      .ask_i (want),
      .next_i(1'b1),
      .pick_o(issue)
  );

  logic [ CellW-1:0] read_cell;
  logic [PlaceW-1:0] read_place;
  always_comb begin
    {read_cell, read_place} = '0;
    for (int unsigned p = 0; p < PORTS; p++) begin
      read_cell |= {CellW{issue[p]}} & cells[p];
      read_place |= {PlaceW{issue[p]}} & places[p];
    end
  end

  // Many block RAMs, all over the chip: their address comes from a register.
  always_ff @(posedge clk_i) begin
    closed_q                    <= close_i && !rst_i;
    read_o                      <= want != '0;
    read_next_o                 <= |(issue & next);
    {read_cell_o, read_place_o} <= {read_cell, read_place};
    if (rst_i) {read_o, read_next_o} <= '0;
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    tm_pool_port #(
        .ROW_W    (ROW_W),
        .LAST     (LAST),
        .CELLS    (CELLS),
        .CELL_ROWS(CELL_ROWS),
        .ROWS_W   (ROWS_W)
    ) reader (
        .clk_i,
        .rst_i,
        .open_i         (open_i[p]),
        .open_cell_i    (open_cell_i[p]),
        .open_rows_i    (open_rows_i[p]),
        .open_arriving_i(open_arriving_i[p]),
        .open_ready_o   (open_ready_o[p]),
        .skip_i         (skip_i[p]),
        .valid_o        (valid_o[p]),
        .ready_i        (ready_i[p]),
        .row_o          (row_o[p]),
        .written_i,
        .rows_put_i,
        .closed_i       (closed_q),
        .want_o         (want[p]),
        .next_o         (next[p]),
        .cell_o         (cells[p]),
        .place_o        (places[p]),
        .issue_i        (issue[p]),
        .read_row_i     (row_i),
        .read_next_i    (next_i),
        .release_o      (release_o[p]),
        .release_cell_o (release_cell_o[p]),
        .released_i     (released_i[p])
    );
  end

endmodule
