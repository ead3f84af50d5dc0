// SPDX-License-Identifier: BSD-3-Clause
// Counts wrong frames by kind and incidents by port, 32 bits each, in one RAM with one adder.
//
// Contract: one wrong frame in every cycle is counted, and so are incidents of all ports in every second cycle: frames
// that are cut short have at least two beats, so wrong frames leave every second cycle free while they last. An
// incident waits at most 2 * PORTS * IncidentKinds + 2 cycles for its turn, with a small count of its own (NoLoss_A). A
// reset clears everything, word by word in its first cycles, but the resets in mid-frame: these start from 0 at
// power-up. `read_i` reads the counter `read_addr_i` (the kind of a wrong frame, or incident + 1 above a port);
// `data_o` shows it in the next cycle, and 0 in every other.
//
// As in tm_tally, one copy of the counters is read for the next sum and the other for the registers.
`include "tm_assert.svh"

module tm_mishaps
  import tm_pkg::*;
#(
    parameter  int unsigned PORTS = 5,
    localparam int unsigned AddrW = IncidentW + 4
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    // events
    input  mishap_t                mishap_i,
    input  incidents_t [PORTS-1:0] incidents_i,
    // from and to the registers
    input  logic                   read_i,
    input  logic       [AddrW-1:0] read_addr_i,
    output logic       [     31:0] data_o
);

  localparam int unsigned WaitW = $clog2(PORTS * IncidentKinds + 3);
  localparam int unsigned Words = 1 << AddrW;

  logic [IncidentKinds-1:0][PORTS-1:0][WaitW-1:0] waiting_q;
  logic [IncidentW-1:0] what_q;  // from 1 on
  logic [3:0] turn_q;
  logic clear_q, rst_q, warm_q, write_q, clear, serve, again, late;
  logic [AddrW-1:0] clear_addr_q, addr, addr_q;
  logic [WaitW-1:0] increment, increment_q;
  logic [31:0] read, kept_q, sum, copy, late_q;

  // What has to be counted at once goes first, then the ports in turn.
  always_comb begin
    clear     = 1'b0;
    serve     = 1'b0;
    increment = WaitW'(1);
    addr      = AddrW'(mishap_i.kind);
    if (mishap_i.reset_in_frame && warm_q) addr = AddrW'(BadReset);
    else if (clear_q) begin
      clear     = clear_addr_q != AddrW'(BadReset);
      increment = '0;
      addr      = clear_addr_q;
    end else if (!mishap_i.valid) begin
      serve     = 1'b1;
      increment = waiting_q[what_q-1'b1][turn_q];
      addr      = {what_q, turn_q};
    end
  end

  // Before the first reset has ended there is no frame to cut, whatever the flip-flops upstream hold.
  initial {rst_q, warm_q, write_q, clear_q} = '0;
  always_ff @(posedge clk_i) begin
    rst_q   <= rst_i;
    write_q <= 1'b1;  // but in the very first cycle
    if (rst_q && !rst_i) warm_q <= 1'b1;
    if (rst_i && !rst_q) clear_q <= 1'b1;
    else if (clear_addr_q == '1) clear_q <= 1'b0;
    // The reset that cut a frame takes one turn of the clear.
    if (!clear_q) clear_addr_q <= '0;
    else if (!(mishap_i.reset_in_frame && warm_q)) clear_addr_q <= clear_addr_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      what_q    <= IncidentW'(1);
      turn_q    <= '0;
      waiting_q <= '0;
    end else begin
      if (serve && turn_q == 4'(PORTS - 1)) begin
        turn_q <= '0;
        what_q <= (what_q == IncidentW'(IncidentKinds)) ? IncidentW'(1) : what_q + 1'b1;
      end else if (serve) turn_q <= turn_q + 4'd1;
      for (int unsigned n = 0; n < IncidentKinds; n++) begin
        for (int unsigned p = 0; p < PORTS; p++) begin
          if (serve && {what_q, turn_q} == {IncidentW'(n + 1), 4'(p)}) waiting_q[n][p] <= WaitW'(incidents_i[p][n]);
          else waiting_q[n][p] <= waiting_q[n][p] + WaitW'(incidents_i[p][n]);
        end
      end
    end
  end

  // ---- read, add, write; a sum that is needed again at once is kept instead of read ----
  assign again = addr == addr_q;
  assign sum   = 32'(increment_q) + (read | kept_q);

  always_ff @(posedge clk_i) begin
    addr_q      <= addr;
    increment_q <= increment;
    if (again && !clear && write_q) kept_q <= sum;
    else kept_q <= '0;
  end

  tm_prim_ram #(
      .GATED(1'b1),
      .WIDTH(32),
      .DEPTH(Words),
      .ZERO (1'b1)
  ) counters (
      .clk_i,
      .wr_en_i  (write_q),
      .wr_addr_i(addr_q),
      .wr_data_i(sum),
      .rd_en_i  (!again && !clear),
      .rd_addr_i(addr),
      .rd_data_o(read)
  );

  // A counter that is written while it is read shows what is written.
  assign late = read_addr_i == addr_q;

  always_ff @(posedge clk_i) begin
    if (read_i && late) late_q <= sum;
    else late_q <= '0;
  end

  tm_prim_ram #(
      .GATED(1'b1),
      .WIDTH(32),
      .DEPTH(Words),
      .ZERO (1'b1)
  ) shown (
      .clk_i,
      .wr_en_i  (write_q),
      .wr_addr_i(addr_q),
      .wr_data_i(sum),
      .rd_en_i  (read_i && !late),
      .rd_addr_i(read_addr_i),
      .rd_data_o(copy)
  );

  assign data_o = copy | late_q;

  for (genvar p = 0; p < PORTS; p++) begin : gen_assert
    for (genvar n = 0; n < IncidentKinds; n++) begin : gen_incident
      `TM_ASSERT_IF(NoLoss_A, incidents_i[p][n], !(&waiting_q[n][p]), "a port's own count wraps before its turn",
                    rst_i || clear_q)
    end
  end

endmodule
