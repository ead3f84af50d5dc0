// SPDX-License-Identifier: BSD-3-Clause
// How many rows of the pool the frame that is judged next may take at each port.
//
// Contract: `rows_used_o` is to a port's verdict what tm_ring's is: what frames hold that came before the one judged in
// the next cycle, as it was a cycle ago, and with it what is left of other ports' reserves and the SpareCells that a
// verdict leaves free: three rows of other frames may be on their way to cells of their own, and the free list keeps up
// to three. Nothing is free with `stop_i`. `available_o` are the cells that nobody has, less every reserve, headroom
// and spare. `full_o` belongs to the frame judged in this cycle: it is for several lines, and does not fit into what no
// reserve keeps.
// Reserves are as they were three cycles ago, and so are the cells that came back: one that is free again must not be
// another port's before its reserve asks for it. A cell that is taken counts at once. A frame that is judged four
// cycles after a reset began finds no reserve.
module tm_pool_room
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter  int unsigned PORTS      = 5,
    parameter  int unsigned CELLS      = 64,
    parameter  int unsigned CELL_ROWS  = 2,
    parameter  int unsigned MOST_CELLS = 145,                       // of a frame
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned ManyW      = $clog2(MOST_CELLS + 1),
    localparam int unsigned AddrW      = $clog2(CELLS * CELL_ROWS)
) (
    input  logic                        clk_i,
    input  logic                        rst_i,
    input  logic                        stop_i,
    // from parse
    input  logic                        next_new_i,     // a frame judged in two cycles has not begun before this cycle
    input  logic                        begins_i,       // a frame's first row is on the beat bus
    // from the writer, a cycle behind the bus
    input  logic                        written_new_i,  // a frame's first row
    input  logic [ManyW-1:0]            cells_i,        // of the frame before that row, or else of its own
    input  logic                        take_i,
    input  logic                        back_i,         // its cells are free again
    // from the walker
    input  logic                        push_i,
    // the frame that may be judged in the next cycle
    input  logic                        next_alone_i,
    input  logic [ManyW-1:0]            next_cells_i,
    // from the ports' shares
    input  logic [PORTS-1:0][  CellW:0] reserved_i,     // what is left of each reserve
    // config
    input  logic [PORTS-1:0][  CellW:0] headroom_i,
    // to the verdicts and the shares
    output logic [  CellW:0]            available_o,
    output logic                        full_o,
    output logic [PORTS-1:0][AddrW-1:0] rows_used_o
);

  // tm_room asks for SpareRows - 1 rows more than the frame's. At least one cell: the list keeps its last.
  localparam int unsigned SpareCells = (CELL_ROWS == 1) ? 1 : 6 - (SpareRows - 1) / CELL_ROWS;
  localparam int unsigned RoomW = CellW + 2;
  localparam int unsigned Beyond = SpareCells + (SpareRows + CELL_ROWS - 2) / CELL_ROWS;  // of a frame for several

  // ---- what is free: what came back is so as late as reserves know it ----
  logic [2:1][ManyW:0] freed_q;
  logic [ManyW-1:0] back_cells_q;
  logic back_q, push_q;
  logic [CellW:0] free_q, free, free_before_q, free_with_own_q;
  logic take_q;
  always_ff @(posedge clk_i) begin
    {back_q, back_cells_q, push_q} <= {back_i, cells_i, push_i};
    freed_q <= {freed_q[1], (back_q ? (ManyW + 1)'(back_cells_q) : '0) + (ManyW + 1)'(push_q)};
    take_q <= take_i && !rst_i;
    free_q <= free_q + (CellW + 1)'(freed_q[2]) - (CellW + 1)'(take_i);
    free_before_q <= free_q;
    free_with_own_q <= free_q + (written_new_i ? '0 : (CellW + 1)'(cells_i));
    if (rst_i) begin
      {back_q, push_q, freed_q} <= '0;
      free_q                    <= (CellW + 1)'(CELLS);
    end
  end

  // ---- what is kept for others, and for all ----
  logic [PORTS-1:0][CellW:0] reserved_q;
  logic [CellW:0] sum, sum_q, headroom, headroom_q;  // headroom, with the spare cells
  logic [RoomW-1:0] kept_q, kept_for_all_q;
  logic [PORTS-1:0][RoomW-1:0] kept_for_others_q;
  always_comb begin
    sum = '0;
    headroom = (CellW + 1)'(SpareCells);
    for (int unsigned p = 0; p < PORTS; p++) begin
      sum += reserved_i[p];
      headroom += headroom_i[p];
    end
  end
  always_ff @(posedge clk_i) begin
    {sum_q, reserved_q} <= rst_i ? '0 : {sum, reserved_i};
    headroom_q <= headroom;
    kept_q <= RoomW'(sum_q) + RoomW'(headroom_q);
    kept_for_all_q <= RoomW'(sum_q) + RoomW'(Beyond);
    for (int unsigned p = 0; p < PORTS; p++) begin
      kept_for_others_q[p] <= RoomW'(sum_q) - RoomW'(reserved_q[p]) + RoomW'(SpareCells);
    end
  end

  logic signed [RoomW-1:0] available;
  assign available = $signed(RoomW'(free_q)) - $signed(kept_q);
  always_ff @(posedge clk_i) available_o <= available[RoomW-1] ? '0 : available[CellW:0];

  // ---- what a port may take ----
  logic own;
  assign own  = !(next_new_i || begins_i || written_new_i);
  assign free = own ? free_with_own_q : free_before_q;

  // A cell that another frame took in the cycle before.
  logic taken;
  assign taken = take_q && !own;

  logic signed [RoomW-1:0] left_for_all_q;
  always_ff @(posedge clk_i) begin
    left_for_all_q <= RoomW'(sub_borrow(wide_t'(free), wide_t'(kept_for_all_q), taken));
    full_o <= !next_alone_i && left_for_all_q < $signed(RoomW'(next_cells_i));
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic signed [RoomW-1:0] left;
    logic [CellW:0] room_q;  // cells
    assign left = RoomW'(sub_borrow(wide_t'(free), wide_t'(kept_for_others_q[p]), taken));
    always_ff @(posedge clk_i) room_q <= (stop_i || left[RoomW-1]) ? '0 : left[CellW:0];
    assign rows_used_o[p] = AddrW'(CELLS * CELL_ROWS - 1) - AddrW'((AddrW + 1)'(room_q) * (AddrW + 1)'(CELL_ROWS));
  end

endmodule
