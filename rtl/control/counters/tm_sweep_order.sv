// SPDX-License-Identifier: BSD-3-Clause
// The counters of a port in the order in which they are swept and queried, 192 in all, with CoDel 252.
//
// Contract: `start_i` shows the first counter in the next cycle, `step_i` the next one; `last_o` is 1 at the last,
// after which the first follows. Codes 0 to 13 have one counter for each {class, ECE} that can be (7 classes; the first
// two are not TCP's and have no ECE flag), codes 14 and 15 together one for each of the 24 bins of the histogram, codes
// 16 to 20 again one for each {class, ECE}.
module tm_sweep_order #(
    parameter bit CODEL = 1'b0
) (
    input  logic       clk_i,
    input  logic       start_i,
    input  logic       step_i,
    output logic [4:0] code_o,
    output logic [3:0] index_o,
    output logic       last_o
);

  localparam int unsigned CodeW = CODEL ? 5 : 4;
  localparam logic [CodeW-1:0] LastCode = CodeW'(CODEL ? 20 : 15);

  logic histogram, index_last;
  logic [CodeW-1:0] code_q;
  logic [3:0] index_next;

  assign code_o    = 5'(code_q);
  assign histogram = code_o[4:1] == 4'b0111;

  always_comb begin
    if (histogram) index_last = code_o[0] ? index_o == 4'd7 : index_o == 4'd15;
    else index_last = index_o == 4'd13;

    if (index_last) index_next = '0;
    else if (!histogram && (index_o == 4'd0 || index_o == 4'd2)) index_next = index_o + 4'd2;
    else index_next = index_o + 4'd1;
  end

  assign last_o = index_last && code_q == LastCode;

  always_ff @(posedge clk_i) begin
    if (start_i) {code_q, index_o} <= '0;
    else if (step_i) begin
      code_q  <= (CODEL && last_o) ? '0 : code_q + CodeW'(index_last);
      index_o <= index_next;
    end
  end

endmodule
