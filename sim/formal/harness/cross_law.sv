// SPDX-License-Identifier: BSD-3-Clause
// CoDel's law next to its reference: one request after the other, each worked off by the twin's engine of one port.
//
// Contract: `request_i` in a cycle in which `free_o` is set, with what belongs to it in the same cycle and steady until
// `done_o`. In the cycle of `done_o` the law has moved: `reference_o` and `twin_o` are {count, last count, reciprocal,
// drop_next}. `now_i` stands still from a request to its end, as the port holds it. A first request enters. TimeW and
// RootW are small, for the proof (sim/formal/equivalences.py): the reference is emitted so narrow, UnitsW has to be 6.
module cross_law
  import tm_pkg::*;
#(
    localparam int unsigned TimeW    = UnitsW,
    localparam int unsigned RootW    = 4,
    localparam int unsigned ProductW = 3 * RootW + 1,     // of a product: nobody asks for more
    localparam int unsigned StateW   = 3 * TimeW + RootW
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              request_i,
    input  logic              entering_i,
    input  logic              from_now_i,
    input  logic              moves_i,
    input  logic              reentry_past_i,
    input  logic              converge_i,
    input  logic [ TimeW-1:0] now_i,
    input  logic [ TimeW-1:0] interval_i,
    output logic              free_o,
    output logic              done_o,
    output logic [StateW-1:0] reference_o,
    output logic [StateW-1:0] twin_o
);

  logic busy_q, entered_q, may_again_q, step, now_moves, final_step, due, due_before, done_q;
  logic [1:0] wait_q;
  logic [TimeW-1:0] increment, count, last_count, drop_next;
  logic [RootW-1:0] root;
  logic [TimeW-1:0] count_q, last_count_q, drop_next_q;
  logic [RootW-1:0] root_q;
  codel_t cfg;

  always_comb begin
    cfg          = '0;
    cfg.interval = interval_i;
  end

  spinal_codel_law_small reference (
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
      .PORTS (1),
      .ROOT_W(RootW)
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
    wait_q <= request_i ? 2'd2 : (wait_q == 0) ? wait_q : wait_q - 2'd1;
    done_q <= done_o;
    if (done_o) begin
      count_q      <= count;
      last_count_q <= last_count;
      root_q       <= root;
      drop_next_q  <= drop_next;
    end
  end

  // The engine is free again, so the step ahead is done too.
  assign free_o = !busy_q && !done_q;
  assign done_o = busy_q && wait_q == 0 && twin.state_q == 4'd0 && !twin.pending_q[0];
  assign reference_o = {count, last_count, root, drop_next};
  // The twin keeps the count plus one.
  assign twin_o = {twin.counts.words[0] - TimeW'(1), twin.last_counts.words[0], twin.roots.words[0], times.drop_next_q};


  // ---- what the proof needs: the twin's registers in each state of its engine ----
  logic idle, working, ahead, began_q;
  logic [TimeW-1:0] count_now, base;
  logic [RootW-1:0] root_now, next_root, next_root_now;
  logic [ProductW-1:0] product, rounded, first, gap;
  logic [2*TimeW+11:0] inputs, inputs_q;

  // Newton's step for the count after this one, while nobody asks; and the one that the engine is at.
  spinal_codel_law_small_CodelNewton look_ahead (
      .io_count     (count_q + TimeW'(1)),
      .io_reciprocal(root_q),
      .io_next      (next_root)
  );
  assign ahead     = twin.ahead_q;
  assign count_now = ahead ? count + TimeW'(1) : count;
  assign root_now  = ahead ? root : root_q;
  spinal_codel_law_small_CodelNewton now (
      .io_count     (count_now),
      .io_reciprocal(root_now),
      .io_next      (next_root_now)
  );
  assign first   = ProductW'(count_now) * ProductW'(root_now);
  assign rounded = (ProductW'(now.product) + ProductW'(3)) & ~ProductW'(3);
  assign product = {twin.high_q, 1'b0, twin.low_q} + {twin.middle_q, (RootW + 1)'(0)};
  assign gap     = ProductW'(interval_i) * ProductW'(root_now);
  assign idle    = !busy_q && entered_q;
  assign working = busy_q && twin.state_q >= 4'd8;
  assign base    = entering_i ? now_i : drop_next_q;
  assign inputs  = {now_i, interval_i, 12'({entering_i, from_now_i, moves_i, reentry_past_i, converge_i})};

  initial began_q = 1'b0;
  always_ff @(posedge clk_i) begin
    inputs_q <= inputs;
    began_q  <= began_q || rst_i;
    Reset_M : assume (began_q || rst_i);
    Steady_M : assume (!busy_q || inputs == inputs_q);
    Request_M : assume (!request_i || (free_o && !rst_i));
    Enters_M : assume (!request_i || entered_q || entering_i);
    Moves_M : assume (moves_i || !from_now_i || entering_i);
    if (began_q) begin
      Batch_A : assert (twin.batch_q == 0);
      Free_A : assert (busy_q || (twin.state_q == 4'd0 && !twin.pending_q[0]));
      Pending_A : assert (!twin.pending_q[0] || (busy_q && twin.state_q == 4'd0 && wait_q == 2'd2));
      First_A : assert (!busy_q || entered_q || entering_i);
      Minus_A : assert (twin.state_q inside {4'd0, 4'd2} || twin.minus_q == 0);
      if (entered_q && (idle || twin.pending_q[0] || twin.state_q inside {[4'd1 : 4'd5]})) begin
        Kept_A :
        assert (twin.counts.words[0] == count_q + TimeW'(1) && twin.last_counts.words[0] == last_count_q
                && twin.roots.words[0] == root_q && twin.next_roots.words[0] == next_root);
      end
      if (entered_q && (idle || twin.pending_q[0] || twin.state_q inside {4'd1, 4'd2})) begin
        Drop_A : assert (times.drop_next_q == drop_next_q);
        Ahead_A : assert (twin.state_q == 4'd2 || (twin.ahead_q && twin.rounds_q == 0));
      end
      if (busy_q) begin
        Now_A : assert (times.now_q == now_i);
        MayAgain_A : assert (may_again_q == (entered_q && (due_before || !reentry_past_i)));
        if (twin.state_q != 0) Port_A : assert (twin.port_q == 1'b1 && twin.index_q == 1'b0);
        if (twin.state_q inside {4'd1, [4'd3 : 4'd8]}) Zero_A : assert (twin.increment_o == 0);
        if (twin.state_q inside {[4'd2 : 4'd5]}) begin
          Entering_A : assert (entering_i);
          Old_A : assert (!entered_q || twin.root_q == root_q);
        end
        if (twin.state_q == 4'd2) begin
          Interval_A : assert (twin.increment_o == TimeW'({interval_i, 4'b0}));
          Gain_A : assert (!entered_q || (twin.count_q == count_q + TimeW'(1) && twin.minus_q == ~last_count_q));
        end else if (twin.state_q inside {[4'd3 : 4'd5]}) begin
          Grown_A :
          assert (!entered_q || (twin.factor_q == ProductW'(reference.grown) && twin.count_q == reference.grown));
          Drop2_A : assert (!entered_q || times.drop_next_q == TimeW'(drop_next_q + {interval_i[TimeW-5:0], 4'b0}));
        end
        if (twin.state_q == 4'd4) Take_A : assert (twin.take_up == reference.takesUp);
        if (twin.state_q == 4'd5) Taken_A : assert (twin.take_up_q == reference.takesUp);
        if (twin.state_q == 4'd6) begin
          Begin_A :
          assert (ahead == !entering_i && twin.count_q == count && twin.root_q == root && twin.rounds_q == 0
                  && twin.factor_q == ProductW'(interval_i) && times.drop_next_q == base);
          Last_A : assert (entering_i || twin.last_counts.words[0] == last_count);
        end
        if (twin.state_q == 4'd7) begin
          Step0_A :
          assert (entering_i && reference.takesUp && entered_q && !ahead && !twin.law_q && twin.rounds_q == 0);
          Count0_A : assert (twin.count_q == count && twin.root_q == root_q && times.drop_next_q == now_i);
        end
        if (working) begin
          Law_A : assert (twin.law_q == ahead && twin.rounds_q == 0);
          Again_A : assert (ahead || (entering_i && reference.takesUp && entered_q));
          Root_A : assert (twin.root_q == root_now && twin.count_q == count_now);
          Written_A :
          assert (!ahead || (twin.counts.words[0] == count_now && twin.last_counts.words[0] == last_count
                  && twin.roots.words[0] == root));
          Moved_A :
          assert (times.drop_next_q == (!ahead ? now_i : twin.state_q >= 4'd10 ? drop_next
                  : from_now_i ? now_i : base));
          case (twin.state_q)
            4'd8: Factor0_A : assert (twin.factor_q == ProductW'(count_now) && (!ahead || product == gap));
            4'd9: begin
              Factor1_A : assert (twin.factor_q == ProductW'(count_now) && product == first);
              Gap_A : assert (!ahead || twin.increment_o == TimeW'(gap >> RootW));
            end
            4'd10: Factor2_A : assert (twin.factor_q == first);
            4'd11: Square_A : assert (product == ProductW'(now.product));
            4'd12: Rounded_A : assert (twin.factor_q == rounded);
            4'd13: Third_A : assert (product == ProductW'(rounded * ProductW'(root_now)));
            4'd14: Factor6_A : assert (twin.factor_q == ProductW'(rounded * ProductW'(root_now)));
            4'd15: Step_A : assert (twin.stepped == next_root_now);
            default: ;
          endcase
          if (twin.state_q >= 4'd9) Triple_A : assert (twin.triple_q == (RootW + 2)'(root_now) * (RootW + 2)'(3));
        end
        if (twin.state_q == 0 && !twin.pending_q[0]) begin
          Done_A : assert (reference_o == twin_o);
          Next_A : assert (ahead && twin.rounds_q == 0 && twin.next_roots.words[0] == next_root_now);
        end
      end
    end
  end

endmodule
