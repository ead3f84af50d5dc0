// SPDX-License-Identifier: BSD-3-Clause
// The bin of the sojourn histogram: 0 under 2^8 ns, i from 2^(7+i) to under 2^(8+i) ns, 23 from 2^30 ns up.
module tm_sojourn_bin
  import tm_pkg::*;
(
    input  logic [StampW-1:0] sojourn_i,  // ns
    output logic [       4:0] bin_o
);

  always_comb begin
    bin_o = '0;
    for (int unsigned i = 8; i < 30; i++) if (sojourn_i[i]) bin_o = 5'(i - 7);
    if (|sojourn_i[StampW-1:30]) bin_o = 5'd23;
  end

endmodule
