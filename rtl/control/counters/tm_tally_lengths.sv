// SPDX-License-Identifier: BSD-3-Clause
// Lengths of events for the tallies that count them: three cycles late, alone and with that of the event after it, and
// that of the one after both.
//
// Contract: `single_o` is `len_i` of three cycles ago; `double_o` is that and the low NEXT_W bits of the one of the
// cycle after it, added; `third_o` is the one of two cycles after it. Tallies of events that come with the same length
// share one.
module tm_tally_lengths
  import tm_pkg::*;
#(
    parameter int unsigned NEXT_W = LenW  // bits of the length of an event that follows another at once
) (
    input  logic            clk_i,
    input  logic [LenW-1:0] len_i,
    output logic [LenW-1:0] single_o,
    output logic [  LenW:0] double_o,
    output logic [LenW-1:0] third_o
);

  logic [LenW-1:0] len_2_q;

  always_ff @(posedge clk_i) begin
    third_o  <= len_i;
    len_2_q  <= third_o;
    single_o <= len_2_q;
    double_o <= {1'b0, len_2_q} + (LenW + 1)'(third_o[NEXT_W-1:0]);
  end

endmodule
