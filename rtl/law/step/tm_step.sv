// SPDX-License-Identifier: BSD-3-Clause
// The step law: a forced signal exactly when the queue holds more than K bytes at this instant (RFC 8257 section 3.1
// with the threshold in bytes and the compare strict).
module tm_step
  import tm_arith_pkg::*;
#(
    parameter int unsigned W = 15  // bits of a byte count
) (
    input  logic [W-1:0] bytes_i,
    input  logic [W-1:0] k_i,
    output logic         signal_o
);

  assign signal_o = less_than(wide_t'(k_i), wide_t'(bytes_i), 1'b0, W);

endmodule
