// SPDX-License-Identifier: BSD-3-Clause
// Where a shadow register stands among the 64 words of a configuration, and which bits it has.
//
// Contract: combinational; for the addresses of words that have a place. The place (truemark.rdl says it, config_place
// repeats it) is the word address with a few bits turned, which takes less logic than a table.
module tm_config_place
  import tm_regs_pkg::*;
#(
    parameter bit PFC     = 1'b0,
    parameter bit POOL    = 1'b0,
    parameter bit QUEUES  = 1'b0,  // lines have several
    parameter bit SHAPING = 1'b0
) (
    input  logic   [ 7:0] index_i,  // word address
    output place_t        place_o,
    output logic   [31:0] mask_o
);

  // verilator lint_off UNUSEDSIGNAL
  function automatic place_t turned(input logic [7:0] index);
    // verilator lint_on UNUSEDSIGNAL
    return {index[7] ? !index[5] : !index[4], !index[4], index[3:0]};
  endfunction

  for (genvar i = 0; i < 256; i++) begin : gen_word
    if (config_place(8'(i)) != '1 && config_place(8'(i)) != turned(8'(i))) begin : gen_elsewhere
      $error("a word stands elsewhere");
    end
  end

  assign place_o = turned(index_i);
  assign mask_o  = config_mask(place_o, PFC, POOL, QUEUES, SHAPING);

endmodule
