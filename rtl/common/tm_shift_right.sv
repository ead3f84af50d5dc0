// SPDX-License-Identifier: BSD-3-Clause
// Shifts right by an amount that varies: multiplexers of four, the coarsest first, so that two bits of the amount take
// one LUT for each bit of data.
//
// Combinational. The amount counts in steps of 2^UNIT bits. `data_o` has the lower bits of what is left, `beyond_o`
// says whether any above them is set.
module tm_shift_right #(
    parameter int unsigned WIDTH     = 45,  // bits
    parameter int unsigned WIDTH_OUT = 30,
    parameter int unsigned AMOUNT_W  = 4,
    parameter int unsigned UNIT      = 0
) (
    input  logic [    WIDTH-1:0] data_i,
    input  logic [ AMOUNT_W-1:0] amount_i,
    output logic [WIDTH_OUT-1:0] data_o,
    output logic                 beyond_o
);

  localparam int unsigned Levels = (AMOUNT_W + 1) / 2;

  logic [2*Levels-1:0] amount;
  assign amount = (2 * Levels)'(amount_i);

  // Level l has what is left after digit l of the amount, to the base of four, and those above it.
  for (genvar l = 0; l < Levels; l++) begin : gen_level
    localparam int unsigned Step = 1 << (2 * l + UNIT);
    logic [WIDTH-1:0] given;
    // Written as a choice of one in four and kept: what two bits share in a tree of pairs would cost another LUT each.
    (* keep *)logic [WIDTH-1:0] shifted;
    if (l == Levels - 1) begin : gen_first
      assign given = data_i;
    end else begin : gen_next
      assign given = gen_level[l+1].shifted;
    end
    always_comb begin
      shifted = '0;
      for (int unsigned d = 0; d < 4; d++) begin
        shifted = shifted | ((given >> d * Step) & {WIDTH{amount[2*l+:2] == 2'(d)}});
      end
    end
  end

  assign data_o   = gen_level[0].shifted[WIDTH_OUT-1:0];
  assign beyond_o = (WIDTH + 1)'(gen_level[0].shifted) >> WIDTH_OUT != '0;

endmodule
