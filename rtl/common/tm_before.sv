// SPDX-License-Identifier: BSD-3-Clause
// Says whether one time lies before another (or, if asked, is the same), in a clock that wraps: whether a - b, in as
// many bits, is negative.
//
// Combinational. Three bits of each make one step of the carry chain, so the compare takes two LUTs for three bits.
module tm_before #(
    parameter  int unsigned WIDTH  = 32,
    localparam int unsigned Groups = (WIDTH + 1) / 3
) (
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic             or_same_i,  // or both are the same
    output logic             before_o
);

  logic [3*Groups-1:0] a, b;
  logic [Groups-1:0] less, less_or_equal;
  logic [Groups:0] borrow;

  always_comb begin
    a = (3 * Groups)'(a_i[WIDTH-2:0]);
    b = (3 * Groups)'(b_i[WIDTH-2:0]);
    for (int unsigned g = 0; g < Groups; g++) begin
      less[g]          = a[3*g+:3] < b[3*g+:3];
      less_or_equal[g] = a[3*g+:3] <= b[3*g+:3];
    end
  end

  // A group that is equal hands the borrow on.
  assign borrow   = {1'b0, less} + {1'b0, less_or_equal} + (Groups + 1)'(or_same_i);
  assign before_o = a_i[WIDTH-1] ^ b_i[WIDTH-1] ^ borrow[Groups];

endmodule
