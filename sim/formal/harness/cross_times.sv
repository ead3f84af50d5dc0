// SPDX-License-Identifier: BSD-3-Clause
// CoDel's times next to their reference: over of the head at once, above, late and due a cycle later, first_above.
//
// Contract: any inputs in any cycle. `reference_o` and `twin_o` are {above, over, late, due, nonzero}, all but
// over of the cycle before; ce_threshold counts as it was when now moved; `first_above` runs along in both.
module cross_times
  import tm_pkg::*;
(
    input  logic        clk_i,
    input  logic [31:0] unit_i,
    input  logic        hold_i,
    input  logic [31:0] head_stamp_i,
    input  logic [31:0] target_i,
    input  logic [31:0] interval_i,
    input  logic [31:0] ce_threshold_i,
    input  logic        at_once_i,
    input  logic        set_i,
    input  logic        move_i,
    input  logic        move_now_i,
    input  logic [31:0] increment_i,
    output logic [ 4:0] reference_o,
    output logic [ 4:0] twin_o
);

  codel_t cfg;
  logic [31:0] now_q, ce_threshold_q, first_above_q, drop_next_q, fresh;
  logic above, over, late, due, void_time, above_q, late_q, due_q, void_q, void_2_q;
  logic twin_above, twin_over, twin_late, twin_due, twin_nonzero;
  logic [4:0] seen_q;  // what has been written so far

  always_comb begin
    cfg              = '0;
    cfg.target       = target_i;
    cfg.interval     = interval_i;
    cfg.ce_threshold = ce_threshold_i;
    cfg.at_once      = at_once_i;
  end

  spinal_codel_times reference (
      .io_now        (now_q),
      .io_stamp      (head_stamp_i),
      .io_target     (target_i),
      .io_interval   (interval_i),
      .io_ceThreshold(ce_threshold_q),
      .io_firstAbove (first_above_q),
      .io_dropNext   (drop_next_q),
      .io_atOnce     (at_once_i),
      .io_behind     ('0),
      .io_exempt     ('0),
      .io_exemptBelow(1'b0),
      .io_isAbove    (above),
      .io_isOver     (over),
      .io_isSmall    (),
      .io_isLate     (late),
      .io_isDue      (due),
      .io_fresh      (fresh),
      .io_isVoid     (void_time)
  );

  always_ff @(posedge clk_i) begin
    if (!hold_i) {now_q, ce_threshold_q} <= {unit_i, ce_threshold_i};
    if (!set_i) first_above_q <= fresh;
    if (!set_i) void_q <= void_time;
    if (move_now_i) drop_next_q <= now_q + increment_i;
    else if (move_i) drop_next_q <= drop_next_q + increment_i;
    {above_q, void_2_q} <= {above, void_q};
    late_q <= late && set_i;
    due_q <= due;
  end

  tm_codel_times twin (
      .clk_i,
      .unit_i,
      .hold_i,
      .head_stamp_i,
      .cfg_i    (cfg),
      .set_i,
      .move_i,
      .move_now_i,
      .increment_i,
      .above_o  (twin_above),
      .over_o   (twin_over),
      .nonzero_o(twin_nonzero),
      .late_o   (twin_late),
      .due_o    (twin_due)
  );

  assign reference_o = {above_q, over, late_q, due_q, !void_2_q};
  assign twin_o      = {twin_above, twin_over, twin_late, twin_due, twin_nonzero};

  // Registers without a reset agree from the cycle on in which all of them have been written.
  initial seen_q = '0;
  always_ff @(posedge clk_i) begin
    seen_q[0] <= seen_q[0] || !hold_i;
    seen_q[1] <= seen_q[1] || (seen_q[0] && !set_i);
    seen_q[2] <= seen_q[2] || (seen_q[0] && move_now_i);
    seen_q[3] <= &seen_q[2:0];
    seen_q[4] <= seen_q[3];
    Order_A : assert (!seen_q[3] || seen_q[2:0] == 3'b111);
    Chain_A : assert ((!seen_q[1] && !seen_q[2]) || seen_q[0]);
    if (seen_q[0]) Now_A : assert (now_q == twin.now_q && twin.over_stamp_q == now_q - ce_threshold_q);
    if (seen_q[1]) FirstAbove_A : assert (first_above_q == twin.first_above_q && void_q == (first_above_q == 0));
    if (seen_q[2]) DropNext_A : assert (drop_next_q == twin.drop_next_q);
    if (seen_q[3]) Head_A : assert (reference_o[3] == twin_o[3]);
    if (seen_q[4]) begin
      Seen_A : assert (seen_q[3]);
      Signal_A : assert (reference_o == twin_o);
    end
  end

endmodule
