// SPDX-License-Identifier: BSD-3-Clause
// Which of the four entries of the views is written, which is the newest, and which is the snapshot.
//
// Contract: `write_o` is another entry in every cycle; `newest_o` is the one that was written in the cycle before. The
// entry that is written in a cycle with `snapshot_i` becomes `kept_o` and stays untouched until the next; `taken_o`
// says that there has been one since the reset.
`include "tm_assert.svh"

module tm_view_entries (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       snapshot_i,
    output logic [1:0] write_o,
    output logic [1:0] newest_o,
    output logic [1:0] kept_o,
    output logic       taken_o
);

  logic [1:0] kept;

  assign kept = snapshot_i ? write_o : kept_o;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_o  <= 2'd0;
      newest_o <= 2'd1;
      kept_o   <= 2'd3;
      taken_o  <= 1'b0;
    end else begin
      write_o  <= (write_o + 2'd1 == kept) ? write_o + 2'd2 : write_o + 2'd1;
      newest_o <= write_o;
      kept_o   <= kept;
      taken_o  <= taken_o || snapshot_i;
    end
  end

  `TM_ASSERT(Apart_A, write_o != newest_o && write_o != kept_o, "an entry that may be read is written")

endmodule
