// SPDX-License-Identifier: BSD-3-Clause
// The 48-bit totals of all counters of all ports, their snapshot, and the one adder that serves sweeps and queries.
//
// Contract: one counter enters in each cycle, by its `addr_i` (place in the sweep order over all ports) and `sweep_i`;
// its narrow value follows on `swept_i` three cycles later. The total grows by what the narrow counter gained since the
// same bank was last swept; after a sweep with `keep_i` the totals are the snapshot as well. `bank_fresh_i` says that
// the bank is swept for the first time, `fresh_i` the same of the totals: both began at 0. With `baseline_i` nothing is
// added, the narrow counter is only remembered. `query_i` instead adds the counter's snapshot to `sum_o`, or nothing
// where `match_i` is 0; `query_start_i` clears the sums. The four inputs of the sweep hold from its first counter until
// six cycles after its last, `sweep_end_i` is 1 in the cycle after these, a sweep and a query are at least six cycles
// apart, and one counter is not swept twice in six cycles.
//
// The memory of the totals has two halves. A snapshot is the half that the sweep has filled: the next sweep reads it
// and writes the other.
`include "tm_assert.svh"

module tm_totals
  import tm_pkg::*;
  import tm_control_pkg::*;
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
    input  logic               sweep_end_i,
    input  logic   [AddrW-1:0] addr_i,
    input  logic   [WordW-1:0] swept_i,
    // query
    input  logic               query_start_i,
    input  logic               query_i,
    input  logic               match_i,
    output total_t             sum_o
);

  localparam int unsigned TotalW = $bits(total_t) / 2;

  // Stage by stage: the narrow counter is read (1 to 3), differs from the last sweep's (4), is added (5) and written
  // (6).
  logic [6:1] sweep_q;
  logic [5:1] query_q;
  logic [3:1] match_q;
  logic known_q;
  logic newest_q, saved_q;  // the half of the totals as they were last swept, and whether that is the snapshot
  logic [6:1][AddrW-1:0] addr_q;
  logic [WordW-1:0] not_swept_q, not_earlier;
  logic [PACKETS_W-1:0] packets_gained_q;
  logic [  BYTES_W-1:0] bytes_gained_q;
  total_t shown, not_added, sum, sum_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sweep_q <= '0;
      query_q <= '0;
      match_q <= '0;
      {newest_q, saved_q} <= '0;
    end else begin
      sweep_q <= {sweep_q[5:1], sweep_i};
      query_q <= {query_q[4:1], query_i};
      match_q <= {match_q[2:1], query_i && match_i};
      if (sweep_end_i) {newest_q, saved_q} <= {newest_q ^ saved_q, keep_i};
    end
    addr_q      <= {addr_q[5:1], addr_i};
    sum_q       <= sum;
    known_q     <= sweep_q[3] && !bank_fresh_i;
    not_swept_q <= ~swept_i;
  end

  // Each RAM shows 0 unless it was read. The earlier value is kept as its complement, 0 where there is none: less the
  // complement of the present one, and one more where there is none, that is what was gained; of a query it is 0. What
  // comes from RAM alone stands before the minus.
  always_ff @(posedge clk_i) begin
    if (baseline_i && sweep_q[4]) begin
      packets_gained_q <= '0;
      bytes_gained_q   <= '0;
    end else begin
      packets_gained_q <= PACKETS_W'(sub_borrow(
          wide_t'(not_earlier[WordW-1:BYTES_W]), wide_t'(not_swept_q[WordW-1:BYTES_W]), !known_q
      ));
      bytes_gained_q <= BYTES_W'(sub_borrow(
          wide_t'(not_earlier[BYTES_W-1:0]), wide_t'(not_swept_q[BYTES_W-1:0]), !known_q
      ));
    end
  end

  assign not_added.packets = ~(TotalW'(packets_gained_q) | (query_q[5] ? sum_o.packets : '0));
  assign not_added.bytes   = ~(TotalW'(bytes_gained_q) | (query_q[5] ? sum_o.bytes : '0));
  assign sum.packets       = TotalW'(sub_borrow(wide_t'(shown.packets), wide_t'(not_added.packets), 1'b1));
  assign sum.bytes         = TotalW'(sub_borrow(wide_t'(shown.bytes), wide_t'(not_added.bytes), 1'b1));

  always_ff @(posedge clk_i) begin
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
      .DEPTH(2 << AddrW)
  ) totals (
      .clk_i,
      .wr_en_i  (sweep_q[6]),
      .wr_addr_i({newest_q ^ saved_q, addr_q[6]}),
      .wr_data_i(sum_q),
      .rd_en_i  ((sweep_q[3] && !fresh_i) || match_q[3]),
      .rd_addr_i({newest_q ^ (query_q[3] && !saved_q), addr_q[3]}),
      .rd_data_o(shown)
  );

  `TM_ASSERT(OneUser_A, sweep_q == '0 || query_q == '0, "sweep and query use the adder at a time")

endmodule
