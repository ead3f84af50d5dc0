// SPDX-License-Identifier: BSD-3-Clause
// The most one port has held, and the longest a departed frame was held, since the last clear.
//
// Contract: bytes and packets follow the occupancy of every cycle, one cycle late, the sojourn time two; `clear_i`
// restarts them from the present occupancy and the sojourn time from 0, without what departs in its cycle.
`include "tm_assert.svh"

module tm_watermarks
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter int unsigned BYTES_W   = 15,
    parameter int unsigned PACKETS_W = 9
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 clear_i,
    // from the port
    input  logic [  BYTES_W-1:0] bytes_i,
    input  logic [PACKETS_W-1:0] packets_i,
    input  logic                 depart_valid_i,    // a frame left that was not dropped
    input  logic [   StampW-1:0] depart_sojourn_i,
    // to the registers
    output logic [  BYTES_W-1:0] bytes_o,
    output logic [PACKETS_W-1:0] packets_o,
    output logic [   StampW-1:0] sojourn_o
);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      bytes_o   <= '0;
      packets_o <= '0;
    end else begin
      if (clear_i || less_than(wide_t'(bytes_o), wide_t'(bytes_i), 1'b0, BYTES_W)) bytes_o <= bytes_i;
      if (clear_i || less_than(wide_t'(packets_o), wide_t'(packets_i), 1'b0, PACKETS_W)) packets_o <= packets_i;
    end

    if (rst_i || clear_i) sojourn_o <= '0;
    else if (depart_valid_i && less_than(wide_t'(sojourn_o), wide_t'(depart_sojourn_i), 1'b0, StampW)) begin
      sojourn_o <= depart_sojourn_i;
    end
  end

  `TM_ASSERT_NEXT(BytesBelow_A, 1'b1, $past(bytes_i) <= bytes_o, "more bytes are held than the watermark says",
                  rst_i || clear_i)
  `TM_ASSERT_NEXT(PacketsBelow_A, 1'b1, $past(packets_i) <= packets_o, "more packets are held than the watermark says",
                  rst_i || clear_i)

endmodule
