// SPDX-License-Identifier: BSD-3-Clause
// Shapes a port that is a line of its own: lets it take its next frame when its bucket may send one.
//
// Contract: `tx_en_o`, sampled between frames as the port's `tx_en_i` is, says that tm_shaper's bucket will be open
// when the frame shows on the output, in the next cycle or later. It is charged there, with its length, once.
module tm_shaped_port
  import tm_pkg::*;
#(
    parameter int unsigned MAX_FRAME = DefaultBuild.max_frame  // bytes
) (
    input  logic              clk_i,
    input  logic              rst_i,
    // config
    input  shape_t            shape_i,
    // the port's output
    input  logic              valid_i,
    input  logic              ready_i,
    input  logic              last_i,
    input  logic   [LenW-1:0] len_i,
    // to the port
    output logic              tx_en_o
);

  logic fresh_q;  // the next valid row is the first of a frame
  logic unused_open;

  always_ff @(posedge clk_i) fresh_q <= rst_i || (valid_i ? ready_i && last_i : fresh_q);

  tm_shaper #(
      .MAX_FRAME(MAX_FRAME)
  ) bucket (
      .clk_i,
      .rst_i,
      .shape_i,
      .charge_i   (valid_i && fresh_q),
      .len_i,
      .open_o     (unused_open),
      .next_open_o(tx_en_o)
  );

endmodule
