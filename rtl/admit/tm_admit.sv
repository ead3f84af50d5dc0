// SPDX-License-Identifier: BSD-3-Clause
// Admission to one port, wired: follow the arriving frame, compare what is held with the limits and the law, judge.
//
// Contract: strobes are parse's. In the cycle of the verdict `stored_o` says that the frame is held from now on and
// `mark_o` that it will leave marked; `refuse_o` takes its rows back, then or, for a frame that turns out wrong before
// it leaves, at its end (`abort_o`). `bytes_o` is B, exact in every cycle.
module tm_admit
  import tm_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    parameter int unsigned PORT = 0,  // its random words are its own
    localparam int unsigned Storage = storage(BUILD),  // bytes the port can hold
    localparam int unsigned RowsW = rows_w(BUILD),
    localparam int unsigned CountW = count_w(BUILD),
    localparam int unsigned FramesW = frames_w(BUILD),
    localparam int unsigned MinusW = minus_w(BUILD)  // -avg: sign, bytes, 24 bits of fraction
) (
    input logic clk_i,
    input logic rst_i,
    // from parse
    input logic beat_valid_i,
    input logic beat_first_i,
    input logic beat_port_i,
    input logic [LenW-1:0] next_len_i,
    input logic [LenW-1:0] len_i,
    input logic [RowsW-1:0] more_rows_i,
    input logic ecn_valid_i,
    input logic flags_valid_i,
    input logic end_valid_i,
    input logic end_bad_i,
    input ecn_e next_ecn_i,  // meta_i's in the next cycle
    input meta_t meta_i,
    // from buffer
    input logic [$clog2(BUILD.rows)-1:0] rows_used_i,
    input logic freed_i,
    input logic overflow_i,
    // from depart
    input logic leaving_i,
    input logic depart_i,
    input logic [LenW-1:0] depart_len_i,
    // config
    input cfg_t cfg_i,
    // Without RED nothing looks at these.
    // verilator lint_off UNUSEDSIGNAL
    input logic commit_i,  // cfg_i changes in this cycle
    input logic [1:0] law_reset_i,
    input logic seed_load_i,
    input logic [31:0] seed_i,
    // from and to RED's shared unit
    input logic [1:0] decay_valid_i,  // the average is replaced: -avg less `decay_i`
    input logic [MinusW-1:0] decay_i,
    input red_ram_t feed_i,
    // verilator lint_on UNUSEDSIGNAL
    output logic [1:0][MinusW-1:0] minus_average_o,
    // the verdict and what follows from it
    output logic judged_o,
    output logic take_o,
    output logic stored_o,
    output logic mark_o,
    output logic refuse_o,
    output logic abort_o,
    output logic arriving_o,
    output logic cut_o,
    // state
    output logic [CountW-1:0] bytes_o,
    output logic [FramesW-1:0] packets_o,
    // events
    output logic arrive_valid_o,
    output outcome_e arrive_outcome_o,
    output logic arrive_stored_o
);

  localparam int unsigned LimitW = $clog2(Storage + (1 << LenW));

  // The byte limit enters its compare and the table of slots is looked up a cycle early; everything else of a
  // configuration waits for them.
  // Unused here: these two, and the high bits of its counts.
  // verilator lint_off UNUSEDSIGNAL
  cfg_t cfg_q;
  // verilator lint_on UNUSEDSIGNAL
  always_ff @(posedge clk_i) cfg_q <= cfg_i;

  logic store, over_bytes, over_packets, no_descriptor, no_room;
  outcome_e outcome;

  tm_arrival #(
      .FLAGS_VERDICT(BUILD.flags_verdict)
  ) arrival (
      .clk_i,
      .rst_i,
      .beat_valid_i,
      .beat_first_i,
      .beat_port_i,
      .ecn_valid_i,
      .flags_valid_i,
      .end_valid_i,
      .end_bad_i,
      .wait_flags_i   (cfg_q.wait_flags),
      .judge_o        (judged_o),
      .store_i        (store),
      .outcome_i      (outcome),
      .take_o         (take_o),
      .stored_o       (stored_o),
      .refuse_o       (refuse_o),
      .abort_o        (abort_o),
      .arriving_o     (arriving_o),
      .leaving_i      (leaving_i),
      .cut_o          (cut_o),
      .arrive_valid_o,
      .arrive_outcome_o,
      .arrive_stored_o(arrive_stored_o)
  );

  tm_occupancy #(
      .STORAGE    (Storage),
      .DESCRIPTORS(BUILD.descriptors)
  ) occupancy (
      .clk_i,
      .rst_i,
      .next_len_i,
      .len_i,
      .store_i        (stored_o),
      .abort_i        (abort_o),
      .depart_i       (depart_i),
      .depart_len_i   (depart_len_i),
      .limit_bytes_i  (cfg_i.limit_bytes[LimitW-1:0]),
      .limit_packets_i(cfg_q.limit_packets[FramesW-1:0]),
      .bytes_o,
      .packets_o,
      .over_bytes_o   (over_bytes),
      .over_packets_o (over_packets),
      .no_descriptor_o(no_descriptor)
  );

  tm_room #(
      .ROWS (BUILD.rows),
      .RowsW(RowsW)
  ) room (
      .rows_used_i    (rows_used_i),
      .freed_i        (freed_i),
      .more_rows_i,
      .overflow_i     (overflow_i),
      .no_descriptor_i(no_descriptor),
      .no_room_o      (no_room)
  );

  // What the law of the frame's slot says. The slot is known before the verdict's cycle.
  logic slot, step, signal, forced;
  always_ff @(posedge clk_i) slot <= cfg_i.slot_of[next_ecn_i];

  tm_step #(
      .W(CountW)
  ) step_law (
      .bytes_i (bytes_o),
      .k_i     (cfg_q.k[slot][CountW-1:0]),
      .signal_o(step)
  );

  if (BUILD.red) begin : gen_red
    logic [1:0] red_signal, red_forced;
    assign signal = (step && cfg_q.law[slot] == LawStep) || red_signal[slot];
    assign forced = cfg_q.law[slot] == LawStep || red_forced[slot];

    tm_red #(
        .COUNT_W(CountW),
        .PORT(PORT),
        .LINUX(BUILD.red_linux)
    ) red (
        .clk_i,
        .rst_i,
        .bytes_i (bytes_o),
        .empty_i (packets_o == '0),
        .step_i  (judged_o),
        .slot_i  (slot),
        .signal_o(red_signal),
        .forced_o(red_forced),
        .law_i   (cfg_i.law),
        .red_i   (cfg_i.red),
        .commit_i,
        .law_reset_i,
        .seed_load_i,
        .seed_i,
        .decay_valid_i,
        .decay_i,
        .feed_i,
        .minus_average_o
    );
  end else begin : gen_step
    assign signal          = step && cfg_q.law[slot] == LawStep;
    assign forced          = 1'b1;
    assign minus_average_o = '0;
  end

  tm_verdict #(
      .FLAGS_VERDICT(BUILD.flags_verdict),
      .RED_LINUX    (BUILD.red_linux)
  ) verdict (
      .meta_i,
      .over_bytes_i  (over_bytes),
      .over_packets_i(over_packets),
      .no_room_i     (no_room),
      .signal_i      (signal),
      .forced_i      (forced),
      .enable_i      (cfg_q.enable),
      .protect_i     (cfg_q.protect),
      .noecn_i       (cfg_q.noecn),
      .harddrop_i    (cfg_q.harddrop),
      .linux_i       (cfg_q.law[slot] == LawRed && cfg_q.red[slot].spacing == Linux),
      .outcome_o     (outcome),
      .store_o       (store),
      .mark_o        (mark_o)
  );

endmodule
