// SPDX-License-Identifier: BSD-3-Clause
// Checks when classes of a source must pause, and keeps it, with what pauses a queue.
//
// Contract: `check_i` shows PFC_CLASSES, PFC_THRESHOLD and PFC_XON in this order with their places; `place_i` and
// `word_i` may be other words'. In the next cycle `fault_o` says what is at fault. `first_i`, for port 0, stands from
// the cycle before the first word on. `kept_o` is the headroom of all lossless classes of the source, from three cycles
// after PFC_CLASSES on.
module tm_pfc_check
  import tm_pkg::*;
  import tm_pool_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input  logic                clk_i,
    input  logic                first_i,
    input  logic                check_i,
    input  place_t              place_i,
    input  logic   [      31:0] word_i,
    output fault_e              fault_o,
    output logic   [CellsW+3:0] kept_o,
    output pfc_t                pfc_o
);

  // Gaps are not looked at.
  // verilator lint_off UNUSEDSIGNAL
  pfc_classes_reg_t of_classes;
  pfc_threshold_reg_t threshold;
  pfc_xon_reg_t xon;
  // verilator lint_on UNUSEDSIGNAL
  logic signed [3:0] exponent;
  logic [3:0] classes, classes_q;
  logic [CellsW+3:0] kept_q;
  pfc_t pfc_q;
  place_t place_q;
  logic wrong_q, above_q, elsewhere_q;

  assign of_classes = word_i[$bits(of_classes)-1:0];
  assign threshold  = word_i[$bits(threshold)-1:0];
  assign xon        = word_i[$bits(xon)-1:0];
  assign exponent   = threshold.xoff_exponent;

  always_comb begin
    classes = '0;
    for (int unsigned c = 0; c < 8; c++) classes += 4'(pfc_q.lossless[c]);
  end

  always_ff @(posedge clk_i) begin
    place_q     <= place_i;
    elsewhere_q <= !first_i && word_i != '0;
    above_q     <= !pfc_q.dynamic_limit && CellsW'(xon.xon_cells) > pfc_q.limit;
    wrong_q     <= !is_threshold(BUILD, threshold.xoff_dynamic, exponent, threshold.xoff_cells);

    if (check_i && place_i == PlacePfcClasses) begin
      pfc_q.lossless  <= of_classes.lossless;
      pfc_q.paused_by <= of_classes.paused_by;
      pfc_q.headroom  <= CellsW'(of_classes.headroom);
    end
    classes_q <= classes;
    kept_q    <= (CellsW + 4)'(pfc_q.headroom) * (CellsW + 4)'(classes_q);

    if (check_i && place_i == PlacePfcThreshold) begin
      pfc_q.dynamic_limit <= threshold.xoff_dynamic;
      pfc_q.alpha         <= exponent;
      pfc_q.limit         <= threshold.xoff_cells;
    end
    if (check_i && place_i == PlacePfcXon) begin
      pfc_q.xon        <= CellsW'(xon.xon_cells);
      pfc_q.xon_offset <= CellsW'(xon.xon_offset);
    end
  end

  always_comb begin
    fault_o = FaultNone;
    unique case (place_q)
      PlacePfcThreshold: if (wrong_q || elsewhere_q) fault_o = FaultPfcThreshold;
      PlacePfcXon:       if (above_q || elsewhere_q) fault_o = FaultPfcXon;
      default:           ;
    endcase
  end

  assign {kept_o, pfc_o} = {kept_q, pfc_q};

endmodule
