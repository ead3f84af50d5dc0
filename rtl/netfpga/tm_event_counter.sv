// SPDX-License-Identifier: BSD-3-Clause
// A counter that a read clears and that loses nothing: NetFPGA's 31 bits and a sticky overflow bit above them.
//
// Contract: `add_i` is added in each cycle, also in one with `clear_i`, where the count restarts from it. `count_o[31]`
// is set when bits 30:0 have wrapped since the last clear.
module tm_event_counter #(
    parameter int unsigned ADD_W = 1  // bits
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [ADD_W-1:0] add_i,
    input  logic             clear_i,
    output logic [     31:0] count_o
);

  logic [30:0] count_q;
  logic [31:0] sum;
  logic overflow_q;

  assign sum = 32'(clear_i ? 31'd0 : count_q) + 32'(add_i);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q    <= '0;
      overflow_q <= 1'b0;
    end else begin
      count_q    <= sum[30:0];
      overflow_q <= sum[31] || (overflow_q && !clear_i);
    end
  end

  assign count_o = {overflow_q, count_q};

endmodule
