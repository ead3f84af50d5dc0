// SPDX-License-Identifier: BSD-3-Clause
// Tells when everything that reached the core has had its effect: for whoever stops the time, lets it jump, or steps
// from one frame to the next, as the simulation engines do.
//
// Contract: `settled_o[0]` is 1 once 16 cycles have passed without a beat on the input, a frame that leaves or may
// leave, a command, the clearing after a reset, a law of ARED or CoDel at work, a cell of a pool that is to be freed,
// or (where a law looks at it) a change of the time: every frame so far is judged and counted, ARED has seen to those
// that found it due, and CoDel knows the time. `settled_o[1]` is 1 after 128 such cycles, in which RED's shared unit
// has come by twice: averages have faded, ARED knows whether it is due, and the registers show both. Without RED the
// two are the same. An input shows its effect here two cycles later, and not at all while it is steady: a clock that
// runs never settles RED or CoDel.
module tm_settled
  import tm_pkg::*;
#(
    parameter int unsigned PORTS = 5,
    parameter bit          RED   = 1'b0,
    parameter bit          CODEL = 1'b0
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    // Only RED and CoDel look at the time between frames.
    // verilator lint_off UNUSEDSIGNAL
    input  logic       [StampW-1:0] time_i,          // ns
    // verilator lint_on UNUSEDSIGNAL
    // from the source, to the sinks
    input  logic                    beat_valid_i,
    input  logic       [ PORTS-1:0] tx_en_i,
    input  logic       [ PORTS-1:0] row_valid_i,
    // state and events
    // verilator lint_off UNUSEDSIGNAL
    input  held_t      [ PORTS-1:0] held_i,
    input  logic                    control_busy_i,
    input  logic                    law_busy_i,      // of ARED and CoDel
    input  logic                    freeing_i,       // cells of a pool are to be freed
    input  arrival_t   [ PORTS-1:0] arrival_i,
    input  departure_t [ PORTS-1:0] departure_i,
    // verilator lint_on UNUSEDSIGNAL
    output logic       [       1:0] settled_o
);

  localparam int unsigned QuietW = RED ? 7 : 4;  // 128 or 16 cycles

  logic moved;
  if (RED || CODEL) begin : gen_time
    logic [StampW-1:0] time_q;
    always_ff @(posedge clk_i) time_q <= time_i;
    assign moved = time_q != time_i;
  end else begin : gen_no_time
    assign moved = 1'b0;
  end

  logic [PORTS-1:0] active;
  always_comb begin
    for (int unsigned p = 0; p < PORTS; p++) begin
      active[p] = (tx_en_i[p] && held_i[p].packets != '0) || row_valid_i[p];
      if (arrival_i[p].valid || departure_i[p].valid) active[p] = 1'b1;
    end
  end

  logic stirred_q;
  logic [QuietW:0] quiet_q;  // cycles
  always_ff @(posedge clk_i) begin
    stirred_q <= rst_i || moved || beat_valid_i || control_busy_i || law_busy_i || freeing_i || active != '0;
    if (rst_i || stirred_q) quiet_q <= '0;
    else if (!quiet_q[QuietW]) quiet_q <= quiet_q + 1'b1;
  end

  assign settled_o = {quiet_q[QuietW], quiet_q[QuietW:4] != '0};

endmodule
