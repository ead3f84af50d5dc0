// SPDX-License-Identifier: BSD-3-Clause
// The bin of the sojourn histogram: 0 under 2^8 ns, i from 2^(7+i) to under 2^(8+i) ns, 23 from 2^30 ns up.
//
// Contract: `bin_o` follows `sojourn_i` two cycles later. The place of the highest 1 is looked up in block RAM, in two
// halves of 11 bits: that takes a third of the logic of finding it. Both read one table, each with a port of its own.
module tm_sojourn_bin
  import tm_pkg::*;
(
    input  logic              clk_i,
    input  logic [StampW-1:0] sojourn_i,  // ns
    output logic [       4:0] bin_o
);

  localparam int unsigned Half = 11;

  // The bin if these bits are the lower half, and if they are the upper one; 0 if there is no 1 among them. Together as
  // wide as a word of the deepest block RAM.
  typedef struct packed {
    logic [4:0] upper;
    logic [3:0] lower;
  } found_t;

  function automatic found_t [2**Half-1:0] places();
    places[0] = '0;
    for (int unsigned b = 0; b < Half; b++) begin
      for (int unsigned i = 1 << b; i < 2 << b; i++) places[i] = '{upper: 5'(b + 1 + Half), lower: 4'(b + 1)};
    end
  endfunction

  found_t low, high;
  logic beyond, beyond_q, unused;

  assign unused = ^{low.upper, high.lower, sojourn_i[7:0]};
  assign beyond = |sojourn_i[StampW-1:8+2*Half];

  tm_prim_rom #(
      .WIDTH($bits(found_t)),
      .DEPTH(2 ** Half),
      .PORTS(2),
      .WORDS(places())
  ) table_of_places (
      .clk_i,
      .rd_en_i  ('1),
      .rd_addr_i({sojourn_i[8+Half+:Half], sojourn_i[8+:Half]}),
      .rd_data_o({high, low})
  );

  // The upper half's bins are 12 to 22: one of their two highest bits is set. A time beyond both halves only overrides:
  // it is known too late to hold the table back.
  always_ff @(posedge clk_i) begin
    beyond_q <= beyond;
    bin_o    <= high.upper | (high.upper[4:3] == '0 ? {1'b0, low.lower} : 5'd0);
    if (beyond_q) bin_o <= 5'(Bins - 1);
  end

endmodule
