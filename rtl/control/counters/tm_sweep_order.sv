// SPDX-License-Identifier: BSD-3-Clause
// The counters of a port in the order in which they are swept and queried: by code and index (tm_pkg).
//
// Contract: `start_i` shows the first counter in the next cycle, `step_i` the next one; `last_o` is 1 at the last,
// after which the first follows. The two codes of the histogram together have one counter for each bin, every other
// code one for each {class, ECE} that can be.
module tm_sweep_order
  import tm_pkg::*;
#(
    parameter int unsigned LAST_CODE = 32'(SojournHigh)  // tm_pkg::last_code
) (
    input  logic       clk_i,
    input  logic       start_i,
    input  logic       step_i,
    output logic [4:0] code_o,
    output logic [3:0] index_o,
    output logic       last_o
);

  localparam logic [3:0] LastBin = 4'(Bins - 17);  // of the histogram's second code
  localparam int unsigned CodeW = $clog2(LAST_CODE + 1);
  localparam logic [CodeW-1:0] LastCode = CodeW'(LAST_CODE);
  // The one before the last of all: told from it, the last waits for no sum.
  localparam logic [3:0] BeforeLast = ((LAST_CODE == 32'(SojournHigh)) ? LastBin : LastIndex) - 4'd1;

  logic histogram, index_last;
  logic [CodeW-1:0] code_q;
  logic [3:0] index_next;

  assign code_o    = 5'(code_q);
  assign histogram = code_o[4:1] == {1'b0, SojournLow[3:1]};

  always_comb begin
    if (histogram) index_last = index_o == (code_o[0] ? LastBin : 4'd15);
    else index_last = index_o == LastIndex;

    if (index_last) index_next = '0;
    else if (!histogram && index_o < {SynAck, 1'b0}) index_next = index_o + 4'd2;
    else index_next = index_o + 4'd1;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) {code_q, index_o, last_o} <= '0;
    else if (step_i) begin
      code_q  <= (CodeW == 5 && last_o) ? '0 : code_q + CodeW'(index_last);
      index_o <= index_next;
      last_o  <= code_q == LastCode && index_o == BeforeLast;
    end
  end

endmodule
