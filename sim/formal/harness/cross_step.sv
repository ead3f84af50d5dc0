// SPDX-License-Identifier: BSD-3-Clause
// The step law next to its reference: combinational.
//
// Contract: `reference_o` and `twin_o` answer to the same inputs, in the same cycle.
module cross_step
  import tm_pkg::*;
(
    input  logic              clk_i,
    input  logic [BytesW-1:0] bytes_i,
    input  logic [BytesW-1:0] k_i,
    output logic              reference_o,
    output logic              twin_o
);

  spinal_step_law reference (
      .io_occupancy(bytes_i),
      .io_threshold(k_i),
      .io_signal   (reference_o)
  );

  tm_step #(
      .W(BytesW)
  ) twin (
      .bytes_i,
      .k_i,
      .signal_o(twin_o)
  );

  always_ff @(posedge clk_i) begin
    Same_A : assert (reference_o == twin_o);
  end

endmodule
