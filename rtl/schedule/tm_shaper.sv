// SPDX-License-Identifier: BSD-3-Clause
// A token bucket, which shapes a line or one of its queues: whether it may send its next frame now.
//
// Contract:
// * Each cycle adds `shape_i.rate` to the credit, which stays at `shape_i.burst` or below. A frame takes its length
//   from the credit, in the cycle of `charge_i`, and is only sent while the credit is not negative (`open_o`); it may
//   make it so. `next_open_o` is `open_o` of the next cycle.
// * So in any T cycles no more is charged than rate * T, a burst and one frame. A bucket is shut for no longer than the
//   rate takes for what its last frame was beyond the credit.
// * Without `shape_i.on` the bucket is open, and begins full with it. Another rate or burst counts from the next cycle.
`include "tm_assert.svh"

module tm_shaper
  import tm_pkg::*;
#(
    parameter int unsigned MAX_FRAME = DefaultBuild.max_frame  // bytes
) (
    input  logic              clk_i,
    input  logic              rst_i,
    // config
    input  shape_t            shape_i,
    // what is sent
    input  logic              charge_i,
    input  logic   [LenW-1:0] len_i,
    // whether more may be
    output logic              open_o,
    output logic              next_open_o
);

  localparam int unsigned CreditW = BurstW + RateFractionW + 2;  // with sign, and with what a cycle adds to a burst
  typedef logic signed [CreditW-1:0] credit_t;

  localparam credit_t Most = credit_t'({{BurstW{1'b1}}, RateFractionW'(0)});

  credit_t credit_q, sum, full, credit;

  assign full        = credit_t'({shape_i.burst, RateFractionW'(0)});
  assign sum         = credit_q + credit_t'(shape_i.rate);
  assign credit      = (sum > full ? full : sum) - (charge_i ? credit_t'({len_i, RateFractionW'(0)}) : '0);
  assign open_o      = !shape_i.on || credit_q >= 0;
  assign next_open_o = !shape_i.on || credit >= 0;

  always_ff @(posedge clk_i) begin
    credit_q <= shape_i.on && !rst_i ? credit : Most;
  end

  `TM_ASSERT_IF(Open_A, charge_i, open_o, "a frame is sent without credit")
  `TM_ASSERT_IF(LenFits_A, charge_i, len_i <= LenW'(MAX_FRAME), "a frame is longer than MAX_FRAME")

endmodule
