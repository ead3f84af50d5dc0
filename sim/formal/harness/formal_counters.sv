// SPDX-License-Identifier: BSD-3-Clause
// A port's narrow counters, their sweep into wide totals, and the snapshot: with an event in any cycle, none is lost
// and none counted twice, and what a query tells is the count of one cycle.
//
// Three counters (indices 0, 2, 4 of code 0) instead of 192: the order of the sweep is made that short. One of them is
// the solver's choice.
module formal_counters
  import tm_pkg::*;
  import tm_control_pkg::*;
(
    input logic            clk_i,
    input logic            event_i,
    input logic [     1:0] index_i,
    input logic [LenW-1:0] len_i,
    input logic [     1:0] choose_i,
    input logic            snapshot_i,
    input logic            query_i
);

  localparam int unsigned Counters = 3;
  localparam int unsigned Round = Counters * 2 + 24;  // as tm_snapshot has it for one port
  localparam int unsigned NarrowW = $clog2(Round + 1);
  localparam int unsigned TotalW = NarrowW + 1;

  logic [1:0] started_q = '0;
  logic boot_q;
  always_ff @(posedge clk_i) started_q <= {started_q[0], 1'b1};
  assign boot_q = !started_q[1];

  logic bank, hold, sweep, snapshot, snapshot_busy, query_busy, event_valid, snapshot_command, query_command;
  logic [4:0] sweep_code;
  logic [3:0] sweep_index;
  logic [2*NarrowW-1:0] swept;
  logic [2*NarrowW-1:0] swept_q;
  total_t sum;
  logic [1:0] chosen_q;
  logic snapshot_busy_q, query_busy_q, taken_q;

  assign event_valid      = event_i && !boot_q;
  assign snapshot_command = snapshot_i && !boot_q && !snapshot_busy_q && !query_busy_q;
  assign query_command    = query_i && !boot_q && !snapshot_i && !snapshot_busy_q && !query_busy_q && taken_q;

  logic [1:0][LenW-1:0] len_q;
  always_ff @(posedge clk_i) len_q <= {len_q[0], len_i};

  tm_tally #(
      .INDEX_W  (2),
      .PACKETS_W(NarrowW),
      .BYTES_W  (NarrowW)
  ) tally (
      .clk_i,
      .event_valid_i(event_valid),
      .event_index_i(index_i),
      .late_len_i   (len_q),
      .bank_i       (bank),
      .hold_i       (hold || boot_q),
      .sweep_i      (sweep),
      .sweep_index_i(sweep_index[2:1]),
      .swept_o      (swept)
  );

  tm_snapshot #(
      .PORTS    (1),
      .MAX_FRAME(1),
      .PACKETS_W(NarrowW),
      .BYTES_W  (NarrowW)
  ) dut (
      .clk_i,
      .rst_i(boot_q),
      .snapshot_i(snapshot_command),
      .query_i(query_command),
      .page_i('0),
      .select_i(
      '{code_mask: '1, code_mask_high: 1'b1, class_ece: {1'b0, chosen_q, 1'b0}, class_ece_mask: '1, default: '0}
      ),
      .snapshot_busy_o(snapshot_busy),
      .query_busy_o(query_busy),
      .sum_o(sum),
      .bank_o(bank),
      .hold_o(hold),
      .sweep_port_o(sweep),
      .sweep_code_o(sweep_code),
      .sweep_index_o(sweep_index),
      .swept_i(swept_q),
      .snapshot_o(snapshot)
  );

  always_ff @(posedge clk_i) swept_q <= swept;  // as tm_counters does

  // ---- the truth ----
  logic [TotalW-1:0] count_q, count, length_q, length, count_then_q, length_then_q;
  logic [NarrowW:0] round_q;
  logic hit;
  assign hit    = event_valid && index_i == chosen_q;
  assign count  = count_q + TotalW'(hit);
  assign length = length_q + (hit ? TotalW'(len_i) : '0);

  always_ff @(posedge clk_i) begin
    if (boot_q) chosen_q <= choose_i;
    count_q         <= boot_q ? '0 : count;
    length_q        <= boot_q ? '0 : length;
    snapshot_busy_q <= !boot_q && snapshot_busy;
    query_busy_q    <= !boot_q && query_busy;
    taken_q         <= !boot_q && (taken_q || snapshot);
    round_q         <= boot_q || dut.flip ? '0 : round_q + 1'b1;
    // The cycle of the flip is the last whose events belong to the snapshot.
    if (snapshot) {count_then_q, length_then_q} <= {count, length};
    Chosen_M : assume (choose_i < 2'(Counters) && index_i < 2'(Counters));
    if (!boot_q) begin
      FlipInTime_A : assert (32'(round_q) < Round);
      SnapshotTrue_A : assert (!(query_busy_q && !query_busy) || sum.packets[TotalW-1:0] == count_then_q);
      BytesTrue_A : assert (!(query_busy_q && !query_busy) || sum.bytes[TotalW-1:0] == length_then_q);
    end
  end

endmodule
