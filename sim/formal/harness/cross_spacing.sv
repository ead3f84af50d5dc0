// SPDX-License-Identifier: BSD-3-Clause
// RED's spacing next to its reference: the twin works a cycle ahead and registers what it will say.
//
// Contract: region and probability of one cycle count for a step of the next, as in tm_red_spacing; the spacing stands
// still except for a reset. In each cycle `reference_o` and `twin_o` are {signal, forced} for a step in that cycle, of
// slot `slot_i` (which stands still as well); the other slot's steps, with whatever it is told, do nothing here. The
// regions exclude each other. Of a word the twin is given the upper 24 bits.
module cross_spacing
  import tm_pkg::*;
(
    input  logic        clk_i,
    input  logic        slot_i,
    input  logic        step_i,
    input  logic        other_step_i,
    input  logic        reset_i,
    input  logic        settling_i,
    input  logic [31:0] word_i,
    input  logic [ 1:0] spacing_i,
    input  logic        between_i,
    input  logic        beyond_i,
    input  logic [23:0] probability_i,
    // of the other slot
    input  logic [ 1:0] other_spacing_i,
    input  logic        other_between_i,
    input  logic [23:0] other_probability_i,
    output logic [ 1:0] reference_o,
    output logic [ 1:0] twin_o
);

  logic between_q, beyond_q, began_q, twin_signal, twin_forced, signal;
  logic [23:0] probability_q;
  logic [24:0] remaining_q, next;
  logic [1:0] spacing_q;

  spinal_red_spacing reference (
      .io_spacing    (spacing_i),
      .io_remaining  (remaining_q),
      .io_between    (between_q),
      .io_forced     (beyond_q),
      .io_probability(probability_q),
      .io_word       (word_i),
      .io_signal     (signal),
      .io_next       (next)
  );

  always_ff @(posedge clk_i) begin
    between_q     <= between_i && !settling_i;
    beyond_q      <= beyond_i && !settling_i;
    probability_q <= probability_i;
    spacing_q     <= spacing_i;
    if (reset_i) began_q <= 1'b1;
    if (reset_i) remaining_q <= {spacing_i == Wait, 1'b1, 23'b0};
    else if (step_i) remaining_q <= next;
  end

  // The twin's two slots: this one, and the other.
  logic [1:0] signals, forceds;
  function automatic logic [1:0] at(logic here, logic other, logic slot);
    return slot ? {here, other} : {other, here};
  endfunction

  tm_red_spacing twin (
      .clk_i,
      .step_i(step_i || other_step_i),
      .slot_i(step_i ? slot_i : !slot_i),
      .reset_i(at(reset_i, 1'b0, slot_i)),
      .settling_i,
      .word_i(word_i[31:8]),
      .spacing_i    (slot_i ? {spacing_e'(spacing_i), spacing_e'(other_spacing_i)} :
                              {spacing_e'(other_spacing_i), spacing_e'(spacing_i)}),
      .between_i(at(between_i, other_between_i, slot_i)),
      .beyond_i(at(beyond_i, 1'b0, slot_i)),
      .probability_i(slot_i ? {probability_i, other_probability_i} : {other_probability_i, probability_i}),
      .signal_o(signals),
      .forced_o(forceds)
  );

  assign twin_signal = signals[slot_i];
  assign twin_forced = forceds[slot_i];
  assign reference_o = {signal, beyond_q};
  assign twin_o      = {twin_signal, twin_forced};

  logic after_reset_q, slot_q;
  initial began_q = 1'b0;
  always_ff @(posedge clk_i) begin
    after_reset_q <= reset_i;
    slot_q        <= slot_i;
    Region_M : assume (!(between_i && beyond_i));
    Code_M : assume (spacing_i != Linux);
    Steady_M : assume (reset_i || spacing_i == spacing_q);
    Slot_M : assume (!began_q || slot_i == slot_q);
    Settling_M : assume (settling_i || !(reset_i || after_reset_q));
    if (began_q) begin
      Apart_A : assert (!(between_q && beyond_q));
      Left_A : assert (remaining_q == twin.left_q[slot_q]);
      Said_A : assert (reference_o == twin_o);
      Kept_A : assert (!between_q || signal || twin.less_q[slot_q] == 25'(remaining_q - 25'(probability_q)));
      Carries_A : assert (twin.carries_q[slot_q] == (between_q && !signal && spacing_q != Memoryless));
    end
  end

endmodule
