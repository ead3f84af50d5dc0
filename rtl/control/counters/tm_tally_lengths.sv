// SPDX-License-Identifier: BSD-3-Clause
// Lengths of events for the tallies that count them: of the event of one cycle ago, and of two.
//
// Contract: `late_len_o[0]` is `len_i` of the cycle before, `late_len_o[1]` that of the one before it. Tallies of
// events that come with the same length share one.
module tm_tally_lengths
  import tm_pkg::*;
(
    input  logic                      clk_i,
    input  logic [LenW-1:0]           len_i,
    output logic [     1:0][LenW-1:0] late_len_o
);

  always_ff @(posedge clk_i) late_len_o <= {late_len_o[0], len_i};

endmodule
