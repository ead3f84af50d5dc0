// SPDX-License-Identifier: BSD-3-Clause
// RED of several ports with the unit they share, as tm_core wires them, without anything else of a port.
module red_ports
  import tm_pkg::*;
#(
    parameter int unsigned PORTS    = 3,
    parameter int unsigned COUNT_W  = 15,
    parameter int unsigned FRAMES_W = 9,
    parameter bit          LINUX    = 1'b0
) (
    input  logic                                             clk_i,
    input  logic                                             rst_i,
    input  logic      [StampW-1:0]                           time_i,
    input  logic      [ PORTS-1:0][ COUNT_W-1:0]             bytes_i,
    input  logic      [ PORTS-1:0][FRAMES_W-1:0]             packets_i,
    input  logic      [ PORTS-1:0]                           step_i,
    input  logic      [ PORTS-1:0]                           slot_i,
    input  cfg_t      [ PORTS-1:0]                           cfg_i,
    input  logic      [ PORTS-1:0]                           word_valid_i,
    input  red_word_t                                        word_i,
    input  logic      [ PORTS-1:0]                           commit_i,
    input  logic      [ PORTS-1:0][         1:0]             law_reset_i,
    input  logic      [ PORTS-1:0][         1:0]             red_load_i,
    input  logic      [ PORTS-1:0]                           seed_load_i,
    input  logic      [      31:0]                           seed_i,
    output logic      [ PORTS-1:0][         1:0]             signal_o,
    output logic      [ PORTS-1:0][         1:0]             forced_o,
    output logic      [ PORTS-1:0][         1:0][BytesW-1:0] average_o,
    output red_view_t                                        view_o,
    output logic                                             busy_o
);

  red_chance_t chance;
  logic [32:0] reach;
  logic [PORTS-1:0][1:0] load;
  logic [PORTS-1:0][1:0][31:0] counted;
  logic [PORTS-1:0] empty;

  tm_red_shared #(
      .PORTS   (PORTS),
      .COUNT_W (COUNT_W),
      .FRAMES_W(FRAMES_W),
      .LINUX   (LINUX)
  ) shared (
      .clk_i,
      .rst_i,
      .time_i,
      .judged_i (step_i),
      .empty_i  (empty),
      .bytes_i,
      .packets_i,
      .counted_i(counted),
      .cfg_i,
      .word_valid_i,
      .word_i,
      .commit_i,
      .law_reset_i,
      .red_load_i,
      .load_o   (load),
      .chance_o (chance),
      .reach_o  (reach),
      .view_o,
      .busy_o
  );

  // What the scan has of each average, a cycle after it had it.
  always_ff @(posedge clk_i) average_o[shared.place[4][3:1]][shared.place[4][0]] <= BytesW'(shared.kept >> 24);

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    assign empty[p] = packets_i[p] == 0;

    tm_red #(
        .PORTS(PORTS),
        .PORT (p),
        .LINUX(LINUX)
    ) red (
        .clk_i,
        .rst_i,
        .step_i     (step_i[p]),
        .slot_i     (slot_i[p]),
        .signal_o   (signal_o[p]),
        .forced_o   (forced_o[p]),
        .law_i      (cfg_i[p].law),
        .red_i      (cfg_i[p].red),
        .commit_i   (commit_i[p]),
        .law_reset_i(law_reset_i[p]),
        .seed_load_i(seed_load_i[p]),
        .seed_i,
        .load_i     (load[p]),
        .chance_i   (chance),
        .reach_i    (reach),
        .counted_o  (counted[p])
    );
  end

endmodule
