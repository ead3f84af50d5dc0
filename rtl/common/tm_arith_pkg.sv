// SPDX-License-Identifier: BSD-3-Clause
// Sums that take one carry chain where their plain form takes a chain and a lookup table for each bit next to it.
//
// A lookup table of six inputs in front of each carry holds one addend's bit and a function of few others. A choice
// *behind* a sum (add or subtract, one more or not, equal or not) costs a table for each bit; the same choice made in
// front of the chain, or as the carry into it, costs nothing. The carry comes from a bit appended below both operands,
// which synthesis folds into the chain's own input. Operands are zero-extended to Widest bits and results cut by the
// caller; constant bits above are removed in synthesis.
package tm_arith_pkg;

  localparam int unsigned Widest = 62;  // a sum has two bits more: 64, which a simulator adds in one step
  typedef logic [Widest-1:0] wide_t;

  // Each sum has bits below or above the one that counts.
  // verilator lint_off UNUSEDSIGNAL

  // a + b, or a - b: saves a table for each bit against (subtract ? a - b : a + b).
  function automatic wide_t add_or_sub(input wide_t a, input wide_t b, input logic subtract);
    logic [Widest:0] sum;
    sum = {a, 1'b1} + {b ^ {Widest{subtract}}, subtract};
    return sum[Widest:1];
  endfunction

  // a - b, less one more with `borrow`: what comes straight from memory as `a` needs no table in front of the chain.
  function automatic wide_t sub_borrow(input wide_t a, input wide_t b, input logic borrow);
    logic [Widest:0] sum;
    sum = {a, !borrow} - {b, 1'b1};
    return sum[Widest:1];
  endfunction

  // a < b, or a <= b with `or_equal`, of operands of `width` bits: the borrow of one difference decides both.
  function automatic logic less_than(input wide_t a, input wide_t b, input logic or_equal, input int unsigned width);
    logic [Widest+1:0] difference;
    difference = {1'b0, a, !or_equal} - {1'b0, b, 1'b1};
    return difference[width+1];
  endfunction

  // Whether time a lies before time b, or with `or_same` at it, in a clock of `width` bits that wraps: whether a - b,
  // in as many bits, is negative. Three bits of each make one step of the chain: two tables for three bits. A group
  // that is equal hands the borrow on.
  function automatic logic is_before(input wide_t a, input wide_t b, input logic or_same, input int unsigned width);
    localparam int unsigned Groups = (Widest + 1) / 3;  // the sign is not in a group
    wide_t magnitude;
    logic [Groups-1:0] less, less_or_equal;
    logic [Groups:0] borrow;
    {less, less_or_equal} = '0;
    magnitude = ~({Widest{1'b1}} << (width - 1));
    for (int unsigned g = 0; g < Groups; g++) begin
      if (3 * g + 1 < width) begin
        less[g]          = 3'((a & magnitude) >> (3 * g)) < 3'((b & magnitude) >> (3 * g));
        less_or_equal[g] = 3'((a & magnitude) >> (3 * g)) <= 3'((b & magnitude) >> (3 * g));
      end
    end
    borrow = {1'b0, less} + {1'b0, less_or_equal} + (Groups + 1)'(or_same);
    return a[width-1] ^ b[width-1] ^ borrow[(width+1)/3];
  endfunction

  // verilator lint_on UNUSEDSIGNAL

endpackage
