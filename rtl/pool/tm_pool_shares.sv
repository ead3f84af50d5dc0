// SPDX-License-Identifier: BSD-3-Clause
// What each port has of the pool, and what the frame that is judged next may take there.
//
// Contract: that of tm_pool_room and, for each port, of tm_pool_share. `used_cells_i` are those held and walking: each
// has an owner, or several.
`include "tm_assert.svh"

module tm_pool_shares
  import tm_pkg::pool_share_t;
  import tm_pool_pkg::pool_moves_t;
  import tm_pool_pkg::pool_next_t;
#(
    parameter  int unsigned PORTS      = 5,
    parameter  int unsigned CELLS      = 64,
    parameter  int unsigned CELL_ROWS  = 2,
    parameter  int unsigned MOST_CELLS = 145,                       // of a frame
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned ManyW      = $clog2(MOST_CELLS + 1),
    localparam int unsigned AddrW      = $clog2(CELLS * CELL_ROWS)
) (
    input logic clk_i,
    input logic rst_i,
    // config
    input pool_share_t [PORTS-1:0] share_i,
    // from parse
    // verilator lint_off UNUSEDSIGNAL
    input pool_next_t next_frame_i,
    // verilator lint_on UNUSEDSIGNAL
    input logic begins_i,  // a first row is on the beat bus
    // from the writer and the walker
    // verilator lint_off UNUSEDSIGNAL
    input pool_moves_t moves_i,
    // verilator lint_on UNUSEDSIGNAL
    input logic [PORTS-1:0] takes_i,
    input logic [PORTS-1:0] returns_i,
    input logic [PORTS-1:0] charges_i,
    input logic signed [ManyW:0] refund_i,
    input logic [PORTS-1:0] freed_i,
    input logic freed_alone_i,
    input logic [PORTS-1:0] lets_go_i,
    input logic [ManyW-1:0] let_go_cells_i,
    // from the pool
    input logic stop_i,
    // verilator lint_off UNUSEDSIGNAL
    input logic [CellW:0] used_cells_i,
    // verilator lint_on UNUSEDSIGNAL
    // for the verdicts
    output logic [PORTS-1:0][AddrW-1:0] rows_used_o,
    output logic [PORTS-1:0] over_o,
    output logic full_o,
    // state
    output logic [PORTS-1:0][CellW:0] port_cells_o
);

  logic own;  // the frame in the writer is the one that may be judged in the next cycle
  logic [ManyW-1:0] cells, frame_cells;  // of the frame before a first row, or none
  // verilator lint_off UNUSEDSIGNAL
  logic [CellW:0] used_cells_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [CellW:0] available;
  logic [PORTS-1:0][CellW:0] reserved, headroom;
  // That frame's cells, those it does not have yet if it is in the writer, and what it asks for.
  logic signed [ManyW+1:0] next_cells, next_rest, next_more;

  assign own         = !(next_frame_i.first || begins_i);
  assign cells       = ManyW'(moves_i.back_cells);
  assign frame_cells = moves_i.begins ? '0 : cells;
  // The choice is last: one sum is all that stands behind the bus before a share's own.
  assign next_cells  = $signed((ManyW + 2)'(ManyW'(next_frame_i.cells)));
  assign next_rest   = next_cells - $signed((ManyW + 2)'(cells));
  assign next_more   = (own && !moves_i.begins) ? next_rest : next_cells;

  tm_pool_room #(
      .PORTS     (PORTS),
      .CELLS     (CELLS),
      .CELL_ROWS (CELL_ROWS),
      .MOST_CELLS(MOST_CELLS)
  ) room (
      .clk_i,
      .rst_i,
      .stop_i,
      .next_new_i   (next_frame_i.may_be_new),
      .begins_i,
      .written_new_i(moves_i.begins),
      .cells_i      (cells),
      .take_i       (moves_i.take),
      .back_i       (moves_i.back),
      .push_i       (|freed_i),
      .next_alone_i (next_frame_i.alone),
      .next_cells_i (ManyW'(next_frame_i.cells)),
      .reserved_i   (reserved),
      .headroom_i   (headroom),
      .available_o  (available),
      .full_o,
      .rows_used_o
  );

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    assign headroom[p] = (CellW + 1)'(share_i[p].headroom);
    tm_pool_share #(
        .CELLS     (CELLS),
        .MOST_CELLS(MOST_CELLS)
    ) share (
        .clk_i,
        .rst_i,
        .share_i      (share_i[p]),
        .takes_i      (takes_i[p]),
        .returns_i    (returns_i[p]),
        .frame_cells_i(frame_cells),
        .charges_i    (charges_i[p]),
        .refund_i,
        .freed_i      (freed_i[p]),
        .freed_alone_i,
        .lets_go_i    (lets_go_i[p]),
        .let_go_cells_i,
        .available_i  (available),
        .own_i        (own),
        .next_alone_i (next_frame_i.alone),
        .next_cells_i (ManyW'(next_frame_i.cells)),
        .next_more_i  (next_more),
        .over_o       (over_o[p]),
        .held_o       (port_cells_o[p]),
        .reserved_o   (reserved[p])
    );

    `TM_ASSERT_IF(ShareFits_A, !stop_i, port_cells_o[p] <= used_cells_q, "a port has cells that are free")
  end

  // What frames before the one judged next have: lockstep's model is told.
  // verilator lint_off UNUSEDSIGNAL
  logic [PORTS-1:0][CellW+1:0] had;
  logic [PORTS-1:0] taken_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] owned;
  always_comb begin
    owned = '0;
    for (int unsigned p = 0; p < PORTS; p++) begin
      owned += 32'(port_cells_o[p]) + 32'(taken_q[p]);
      had[p] = (CellW + 2)'(port_cells_o[p]) + (CellW + 2)'(taken_q[p]) + (CellW + 2)'(takes_i[p] && !own) -
          (own ? (CellW + 2)'(frame_cells) : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    taken_q      <= rst_i ? '0 : takes_i;
    used_cells_q <= used_cells_i;
  end
  `TM_ASSERT_IF(Owned_A, !stop_i, owned >= 32'(used_cells_i), "a cell is no port's")

endmodule
