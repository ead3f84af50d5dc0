// SPDX-License-Identifier: BSD-3-Clause
// Which of the four entries of the views is written, which is the newest, and which is the snapshot.
//
// Contract: `write` is another entry in every cycle; `newest` is the one that was written in the cycle before. The
// entry that is written in a cycle with `snapshot_i` becomes `kept` and stays untouched until the next; `taken`
// says that there has been one since the reset.
`include "tm_assert.svh"

module tm_view_entries
  import tm_pkg::*;
  import tm_control_pkg::*;
(
    input  logic     clk_i,
    input  logic     rst_i,
    input  logic     snapshot_i,
    output entries_t entries_o
);

  logic [1:0] kept;

  assign kept = snapshot_i ? entries_o.write : entries_o.kept;

  // Kept: synthesis would make one of the two that count alike, with wires across the chip.
  (* keep *) always_ff
    @(posedge clk_i) begin
      if (rst_i) begin
        entries_o.write  <= 2'd0;
        entries_o.newest <= 2'd1;
        entries_o.kept   <= 2'd3;
        entries_o.taken  <= 1'b0;
      end else begin
        entries_o.write  <= (entries_o.write + 2'd1 == kept) ? entries_o.write + 2'd2 : entries_o.write + 2'd1;
        entries_o.newest <= entries_o.write;
        entries_o.kept   <= kept;
        entries_o.taken  <= entries_o.taken || snapshot_i;
      end
    end

  `TM_ASSERT(Apart_A, entries_o.write != entries_o.newest && entries_o.write != entries_o.kept,
             "an entry that may be read is written")

endmodule
