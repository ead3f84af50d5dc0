// SPDX-License-Identifier: BSD-3-Clause
// The product of a long factor and a short one, of parts that a multiplier of 18 bits takes whole.
//
// Contract: `product_o` is of the factors of the cycle before. Each part stands in a register of its own; their sum,
// one addition, is left to the cycle after: the third part begins where the first one's product has ended.
module tm_product #(
    parameter  int unsigned LONG_W   = 42,               // bits: up to three parts
    parameter  int unsigned SHORT_W  = 17,               // bits: up to 17, or more with two parts
    localparam int unsigned ProductW = LONG_W + SHORT_W
) (
    input  logic                clk_i,
    input  logic [  LONG_W-1:0] long_i,
    input  logic [ SHORT_W-1:0] short_i,
    output logic [ProductW-1:0] product_o
);

  // Unsigned, a multiplier of DSP48 takes 24 and 17 bits, one of ECP5 18 and 18.
  localparam int unsigned PartW = (SHORT_W < 18) ? 18 : 17;
  localparam int unsigned MiddleW = (LONG_W > 2 * PartW) ? PartW : LONG_W - PartW;

  if (LONG_W <= PartW || LONG_W > 3 * PartW || (SHORT_W > PartW && LONG_W > 2 * PartW)) begin : gen_error
    $error("LONG_W is %0d, SHORT_W %0d: parts of %0d bits are possible, two or three", LONG_W, SHORT_W, PartW);
  end

  logic [PartW+SHORT_W-1:0] low_q;
  logic [MiddleW+SHORT_W-1:0] middle_q;
  logic [ProductW-1:0] outer;
  always_ff @(posedge clk_i) begin
    low_q    <= long_i[PartW-1:0] * short_i;
    middle_q <= long_i[PartW+:MiddleW] * short_i;
  end

  if (LONG_W > 2 * PartW) begin : gen_three
    localparam int unsigned HighW = LONG_W - 2 * PartW;
    logic [HighW+SHORT_W-1:0] high_q;
    always_ff @(posedge clk_i) high_q <= long_i[LONG_W-1:2*PartW] * short_i;
    assign outer = ProductW'(low_q) | {high_q, (2 * PartW)'(0)};
  end else begin : gen_two
    assign outer = ProductW'(low_q);
  end

  assign product_o = {outer[ProductW-1:PartW] + (ProductW - PartW)'(middle_q), outer[PartW-1:0]};

endmodule
