// SPDX-License-Identifier: BSD-3-Clause
// The bin of the sojourn histogram: 0 under 2^8 ns, i from 2^(7+i) to under 2^(8+i) ns, 23 from 2^30 ns up.
//
// Contract: `bin_o` follows `sojourn_i` one cycle later. The place of the highest 1 is looked up in block RAM, in two
// halves of 11 bits: that takes a third of the logic of finding it.
module tm_sojourn_bin
  import tm_pkg::*;
(
    input  logic              clk_i,
    input  logic [StampW-1:0] sojourn_i,  // ns
    output logic [       4:0] bin_o
);

  localparam int unsigned Half = 11;

  typedef struct packed {
    logic       none;  // no 1 in this half
    logic [4:0] bin;
  } found_t;

  (* rom_style = "block" *)found_t lows [2**Half];
  (* rom_style = "block" *)found_t highs[2**Half];
  found_t low_q, high_q;
  logic beyond, beyond_q, unused;

  initial begin
    for (int unsigned i = 0; i < 2 ** Half; i++) begin
      lows[i]  = '{none: i == 0, bin: 5'($clog2(i + 1))};
      highs[i] = '{none: i == 0, bin: i == 0 ? 5'd0 : 5'($clog2(i + 1) + Half)};
    end
  end

  assign unused = ^{low_q.none, sojourn_i[7:0]};
  assign beyond = |sojourn_i[StampW-1:8+2*Half];

  always_ff @(posedge clk_i) begin
    beyond_q <= beyond;
    low_q    <= lows[sojourn_i[8+:Half]];
    if (beyond) high_q <= '0;
    else high_q <= highs[sojourn_i[8+Half+:Half]];
  end

  assign bin_o = (beyond_q ? 5'd23 : 5'd0) | high_q.bin | (high_q.none ? low_q.bin : 5'd0);

endmodule
