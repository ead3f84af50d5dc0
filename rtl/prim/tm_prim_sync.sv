// SPDX-License-Identifier: BSD-3-Clause
// Brings one level into another clock: two flip-flops, nothing between them.
//
// Contract: `level_o` follows `level_i` after two cycles of `clk_i`. The source is a flip-flop of the other clock that
// holds each level until its effect has come back. Only tm_axil_crossing uses it
// (cocotb_tests/netfpga/test_crossings.py).
module tm_prim_sync #(
    parameter bit RESET = 1'b0  // the level while `rst_i` is set
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic level_i,
    output logic level_o
);

  // Xilinx; Intel: not merged, and known as a synchronizer.
  (* ASYNC_REG = "TRUE", preserve, altera_attribute = "-name SYNCHRONIZER_IDENTIFICATION FORCED" *)
  logic [1:0] level_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) level_q <= {2{RESET}};
    else level_q <= {level_q[0], level_i};
  end

  assign level_o = level_q[1];

endmodule
