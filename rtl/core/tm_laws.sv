// SPDX-License-Identifier: BSD-3-Clause
// What the ports' laws share: one unit of RED for every eight ports, one engine of CoDel for all.
//
// Contract: of tm_red_shared and tm_codel_law, port by port; without RED, or without CODEL, all that would answer is 0.
module tm_laws
  import tm_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    localparam int unsigned MinusW = minus_w(BUILD)  // bits of a stored average: those of B and 25 more
) (
    // Without RED and CODEL nothing looks at these.
    // verilator lint_off UNUSEDSIGNAL
    input  logic                                                      clk_i,
    input  logic                                                      rst_i,
    input  logic      [           StampW-1:0]                         time_i,
    // from the ports
    input  logic      [      BUILD.ports-1:0]                         judged_i,
    input  logic      [      BUILD.ports-1:0]                         empty_i,
    input  logic      [      BUILD.ports-1:0][       1:0][MinusW-1:0] minus_average_i,
    input  logic      [      BUILD.ports-1:0]                         law_request_i,
    input  logic      [      BUILD.ports-1:0]                         law_entering_i,
    input  logic      [      BUILD.ports-1:0]                         law_from_now_i,
    input  logic      [      BUILD.ports-1:0]                         law_again_i,
    // config
    input  cfg_t      [      BUILD.ports-1:0]                         cfg_i,
    input  logic      [      BUILD.ports-1:0]                         word_valid_i,
    input  red_word_t                                                 word_i,
    input  logic      [      BUILD.ports-1:0]                         commit_i,
    input  logic      [      BUILD.ports-1:0][       1:0]             law_reset_i,
    input  logic      [      BUILD.ports-1:0][       1:0]             red_load_i,
    // verilator lint_on UNUSEDSIGNAL
    // to the registers
    output red_view_t [(BUILD.ports+7)/8-1:0]                         red_view_o,
    // to the ports
    output logic      [      BUILD.ports-1:0][       1:0]             decay_valid_o,
    output logic      [      BUILD.ports-1:0][MinusW-1:0]             decay_o,
    output red_ram_t  [      BUILD.ports-1:0]                         feed_o,
    output logic      [      BUILD.ports-1:0]                         law_step_o,
    output logic      [      BUILD.ports-1:0]                         law_now_o,
    output logic      [      BUILD.ports-1:0]                         law_final_o,
    output logic      [                 31:0]                         law_increment_o,
    output logic                                                      law_busy_o
);

  if (BUILD.red) begin : gen_red
    for (genvar u = 0; 8 * u < BUILD.ports; u++) begin : gen_unit
      localparam int unsigned Ports = (BUILD.ports - 8 * u < 8) ? BUILD.ports - 8 * u : 8;
      logic [MinusW-1:0] unit_decay;
      assign decay_o[8*u+:Ports] = {Ports{unit_decay}};

      tm_red_shared #(
          .PORTS  (Ports),
          .COUNT_W(MinusW - 25),
          .LINUX  (BUILD.red_linux)
      ) shared (
          .clk_i,
          .rst_i,
          .time_i,
          .judged_i       (judged_i[8*u+:Ports]),
          .empty_i        (empty_i[8*u+:Ports]),
          .minus_average_i(minus_average_i[8*u+:Ports]),
          .cfg_i          (cfg_i[8*u+:Ports]),
          .word_valid_i   (word_valid_i[8*u+:Ports]),
          .word_i,
          .commit_i       (commit_i[8*u+:Ports]),
          .law_reset_i    (law_reset_i[8*u+:Ports]),
          .red_load_i     (red_load_i[8*u+:Ports]),
          .decay_valid_o  (decay_valid_o[8*u+:Ports]),
          .decay_o        (unit_decay),
          .feed_o         (feed_o[8*u+:Ports]),
          .view_o         (red_view_o[u])
      );
    end
  end else begin : gen_no_red
    assign decay_valid_o = '0;
    assign decay_o       = '0;
    assign feed_o        = '0;
    assign red_view_o    = '0;
  end

  if (BUILD.codel) begin : gen_codel
    logic [BUILD.ports-1:0][31:0] interval;
    logic [BUILD.ports-1:0] converge;
    for (genvar p = 0; p < BUILD.ports; p++) begin : gen_cfg
      assign interval[p] = cfg_i[p].codel.interval;
      assign converge[p] = cfg_i[p].codel.converge;
    end

    tm_codel_law #(
        .PORTS(BUILD.ports)
    ) law (
        .clk_i,
        .rst_i,
        .request_i  (law_request_i),
        .entering_i (law_entering_i),
        .from_now_i (law_from_now_i),
        .again_i    (law_again_i),
        .interval_i (interval),
        .converge_i (converge),
        .step_o     (law_step_o),
        .now_o      (law_now_o),
        .final_o    (law_final_o),
        .increment_o(law_increment_o),
        .busy_o     (law_busy_o)
    );
  end else begin : gen_no_codel
    assign {law_step_o, law_now_o, law_final_o, law_increment_o, law_busy_o} = '0;
  end

endmodule
