// SPDX-License-Identifier: BSD-3-Clause
// Random words: xorshift32 (Marsaglia 2003, triple 13, 17, 5), period 2^32 - 1.
//
// Contract: `word_o` is the state; `step_i` moves it on at the end of the cycle. `load_i` and reset take `seed_i`
// instead, made different for each `MIX`; the state zero, which would stay, is replaced.
module tm_random #(
    parameter logic [31:0] MIX = 32'h9E3779B9
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        load_i,
    input  logic [31:0] seed_i,
    input  logic        step_i,
    output logic [31:0] word_o
);

  localparam logic [31:0] InsteadOfZero = 32'h6D2B79F5;

  function automatic logic [31:0] following(logic [31:0] word);
    logic [31:0] a, b;
    a = word ^ (word << 13);
    b = a ^ (a >> 17);
    return b ^ (b << 5);
  endfunction

  logic load;
  assign load = rst_i || load_i;

  always_ff @(posedge clk_i) begin
    if (load && seed_i == MIX) word_o <= InsteadOfZero;
    else if (load) word_o <= seed_i ^ MIX;
    else if (step_i) word_o <= following(word_o);
  end

endmodule
