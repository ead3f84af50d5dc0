// SPDX-License-Identifier: BSD-3-Clause
// The narrow counters of every port, wired: arrivals, departures and the histogram of sojourn times.
//
// Contract: each port may have one departure in every cycle, and each line one arrival: the QUEUES ports of a line take
// a frame one at a time, so its arrivals share a memory and an adder. `sweep_*` reads one frozen counter, see tm_tally;
// its word is on `swept_o` three cycles later. Codes are those of tm_pkg::outcome_e, the index below a code is {class,
// ECE}, or the low bits of the bin.
`include "tm_assert.svh"

module tm_counters
  import tm_pkg::*;
#(
    parameter  int unsigned PORTS     = 5,
    parameter  int unsigned QUEUES    = 1,                            // ports next to one another that are a line's
    parameter  int unsigned PACKETS_W = 11,
    parameter  int unsigned BYTES_W   = 24,
    parameter  int unsigned LAST_CODE = 32'(SojournHigh),             // tm_pkg::last_code
    parameter  int unsigned ROW_BYTES = 32,
    localparam int unsigned Lines     = PORTS / QUEUES,
    localparam int unsigned WordW     = PACKETS_W + BYTES_W,
    localparam bit          Laws      = LAST_CODE > 32'(SojournHigh)  // at the head
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    // events
    // verilator lint_off UNUSEDSIGNAL
    input  arrival_t   [PORTS-1:0] arrival_i,
    input  tally_t                 tally_i,
    // verilator lint_on UNUSEDSIGNAL
    input  departure_t [PORTS-1:0] departure_i,
    // from the sweep
    input  logic                   bank_i,
    input  logic                   hold_i,
    input  logic       [PORTS-1:0] sweep_port_i,   // one-hot; 0 reads nothing
    input  logic       [      4:0] sweep_code_i,
    input  logic       [      3:0] sweep_index_i,
    // to the sweep
    output logic       [WordW-1:0] swept_o
);

  logic sweep_departure, sweep_bin, hold;
  logic [1:0] bank_q;
  logic [Lines-1:0][WordW-1:0] arrivals;
  logic [PORTS-1:0][WordW-1:0] departures;
  logic [PORTS-1:0][PACKETS_W-1:0] binned;

  // Without a law there a frame was dropped at the head, or not: the lowest bit of the kind.
  localparam int unsigned KindW = Laws ? $bits(departure_e) : 1;
  localparam int unsigned RowLenW = $clog2(ROW_BYTES + 1);
  localparam int unsigned DepartNextW = Laws ? LenW : RowLenW;
  logic [KindW-1:0] sweep_kind;

  assign hold            = rst_i || hold_i;
  assign sweep_departure = sweep_code_i[4] || sweep_code_i[3:1] == Departed[3:1];
  assign sweep_bin       = sweep_code_i[4:1] == {1'b0, SojournLow[3:1]};
  assign sweep_kind      = sweep_code_i[4] ? KindW'(sweep_code_i[2:0] + DepartMarked) : KindW'(sweep_code_i[0]);

  // A frame arrives at all its ports with one length.
  logic [1:0][LenW-1:0] arrive_len;

  tm_tally_lengths arrive_lengths (
      .clk_i,
      .len_i     (tally_i.len),
      .late_len_o(arrive_len)
  );

  localparam int unsigned ArrivalW = $clog2(QUEUES) + 8;
  typedef logic [ArrivalW-1:0] arrival_index_t;  // {queue, outcome, class, ECE}

  for (genvar l = 0; l < Lines; l++) begin : gen_line
    logic valid, sweep;
    logic [3:0] outcome, queue, sweep_queue;
    always_comb begin
      {valid, outcome, queue, sweep, sweep_queue} = '0;
      for (int unsigned q = 0; q < QUEUES; q++) begin
        valid |= arrival_i[l*QUEUES+q].valid;
        sweep |= sweep_port_i[l*QUEUES+q];
        if (QUEUES == 1 || arrival_i[l*QUEUES+q].valid) begin
          queue |= 4'(q);
          outcome |= arrival_i[l*QUEUES+q].outcome;
        end
        if (sweep_port_i[l*QUEUES+q]) sweep_queue |= 4'(q);
      end
    end

    tm_tally #(
        .INDEX_W  (ArrivalW),
        .PACKETS_W(PACKETS_W),
        .BYTES_W  (BYTES_W)
    ) arrival (
        .clk_i,
        .event_valid_i(valid),
        .event_index_i(arrival_index_t'({queue, outcome, tally_i.class_id, tally_i.ece})),
        .late_len_i   (arrive_len),
        .bank_i,
        .hold_i       (hold),
        .sweep_i      (sweep && !sweep_departure && !sweep_bin),
        .sweep_index_i(arrival_index_t'({sweep_queue, sweep_code_i[3:0], sweep_index_i})),
        .swept_o      (arrivals[l])
    );

    logic [QUEUES-1:0] arrive;
    for (genvar q = 0; q < QUEUES; q++) begin : gen_arrive
      assign arrive[q] = arrival_i[l*QUEUES+q].valid;
    end
    `TM_ASSERT(OneArrival_A, (arrive & (arrive - 1'b1)) == '0, "two queues of a line take a frame in one cycle")
  end

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic [4:0] bin;
    logic [1:0][LenW-1:0] depart_len;

    tm_tally_lengths depart_lengths (
        .clk_i,
        .len_i     (departure_i[p].len),
        .late_len_o(depart_len)
    );

    // (A frame that departs in the cycle after another has one row, unless its rows were skipped.)
    tm_tally #(
        .NEXT_W   (DepartNextW),
        .INDEX_W  (KindW + 4),
        .PACKETS_W(PACKETS_W),
        .BYTES_W  (BYTES_W)
    ) departure (
        .clk_i,
        .event_valid_i(departure_i[p].valid),
        .event_index_i({KindW'(departure_i[p].kind), departure_i[p].class_id, departure_i[p].ece}),
        .late_len_i   (depart_len),
        .bank_i,
        .hold_i       (hold),
        .sweep_i      (sweep_port_i[p] && sweep_departure),
        .sweep_index_i({sweep_kind, sweep_index_i}),
        .swept_o      (departures[p])
    );

    // The bin is known two cycles later: the histogram counts then, into the bank of the departure's own cycle.
    logic [1:0] binned_valid_q;
    initial binned_valid_q = '0;
    always @(posedge clk_i) begin  // always_ff allows no initial
      binned_valid_q <= {binned_valid_q[0], departure_i[p].valid && departure_i[p].kind != DepartHeadDropped && !hold};
    end

    tm_sojourn_bin sojourn_bin (
        .clk_i,
        .sojourn_i(departure_i[p].sojourn),
        .bin_o    (bin)
    );

    tm_tally #(
        .INDEX_W  (5),
        .PACKETS_W(PACKETS_W),
        .BYTES_W  (0)
    ) histogram (
        .clk_i,
        .event_valid_i(binned_valid_q[1]),
        .event_index_i(bin),
        .late_len_i   ('0),
        .bank_i       (bank_q[1]),
        .hold_i       (rst_i),
        .sweep_i      (sweep_port_i[p] && sweep_bin),
        .sweep_index_i({sweep_code_i[0], sweep_index_i}),
        .swept_o      (binned[p])
    );
  end

  always_ff @(posedge clk_i) bank_q <= {bank_q[0], bank_i};

  // What departs in the cycle after another departure has one row.
  for (genvar p = 0; p < PORTS; p++) begin : gen_assert
    `TM_ASSERT(OneRow_A, Laws || !(departure_i[p].valid && $past(departure_i[p].valid
               )) || 32'(departure_i[p].len) <= ROW_BYTES, "a frame of several rows departs in the cycle after another")
  end

  // Only the one that was read is not 0.
  logic [WordW-1:0] swept;
  always_comb begin
    swept = '0;
    for (int unsigned l = 0; l < Lines; l++) swept |= arrivals[l];
    for (int unsigned p = 0; p < PORTS; p++) swept |= departures[p] | {binned[p], BYTES_W'(0)};
  end
  always_ff @(posedge clk_i) swept_o <= swept;

endmodule
