// SPDX-License-Identifier: BSD-3-Clause
// Sets the CE codepoint in a departing frame, and the IPv4 checksum that goes with it.
//
// Combinational, one beat at a time: `row_i` is the beat's number within its frame and stays at 7 from the eighth beat
// on. Bytes 15 + 4*tags (traffic class or TOS) and, for IPv4, 24..25 + 4*tags (checksum) change if `mark_i` is set;
// no other byte ever does. `mark_i`, `l3_i`, `tags_i` and `checksum_i` are held while the frame passes; `checksum_i` is
// the finished checksum, network order, so that nothing is added up here. Only a frame with an ECN field may be marked.
`include "tm_assert.svh"

module tm_rewrite
  import tm_pkg::*;
#(
    parameter int unsigned DATA_W = 256
) (
    // from depart
    input  logic [DATA_W-1:0] data_i,
    input  logic [       2:0] row_i,
    input  logic              mark_i,
    input  l3_e               l3_i,
    input  logic [       1:0] tags_i,
    input  logic [      15:0] checksum_i,
    // to the port
    output logic [DATA_W-1:0] data_o
);

  localparam int unsigned BeatBytes = DATA_W / 8;

  if (DATA_W < 64 || DATA_W > 1024 || (DATA_W & (DATA_W - 1)) != 0) begin : gen_width_check
    $error("tm_rewrite: DATA_W must be 64, 128, 256, 512 or 1024");
  end

  logic ipv4, ipv6;
  assign ipv4 = mark_i && l3_i == L3Ipv4;
  assign ipv6 = mark_i && l3_i == L3Ipv6;

  // Byte `place` of the frame is in this row; its lane is a constant for each number of tags.
  function automatic logic in_row(input int unsigned place);
    return row_i == 3'(place / BeatBytes);
  endfunction

  always_comb begin
    data_o = data_i;
    for (int unsigned n = 0; n <= MaxTags; n++) begin
      if (tags_i == 2'(n)) begin
        if (ipv4 && in_row(15 + 4 * n)) data_o[8*((15+4*n)%BeatBytes)+:2] = Ce;
        if (ipv6 && in_row(15 + 4 * n)) data_o[8*((15+4*n)%BeatBytes)+4+:2] = Ce;
        if (ipv4 && in_row(24 + 4 * n)) begin
          data_o[8*((24+4*n)%BeatBytes)+:16] = {checksum_i[7:0], checksum_i[15:8]};
        end
      end
    end
  end

  `TM_ASSERT_COMB(Untouched_A, mark_i || data_o == data_i, "an unmarked frame was changed")

endmodule
