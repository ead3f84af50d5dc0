// SPDX-License-Identifier: BSD-3-Clause
// The 48-bit totals of all counters of all ports, their snapshot, and the one adder that serves sweeps and queries.
//
// Contract: one counter enters in each cycle, by its `addr_i` (place in the sweep order over all ports) and `sweep_i`;
// its narrow value follows on `swept_i` three cycles later. The total grows by what the narrow counter gained since the
// same bank was last swept; with `keep_i` the new total goes into the snapshot as well. `bank_fresh_i` says that the
// bank is swept for the first time, `fresh_i` the same of the totals: both began at 0. With `baseline_i` nothing is
// added, the narrow counter is only remembered. `query_i` instead adds the counter's snapshot to `sum_o`, or nothing
// where `match_i` is 0; `query_start_i` clears the sums. The four inputs of the sweep hold from its first counter until
// six cycles after its last, a sweep and a query are at least six cycles apart, and one counter is not swept twice in
// six cycles.
`include "tm_assert.svh"

module tm_totals
  import tm_pkg::*;
  import tm_arith_pkg::*;
#(
    parameter int unsigned ENTRIES = 960,  // counters of all ports
    parameter int unsigned PACKETS_W = 11,  // narrow packet counter
    parameter int unsigned BYTES_W = 24,  // narrow byte counter
    localparam int unsigned AddrW = $clog2(ENTRIES),
    localparam int unsigned WordW = PACKETS_W + BYTES_W
) (
    input  logic               clk_i,
    input  logic               rst_i,
    // sweep
    input  logic               bank_i,         // the bank that is swept
    input  logic               bank_fresh_i,
    input  logic               fresh_i,
    input  logic               baseline_i,
    input  logic               keep_i,
    input  logic               sweep_i,
    input  logic   [AddrW-1:0] addr_i,
    input  logic   [WordW-1:0] swept_i,
    // query
    input  logic               query_start_i,
    input  logic               query_i,
    input  logic               match_i,
    output total_t             sum_o
);

  localparam int unsigned TotalW = $bits(total_t) / 2;

  // Stage by stage: the narrow counter is read (1 to 3), differs from the last sweep's (4), is added (5), and
  // the sum is written (6).
  logic [6:1] sweep_q;
  logic [5:1] query_q;
  logic [2:1] match_q;
  logic known_q;
  logic [6:1][AddrW-1:0] addr_q;
  logic [WordW-1:0] not_swept_q, not_earlier, not_now;
  logic [PACKETS_W-1:0] packets_gained_q;
  logic [BYTES_W-1:0] bytes_gained_q;
  logic [TotalW-1:PACKETS_W] packets_high_q;
  logic [TotalW-1:BYTES_W] bytes_high_q;
  total_t total, snapshot, added, sum, sum_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sweep_q <= '0;
      query_q <= '0;
      match_q <= '0;
    end else begin
      sweep_q <= {sweep_q[5:1], sweep_i};
      query_q <= {query_q[4:1], query_i};
      match_q <= {match_q[1], query_i && match_i};
    end
    addr_q      <= {addr_q[5:1], addr_i};
    known_q     <= sweep_q[3] && !bank_fresh_i;
    not_swept_q <= ~swept_i;
  end

  // Each RAM shows 0 unless it was read, so a query and a sweep meet in an OR instead of a multiplexer. The earlier
  // value is kept as its complement, 0 where there is none: less the complement of the present one, and one more where
  // there is none, that is what was gained. What comes from RAM alone stands before the minus.
  assign not_now = not_swept_q & ~{snapshot.packets[PACKETS_W-1:0], snapshot.bytes[BYTES_W-1:0]};

  always_ff @(posedge clk_i) begin
    if (baseline_i && sweep_q[4]) begin
      packets_gained_q <= '0;
      bytes_gained_q   <= '0;
    end else begin
      packets_gained_q <= PACKETS_W'(sub_borrow(
          wide_t'(not_earlier[WordW-1:BYTES_W]), wide_t'(not_now[WordW-1:BYTES_W]), !known_q
      ));
      bytes_gained_q <= BYTES_W'(sub_borrow(
          wide_t'(not_earlier[BYTES_W-1:0]), wide_t'(not_now[BYTES_W-1:0]), !known_q
      ));
    end
    packets_high_q <= snapshot.packets[TotalW-1:PACKETS_W];
    bytes_high_q   <= snapshot.bytes[TotalW-1:BYTES_W];
  end

  assign added       = total | (query_q[5] ? sum_o : '0);
  assign sum.packets = added.packets + {packets_high_q, packets_gained_q};
  assign sum.bytes   = added.bytes + {bytes_high_q, bytes_gained_q};

  always_ff @(posedge clk_i) begin
    sum_q <= sum;
    if (rst_i || query_start_i) sum_o <= '0;
    else if (query_q[5]) sum_o <= sum;
  end

  // What each bank's narrow counters were when they were last swept.
  tm_prim_ram #(
      .GATED(1'b1),
      .REGISTERED(1'b1),
      .WIDTH(WordW),
      .DEPTH(2 << AddrW)
  ) last_swept (
      .clk_i,
      .wr_en_i  (sweep_q[4]),
      .wr_addr_i({bank_i, addr_q[4]}),
      .wr_data_i(not_swept_q),
      .rd_en_i  (sweep_q[2] && !bank_fresh_i),
      .rd_addr_i({bank_i, addr_q[2]}),
      .rd_data_o(not_earlier)
  );

  tm_prim_ram #(
      .GATED(1'b1),
      .REGISTERED(1'b1),
      .WIDTH(2 * TotalW),
      .DEPTH(1 << AddrW)
  ) totals (
      .clk_i,
      .wr_en_i  (sweep_q[6]),
      .wr_addr_i(addr_q[6]),
      .wr_data_i(sum_q),
      .rd_en_i  (sweep_q[3] && !fresh_i),
      .rd_addr_i(addr_q[3]),
      .rd_data_o(total)
  );

  tm_prim_ram #(
      .GATED(1'b1),
      .REGISTERED(1'b1),
      .WIDTH(2 * TotalW),
      .DEPTH(1 << AddrW)
  ) snapshots (
      .clk_i,
      .wr_en_i  (sweep_q[6] && keep_i),
      .wr_addr_i(addr_q[6]),
      .wr_data_i(sum_q),
      .rd_en_i  (match_q[2]),
      .rd_addr_i(addr_q[2]),
      .rd_data_o(snapshot)
  );

  `TM_ASSERT(OneUser_A, sweep_q == '0 || query_q == '0, "sweep and query use the adder at a time")

endmodule
