// SPDX-License-Identifier: BSD-3-Clause
// The bin of the sojourn histogram: 0 under 2^8 ns, i from 2^(7+i) to under 2^(8+i) ns, 23 from 2^30 ns up.
//
// Contract: `bin_o` follows `sojourn_i` two cycles later. The place of the highest 1 is looked up in block RAM, in two
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

  // The table of a half with so many bits of the other below it.
  function automatic found_t [2**Half-1:0] places(int unsigned below);
    places[0] = '{none: 1'b1, bin: '0};
    for (int unsigned b = 0; b < Half; b++) begin
      for (int unsigned i = 1 << b; i < 2 << b; i++) places[i] = '{none: 1'b0, bin: 5'(b + 1 + below)};
    end
  endfunction

  found_t low, high;
  logic beyond, beyond_q, unused;

  assign unused = ^{low.none, sojourn_i[7:0]};
  assign beyond = |sojourn_i[StampW-1:8+2*Half];

  tm_prim_rom #(
      .WIDTH($bits(found_t)),
      .DEPTH(2 ** Half),
      .WORDS(places(0))
  ) lows (
      .clk_i,
      .rd_en_i  (1'b1),
      .rd_addr_i(sojourn_i[8+:Half]),
      .rd_data_o(low)
  );

  tm_prim_rom #(
      .WIDTH($bits(found_t)),
      .DEPTH(2 ** Half),
      .WORDS(places(Half))
  ) highs (
      .clk_i,
      .rd_en_i  (!beyond),
      .rd_addr_i(sojourn_i[8+Half+:Half]),
      .rd_data_o(high)
  );

  always_ff @(posedge clk_i) begin
    beyond_q <= beyond;
    bin_o    <= (beyond_q ? 5'd23 : 5'd0) | high.bin | (high.none ? low.bin : 5'd0);
  end

endmodule
