// SPDX-License-Identifier: BSD-3-Clause
// What one port has of the pool, and whether the frame that is judged next would give it more than it may have: its
// reserve and, beyond it, a number of cells or 2^n times those that nobody has (SAI: SHARED_STATIC_TH,
// SHARED_DYNAMIC_TH; docs/shared-buffer.md).
//
// Contract: `over_o` belongs to the frame judged in this cycle. Of frames before it at most one cell is not yet
// counted, that of the row on the beat bus as it was judged; what nobody has is as it was five cycles ago. A cell is
// the port's from the second cycle after it was taken until one after it is free again, a copy of a broadcast's until
// one after that port has let go of it. `reserved_o` is what is left of the reserve, from which only frames for one
// line alone take; one of them that fits into it is never over.
// A configuration is in force for the verdicts from the fifth cycle on, as it is in tm_pool_room.
module tm_pool_share
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter  int unsigned CELLS      = 64,
    parameter  int unsigned MOST_CELLS = 145,                    // of a frame
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned ManyW      = $clog2(MOST_CELLS + 1)
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    // config
    // verilator lint_off UNUSEDSIGNAL
    input  pool_share_t             share_i,
    // verilator lint_on UNUSEDSIGNAL
    // from the writer and the walker
    input  logic                    takes_i,         // its frame takes a cell
    input  logic                    returns_i,       // it lets go of the cells that its frame has
    input  logic        [ManyW-1:0] frame_cells_i,
    // verilator lint_off UNUSEDSIGNAL
    input  logic                    charges_i,       // its reserve got so many cells back in the cycle before, or paid:
    input  logic signed [  ManyW:0] refund_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic                    freed_i,         // a cell
    input  logic                    freed_alone_i,   // is its reserve's
    input  logic                    lets_go_i,       // of a copy that was not the last
    input  logic        [ManyW-1:0] let_go_cells_i,
    // from the pool
    input  logic        [  CellW:0] available_i,     // cells that nobody has, nor a reserve
    // the frame that may be judged in the next cycle
    input  logic                    own_i,           // the frame that takes cells is this one
    input  logic                    next_alone_i,
    input  logic        [ManyW-1:0] next_cells_i,
    input  logic signed [ManyW+1:0] next_more_i,     // than it has
    output logic                    over_o,
    // state
    output logic        [  CellW:0] held_o,          // without a cell taken in the cycle before
    output logic        [  CellW:0] reserved_o
);

  // A limit is up to 2^3 times all cells, and a reserve.
  localparam int unsigned LimitW = CellW + 6;
  localparam int unsigned FitsW = (ManyW > CellW + 1) ? ManyW : CellW + 1;

  logic [CellW:0] held, charged_q;  // cells; those charged to the reserve
  pool_share_t [1:0] share_q;  // of this cycle's `limit_q`, and of its `threshold`
  logic [CellW+1:0] reserved;
  // A pool is small, or a frame is.
  // verilator lint_off UNUSEDSIGNAL
  logic signed [ManyW+1:0] less_q;  // it let go of them in the cycle before, or took one
  logic signed [LimitW:0] left;
  // verilator lint_on UNUSEDSIGNAL
  logic signed [LimitW-1:0] left_q;
  logic signed [LimitW:0] over;
  logic [LimitW-2:0] threshold, threshold_q, limit_q;
  logic [3:0] on_q;
  logic freed_q, rst_q;

  // ---- what it has: what is taken, and what is let go of, is known late and counts a cycle later ----
  logic signed [ManyW+1:0] let_go, returned;
  assign held     = held_o - (CellW + 1)'(less_q);
  assign let_go   = lets_go_i ? $signed((ManyW + 2)'(let_go_cells_i)) : '0;
  assign returned = returns_i ? $signed((ManyW + 2)'(frame_cells_i)) : -$signed((ManyW + 2)'(takes_i));
  assign reserved = (CellW + 2)'((CellW + 1)'(share_i.reserve)) - (CellW + 2)'(charged_q);

  logic [CellW:0] refund;
  assign refund = charges_i ? (CellW + 1)'(refund_i) : '0;
  always_ff @(posedge clk_i) begin
    less_q     <= rst_i ? '0 : let_go + returned + (ManyW + 2)'(freed_i);
    held_o     <= rst_i ? '0 : held;
    freed_q    <= freed_i && freed_alone_i && !rst_i;
    charged_q  <= rst_i ? '0 : (CellW + 1)'(sub_borrow(wide_t'(charged_q), wide_t'(refund), freed_q));
    // A configuration is cleared in the second cycle of a reset.
    rst_q      <= rst_i;
    reserved_o <= (rst_i || rst_q || reserved[CellW+1]) ? '0 : reserved[CellW:0];
  end

  // ---- what it may have ----
  always_comb begin
    threshold = (LimitW - 1)'((CellW + 1)'(share_q[0].cells));
    if (share_q[0].dynamic) begin
      if (share_q[0].exponent < 0) threshold = (LimitW - 1)'(available_i >> -share_q[0].exponent);
      else threshold = (LimitW - 1)'(available_i) << share_q[0].exponent;
    end
  end
  always_ff @(posedge clk_i) begin
    share_q     <= {share_q[0], share_i};
    // No threshold outlasts a short reset.
    on_q        <= (rst_i || rst_q) ? '0 : {on_q[2:0], share_i.on};
    threshold_q <= threshold;
    limit_q     <= threshold_q + (LimitW - 1)'((CellW + 1)'(share_q[1].reserve));
    left_q      <= left[LimitW:1];
  end
  // What is known late is borrowed from the place below the units.
  assign left = $signed({1'b0, limit_q, 1'b0}) - $signed((LimitW + 1)'({held, takes_i}));

  // ---- and the frame ----
  assign over = $signed({left_q, 1'b0}) - $signed((LimitW + 1)'($signed({next_more_i, takes_i && !own_i})));
  logic fits;
  assign fits = next_alone_i && !less_than(wide_t'(reserved_o), wide_t'(next_cells_i), 1'b0, FitsW);
  always_ff @(posedge clk_i) over_o <= on_q[3] && over < 0 && !fits;

endmodule
