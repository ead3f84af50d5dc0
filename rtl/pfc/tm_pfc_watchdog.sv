// SPDX-License-Identifier: BSD-3-Clause
// Finds pauses that do not end, which would hold memory for ever: storms, in SONiC's words, with its times.
//
// Contract: a class that is paused without a gap for more than `detection_i` units is in a storm (`storm_o`): what
// waits for it, and what comes, is to be dropped (tm_pfc_discard). It has ended when the class was not paused for more
// than `restoration_i` units without a gap. Both are noticed within a unit. A unit is 2^UNIT_W cycles. A detection time
// of 0 finds no storm, and ends those that there are.
module tm_pfc_watchdog
  import tm_pfc_pkg::*;
#(
    parameter int unsigned UNIT_W = 16
) (
    input  logic               clk_i,
    input  logic               rst_i,
    // config
    input  logic [ UnitsW-1:0] detection_i,
    input  logic [ UnitsW-1:0] restoration_i,
    // from the timers
    input  logic [Classes-1:0] paused_i,
    // to the queues
    output logic [Classes-1:0] storm_o,
    // events
    output logic               began_o
);

  logic [UNIT_W-1:0] cycle_q;
  logic unit;
  logic [Classes-1:0] begins;

  assign unit = cycle_q == '1;

  for (genvar c = 0; c < Classes; c++) begin : gen_class
    logic [UnitsW-1:0] units_q;  // in which the class was what would begin or end a storm
    logic turns;

    assign turns     = paused_i[c] != storm_o[c];
    assign begins[c] = turns && unit && !storm_o[c] && units_q >= detection_i && detection_i != '0;

    always_ff @(posedge clk_i) begin
      if (!turns) units_q <= '0;
      else if (unit) begin
        units_q <= units_q + UnitsW'(units_q != '1);
        if (begins[c] || (storm_o[c] && units_q >= restoration_i)) begin
          storm_o[c] <= !storm_o[c];
          units_q    <= '0;
        end
      end
      if (rst_i || detection_i == '0) storm_o[c] <= 1'b0;
      if (rst_i) units_q <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    cycle_q <= cycle_q + 1'b1;
    began_o <= begins != '0;
    if (rst_i) {cycle_q, began_o} <= '0;
  end

endmodule
