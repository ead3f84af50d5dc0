// SPDX-License-Identifier: BSD-3-Clause
// A wire that synthesis keeps: what stands before it and behind it is mapped apart.
//
// Contract: `data_o` is `data_i`.
module tm_prim_keep #(
    parameter int unsigned WIDTH = 1  // bits
) (
    input  logic [WIDTH-1:0] data_i,
    output logic [WIDTH-1:0] data_o
);

  // One word for Vivado, Quartus and Yosys.
  (* keep *) logic [WIDTH-1:0] kept;

  assign kept   = data_i;
  assign data_o = kept;

endmodule
