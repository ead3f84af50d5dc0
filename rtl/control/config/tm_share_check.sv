// SPDX-License-Identifier: BSD-3-Clause
// Checks what a port may have of the pool, and as a source when it must pause (tm_pfc_check), and keeps both; and that
// no law drops what pauses (tm_lossless_check).
//
// Contract: `check_i` shows the words of PFC (tm_pfc_check), then POOL_RESERVE and POOL_THRESHOLD, with their places;
// `place_i` and `word_i` may be other words'. In the next cycle `fault_o` says what is at fault. Of `in_force_i` the
// other ports' count; it and `port_i` stand from two cycles before the first word on, and `drops_i`, of the
// configuration that is checked, as for tm_lossless_check. Without a pool there is no share, and without PFC no class
// pauses.
module tm_share_check
  import tm_pkg::*;
  import tm_control_pkg::*;
  import tm_pool_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input  logic                                    clk_i,
    input  logic        [$clog2(BUILD.ports+1)-1:0] port_i,
    input  in_force_t   [          BUILD.ports-1:0] in_force_i,
    input  logic                                    drops_i,
    input  logic                                    check_i,
    input  place_t                                  place_i,
    input  logic        [                     31:0] word_i,
    output fault_e                                  fault_o,
    output pool_share_t                             share_o,
    output pfc_t                                    pfc_o
);

  localparam int unsigned Cells = cells(BUILD);

  // verilator lint_off UNUSEDSIGNAL
  pool_threshold_reg_t threshold;
  // verilator lint_on UNUSEDSIGNAL
  logic signed [3:0] exponent;
  pool_share_t share_q;
  place_t place_q;
  fault_e pfc_found;
  logic too_much_q, headroom_too_much_q, wrong_q, dropped;
  logic [CellsW+3:0] headroom;
  logic [BUILD.ports-1:0][CellsW-1:0] kept_q;  // of the other ports
  logic [CellsW+3:0] others, others_q;

  always_comb begin
    others = '0;
    for (int unsigned p = 0; p < BUILD.ports; p++) others += (CellsW + 4)'(kept_q[p]);
  end

  assign threshold = word_i[$bits(threshold)-1:0];
  assign exponent  = threshold.exponent;

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < BUILD.ports; p++) kept_q[p] <= (32'(port_i) == p) ? '0 : in_force_i[p].kept;
    others_q <= others;
    place_q <= place_i;
    // A frame that is stored whole before it is judged takes what a reserve would keep.
    too_much_q <= BUILD.store_and_forward ? word_i[CellsW-1:0] != '0 :
        32'(word_i[CellsW-1:0]) + 32'(others_q) > Cells - UnreservedCells;
    headroom_too_much_q <= 32'(word_i[CellsW-1:0]) + 32'(others_q) + 32'(headroom) > Cells - UnreservedCells;
    wrong_q <= !is_threshold(BUILD, threshold.dynamic, exponent, threshold.cells);
    share_q.headroom <= headroom[CellsW-1:0];
    if (check_i && place_i == PlacePoolReserve) share_q.reserve <= word_i[CellsW-1:0];
    if (check_i && place_i == PlacePoolThreshold) begin
      share_q.on       <= threshold.dynamic || threshold.cells != '0;
      share_q.dynamic  <= threshold.dynamic;
      share_q.exponent <= exponent;
      share_q.cells    <= threshold.cells;
    end
  end

  always_comb begin
    fault_o = FaultNone;
    unique case (place_q)
      PlacePoolReserve:   fault_o = too_much_q ? FaultPoolReserve : headroom_too_much_q ? FaultPfcHeadroom : FaultNone;
      PlacePoolThreshold: if (wrong_q) fault_o = FaultPoolThreshold;
      LastPlace:          if (dropped) fault_o = FaultPfcLossless;
      default:            fault_o = pfc_found;
    endcase
    if (!BUILD.pool) fault_o = FaultNone;
  end

  if (BUILD.pfc) begin : gen_pfc
    tm_pfc_check #(
        .BUILD(BUILD)
    ) pfc_check (
        .clk_i,
        .first_i(port_i == '0),
        .check_i,
        .place_i,
        .word_i,
        .fault_o(pfc_found),
        .kept_o (headroom),
        .pfc_o
    );

    tm_lossless_check #(
        .BUILD(BUILD)
    ) lossless_check (
        .clk_i,
        .port_i,
        .in_force_i,
        .lossless_i(pfc_o.lossless),
        .drops_i,
        .check_i,
        .place_i,
        .word_i,
        .dropped_o (dropped)
    );
  end else begin : gen_no_pfc
    logic unused;
    assign unused            = &{in_force_i, drops_i};
    assign pfc_found         = FaultNone;
    assign dropped           = 1'b0;
    assign {headroom, pfc_o} = '0;
  end

  assign share_o = BUILD.pool ? share_q : '0;

endmodule
