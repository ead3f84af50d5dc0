// SPDX-License-Identifier: BSD-3-Clause
// What the registers show of RED: averages and probabilities of the port in PAGE.
//
// Contract: in a cycle with `read_i` the word `index_i` (0 to 3: averages of slot 0 and 1, probabilities of slot 0 and 1) of
// port `page_i` is taken; `data_o` shows it in the next cycle, and 0 in every other and for a port that is not there.
module tm_red_view
  import tm_pkg::*;
#(
    parameter int unsigned PORTS = 5
) (
    input  logic                              clk_i,
    // from the ports
    input  logic [PORTS-1:0][1:0][BytesW-1:0] average_i,
    input  logic [PORTS-1:0][1:0][      24:0] maxp_i,
    // to the registers
    input  logic [      3:0]                  page_i,
    input  logic                              read_i,
    input  logic [      1:0]                  index_i,
    output logic [     31:0]                  data_o
);

  logic [24:0] chosen, data_q;

  always_comb begin
    chosen = '0;
    for (int unsigned p = 0; p < PORTS; p++) begin
      if (page_i == 4'(p)) chosen = index_i[1] ? maxp_i[p][index_i[0]] : 25'(average_i[p][index_i[0]]);
    end
  end

  always_ff @(posedge clk_i) data_q <= read_i ? chosen : '0;

  assign data_o = 32'(data_q);

endmodule
