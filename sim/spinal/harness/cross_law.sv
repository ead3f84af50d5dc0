// SPDX-License-Identifier: BSD-3-Clause
// CoDel's law beside its reference: one request after the other, each worked off by the twin's engine of one port.
//
// Contract: `request_i` in a cycle in which `free_o` is set, with what belongs to it in the same cycle and steady until `done_o`.
// In the cycle of `done_o` the law has moved: `reference_o` and `twin_o` are {count, last count, reciprocal, drop_next}.
// `now_i` stands still from a request to its end, as the port holds it. A first request enters.
module cross_law
  import tm_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         request_i,
    input  logic         entering_i,
    input  logic         from_now_i,
    input  logic         moves_i,
    input  logic         reentry_past_i,
    input  logic         converge_i,
    input  logic [ 31:0] now_i,
    input  logic [ 31:0] interval_i,
    output logic         free_o,
    output logic         done_o,
    output logic [111:0] reference_o,
    output logic [111:0] twin_o
);

  logic busy_q, entered_q, may_again_q, step, now_moves, final_step, due, due_before, done_q;
  logic [4:0] wait_q;
  logic [31:0] increment, count, last_count, drop_next;
  logic [15:0] root;
  logic [31:0] count_q, last_count_q, drop_next_q;
  logic [15:0] root_q;
  codel_t cfg;

  always_comb begin
    cfg          = '0;
    cfg.interval = interval_i;
  end

  spinal_codel_law reference (
      .io_state_count     (count_q),
      .io_state_lastCount (last_count_q),
      .io_state_reciprocal(root_q),
      .io_state_dropNext  (drop_next_q),
      .io_now             (now_i),
      .io_interval        (interval_i),
      .io_entering        (entering_i),
      .io_wasEntered      (entered_q),
      .io_isDue           (due_before),
      .io_moves           (moves_i),
      .io_fromNow         (from_now_i),
      .io_reentryPast     (reentry_past_i),
      .io_converge        (converge_i),
      .io_next_count      (count),
      .io_next_lastCount  (last_count),
      .io_next_reciprocal (root),
      .io_next_dropNext   (drop_next)
  );

  // The twin's clock runs behind `now_i` by a cycle, and its compare by another.
  tm_codel_times times (
      .clk_i,
      .unit_i      (now_i),
      .hold_i      (1'b0),
      .head_stamp_i('0),
      .cfg_i       (cfg),
      .set_i       (1'b0),
      .move_i      (step || (final_step && (moves_i || entering_i))),
      .move_now_i  (now_moves),
      .increment_i (increment),
      .above_o     (),
      .over_o      (),
      .nonzero_o   (),
      .late_o      (),
      .due_o       (due)
  );
  assign due_before = $signed(now_i - drop_next_q) >= 0;

  tm_codel_law #(
      .PORTS(1)
  ) twin (
      .clk_i,
      .rst_i,
      .request_i  (request_i),
      .entering_i (entering_i),
      .from_now_i (from_now_i),
      .again_i    (may_again_q && !due),
      .interval_i (interval_i),
      .converge_i (converge_i),
      .step_o     (step),
      .now_o      (now_moves),
      .final_o    (final_step),
      .increment_o(increment)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q    <= 1'b0;
      entered_q <= 1'b0;
    end else if (request_i) begin
      busy_q <= 1'b1;
    end else if (done_o) begin
      busy_q    <= 1'b0;
      entered_q <= 1'b1;
    end
    // As tm_codel says it: taken up only after an entering, and with reentry_past only once drop_next has passed.
    if (request_i) may_again_q <= entered_q && (due_before || !reentry_past_i);
    wait_q <= request_i ? 5'd2 : (wait_q == 0) ? wait_q : wait_q - 5'd1;
    done_q <= done_o;
    if (done_o) begin
      count_q      <= count;
      last_count_q <= last_count;
      root_q       <= root;
      drop_next_q  <= drop_next;
    end
  end

  // The engine is free again, so the step ahead is done too.
  assign free_o      = !busy_q && !done_q;
  assign done_o      = busy_q && wait_q == 0 && twin.state_q == 4'd0 && !twin.pending_q[0];
  assign reference_o = {count, last_count, root, drop_next};
  // The twin keeps the count plus one.
  assign twin_o      = {twin.counts[0] - 32'd1, twin.last_counts[0], twin.roots[0], times.drop_next_q};

endmodule
