// SPDX-License-Identifier: BSD-3-Clause
// Counts wrong frames by kind and frames cut short by port, 32 bits each, in one small RAM with one adder.
//
// Contract: one wrong frame in every cycle, and a cut-short pulse of each port for every second cycle that has no wrong
// frame, are counted without loss: cut-short frames have at least two beats, so at most one of two cycles ends a wrong
// frame while they last, and a port waits for at most 2 * PORTS cycles with a small count of its own (NoLoss_A). `clear_i`
// clears everything but the resets in mid-frame, which are only cleared once after power-up. `read_o` shows the counter of
// a kind, or of a port where `read_cut_i` is set, in the same cycle.
module tm_mishaps
  import tm_pkg::*;
#(
    parameter int unsigned PORTS = 5
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from the sweep
    input  logic             clear_i,
    input  logic [      4:0] clear_addr_i,
    // events
    input  logic             bad_valid_i,
    input  bad_e             bad_kind_i,
    input  logic             reset_in_frame_i,
    input  logic [PORTS-1:0] cut_short_i,
    // to the registers
    input  logic             read_cut_i,
    input  logic [      3:0] read_index_i,
    output logic [     31:0] read_o
);

  localparam int unsigned WaitW = $clog2(PORTS + 2) + 1;

  (* ram_style = "distributed" *) logic [31:0] counts[32];
  logic [PORTS-1:0][WaitW-1:0] waiting_q;
  logic [PORTS-1:0] turn_q;
  logic cleared_q, clear, serve, write;
  logic [WaitW-1:0] increment;
  logic [3:0] turn_index;
  logic [4:0] addr;
  logic [31:0] sum;

  // What has to be counted at once goes first, then the ports in turn.
  always_comb begin
    clear      = 1'b0;
    serve      = 1'b0;
    write      = 1'b1;
    increment  = WaitW'(1);
    turn_index = '0;
    for (int unsigned p = 0; p < PORTS; p++) if (turn_q[p]) turn_index |= 4'(p);
    addr = {2'b00, bad_kind_i};
    if (reset_in_frame_i) addr = {2'b00, BadReset};
    else if (clear_i) begin
      clear = 1'b1;
      addr  = clear_addr_i;
      write = !(cleared_q && clear_addr_i == {2'b00, BadReset});
    end else if (!bad_valid_i) begin
      serve     = 1'b1;
      addr      = {1'b1, turn_index};
      increment = '0;
      for (int unsigned p = 0; p < PORTS; p++) if (turn_q[p]) increment |= waiting_q[p];
    end
  end

  assign sum = counts[addr] + 32'(increment);

  always_ff @(posedge clk_i) begin
    if (write) counts[addr] <= clear ? '0 : sum;
  end

  assign read_o = counts[{read_cut_i, read_index_i}];

  initial cleared_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (clear_i && clear_addr_i == '1) cleared_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      turn_q    <= PORTS'(1);
      waiting_q <= '0;
    end else begin
      if (serve) turn_q <= (turn_q << 1) | PORTS'(turn_q[PORTS-1]);
      for (int unsigned p = 0; p < PORTS; p++) begin
        if (serve && turn_q[p]) waiting_q[p] <= WaitW'(cut_short_i[p]);
        else waiting_q[p] <= waiting_q[p] + WaitW'(cut_short_i[p]);
      end
    end
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_assert
    // A port's own count never wraps before its turn.
    NoLoss_A :
    assert property (@(posedge clk_i) disable iff (rst_i || clear_i) cut_short_i[p] |-> !(&waiting_q[p]));
  end

endmodule
