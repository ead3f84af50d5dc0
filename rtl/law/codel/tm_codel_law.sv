// SPDX-License-Identifier: BSD-3-Clause
// CoDel's arithmetic, for all ports in turns: how often it has signalled, and how long until the next signal.
//
// Contract (docs/codel.md, "Cycles"): a port asks with `request_i`; `entering_i`, `from_now_i` and `again_i` are steady
// from the next cycle on until its `final_o`. In the cycle of a strobe the port moves its drop_next: `step_o`, by
// `increment_o`; `now_o`, to its `now` plus `increment_o`, which is 0; `final_o`, by `increment_o`, and the request is
// served. Newton's step and the law are Linux's (include/net/codel_impl.h), bit for bit, with two things done early:
// the step for the next count is done ahead, and `counts` holds the count plus one, that step's count. One multiplier
// of 48 x 16 bits (two DSP blocks) does everything, one product in two cycles.
module tm_codel_law #(
    parameter int unsigned PORTS = 5
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    // from the ports
    input  logic [PORTS-1:0]       request_i,
    input  logic [PORTS-1:0]       entering_i,  // it was not dropping
    input  logic [PORTS-1:0]       from_now_i,  // the next signal counts from now, not from the last
    input  logic [PORTS-1:0]       again_i,     // after `step_o`: it was dropping not long ago
    // config
    input  logic [PORTS-1:0][31:0] interval_i,
    input  logic [PORTS-1:0]       converge_i,
    // to the ports
    output logic [PORTS-1:0]       step_o,
    output logic [PORTS-1:0]       now_o,
    output logic [PORTS-1:0]       final_o,
    output logic [     31:0]       increment_o
);

  localparam int unsigned IndexW = (PORTS > 1) ? $clog2(PORTS) : 1;

  // Next0 .. Next7: law and Newton's step, in the letters of docs/codel.md. Enter0 and, without an entering, Next0 are
  // done in Free.
  typedef enum logic [3:0] {
    Free   = 4'd0,
    Enter1 = 4'd1,
    Enter2 = 4'd2,
    Enter3 = 4'd3,
    Next0  = 4'd8,
    Next1  = 4'd9,
    Next2  = 4'd10,
    Next3  = 4'd11,
    Next4  = 4'd12,
    Next5  = 4'd13,
    Next6  = 4'd14,
    Next7  = 4'd15
  } state_e;

  state_e state_q, state_d;
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

  assign start      = state_q == Free && waiting != 0;
  assign enter      = start && |(chosen & entering_i);
  assign begin_next = (start && !enter) || state_q == Next0;
  assign index      = (state_q == Free) ? chosen_index : index_q;

  // ---- what is kept of each port; valid once it has entered ----
  (* ram_style = "distributed" *) logic [31:0] counts[1<<IndexW];
  (* ram_style = "distributed" *) logic [31:0] last_counts[1<<IndexW];
  (* ram_style = "distributed" *) logic [15:0] roots[1<<IndexW];
  (* ram_style = "distributed" *) logic [15:0] next_roots[1<<IndexW];
  logic [31:0] count, count_d, count_written;

  // ---- the multiplier ----
  // Nobody asks for more than 49 bits of a product, so the factor's highest bit may count as a sign, as DSP blocks do.
  logic signed [48:0] factor_q;
  logic [48:0] factor_d, product;
  logic [15:0] root_q, root_d, stepped;
  logic [17:0] triple_q;  // three times root
  logic [39:0] low_q;
  logic [24:0] high_q;
  logic [16:0] high_part_q;
  logic remainder_q;
  logic [31:0] increment_q;

  assign count = counts[index];
  // The count after this one, or the count less the last, or the count of the step that is repeated.
  assign count_d = count + (enter ? ~last_counts[index] : '0) + 32'(begin_next);
  assign take_up = factor_q[31:1] != 0 && |(port_q & again_i);
  assign count_written = (state_q != Enter3) ? count_d : take_up ? factor_q[31:0] : 32'd1;

  // Next4 rounds count * root^2 up to a multiple of 4: Linux divides 3 - count * root^2 by 4 and rounds down.
  assign product = 49'(low_q) + {high_q, 22'b0, {2{state_q == Next4}}};
  assign stepped = 16'((triple_q - 18'(high_part_q) - 18'(remainder_q)) >> 1);

  assign repeat_step = state_q == Next7 && rounds_q != 0;

  always_comb begin
    unique case (state_q)
      Next1:        factor_d = 49'(interval_i[index]);
      Next2, Next4: factor_d = {product[48:2], product[1:0] & ~{2{state_q == Next4}}};
      default:      factor_d = 49'(count_d);
    endcase
  end

  always_comb begin
    root_d = root_q;
    if (start) root_d = enter ? roots[index] : next_roots[index];
    else if (state_q == Enter3 && !take_up) root_d = '1;
    else if (state_q == Next7) root_d = stepped;
  end

  always_comb begin
    unique case (state_q)
      Free:    state_d = !start ? Free : enter ? Enter1 : Next1;
      Enter3:  state_d = take_up ? Next1 : Next0;
      Next7:   state_d = repeat_step ? Next1 : ahead_q ? Free : Next0;
      default: state_d = state_e'(state_q + 4'd1);
    endcase
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
    else if (state_q == Enter3) {law_q, ahead_q} <= 2'b00;
    else if (state_q == Next7) law_q <= 1'b0;
    if (begin_next || state_q == Enter3) rounds_q <= {2{converge_i[index]}};
    else if (repeat_step) rounds_q <= rounds_q - 2'd1;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Enter3) begin
      if (!take_up) factor_q <= 49'd1;
    end else if (state_q != Enter1 && state_q != Enter2) factor_q <= factor_d;
    root_q      <= root_d;
    triple_q    <= 18'({root_q, 1'b0}) + 18'(root_q);
    low_q       <= factor_q[23:0] * root_q;
    high_q      <= 25'(42'($signed(factor_q[48:24])) * 42'($signed({1'b0, root_q})));
    high_part_q <= product[48:32];
    remainder_q <= product[31:2] != 0;
    if (start && enter) increment_q <= {interval_i[index][27:0], 4'b0};
    else if (state_q == Next3 && law_q) increment_q <= product[47:16];
    else if (state_q != Next4) increment_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (begin_next || state_q == Enter3) counts[index] <= count_written;
    if (state_q == Enter3) last_counts[index] <= count_written;
    if (begin_next) roots[index] <= root_d;
    if (state_q == Next7 && ahead_q) next_roots[index] <= stepped;
  end

  assign step_o      = (state_q == Enter1) ? port_q : '0;
  assign now_o       = (state_q == Enter3) ? port_q : (state_q == Next1 && law_q) ? port_q & from_now_i : '0;
  assign final_o     = (state_q == Next4 && law_q) ? port_q : '0;
  assign increment_o = increment_q;

  // A port asks again only after its last request was served.
  OneRequest_A :
  assert property (@(posedge clk_i) disable iff (rst_i) (request_i & pending_q) == 0);
  // One port at a time.
  OnePort_A :
  assert property (@(posedge clk_i) disable iff (rst_i) $onehot0(step_o | now_o | final_o));

endmodule
