// SPDX-License-Identifier: BSD-3-Clause
// The 48-bit totals of all counters of all ports, their snapshot, and the one adder that serves sweeps and queries.
//
// Contract: one counter enters in each cycle, by its `addr_i` (place in the sweep order over all ports) and `sweep_i`;
// its narrow value follows on `swept_i` in the next cycle. The total grows by what the narrow counter gained since the
// same bank was last swept; with `keep_i` the new total goes into the snapshot as well. `bank_fresh_i` says that the
// bank is swept for the first time, `fresh_i` the same of the totals: both began at 0. With `baseline_i` nothing is
// added, the narrow counter is only remembered. `query_i` instead adds the counter's snapshot to `sum_o`, or nothing
// where `match_i` is 0; `query_start_i` clears the sums. The four inputs of the sweep hold from its first counter until
// three cycles after its last, a sweep and a query are at least four cycles apart, and one counter is not swept twice
// in four cycles.
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

  // Stage by stage: the narrow counter is read, differs from the last sweep's, and is added.
  logic sweep_1_q, sweep_2_q, sweep_3_q, query_1_q, query_2_q, query_3_q, match_1_q, known_q;
  logic [AddrW-1:0] addr_1_q, addr_2_q, addr_3_q;
  logic [WordW-1:0] not_swept_q, not_earlier, not_now;
  logic [PACKETS_W-1:0] packets_gained_q;
  logic [BYTES_W-1:0] bytes_gained_q;
  logic [TotalW-1:PACKETS_W] packets_high_q;
  logic [TotalW-1:BYTES_W] bytes_high_q;
  total_t total, snapshot, added, sum;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      {sweep_1_q, sweep_2_q, sweep_3_q} <= '0;
      {query_1_q, query_2_q, query_3_q} <= '0;
      match_1_q                         <= 1'b0;
    end else begin
      {sweep_1_q, sweep_2_q, sweep_3_q} <= {sweep_i, sweep_1_q, sweep_2_q};
      {query_1_q, query_2_q, query_3_q} <= {query_i, query_1_q, query_2_q};
      match_1_q                         <= query_i && match_i;
    end
    {addr_1_q, addr_2_q, addr_3_q} <= {addr_i, addr_1_q, addr_2_q};
    known_q                        <= sweep_1_q && !bank_fresh_i;
    not_swept_q                    <= ~swept_i;
  end

  // Each RAM shows 0 unless it was read, so a query and a sweep meet in an OR instead of a multiplexer. The earlier
  // value is kept as its complement, 0 where there is none: less the complement of the present one, and one more where
  // there is none, that is what was gained. What comes from RAM alone stands before the minus.
  assign not_now = not_swept_q & ~{snapshot.packets[PACKETS_W-1:0], snapshot.bytes[BYTES_W-1:0]};

  always_ff @(posedge clk_i) begin
    if (baseline_i && sweep_2_q) begin
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

  assign added       = total | (query_3_q ? sum_o : '0);
  assign sum.packets = added.packets + {packets_high_q, packets_gained_q};
  assign sum.bytes   = added.bytes + {bytes_high_q, bytes_gained_q};

  always_ff @(posedge clk_i) begin
    if (rst_i || query_start_i) sum_o <= '0;
    else if (query_3_q) sum_o <= sum;
  end

  // What each bank's narrow counters were when they were last swept.
  tm_prim_ram #(
      .GATED(1'b1),
      .WIDTH(WordW),
      .DEPTH(2 << AddrW)
  ) last_swept (
      .clk_i,
      .wr_en_i  (sweep_2_q),
      .wr_addr_i({bank_i, addr_2_q}),
      .wr_data_i(not_swept_q),
      .rd_en_i  (sweep_1_q && !bank_fresh_i),
      .rd_addr_i({bank_i, addr_1_q}),
      .rd_data_o(not_earlier)
  );

  tm_prim_ram #(
      .GATED(1'b1),
      .WIDTH(2 * TotalW),
      .DEPTH(1 << AddrW)
  ) totals (
      .clk_i,
      .wr_en_i  (sweep_3_q),
      .wr_addr_i(addr_3_q),
      .wr_data_i(sum),
      .rd_en_i  (sweep_2_q && !fresh_i),
      .rd_addr_i(addr_2_q),
      .rd_data_o(total)
  );

  tm_prim_ram #(
      .GATED(1'b1),
      .WIDTH(2 * TotalW),
      .DEPTH(1 << AddrW)
  ) snapshots (
      .clk_i,
      .wr_en_i  (sweep_3_q && keep_i),
      .wr_addr_i(addr_3_q),
      .wr_data_i(sum),
      .rd_en_i  (match_1_q),
      .rd_addr_i(addr_1_q),
      .rd_data_o(snapshot)
  );

  `TM_ASSERT(OneUser_A, !((sweep_1_q || sweep_2_q || sweep_3_q) && (query_1_q || query_2_q || query_3_q)),
             "sweep and query use the adder at a time")

endmodule
