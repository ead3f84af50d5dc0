// SPDX-License-Identifier: BSD-3-Clause
// The time of a line in quanta: 512 bit times, the unit of IEEE 802.3 annex 31B.
//
// Contract: `elapsed_o` is how many quanta end in this cycle, 0 to 8. Over any T cycles they are `step_i` * T, to less
// than one. Another step counts from the next cycle on.
module tm_pfc_quanta
  import tm_pfc_pkg::*;
(
    input  logic             clk_i,
    input  logic             rst_i,
    // config
    input  logic [StepW-1:0] step_i,    // quanta a cycle, below the point StepFractionW bits
    // to the timers
    output logic [      3:0] elapsed_o
);

  logic [StepFractionW-1:0] fraction_q;
  logic [StepFractionW+3:0] sum;

  assign sum = (StepFractionW + 4)'(fraction_q) + (StepFractionW + 4)'(step_i);

  always_ff @(posedge clk_i) begin
    fraction_q <= sum[StepFractionW-1:0];
    elapsed_o  <= sum[StepFractionW+:4];
    if (rst_i) {fraction_q, elapsed_o} <= '0;
  end

endmodule
