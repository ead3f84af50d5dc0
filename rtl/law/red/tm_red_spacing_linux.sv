// SPDX-License-Identifier: BSD-3-Clause
// How far apart a port's signals are where they are spaced as in Linux, slot by slot: the frames since the last signal,
// times what the average is above min, against a random threshold (docs/red-rules.md).
//
// Contract: `step_i` is a verdict on a frame of slot `slot_i`; `probable_o` is what a frame of each slot is told, and
// registered. `between_i` of one cycle counts for the verdicts of the next; so does `reach_i`, which is that of the
// slot of `load_i` a cycle before, until it comes again. `counted_o` is the slope times the number that Linux
// would give the next frame, and knows of the steps up to two cycles before. For some cycles after a slot has drawn
// there is no signal: what is known then may be older. While `settling_i` there is no region.
//
// Linux divides: a signal is where above * count >= word / slope, rounded down. That is where
// above * slope * count > word - slope, and needs no division.
module tm_red_spacing_linux
  import tm_red_pkg::*;
#(
    parameter int unsigned PORTS = 5  // of its unit
) (
    input  logic              clk_i,
    input  logic              step_i,
    input  logic              slot_i,
    input  logic              settling_i,
    input  logic [ 1:0]       linux_i,     // the slots that are spaced so
    input  logic [31:0]       word_i,
    // from and to the curve
    input  logic [ 1:0]       load_i,
    input  logic [23:0]       slope_i,
    input  logic [32:0]       reach_i,
    input  logic [ 1:0]       between_i,
    output logic [ 1:0][31:0] counted_o,
    // to the verdict
    output logic [ 1:0]       probable_o
);

  localparam logic [4:0] Waits = 5'(scan_round(PORTS) + ScanCount - 1);  // next to the cycle of the draw itself

  // Of the last draw the threshold, as it is compared; which slots have drawn since they were between min and max.
  logic [1:0][32:0] threshold_q;
  logic [1:0][23:0] slope_q;
  logic [1:0] in_q, counts_q, draws, load_q;
  logic [32:0] drawn;
  logic exceeds;
  logic [1:0] exceeds_q;
  assign drawn   = {1'b0, word_i} - {9'b0, slope_q[slot_i]};
  assign exceeds = threshold_q[load_q[1]][32] || reach_i > {1'b0, threshold_q[load_q[1]][31:0]};

  // A cycle after a step, what it leaves in its slot; where it draws, the slope alone.
  logic step_q, slot_q, draws_q;
  logic [32:0] counted;
  assign counted = {1'b0, counted_o[slot_q] & {32{!draws_q}}} + {9'b0, slope_q[slot_q]};
  always_ff @(posedge clk_i) begin
    load_q  <= load_i;
    step_q  <= step_i;
    slot_q  <= slot_i;
    draws_q <= draws[slot_i];
  end

  for (genvar s = 0; s < 2; s++) begin : gen_slot
    logic steps;
    logic [4:0] waits_q;
    assign steps    = step_i && slot_i == 1'(s);
    assign draws[s] = !counts_q[s] || probable_o[s];

    always_ff @(posedge clk_i) begin
      in_q[s] <= between_i[s] && !settling_i;
      if (settling_i) counts_q[s] <= 1'b0;
      else if (steps) counts_q[s] <= in_q[s];

      if (steps && draws[s]) begin
        threshold_q[s] <= drawn;
        waits_q        <= Waits;
      end else if (waits_q != '0) waits_q <= waits_q - 1'b1;

      if (load_i[s]) slope_q[s] <= slope_i;
      if (load_q[s]) exceeds_q[s] <= exceeds;
      if (step_q && slot_q == 1'(s)) counted_o[s] <= counted[31:0] | {32{counted[32]}};

      probable_o[s] <= linux_i[s] && between_i[s] && !settling_i && counts_q[s] && waits_q == '0
          && !(steps && (!in_q[s] || probable_o[s])) && (load_q[s] ? exceeds : exceeds_q[s]);
    end
  end

endmodule
