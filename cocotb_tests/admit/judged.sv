// SPDX-License-Identifier: BSD-3-Clause
// The verdict on a frame by its codepoint and a configuration, as tm_admit wires it, with both in the same cycle.
module judged
  import tm_pkg::*;
  import tm_admit_pkg::*;
#(
    parameter bit FLAGS_VERDICT     = 1'b1,
    parameter bit RED_LINUX         = 1'b1,
    parameter bit MARK_ON_DEPARTURE = 1'b1
) (
    input  logic             clk_i,
    input  logic             abort_i,
    input  logic       [2:0] may_store_i,
    input  ecn_e             ecn_i,
    input  class_ece_t       class_ece_i,
    input  logic             over_bytes_i,
    input  logic             over_packets_i,
    input  logic             full_i,
    input  logic             no_room_i,
    input  logic       [1:0] above_i,
    input  logic       [1:0] red_signal_i,
    input  logic       [1:0] red_forced_i,
    input  cfg_t             cfg_i,
    output outcome_e         outcome_o,
    output logic             stores_o,
    output logic       [1:0] changes_o,
    output logic             mark_o,
    output logic             slot_o,
    output logic             deferred_o
);

  localparam build_t Build = '{red_linux: RED_LINUX, mark_on_departure: MARK_ON_DEPARTURE, default: '0};

  kind_t kind;
  assign kind                 = kind_of(Build, cfg_i, ecn_i);
  assign {slot_o, deferred_o} = {kind.slot, kind.deferred};

  tm_verdict #(
      .FLAGS_VERDICT(FLAGS_VERDICT)
  ) dut (
      .clk_i,
      .abort_i,
      .may_store_i,
      .kind_i   (kind),
      .class_ece_i,
      .over_bytes_i,
      .over_packets_i,
      .full_i,
      .no_room_i,
      .above_i,
      .red_signal_i,
      .red_forced_i,
      .enable_i (cfg_i.enable),
      .protect_i(cfg_i.protect),
      .outcome_o,
      .stores_o,
      .changes_o,
      .mark_o
  );

endmodule
