// SPDX-License-Identifier: BSD-3-Clause
// What one port has of the pool, and whether the frame that is judged next would give it more than it may have: its
// reserve and, beyond it, a number of cells or 2^n times those that nobody has (SAI: SHARED_STATIC_TH,
// SHARED_DYNAMIC_TH; docs/shared-buffer.md).
//
// Contract: `over_o` belongs to the frame judged in this cycle. Of frames before it at most one cell is not yet
// counted, that of the row on the beat bus as it was judged; what nobody has is as it was five cycles ago. A cell is
// the port's from the second cycle after it was taken until one after it is free again, a copy of a broadcast's until
// one after that port has let go of it. `reserved_o` is what is left of the reserve.
module tm_pool_share
  import tm_pkg::*;
#(
    parameter  int unsigned CELLS      = 64,
    parameter  int unsigned MOST_CELLS = 145,                     // of a frame
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned ManyW      = $clog2(MOST_CELLS + 1),
    localparam int unsigned GoneW      = $clog2(MOST_CELLS + 2)
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    // config
    // verilator lint_off UNUSEDSIGNAL
    input  pool_share_t             share_i,
    // verilator lint_on UNUSEDSIGNAL
    // from the writer and the walker
    input  logic                    takes_i,        // its frame takes a cell
    input  logic                    returns_i,      // it lets go of the cells that its frame has
    input  logic        [ManyW-1:0] frame_cells_i,
    input  logic        [GoneW-1:0] gone_i,
    // from the pool
    input  logic        [  CellW:0] available_i,    // cells that nobody has, nor a reserve
    // the frame that may be judged in the next cycle
    input  logic                    own_i,          // the frame that takes cells is this one
    input  logic        [ManyW-1:0] next_cells_i,
    output logic                    over_o,
    // state
    output logic        [  CellW:0] held_o,         // without a cell taken in the cycle before
    output logic        [  CellW:0] reserved_o
);

  // A limit is up to 2^3 times all cells, and a reserve.
  localparam int unsigned LimitW = CellW + 6;

  logic [CellW:0] held, reserve;
  // A pool is small, or a frame is.
  // verilator lint_off UNUSEDSIGNAL
  logic signed [ManyW+1:0] more;  // cells, for the frame
  logic [GoneW:0] less_q;  // it let go of them in the cycle before
  logic signed [LimitW:0] left;
  // verilator lint_on UNUSEDSIGNAL
  logic signed [LimitW-1:0] left_q;
  logic signed [LimitW:0] over;
  logic [LimitW-2:0] threshold, threshold_q, limit_q;
  logic on_q, taken_q, rst_q;

  assign reserve = (CellW + 1)'(share_i.reserve);

  // ---- what it has: what is taken, and what is let go of, is known late and counts a cycle later ----
  assign held = held_o + (CellW + 1)'(taken_q) - (CellW + 1)'(less_q);
  always_ff @(posedge clk_i) begin
    taken_q    <= takes_i && !rst_i;
    less_q     <= rst_i ? '0 : (GoneW + 1)'(gone_i) + (returns_i ? (GoneW + 1)'(frame_cells_i) : '0);
    held_o     <= rst_i ? '0 : held;
    // A configuration is cleared in the second cycle of a reset.
    rst_q      <= rst_i;
    reserved_o <= (!rst_i && !rst_q && held_o < reserve) ? reserve - held_o : '0;
  end

  // ---- what it may have ----
  always_comb begin
    threshold = (LimitW - 1)'((CellW + 1)'(share_i.cells));
    if (share_i.dynamic) begin
      if (share_i.exponent < 0) threshold = (LimitW - 1)'(available_i >> -share_i.exponent);
      else threshold = (LimitW - 1)'(available_i) << share_i.exponent;
    end
  end
  always_ff @(posedge clk_i) begin
    on_q        <= share_i.on;
    threshold_q <= threshold;
    limit_q     <= threshold_q + (LimitW - 1)'(reserve);
    left_q      <= left[LimitW:1];
  end
  // What is known late is borrowed from the place below the units.
  assign left = $signed({1'b0, limit_q, 1'b0}) - $signed((LimitW + 1)'({held, takes_i}));

  // ---- and the frame ----
  assign more = $signed((ManyW + 2)'(next_cells_i)) - $signed((ManyW + 2)'(own_i ? frame_cells_i : '0));
  assign over = $signed({left_q, 1'b0}) - $signed((LimitW + 1)'($signed({more, takes_i && !own_i})));
  always_ff @(posedge clk_i) over_o <= on_q && over < 0;

endmodule
