// SPDX-License-Identifier: BSD-3-Clause
// Sweeps the narrow counters into the totals without end, takes snapshots and answers queries between the sweeps.
//
// Contract: round after round, a flip (the last cycle in which events go to the old bank), the counters of every
// port, and a query if one waits. `snapshot_i` makes the next flip a snapshot: `snapshot_o` is 1 in
// that cycle and `snapshot_busy_o` until its totals are kept. A query sums those counters of `page_i` of which code and
// index agree with `select_i` in the bits of the masks, from the last snapshot; a port that is not there, like a
// snapshot that was never taken, has only zeros. Totals and snapshot are 0 after a reset. After the first reset since
// power-up everything counts; later ones find narrow counters that are not 0, and `hold_o` stops the counting for one
// sweep from the start of the reset, until the first bank is known: a reset of PerPort * PORTS + ClearingRest
// cycles loses nothing.
//
// No narrow counter can wrap unseen: between two flips lie at most Round cycles with one event of at most
// MAX_FRAME bytes each, and PACKETS_W and BYTES_W hold Round and Round * MAX_FRAME.
module tm_snapshot
  import tm_pkg::*;
  import tm_control_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter  int unsigned PORTS     = 5,
    parameter  int unsigned MAX_FRAME = 9216,                // bytes
    parameter  int unsigned PACKETS_W = 11,
    parameter  int unsigned BYTES_W   = 24,
    parameter  int unsigned LAST_CODE = 32'(SojournHigh),    // tm_pkg::last_code
    localparam int unsigned WordW     = PACKETS_W + BYTES_W
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    // commands
    input  logic                   snapshot_i,
    input  logic                   query_i,
    input  logic       [PageW-1:0] page_i,
    input  query_reg_t             select_i,         // what a query sums
    output logic                   snapshot_busy_o,
    output logic                   query_busy_o,
    output total_t                 sum_o,
    // to and from the counters
    output logic                   bank_o,
    output logic                   hold_o,
    output logic       [PORTS-1:0] sweep_port_o,
    output logic       [      4:0] sweep_code_o,
    output logic       [      3:0] sweep_index_o,
    input  logic       [WordW-1:0] swept_i,
    // events
    output logic                   snapshot_o
);

  localparam int unsigned PerPort = counters_to(LAST_CODE);
  localparam int unsigned Round = PerPort * (PORTS + 1) + 24;
  localparam int unsigned Entries = PerPort * PORTS;
  localparam int unsigned AddrW = $clog2(Entries);

  if (64'd1 << PACKETS_W <= 64'(Round)) begin : gen_packets_error
    $error("PACKETS_W is %0d: a round of %0d cycles needs more", PACKETS_W, Round);
  end
  if (64'd1 << BYTES_W <= 64'(Round) * 64'(MAX_FRAME)) begin : gen_bytes_error
    $error("BYTES_W is %0d: %0d frames of %0d bytes need more", BYTES_W, Round, MAX_FRAME);
  end

  // Rest and Settle let the last events of the old bank be written, Drain what is on its way through the adder arrive:
  // three cycles and one, and seven.
  localparam logic [2:0] Rested = 3'd2, Drained = 3'd6;
  typedef enum logic [2:0] {
    Flip,
    Rest,
    Settle,
    Sweep,
    Drain,
    Query,
    QueryDrain
  } state_e;

  state_e state_q, state_d;
  logic rst_q, start, warm_q, baseline_q, fresh_q, wanted_q, taking_q, taken_q, asked_q, query_new;
  logic [1:0] bank_fresh_q;
  logic [2:0] drain_q;
  logic [PORTS-1:0] port_q;
  logic [AddrW-1:0] addr_q;
  logic [PageW-1:0] page_q;  // what is asked for, as it was when it was asked
  query_reg_t select_q;
  logic flip, last, sweeping, querying, sweep_end, query_start, match;

  // A reset acts once, when it begins: the rounds go on while it lasts.
  initial {rst_q, warm_q} = '0;
  always @(posedge clk_i) begin  // always_ff allows no initial
    rst_q <= rst_i;
    if (rst_q && !rst_i) warm_q <= 1'b1;
  end
  assign start       = rst_i && !rst_q;

  assign flip        = state_q == Flip;
  assign sweeping    = state_q == Sweep;
  assign querying    = state_q == Query;
  assign sweep_end   = state_q == Drain && drain_q == Drained;
  assign query_start = sweep_end && asked_q && !wanted_q && !hold_o;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Flip:    state_d = Rest;
      Rest:    if (drain_q == Rested) state_d = Settle;
      Settle:  state_d = Sweep;
      Sweep:   if (last && port_q[PORTS-1]) state_d = Drain;
      Drain:   if (drain_q == Drained) state_d = query_start ? Query : Flip;
      Query:   if (last) state_d = QueryDrain;
      default: if (drain_q == Drained) state_d = Flip;
    endcase
  end

  // A table: a gate of four inputs for each bit.
  logic [AddrW-1:0] first_of_page;
  always_comb begin
    first_of_page = '0;
    for (int unsigned p = 0; p < PORTS; p++) if (page_q == PageW'(p)) first_of_page = AddrW'(PerPort * p);
  end

  always_ff @(posedge clk_i) begin
    if (start) state_q <= Rest;
    else state_q <= state_d;

    drain_q <= (!start && (state_q inside {Rest, Drain, QueryDrain})) ? drain_q + 3'd1 : '0;

    if (state_q == Settle) addr_q <= '0;
    else if (query_start) addr_q <= first_of_page;
    else addr_q <= addr_q + AddrW'(sweeping || querying);

    if (state_q == Settle) port_q <= PORTS'(1);
    else if (sweeping && last) port_q <= port_q << 1;
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      bank_o       <= 1'b1;  // bank 0 is swept first, and known at the flip
      baseline_q   <= warm_q;
      fresh_q      <= 1'b1;
      bank_fresh_q <= '1;
      wanted_q     <= 1'b0;
      taking_q     <= 1'b0;
      taken_q      <= 1'b0;
      asked_q      <= 1'b0;
    end else begin
      bank_o <= bank_o ^ flip;
      if (sweep_end) begin
        baseline_q            <= baseline_q && fresh_q;
        fresh_q               <= 1'b0;
        bank_fresh_q[!bank_o] <= 1'b0;
        taking_q              <= 1'b0;
      end
      if (snapshot_o) wanted_q <= 1'b0;
      if (snapshot_i) wanted_q <= 1'b1;
      if (snapshot_o) {taking_q, taken_q} <= 2'b11;
      if (state_q == QueryDrain && drain_q == Drained) asked_q <= 1'b0;
      if (query_new) asked_q <= 1'b1;
    end
    if (query_new) {page_q, select_q} <= {page_i, select_i};
  end

  logic [4:0] code, code_mask;
  assign code = {select_q.code_high, select_q.code};
  assign code_mask = {select_q.code_mask_high, select_q.code_mask};
  assign match           = 32'(page_q) < PORTS && taken_q && ((sweep_code_o ^ code) & code_mask) == '0 &&
                           ((sweep_index_o ^ select_q.class_ece) & select_q.class_ece_mask) == '0;

  assign hold_o = baseline_q && bank_o;
  assign snapshot_o = flip && wanted_q && !baseline_q;
  assign snapshot_busy_o = snapshot_i || wanted_q || taking_q || baseline_q;
  assign query_new = query_i && !asked_q;
  assign query_busy_o = query_i || asked_q;
  assign sweep_port_o = sweeping ? port_q : '0;

  tm_sweep_order #(
      .LAST_CODE(LAST_CODE)
  ) order (
      .clk_i,
      .start_i(state_q == Settle || query_start),
      .step_i (sweeping || querying),
      .code_o (sweep_code_o),
      .index_o(sweep_index_o),
      .last_o (last)
  );

  tm_totals #(
      .ENTRIES  (Entries),
      .PACKETS_W(PACKETS_W),
      .BYTES_W  (BYTES_W)
  ) totals (
      .clk_i,
      .rst_i        (start),
      .bank_i       (!bank_o),
      .bank_fresh_i (bank_fresh_q[!bank_o]),
      .fresh_i      (fresh_q),
      .baseline_i   (baseline_q),
      .keep_i       (taking_q),
      .sweep_i      (sweeping),
      .sweep_end_i  (sweep_end),
      .addr_i       (addr_q),
      .swept_i,
      .query_start_i(query_start),
      .query_i      (querying),
      .match_i      (match),
      .sum_o
  );

endmodule
