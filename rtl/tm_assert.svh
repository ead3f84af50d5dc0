// SPDX-License-Identifier: BSD-3-Clause
// How a module claims something: concurrent assertions in simulation, immediate ones in proofs, none in synthesis.
//
// Contract: NAME is `Thing_A`, and every claim is shown to fire by a test. MESSAGE says what went wrong. A claim is
// checked at each edge of clk_i at which OFF, rst_i unless given, is 0. Under FORMAL claims are immediate, because Yosys
// takes no others. What an initial sets is of an always: an always_ff allows no other.
`ifndef TM_ASSERT_SVH
`define TM_ASSERT_SVH

`ifdef FORMAL

`define TM_ASSERT(NAME, CLAIM, MESSAGE, OFF = rst_i) \
  always_ff @(posedge clk_i) if (!(OFF)) begin NAME : assert (CLAIM); end
`define TM_ASSERT_IF(NAME, GIVEN, CLAIM, MESSAGE, OFF = rst_i) \
  always_ff @(posedge clk_i) if (!(OFF)) begin NAME : assert (!(GIVEN) || (CLAIM)); end
`define TM_ASSERT_NEXT(NAME, GIVEN, CLAIM, MESSAGE, OFF = rst_i) \
  always_ff @(posedge clk_i) if (!(OFF)) begin NAME : assert (!$past(!(OFF) && (GIVEN)) || (CLAIM)); end
`define TM_ASSERT_STARTED(NAME, CLAIM, MESSAGE) \
  logic NAME``_started_q; \
  initial NAME``_started_q = 1'b0; \
  always @(posedge clk_i) NAME``_started_q <= 1'b1; \
  always_ff @(posedge clk_i) if (NAME``_started_q) begin NAME : assert (CLAIM); end
`define TM_ASSERT_COMB(NAME, CLAIM, MESSAGE) \
  always_comb begin NAME : assert (CLAIM); end

`elsif SYNTHESIS

`define TM_ASSERT(NAME, CLAIM, MESSAGE, OFF = rst_i)
`define TM_ASSERT_IF(NAME, GIVEN, CLAIM, MESSAGE, OFF = rst_i)
`define TM_ASSERT_NEXT(NAME, GIVEN, CLAIM, MESSAGE, OFF = rst_i)
`define TM_ASSERT_STARTED(NAME, CLAIM, MESSAGE)
`define TM_ASSERT_COMB(NAME, CLAIM, MESSAGE)

`else

// CLAIM holds.
`define TM_ASSERT(NAME, CLAIM, MESSAGE, OFF = rst_i) \
  NAME : assert property (@(posedge clk_i) disable iff (OFF) (CLAIM)) else $error(MESSAGE);
// CLAIM holds where GIVEN does.
`define TM_ASSERT_IF(NAME, GIVEN, CLAIM, MESSAGE, OFF = rst_i) \
  NAME : assert property (@(posedge clk_i) disable iff (OFF) (GIVEN) |-> (CLAIM)) else $error(MESSAGE);
// CLAIM holds in the cycle after one with GIVEN.
`define TM_ASSERT_NEXT(NAME, GIVEN, CLAIM, MESSAGE, OFF = rst_i) \
  NAME : assert property (@(posedge clk_i) disable iff (OFF) (GIVEN) |=> (CLAIM)) else $error(MESSAGE);
// CLAIM holds in a module without a reset. At the first edge nothing does: that is the one which resets the others.
`define TM_ASSERT_STARTED(NAME, CLAIM, MESSAGE) \
  logic NAME``_started_q; \
  initial NAME``_started_q = 1'b0; \
  always @(posedge clk_i) NAME``_started_q <= 1'b1; \
  NAME : assert property (@(posedge clk_i) !NAME``_started_q || (CLAIM)) else $error(MESSAGE);
// CLAIM holds at any time, in a module without a clock.
`define TM_ASSERT_COMB(NAME, CLAIM, MESSAGE) \
  always_comb begin NAME : assert (CLAIM) else $error(MESSAGE); end

`endif

`endif
