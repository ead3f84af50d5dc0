// SPDX-License-Identifier: BSD-3-Clause
// CoDel's times of one port: now, first_above and drop_next, and how the head's waiting time compares.
//
// Contract: in units of 1024 ns, 32 bits that wrap. `over_o` is combinational, of the head in this cycle; `above_o` is
// that of the head one cycle before; `late_o`, `due_o` and `nonzero_o` are registered compares of the cycle before
// (docs/codel-rules.md, "Cycles"). Each is one chain, against now less what it is compared with. first_above runs along
// at now + interval until `set_i` says that it counts.
module tm_codel_times
  import tm_pkg::*;
  import tm_arith_pkg::*;
(
    input  logic                clk_i,
    input  logic   [UnitsW-1:0] unit_i,        // time_i[41:10]
    input  logic                hold_i,        // now stands still
    input  logic   [UnitsW-1:0] head_stamp_i,
    // config
    // It has more than times.
    // verilator lint_off UNUSEDSIGNAL
    input  codel_t              cfg_i,
    // verilator lint_on UNUSEDSIGNAL
    // from tm_codel
    input  logic                set_i,         // first_above counts
    // from tm_codel_law
    input  logic                move_i,        // drop_next moves on by the increment
    input  logic                move_now_i,    // to now and the increment
    input  logic   [UnitsW-1:0] increment_i,
    // to tm_codel
    output logic                above_o,       // the head of the cycle before had waited for the target or longer
    output logic                over_o,        // the head has waited for longer than ce_threshold
    output logic                nonzero_o,     // first_above can count: 0 says that it does not
    output logic                late_o,        // first_above has passed
    output logic                due_o          // drop_next has passed
);

  logic [UnitsW-1:0] now_q, first_above_q, drop_next_q, sum;
  logic [UnitsW-1:0] stamp_q, above_stamp_q, over_stamp_q;  // stamps of frames that waited for just so long

  // One adder: now + interval while first_above runs along, then now - first_above, less one where it must have passed.
  assign sum = now_q + (set_i ? ~first_above_q : cfg_i.interval) + UnitsW'(set_i && cfg_i.at_once);

  always_ff @(posedge clk_i) begin
    if (!hold_i) {now_q, over_stamp_q} <= {unit_i, unit_i - cfg_i.ce_threshold};
    above_stamp_q <= now_q - cfg_i.target;
    stamp_q <= head_stamp_i;
    nonzero_o <= first_above_q != 0;
    if (!set_i) first_above_q <= sum;
    late_o <= set_i && !sum[UnitsW-1];
    due_o  <= !is_before(wide_t'(now_q), wide_t'(drop_next_q), 1'b0, UnitsW);
    if (move_i || move_now_i) drop_next_q <= increment_i + (move_now_i ? now_q : drop_next_q);
  end

  assign above_o = !is_before(wide_t'(above_stamp_q), wide_t'(stamp_q), 1'b0, UnitsW);
  assign over_o  = is_before(wide_t'(head_stamp_i), wide_t'(over_stamp_q), 1'b0, UnitsW);

endmodule
