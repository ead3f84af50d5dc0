// SPDX-License-Identifier: BSD-3-Clause
// Lengths of events for the tallies that count them: two cycles late, alone and with that of the event after it.
//
// Contract: `single_o` is `len_i` of two cycles ago; `double_o` is that and the one of the cycle after it, added. Tallies of
// events that come with the same length share one.
module tm_tally_lengths
  import tm_pkg::*;
(
    input  logic            clk_i,
    input  logic [LenW-1:0] len_i,
    output logic [LenW-1:0] single_o,
    output logic [  LenW:0] double_o
);

  logic [LenW-1:0] len_q;

  always_ff @(posedge clk_i) begin
    len_q    <= len_i;
    single_o <= len_q;
    double_o <= {1'b0, len_q} + {1'b0, len_i};
  end

endmodule
