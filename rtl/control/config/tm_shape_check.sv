// SPDX-License-Identifier: BSD-3-Clause
// Checks what a port and its line are held to, and keeps it.
//
// Contract: `check_i` shows SHAPE_RATE, SHAPE_BURST, LINE_RATE and LINE_BURST with their places, a rate before its
// burst; `place_i` and `word_i` may be other words'. In the next cycle `fault_o` says what is at fault. With
// `start_i`, before the first word, `first_i` says that the port is the first of a line of several queues. Without
// SHAPING nothing is held to a rate.
module tm_shape_check
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input  logic          clk_i,
    input  logic          start_i,
    input  logic          first_i,
    input  logic          check_i,
    input  place_t        place_i,
    // A rate is shorter than a word.
    // verilator lint_off UNUSEDSIGNAL
    input  logic   [31:0] word_i,
    // verilator lint_on UNUSEDSIGNAL
    output fault_e        fault_o,
    output shape_t        shape_o,
    output shape_t        line_shape_o
);

  localparam logic [ShapeRateW-1:0] Beat = ShapeRateW'(BUILD.data_w / 8) << RateFractionW;

  logic [ShapeRateW-1:0] rate;
  shape_t shape_q, line_q;
  logic first_q, above_q, on_q, short_q;
  place_t place_q;

  assign rate = word_i[ShapeRateW-1:0];

  always_ff @(posedge clk_i) begin
    if (start_i) first_q <= first_i;
    place_q <= place_i;
    above_q <= rate > Beat;
    on_q    <= rate != '0;
    short_q <= word_i[BurstW-1:0] < BurstW'(BUILD.max_frame);
    if (check_i && place_i == PlaceShapeRate) {shape_q.on, shape_q.rate} <= {rate != '0, rate};
    if (check_i && place_i == PlaceShapeBurst) shape_q.burst <= word_i[BurstW-1:0];
    if (check_i && place_i == PlaceLineRate) {line_q.on, line_q.rate} <= {rate != '0, rate};
    if (check_i && place_i == PlaceLineBurst) line_q.burst <= word_i[BurstW-1:0];
  end

  always_comb begin
    fault_o = FaultNone;
    unique case (place_q)
      PlaceShapeRate:  if (above_q) fault_o = FaultShapeRate;
      PlaceShapeBurst: if (short_q && shape_q.on) fault_o = FaultShapeBurst;
      PlaceLineRate:   if (above_q || (on_q && !first_q)) fault_o = FaultLineRate;
      PlaceLineBurst:  if (short_q && line_q.on) fault_o = FaultLineBurst;
      default:         ;
    endcase
    if (!BUILD.shaping) fault_o = FaultNone;
  end

  assign {shape_o, line_shape_o} = BUILD.shaping ? {shape_q, line_q} : '0;

endmodule
