// SPDX-License-Identifier: BSD-3-Clause
// What the source says of a frame besides its length: from the first beat on until the next, as long as the length.
//
// Contract: `s_user_i` is taken with the frame's first beat on the pins, which is `first_i` on the beat bus in the next
// cycle, or WAIT cycles later. With WIDTH 0 nothing is kept and `user_o` is 0.
module tm_user #(
    parameter int unsigned WIDTH = 0,  // bits
    parameter int unsigned WAIT = 0,  // cycles
    localparam int unsigned UserW = (WIDTH > 0) ? WIDTH : 1
) (
    // Without a width nothing looks at these.
    // verilator lint_off UNUSEDSIGNAL
    input  logic             clk_i,
    input  logic [UserW-1:0] s_user_i,
    input  logic             first_i,
    // verilator lint_on UNUSEDSIGNAL
    output logic [UserW-1:0] user_o
);

  if (WIDTH > 0) begin : gen_user
    logic [UserW-1:0] beat_user;
    tm_delay #(
        .WIDTH (UserW),
        .CYCLES(1 + WAIT)
    ) wait_for_class (
        .clk_i,
        .rst_i (1'b0),
        .data_i(s_user_i),
        .data_o(beat_user)
    );
    always_ff @(posedge clk_i) if (first_i) user_o <= beat_user;
  end else begin : gen_no_user
    assign user_o = '0;
  end

endmodule
