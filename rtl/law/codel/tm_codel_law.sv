// SPDX-License-Identifier: BSD-3-Clause
// CoDel's arithmetic, for all ports in turns: how often it has signalled, and how long until the next signal.
//
// Contract (docs/codel.md, "Cycles"): a port asks with `request_i`; `entering_i`, `from_now_i` and `again_i` are steady
// from the next cycle on until its `final_o`. In the cycle of a strobe the port moves its drop_next: `step_o`, by
// `increment_o`; `now_o`, to its `now` plus `increment_o`, which is 0; `final_o`, by `increment_o`, and the request is
// served. Newton's step and the law are Linux's (include/net/codel_impl.h), bit for bit, with two things done early:
// the step for the next count is done ahead, and `counts` holds the count plus one, that step's count. One multiplier
// of 48 x 16 bits (two DSP blocks) does everything, one product in two cycles.
`include "tm_assert.svh"

module tm_codel_law
  import tm_pkg::*;
#(
    parameter int unsigned PORTS  = 5,
    parameter int unsigned ROOT_W = 16  // bits of a reciprocal of a root; a proof takes fewer
) (
    input  logic                          clk_i,
    input  logic                          rst_i,
    // from the ports
    input  logic [ PORTS-1:0]             request_i,
    input  logic [ PORTS-1:0]             entering_i,   // it was not dropping
    input  logic [ PORTS-1:0]             from_now_i,   // the next signal counts from now, not from the last
    input  logic [ PORTS-1:0]             again_i,      // after `step_o`: it was dropping not long ago
    // config
    input  logic [ PORTS-1:0][UnitsW-1:0] interval_i,
    input  logic [ PORTS-1:0]             converge_i,
    // to the ports
    output logic [ PORTS-1:0]             step_o,
    output logic [ PORTS-1:0]             now_o,
    output logic [ PORTS-1:0]             final_o,
    output logic [UnitsW-1:0]             increment_o,
    output logic                          busy_o        // a port waits for it
);

  localparam int unsigned IndexW = (PORTS > 1) ? $clog2(PORTS) : 1;
  localparam int unsigned ProductW = 3 * ROOT_W + 1;  // nobody asks for more of a product
  localparam int unsigned LowW = 3 * ROOT_W / 2;  // of a factor: the part of the first multiplier

  // ---- the program: docs/codel.md has its letters. Enter0 and, without an entering, Next0 are done in Free. ----
  typedef enum logic [3:0] {
    Free,
    Enter1,
    Enter2,
    Enter3,
    Next0  = 4'd8,
    Next1,
    Next2,
    Next3,
    Next4,
    Next5,
    Next6,
    Next7
  } state_e;

  typedef enum logic [1:0] {
    FactorCount,
    FactorInterval,
    FactorProduct,
    FactorStays
  } factor_e;

  typedef struct packed {
    state_e  next;          // but Free waits, Enter3 may take up the count, and the step may be done again
    factor_e factor;        // what is multiplied next
    logic    begins;        // law and step for the next count
    logic    takes_up;      // the count begins anew, or where it stood
    logic    strobe_step;   // the port's drop_next moves on
    logic    strobe_now;    // to now; in the law's pass, to now if the port says so
    logic    strobe_final;
    logic    law_done;      // the product is the law's: the increment
    logic    rounds_up;     // the product, to a multiple of 4: Linux divides 3 - count * root^2 by 4 and rounds down
    logic    step_done;     // the root is the step's
  } step_t;

  localparam step_t Program[16] = '{
      Free: '{next: Free, factor: FactorCount, default: '0},
      Enter1: '{next: Enter2, factor: FactorStays, strobe_step: 1'b1, default: '0},
      Enter2: '{next: Enter3, factor: FactorStays, default: '0},
      Enter3: '{next: Next0, factor: FactorStays, takes_up: 1'b1, default: '0},
      Next0: '{next: Next1, factor: FactorCount, begins: 1'b1, default: '0},
      Next1: '{next: Next2, factor: FactorInterval, strobe_now: 1'b1, default: '0},
      Next2: '{next: Next3, factor: FactorProduct, default: '0},
      Next3: '{next: Next4, factor: FactorCount, law_done: 1'b1, default: '0},
      Next4: '{next: Next5, factor: FactorProduct, rounds_up: 1'b1, strobe_final: 1'b1, default: '0},
      Next5: '{next: Next6, factor: FactorCount, default: '0},
      Next6: '{next: Next7, factor: FactorCount, default: '0},
      Next7: '{next: Free, factor: FactorCount, step_done: 1'b1, default: '0},
      default: step_t'{next: Free, factor: FactorStays, default: '0}
  };

  state_e state_q, state_d;
  step_t step;
  logic [PORTS-1:0] pending_q, batch_q, waiting, chosen, port_q;
  logic [IndexW-1:0] chosen_index, index_q, index;
  logic start, enter, begin_next, take_up, repeat_step;
  logic law_q;  // the first pass of *next*: it makes the law's product besides
  logic ahead_q;  // the step is the one done ahead, not that of an entering
  logic [1:0] rounds_q;

  // ---- whose turn it is: the lowest of a batch, so that nobody waits for more than two rounds ----
  always_comb begin
    waiting      = (batch_q != 0) ? batch_q : pending_q;
    chosen       = waiting & -waiting;
    chosen_index = '0;
    for (int unsigned p = 0; p < PORTS; p++) if (chosen[p]) chosen_index = chosen_index | IndexW'(p);
  end

  assign step        = Program[state_q];
  assign busy_o      = state_q != Free || waiting != 0;
  assign start       = state_q == Free && waiting != 0;
  assign enter       = start && |(chosen & entering_i);
  assign begin_next  = (start && !enter) || step.begins;
  assign repeat_step = step.step_done && rounds_q != 0;
  assign index       = (state_q == Free) ? chosen_index : index_q;

  always_comb begin
    state_d = step.next;
    if (start) state_d = enter ? Enter1 : Next1;
    else if ((step.takes_up && take_up) || repeat_step) state_d = Next1;
    else if (step.step_done && !ahead_q) state_d = Next0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q   <= Free;
      pending_q <= '0;
      batch_q   <= '0;
    end else begin
      state_q   <= state_d;
      pending_q <= (pending_q | request_i) & ~(start ? chosen : '0);
      if (start) batch_q <= waiting & ~chosen;
    end
    if (start) {port_q, index_q} <= {chosen, chosen_index};
    if (begin_next) {law_q, ahead_q} <= 2'b11;
    else if (step.takes_up) {law_q, ahead_q} <= 2'b00;
    else if (step.step_done) law_q <= 1'b0;
    if (begin_next || step.takes_up) rounds_q <= {2{converge_i[index]}};
    else if (repeat_step) rounds_q <= rounds_q - 2'd1;
  end

  // ---- what is kept of each port; valid once it has entered ----
  logic [UnitsW-1:0] count, last_count, count_d, count_written;
  logic [ROOT_W-1:0] root, next_root;

  // ---- the multiplier ----
  // Nobody asks for more than ProductW bits of a product, so the highest of a factor may count as a sign, as DSP blocks
  // do.
  logic signed [ProductW-1:0] factor_q;
  logic [ProductW-1:0] product;
  logic [ROOT_W-1:0] root_q, root_d, stepped;
  logic [ROOT_W+1:0] triple_q;  // three times root
  logic [LowW+ROOT_W-1:0] low_q;
  logic [ProductW-LowW-1:0] high_q;
  logic [ROOT_W:0] high_part_q;
  logic remainder_q;

  // The count after this one, or the count less the last, or the count of the step that is repeated.
  assign count_d = count + (enter ? ~last_count : '0) + UnitsW'(begin_next);
  assign take_up = factor_q[UnitsW-1:1] != 0 && |(port_q & again_i);
  assign count_written = !step.takes_up ? count_d : take_up ? factor_q[UnitsW-1:0] : UnitsW'(1);

  assign product = ProductW'(low_q) + {high_q, (LowW - 2)'(0), {2{step.rounds_up}}};
  assign stepped = ROOT_W'((triple_q - (ROOT_W + 2)'(high_part_q) - (ROOT_W + 2)'(remainder_q)) >> 1);

  always_comb begin
    root_d = root_q;
    if (start) root_d = enter ? root : next_root;
    else if (step.takes_up && !take_up) root_d = '1;
    else if (step.step_done) root_d = stepped;
  end

  always_ff @(posedge clk_i) begin
    unique case (step.factor)
      FactorCount:    factor_q <= ProductW'(count_d);
      FactorInterval: factor_q <= ProductW'(interval_i[index]);
      FactorProduct:  factor_q <= {product[ProductW-1:2], product[1:0] & ~{2{step.rounds_up}}};
      default:        if (step.takes_up && !take_up) factor_q <= ProductW'(1);
    endcase
    root_q <= root_d;
    triple_q <= (ROOT_W + 2)'({root_q, 1'b0}) + (ROOT_W + 2)'(root_q);
    low_q <= factor_q[LowW-1:0] * root_q;
    high_q <= (ProductW - LowW)'((ProductW - LowW + ROOT_W + 1)'($signed(
        factor_q[ProductW-1:LowW]
    )) * (ProductW - LowW + ROOT_W + 1)'($signed(
        {1'b0, root_q}
    )));
    high_part_q <= product[ProductW-1:2*ROOT_W];
    remainder_q <= product[2*ROOT_W-1:2] != 0;
    if (start && enter) increment_o <= {interval_i[index][UnitsW-5:0], 4'b0};
    else if (step.law_done && law_q) increment_o <= product[UnitsW+ROOT_W-1:ROOT_W];
    else if (!step.strobe_final) increment_o <= '0;
  end

  tm_prim_lut_ram #(
      .WIDTH(UnitsW),
      .DEPTH(1 << IndexW)
  ) counts (
      .clk_i,
      .wr_en_i  (begin_next || step.takes_up),
      .wr_addr_i(index),
      .wr_data_i(count_written),
      .rd_addr_i(index),
      .rd_data_o(count)
  );
  tm_prim_lut_ram #(
      .WIDTH(UnitsW),
      .DEPTH(1 << IndexW)
  ) last_counts (
      .clk_i,
      .wr_en_i  (step.takes_up),
      .wr_addr_i(index),
      .wr_data_i(count_written),
      .rd_addr_i(index),
      .rd_data_o(last_count)
  );
  tm_prim_lut_ram #(
      .WIDTH(ROOT_W),
      .DEPTH(1 << IndexW)
  ) roots (
      .clk_i,
      .wr_en_i  (begin_next),
      .wr_addr_i(index),
      .wr_data_i(root_d),
      .rd_addr_i(index),
      .rd_data_o(root)
  );
  tm_prim_lut_ram #(
      .WIDTH(ROOT_W),
      .DEPTH(1 << IndexW)
  ) next_roots (
      .clk_i,
      .wr_en_i  (step.step_done && ahead_q),
      .wr_addr_i(index),
      .wr_data_i(stepped),
      .rd_addr_i(index),
      .rd_data_o(next_root)
  );

  assign step_o  = step.strobe_step ? port_q : '0;
  assign now_o   = step.takes_up ? port_q : (step.strobe_now && law_q) ? port_q & from_now_i : '0;
  assign final_o = (step.strobe_final && law_q) ? port_q : '0;

  `TM_ASSERT(OneRequest_A, (request_i & pending_q) == 0, "a port asks again before it was served")
  `TM_ASSERT(OnePort_A, $onehot0(step_o | now_o | final_o), "two ports are served at a time")

endmodule
