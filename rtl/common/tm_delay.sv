// SPDX-License-Identifier: BSD-3-Clause
// Bits that come some cycles late.
//
// Contract: `data_o` is `data_i` CYCLES cycles later; with 0 it is the same wire. A reset takes the bits of CLEARED
// that are on their way.
module tm_delay #(
    parameter int unsigned WIDTH = 1,
    parameter int unsigned CYCLES = 1,
    parameter logic [WIDTH-1:0] CLEARED = '0
) (
    // Without a cycle nothing looks at these.
    // verilator lint_off UNUSEDSIGNAL
    input  logic             clk_i,
    input  logic             rst_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic [WIDTH-1:0] data_i,
    output logic [WIDTH-1:0] data_o
);

  if (CYCLES == 0) begin : gen_wire
    assign data_o = data_i;
  end else begin : gen_registers
    logic [CYCLES-1:0][WIDTH-1:0] late_q;
    always_ff @(posedge clk_i) begin
      late_q <= (CYCLES * WIDTH)'({late_q, data_i}) & ~(rst_i ? {CYCLES{CLEARED}} : '0);
    end
    assign data_o = late_q[CYCLES-1];
  end

endmodule
