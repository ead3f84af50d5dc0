// SPDX-License-Identifier: BSD-3-Clause
// What the registers show of the pool: where its cells are and the most that were not free, whether a memory of it is
// wrong, and a port's share with the most it had; and which classes of a source must pause.
//
// Contract: what an access asks for, and `page_i`, stand one cycle before `read_i`. `data_o` shows the word in the next
// cycle, and 0 in every other and for a word that is not here. A watermark follows every cycle, one cycle late, the
// pool's two; `clear_i` restarts that of each port from what it has, and the first port's that of the pool, too.
module tm_pool_view
  import tm_pkg::*;
  import tm_control_pkg::access_t;
  import tm_arith_pkg::*;
  import tm_pool_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter int unsigned PORTS = 5,
    parameter bit          PFC   = 1'b0
) (
    input  logic                           clk_i,
    input  logic                           rst_i,
    // verilator lint_off UNUSEDSIGNAL
    input  pool_state_t                    pool_i,
    input  tm_pfc_pkg::state_t             pfc_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic               [PageW-1:0] page_i,
    input  logic               [PORTS-1:0] clear_i,   // watermarks
    // from and to the bus
    // verilator lint_off UNUSEDSIGNAL
    input  access_t                        access_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic                           read_i,
    output logic               [     31:0] data_o
);

  logic there_q, word_q, pfc_q;
  logic [3:0][31:0] words_q;
  logic [31:0] one_word_q, pfc_word_q;

  // ---- watermarks ----
  logic [NumberW:0] used_q, top_used_q;
  logic [MaxPorts-1:0][NumberW:0] top_cells_q;
  always_ff @(posedge clk_i) begin
    used_q <= pool_i.held_cells + pool_i.walking_cells;
    if (clear_i[0] || less_than(wide_t'(top_used_q), wide_t'(used_q), 1'b0, NumberW + 1)) top_used_q <= used_q;
    for (int unsigned p = 0; p < PORTS; p++) begin
      if (clear_i[p] || less_than(wide_t'(top_cells_q[p]), wide_t'(pool_i.cells[p]), 1'b0, NumberW + 1)) begin
        top_cells_q[p] <= pool_i.cells[p];
      end
    end
    for (int unsigned p = PORTS; p < MaxPorts; p++) top_cells_q[p] <= '0;
    if (rst_i) {used_q, top_used_q, top_cells_q} <= '0;
  end

  // ---- what is read ----
  always_ff @(posedge clk_i) begin
    there_q <= !access_i.window && access_i.index[7:2] == RegPoolFree[7:2];
    word_q <= !access_i.window &&
        (access_i.index inside {RegPoolCells, RegPoolRefused, RegWatermarkCells, RegPoolWatermark});
    unique case (access_i.index)
      RegPoolCells:      one_word_q <= 32'(pool_i.cells[page_i]);
      RegPoolRefused:    one_word_q <= pool_i.refused[page_i];
      RegWatermarkCells: one_word_q <= 32'(top_cells_q[page_i]);
      default:           one_word_q <= 32'(top_used_q);
    endcase
    words_q[RegPoolFree[1:0]] <= 32'(pool_i.free_cells);
    words_q[RegPoolHeld[1:0]] <= 32'(pool_i.held_cells);
    words_q[RegPoolWalking[1:0]] <= 32'(pool_i.walking_cells);
    words_q[RegPoolFaults[1:0]] <= {16'b0, pool_i.faults, 5'b0, pool_i.fault};
    pfc_q <= PFC && !access_i.window && access_i.index inside {RegPfcXoff, RegPfcOverruns};
    pfc_word_q <= pfc_i.overruns;
    if (access_i.index == RegPfcXoff)
      pfc_word_q <= {pfc_i.fault, 23'b0, (page_i < PageW'(MaxLines)) ? pfc_i.xoff[page_i[3:0]] : 8'b0};
    data_o <= '0;
    if (read_i && pfc_q) data_o <= pfc_word_q;
    if (read_i && there_q) data_o <= words_q[access_i.index[1:0]];
    if (read_i && word_q) data_o <= one_word_q;
  end

endmodule
