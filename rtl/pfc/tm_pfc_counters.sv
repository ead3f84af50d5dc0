// SPDX-License-Identifier: BSD-3-Clause
// Counts what a port's flow control did: 32 bits for each event, which wrap.
module tm_pfc_counters
  import tm_pfc_pkg::*;
(
    input  logic                                clk_i,
    input  logic                                rst_i,
    input  events_t                             events_i,
    output logic    [$bits(events_t)-1:0][31:0] counts_o   // in the order of events_t, `storm` first
);

  for (genvar e = 0; e < $bits(events_t); e++) begin : gen_event
    always_ff @(posedge clk_i) counts_o[e] <= rst_i ? '0 : counts_o[e] + 32'(events_i[e]);
  end

endmodule
