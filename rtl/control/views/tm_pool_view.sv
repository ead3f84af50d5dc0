// SPDX-License-Identifier: BSD-3-Clause
// What the registers show of the pool: where its cells are, whether a memory of it is wrong, and a port's share; and
// which classes of a source must pause.
//
// Contract: what an access asks for, and `page_i`, stand one cycle before `read_i`. `data_o` shows the word in the next
// cycle, and 0 in every other and for a word that is not here.
module tm_pool_view
  import tm_pkg::*;
  import tm_control_pkg::access_t;
  import tm_pool_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter bit PFC = 1'b0
) (
    input  logic                      clk_i,
    // verilator lint_off UNUSEDSIGNAL
    input  pool_state_t               pool_i,
    input  tm_pfc_pkg::state_t        pfc_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic               [ 3:0] page_i,
    // from and to the bus
    // verilator lint_off UNUSEDSIGNAL
    input  access_t                   access_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic                      read_i,
    output logic               [31:0] data_o
);

  logic there_q, port_q, pfc_q;
  logic [3:0][31:0] words_q;
  logic [31:0] port_word_q, pfc_word_q;

  always_ff @(posedge clk_i) begin
    there_q <= !access_i.window && access_i.index[7:2] == RegPoolFree[7:2];
    port_q <= !access_i.window && access_i.index inside {RegPoolCells, RegPoolRefused};
    port_word_q <= (access_i.index == RegPoolCells) ? 32'(pool_i.cells[page_i]) : pool_i.refused[page_i];
    words_q[RegPoolFree[1:0]] <= 32'(pool_i.free_cells);
    words_q[RegPoolHeld[1:0]] <= 32'(pool_i.held_cells);
    words_q[RegPoolWalking[1:0]] <= 32'(pool_i.walking_cells);
    words_q[RegPoolFaults[1:0]] <= {16'b0, pool_i.faults, 5'b0, pool_i.fault};
    pfc_q <= PFC && !access_i.window && access_i.index inside {RegPfcXoff, RegPfcOverruns};
    pfc_word_q <= pfc_i.overruns;
    if (access_i.index == RegPfcXoff) pfc_word_q <= {pfc_i.fault, 23'b0, pfc_i.xoff[page_i]};
    data_o <= '0;
    if (read_i && pfc_q) data_o <= pfc_word_q;
    if (read_i && there_q) data_o <= words_q[access_i.index[1:0]];
    if (read_i && port_q) data_o <= port_word_q;
  end

endmodule
