// SPDX-License-Identifier: BSD-3-Clause
// What the registers show of RED: averages and probabilities of the port in PAGE.
//
// Contract: `view_i` has what each unit of eight ports finds out, visit by visit. In a cycle with `read_i` the word
// `index_i` (0 to 3: averages of slot 0 and 1, probabilities of slot 0 and 1) of port `page_i` is taken; `data_o` shows
// it in the next cycle, and 0 in every other and for a port that is not there.
module tm_red_view
  import tm_pkg::*;
#(
    parameter  int unsigned PORTS = 5,
    localparam int unsigned Units = (PORTS + 7) / 8
) (
    input  logic                  clk_i,
    // from the shared units
    input  red_view_t [Units-1:0] view_i,
    // to the registers
    input  logic      [PageW-1:0] page_i,
    input  logic                  read_i,
    input  logic      [      1:0] index_i,
    output logic      [     31:0] data_o
);

  logic [Units-1:0][24:0] found;
  logic [24:0] data_q;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    tm_prim_lut_ram #(
        .WIDTH(25),
        .DEPTH(32)
    ) shown (
        .clk_i,
        .wr_en_i  (view_i[u].valid),
        .wr_addr_i({view_i[u].is_maxp, view_i[u].place}),
        .wr_data_i(view_i[u].value),
        .rd_addr_i({index_i[1], page_i[2:0], index_i[0]}),
        .rd_data_o(found[u])
    );
  end

  always_ff @(posedge clk_i) begin
    data_q <= '0;
    for (int unsigned u = 0; u < Units; u++) begin
      if (read_i && 32'(page_i[PageW-1:3]) == u && 32'(page_i) < PORTS) data_q <= found[u];
    end
  end

  assign data_o = 32'(data_q);

endmodule
