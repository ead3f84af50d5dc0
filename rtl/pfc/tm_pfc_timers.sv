// SPDX-License-Identifier: BSD-3-Clause
// How long each class may not send: eight timers, set by the frames that were received.
//
// Contract: from the cycle after `pause_valid_i` a class that the frame enables is paused for its quanta, whatever was
// left of an earlier pause; with 0 it may send at once. A pause is never shorter than its quanta, and less than a
// quantum and two cycles longer: the quantum in which it begins does not count.
module tm_pfc_timers
  import tm_pfc_pkg::*;
(
    input  logic                 clk_i,
    input  logic                 rst_i,
    // from the receiver
    input  logic                 pause_valid_i,
    input  pause_t               pause_i,
    // from tm_pfc_quanta
    input  logic   [        3:0] elapsed_i,
    // to the queues
    output logic   [Classes-1:0] paused_o
);

  for (genvar c = 0; c < Classes; c++) begin : gen_class
    logic [QuantaW:0] left_q;  // quanta that must end before the class may send
    logic longer;

    assign longer = left_q > (QuantaW + 1)'(elapsed_i);

    always_ff @(posedge clk_i) begin
      left_q      <= longer ? left_q - (QuantaW + 1)'(elapsed_i) : '0;
      paused_o[c] <= longer;
      if (pause_valid_i && pause_i.enable[c]) begin
        left_q      <= pause_i.quanta[c] == '0 ? '0 : (QuantaW + 1)'(pause_i.quanta[c]) + 1'b1;
        paused_o[c] <= pause_i.quanta[c] != '0;
      end
      if (rst_i) {left_q, paused_o[c]} <= '0;
    end
  end

endmodule
