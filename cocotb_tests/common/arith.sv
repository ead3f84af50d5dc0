// SPDX-License-Identifier: BSD-3-Clause
// The functions of tm_arith_pkg as a module, for their test.
module arith
  import tm_arith_pkg::*;
#(
    parameter int unsigned WIDTH = 32
) (
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic             flag_i,
    output logic [WIDTH-1:0] add_or_sub_o,
    output logic [WIDTH-1:0] sub_borrow_o,
    output logic             less_than_o,
    output logic             is_before_o
);

  assign add_or_sub_o = WIDTH'(add_or_sub(wide_t'(a_i), wide_t'(b_i), flag_i));
  assign sub_borrow_o = WIDTH'(sub_borrow(wide_t'(a_i), wide_t'(b_i), flag_i));
  assign less_than_o  = less_than(wide_t'(a_i), wide_t'(b_i), flag_i, WIDTH);
  assign is_before_o  = is_before(wide_t'(a_i), wide_t'(b_i), flag_i, WIDTH);

endmodule
