// SPDX-License-Identifier: BSD-3-Clause
// Linux's RED and its idle time, which no RTL has: the references alone, for lockstep with C++.
//
// Contract: combinational. `red_o` is {signal, forced, count, threshold} after the step, `average_o` its average,
// scaled by 2^W; `place_o` is where the idle table is looked at, `faded_o` what the idle time leaves.
module cross_linux (
    input  logic [47:0] average_i,
    input  logic [31:0] count_i,
    input  logic [31:0] threshold_i,
    input  logic [23:0] bytes_i,
    input  logic        was_idle_i,
    input  logic [ 4:0] weight_i,
    input  logic [23:0] min_i,
    input  logic [23:0] max_i,
    input  logic [31:0] divisor_i,
    input  logic [31:0] word_i,
    input  logic [31:0] elapsed_i,    // microseconds
    input  logic [ 4:0] cell_i,
    input  logic [ 4:0] shift_i,
    output logic        signal_o,
    output logic        forced_o,
    output logic [47:0] average_o,
    output logic [31:0] count_o,
    output logic [31:0] threshold_o,
    output logic [ 7:0] place_o,
    output logic [47:0] faded_o
);

  spinal_linux_red red (
      .io_state_average  (average_i),
      .io_state_count    (count_i),
      .io_state_threshold(threshold_i),
      .io_occupancy      (bytes_i),
      .io_endsIdle       (was_idle_i),
      .io_weight         (weight_i),
      .io_min            (min_i),
      .io_max            (max_i),
      .io_divisor        (divisor_i),
      .io_word           (word_i),
      .io_signal         (signal_o),
      .io_forced         (forced_o),
      .io_next_average   (average_o),
      .io_next_count     (count_o),
      .io_next_threshold (threshold_o)
  );

  spinal_linux_idle idle (
      .io_average(average_i),
      .io_elapsed(elapsed_i),
      .io_cell   (cell_i),
      .io_shift  (shift_i),
      .io_place  (place_o),
      .io_next   (faded_o)
  );

endmodule
