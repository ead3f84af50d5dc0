// SPDX-License-Identifier: BSD-3-Clause
// Counts wrong frames by kind and incidents by port, 32 bits each, in one RAM with one adder.
//
// Contract: one wrong frame in every cycle is counted, and so are incidents of all ports. Each counter has its turn
// once in 7 + PORTS * IncidentKinds cycles and waits for it with a small count of its own; four cycles later the RAM
// has it. No counter has two turns in four cycles, so no sum is needed before it is written. A reset clears everything,
// in the first round of turns after it, but the resets in mid-frame: these start from 0 at power-up. What happens in
// that round is counted. `read_i` reads the counter `read_addr_i` (the kind of a wrong frame, or incident + 1 above a
// port); `data_o` shows it in the next cycle, and 0 in every other.
//
// As in tm_tally, one copy of the counters is read for the next sum and the other for the registers.
module tm_mishaps
  import tm_pkg::*;
  import tm_control_pkg::place_w;
#(
    parameter  int unsigned PORTS  = 5,
    localparam int unsigned PlaceW = place_w(PORTS),
    localparam int unsigned AddrW  = IncidentW + PlaceW
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

  localparam int unsigned Kinds = 32'(BadReset) + 1;
  localparam int unsigned Turns = Kinds + PORTS * IncidentKinds;
  localparam int unsigned WaitW = $clog2(Turns + 2);
  localparam int unsigned Places = 1 << PlaceW;
  localparam int unsigned Words = 1 << AddrW;

  logic rst_q, warm_q;

  // Before the first reset has ended there is no frame to cut, whatever the flip-flops upstream hold.
  initial {rst_q, warm_q} = '0;
  always @(posedge clk_i) begin  // always_ff allows no initial
    rst_q <= rst_i;
    if (rst_q && !rst_i) warm_q <= 1'b1;
  end

  // ---- what happens, and waits ----
  logic [Kinds-1:0] wrong;
  logic [IncidentKinds:0][Places-1:0] comes;  // by counter: kinds of wrong frames, then each incident by port
  always_comb begin
    wrong = '0;
    if (mishap_i.valid) wrong[mishap_i.kind] = 1'b1;
    if (mishap_i.reset_in_frame && warm_q) wrong[BadReset] = 1'b1;
    comes    = '0;
    comes[0] = Places'(wrong);
    for (int unsigned n = 0; n < IncidentKinds; n++) begin
      for (int unsigned p = 0; p < PORTS; p++) comes[n+1][p] = incidents_i[p][n];
    end
  end

  logic [IncidentW-1:0] what_q;
  logic [PlaceW-1:0] place_q;
  logic last, clears;
  logic [WaitW-1:0] fresh_q;  // turns of the first round that are left: they begin at 0
  logic [WaitW-1:0] waiting;
  logic [IncidentKinds:0][Places-1:0][WaitW-1:0] counts;

  assign last   = place_q == ((what_q == '0) ? PlaceW'(Kinds - 1) : PlaceW'(PORTS - 1));
  assign clears = fresh_q != '0 && {what_q, place_q} != AddrW'(BadReset);
  initial {what_q, place_q, fresh_q} = '0;
  always @(posedge clk_i) begin  // always_ff allows no initial
    place_q <= last ? '0 : place_q + 1'b1;
    if (last) what_q <= (what_q == IncidentW'(IncidentKinds)) ? '0 : what_q + 1'b1;
    if (rst_i) fresh_q <= WaitW'(Turns);
    else if (fresh_q != '0) fresh_q <= fresh_q - 1'b1;
  end

  for (genvar n = 0; n <= IncidentKinds; n++) begin : gen_what
    for (genvar c = 0; c < Places; c++) begin : gen_counter
      if (c < (n == 0 ? Kinds : PORTS)) begin : gen_count
        localparam bit Resets = n == 0 && c == 32'(BadReset);  // counts what a reset does
        logic [WaitW-1:0] count_q;
        initial count_q = '0;
        always @(posedge clk_i) begin  // always_ff allows no initial
          if (what_q == IncidentW'(n) && place_q == PlaceW'(c)) count_q <= WaitW'(comes[n][c]);
          else count_q <= count_q + WaitW'(comes[n][c]);
          if (rst_i && !Resets) count_q <= '0;
        end
        assign counts[n][c] = count_q;
      end else begin : gen_no_count
        assign counts[n][c] = '0;
      end
    end
  end
  assign waiting = counts[what_q][place_q];

  // ---- read (1, 2), add (3), write ----
  logic [3:1][AddrW-1:0] addr_q;
  logic [2:1][WaitW-1:0] waiting_q;
  logic [2:1] clears_q;
  logic write_q;
  logic late;
  logic [31:0] read, sum_q, copy, late_q;

  initial {clears_q, waiting_q, write_q} = '0;
  always @(posedge clk_i) begin  // always_ff allows no initial
    waiting_q <= {waiting_q[1], waiting};
    clears_q  <= {clears_q[1], clears};
    write_q   <= clears_q[2] || waiting_q[2] != '0;
  end

  always_ff @(posedge clk_i) begin
    addr_q <= {addr_q[2:1], {what_q, place_q}};
    sum_q  <= read + 32'(waiting_q[2]);
  end

  tm_prim_ram #(
      .GATED(1'b1),
      .REGISTERED(1'b1),
      .WIDTH(32),
      .DEPTH(Words),
      .ZERO(1'b1)
  ) counters (
      .clk_i,
      .wr_en_i  (write_q),
      .wr_addr_i(addr_q[3]),
      .wr_data_i(sum_q),
      .rd_en_i  (!clears),
      .rd_addr_i({what_q, place_q}),
      .rd_data_o(read)
  );

  // A counter that is written while it is read shows what is written.
  assign late = write_q && read_addr_i == addr_q[3];

  always_ff @(posedge clk_i) begin
    if (read_i && late) late_q <= sum_q;
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
      .wr_addr_i(addr_q[3]),
      .wr_data_i(sum_q),
      .rd_en_i  (read_i && !late),
      .rd_addr_i(read_addr_i),
      .rd_data_o(copy)
  );

  assign data_o = copy | late_q;

endmodule
