// SPDX-License-Identifier: BSD-3-Clause
// What registers show: words that are written side by side in every cycle and read one at a time.
//
// Contract: in every cycle all words go into `wr_entry_i`. A read takes one cycle, and the output is 0 in every cycle
// that does not follow one, so that several outputs meet in an OR. The entry that is written is not read (Apart_A). A
// block RAM whose write port is wider than its read port is a multiplexer that takes no logic; a word is as old as its
// entry.
`include "tm_assert.svh"

module tm_view_ram #(
    parameter int unsigned WORDS = 8,  // a power of two
    localparam int unsigned EntryW = 2,  // four entries
    localparam int unsigned WordW = $clog2(WORDS)
) (
    input  logic                    clk_i,
    // write
    input  logic [EntryW-1:0]       wr_entry_i,
    input  logic [ WORDS-1:0][31:0] wr_data_i,
    // read
    input  logic                    rd_en_i,
    input  logic [EntryW-1:0]       rd_entry_i,
    input  logic [ WordW-1:0]       rd_word_i,
    output logic [      31:0]       rd_data_o
);

  (* ram_style = "block" *) logic [31:0] words[WORDS << EntryW];

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < WORDS; w++) words[{wr_entry_i, WordW'(w)}] <= wr_data_i[w];
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_o <= words[{rd_entry_i, rd_word_i}];
    else rd_data_o <= '0;
  end

  `TM_ASSERT_STARTED(Apart_A, !(rd_en_i && rd_entry_i == wr_entry_i), "the entry that is written is read")

endmodule
