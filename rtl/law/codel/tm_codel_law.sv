// SPDX-License-Identifier: BSD-3-Clause
// CoDel's arithmetic, for all ports in turns: how often it has signalled, and how long until the next signal.
//
// Contract (docs/codel-rules.md, "Cycles"): a port asks with `request_i`; `entering_i`, `from_now_i` and `again_i` are
// steady from the next cycle on until its `final_o`. In the cycle of a strobe the port moves its drop_next: `step_o`,
// by `increment_o`; `now_o`, to its `now` plus `increment_o`, which is 0; `final_o`, by `increment_o`, and the request
// is served. Newton's step and the law are Linux's (include/net/codel_impl.h), bit for bit, with two things done early:
// the step for the next count is done ahead, and `counts` holds the count plus one, that step's count. One multiplier
// of 49 x 16 bits (three DSP blocks) does everything; a product takes two cycles, one for its parts and one for their
// sum.
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
  localparam int unsigned PartW = ROOT_W + 1;  // of a factor: the part of a DSP block; the last has less
  localparam int unsigned LastW = ProductW - 2 * PartW;

  // ---- the program: docs/codel-rules.md has its letters ----
  typedef enum logic [3:0] {
    Free,
    Read,
    Enter2,
    Enter3,
    Enter4,
    Enter5,
    Law,
    Again,
    Root0,
    Root1,
    Root2,
    Root3,
    Root4,
    Root5,
    Root6,
    Root7
  } state_e;

  typedef enum logic [1:0] {
    FactorStays,
    FactorCount,
    FactorInterval,
    FactorProduct
  } factor_e;

  typedef struct packed {
    state_e  next;          // but Free waits, Read may enter, Enter5 and Root7 may do a step, or another
    factor_e factor;        // what is multiplied next
    logic    gained;        // the count becomes what it gained since the last entering
    logic    takes_up;      // or begins again, or where it stood
    logic    begins;        // law, and step for the next count
    logic    strobe_step;   // the port's drop_next moves on
    logic    strobe_final;  // in the law's pass
    logic    law_done;      // the product is the law's: the increment
    logic    rounds_up;     // the product, to a multiple of 4: Linux divides 3 - count * root^2 by 4 and rounds down
    logic    step_done;     // the root is the step's
  } step_t;

  localparam step_t Program[16] = '{
      Read: '{next: Law, factor: FactorInterval, default: '0},
      Enter2: '{next: Enter3, factor: FactorCount, gained: 1'b1, strobe_step: 1'b1, default: '0},
      Enter3: '{next: Enter4, factor: FactorStays, default: '0},
      Enter4: '{next: Enter5, factor: FactorStays, default: '0},
      Enter5: '{next: Law, factor: FactorInterval, takes_up: 1'b1, default: '0},
      Law: '{next: Root0, factor: FactorCount, begins: 1'b1, default: '0},
      Again: '{next: Root0, factor: FactorCount, default: '0},
      Root0: '{next: Root1, factor: FactorStays, law_done: 1'b1, default: '0},
      Root1: '{next: Root2, factor: FactorProduct, strobe_final: 1'b1, default: '0},
      Root2: '{next: Root3, factor: FactorStays, default: '0},
      Root3: '{next: Root4, factor: FactorProduct, rounds_up: 1'b1, default: '0},
      Root4: '{next: Root5, factor: FactorStays, default: '0},
      Root5: '{next: Root6, factor: FactorProduct, default: '0},
      Root6: '{next: Root7, factor: FactorStays, default: '0},
      Root7: '{next: Free, factor: FactorInterval, step_done: 1'b1, default: '0},
      default: step_t'{next: Free, factor: FactorStays, default: '0}
  };

  state_e state_q, state_d;
  step_t step;
  logic [PORTS-1:0] pending_q, batch_q, waiting, chosen, port_q;
  logic [IndexW-1:0] chosen_index, index_q;
  logic start, enters, continues, repeat_step, take_up, grown_q, take_up_q;
  logic law_q;  // the first pass: it makes the law's product besides
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
  assign enters      = |(port_q & entering_i);
  assign continues   = state_q == Read && !enters;
  assign repeat_step = rounds_q != 0;

  always_comb begin
    state_d = step.next;
    if (start) state_d = Read;
    else if (state_q == Read && enters) state_d = Enter2;
    else if ((step.takes_up && take_up_q) || (step.step_done && repeat_step)) state_d = Again;
    else if (step.step_done && !ahead_q) state_d = Law;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q   <= Free;
      pending_q <= '0;
      batch_q   <= '0;
      now_o     <= '0;
    end else begin
      state_q   <= state_d;
      pending_q <= (pending_q | request_i) & ~(start ? chosen : '0);
      if (start) batch_q <= waiting & ~chosen;
      // Known a cycle ahead: as an entering is taken up, and in a law's pass that follows none.
      now_o <= (state_q == Enter4) ? port_q : continues ? port_q & from_now_i : '0;
    end
    if (state_q == Free) {port_q, index_q} <= {chosen, chosen_index};
    if (step.begins) {law_q, ahead_q} <= 2'b11;
    else if (step.takes_up) {law_q, ahead_q} <= 2'b00;
    else if (step.step_done) law_q <= 1'b0;
    if (step.begins || step.takes_up) rounds_q <= {2{converge_i[index_q]}};
    else if (step.step_done && repeat_step) rounds_q <= rounds_q - 2'd1;
  end

  // ---- what is kept of each port; valid once it has entered ----
  logic [UnitsW-1:0] count, last_count, count_q, count_d, minus_q;
  logic [ROOT_W-1:0] root, next_root;

  // ---- the multiplier ----
  // Nobody asks for more than ProductW bits of a product. The last part's product begins where the first one's ends.
  logic [ProductW-1:0] factor_q, product;
  logic [ROOT_W-1:0] root_q, stepped;
  logic [ROOT_W+1:0] triple_q;  // three times root
  logic [PartW+ROOT_W-1:0] low_q;
  logic [2*ROOT_W-1:0] middle_q;
  logic [LastW-1:0] high_q;
  logic [ROOT_W:0] high_part_q;
  logic remainder_q;
  logic [UnitsW-1:0] interval;

  // The count of the step that is repeated, or the count after this one, or the count less the last.
  assign count_d  = count_q + minus_q + UnitsW'(step.begins);
  assign take_up  = grown_q && |(port_q & again_i);
  assign interval = interval_i[index_q];
  assign product  = {high_q, 1'b0, low_q} + {middle_q, (ROOT_W - 1)'(0), {2{step.rounds_up}}};
  assign stepped  = ROOT_W'((triple_q - (ROOT_W + 2)'(high_part_q) - (ROOT_W + 2)'(remainder_q)) >> 1);

  always_ff @(posedge clk_i) begin
    unique case (step.factor)
      FactorCount:    factor_q <= ProductW'(count_d);
      FactorInterval: factor_q <= ProductW'(interval);
      FactorProduct:  factor_q <= {product[ProductW-1:2], product[1:0] & ~{2{step.rounds_up}}};
      default:        ;
    endcase
    if (state_q == Read) count_q <= count;
    else if (step.takes_up && !take_up_q) count_q <= UnitsW'(1);
    else if (step.gained || step.begins) count_q <= count_d;
    minus_q <= (state_q == Read && enters) ? ~last_count : '0;
    if (state_q == Read) root_q <= enters ? root : next_root;
    else if (step.takes_up && !take_up_q) root_q <= '1;
    else if (step.step_done) root_q <= stepped;
    grown_q <= factor_q[UnitsW-1:1] != 0;
    take_up_q <= take_up;
    triple_q <= (ROOT_W + 2)'({root_q, 1'b0}) + (ROOT_W + 2)'(root_q);
    low_q <= factor_q[PartW-1:0] * root_q;
    middle_q <= (2 * ROOT_W)'(factor_q[2*PartW-1:PartW] * root_q);
    high_q <= LastW'(factor_q[ProductW-1:2*PartW] * root_q);
    high_part_q <= factor_q[ProductW-1:2*ROOT_W];
    remainder_q <= factor_q[2*ROOT_W-1:2] != 0;
    increment_o <= '0;
    if (state_q == Read && enters) increment_o <= {interval[UnitsW-5:0], 4'b0};
    if (step.law_done && law_q) increment_o <= product[UnitsW+ROOT_W-1:ROOT_W];
  end

  tm_prim_lut_ram #(
      .WIDTH(UnitsW),
      .DEPTH(1 << IndexW)
  ) counts (
      .clk_i,
      .wr_en_i  (step.begins),
      .wr_addr_i(index_q),
      .wr_data_i(count_d),
      .rd_addr_i(index_q),
      .rd_data_o(count)
  );
  tm_prim_lut_ram #(
      .WIDTH(UnitsW),
      .DEPTH(1 << IndexW)
  ) last_counts (
      .clk_i,
      .wr_en_i  (step.begins && !ahead_q),
      .wr_addr_i(index_q),
      .wr_data_i(count_q),
      .rd_addr_i(index_q),
      .rd_data_o(last_count)
  );
  tm_prim_lut_ram #(
      .WIDTH(ROOT_W),
      .DEPTH(1 << IndexW)
  ) roots (
      .clk_i,
      .wr_en_i  (step.begins),
      .wr_addr_i(index_q),
      .wr_data_i(root_q),
      .rd_addr_i(index_q),
      .rd_data_o(root)
  );
  tm_prim_lut_ram #(
      .WIDTH(ROOT_W),
      .DEPTH(1 << IndexW)
  ) next_roots (
      .clk_i,
      .wr_en_i  (step.step_done && ahead_q),
      .wr_addr_i(index_q),
      .wr_data_i(stepped),
      .rd_addr_i(index_q),
      .rd_data_o(next_root)
  );

  assign step_o  = step.strobe_step ? port_q : '0;
  assign final_o = (step.strobe_final && law_q) ? port_q : '0;

  `TM_ASSERT(OneRequest_A, (request_i & pending_q) == 0, "a port asks again before it was served")
  `TM_ASSERT(OnePort_A, $onehot0(step_o | now_o | final_o), "two ports are served at a time")

endmodule
