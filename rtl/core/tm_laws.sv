// SPDX-License-Identifier: BSD-3-Clause
// What the ports' laws share: one unit of RED for every eight ports, one engine of CoDel for all.
//
// Contract: of tm_red_shared and tm_codel_law, port by port; without RED, or without CODEL, all that would answer is 0.
module tm_laws
  import tm_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    // Without RED and CODEL nothing looks at these.
    // verilator lint_off UNUSEDSIGNAL
    input logic clk_i,
    input logic rst_i,
    input logic [StampW-1:0] time_i,
    // from and to the ports
    input law_req_t [BUILD.ports-1:0] law_i,
    output law_rsp_t [BUILD.ports-1:0] law_o,
    // config
    input cfg_t [BUILD.ports-1:0] cfg_i,
    input order_t [BUILD.ports-1:0] order_i,
    input red_word_t word_i,
    // verilator lint_on UNUSEDSIGNAL
    // state
    output red_view_t [(BUILD.ports+7)/8-1:0] red_view_o,
    output logic busy_o  // ARED waits for a visit, or CoDel's engine works for a port
);

  localparam int unsigned Units = (BUILD.ports + 7) / 8;
  logic [Units-1:0] red_busy;
  logic codel_busy;
  assign busy_o = red_busy != '0 || codel_busy;

  if (BUILD.red) begin : gen_red
    // RED's queue is B, or 64 for each packet of P.
    localparam int unsigned FramesW = frames_w(BUILD);
    localparam int unsigned CountW = count_w(BUILD) > FramesW + 6 ? count_w(BUILD) : FramesW + 6;
    for (genvar u = 0; 8 * u < BUILD.ports; u++) begin : gen_unit
      localparam int unsigned Ports = (BUILD.ports - 8 * u < 8) ? BUILD.ports - 8 * u : 8;
      logic [Ports-1:0] judged, empty, word_valid, commit;
      logic [Ports-1:0][CountW-1:0] bytes;
      logic [Ports-1:0][FramesW-1:0] packets;
      logic [Ports-1:0][1:0][31:0] counted;
      logic [Ports-1:0][1:0] law_reset, red_load, load;
      red_chance_t chance;
      logic [32:0] reach;
      for (genvar p = 0; p < Ports; p++) begin : gen_port
        assign judged[p] = law_i[8*u+p].red.judged;
        assign empty[p] = packets[p] == '0;
        assign bytes[p] = law_i[8*u+p].red.bytes[CountW-1:0];
        assign packets[p] = law_i[8*u+p].red.packets[FramesW-1:0];
        assign counted[p] = law_i[8*u+p].red.counted;
        assign word_valid[p] = order_i[8*u+p].word_valid;
        assign commit[p] = order_i[8*u+p].commit;
        assign law_reset[p] = order_i[8*u+p].law_reset;
        assign red_load[p] = order_i[8*u+p].red_load;
        assign law_o[8*u+p].red = '{load: load[p], chance: chance, reach: reach};
      end

      tm_red_shared #(
          .PORTS   (Ports),
          .COUNT_W (CountW),
          .FRAMES_W(FramesW),
          .LINUX   (BUILD.red_linux)
      ) shared (
          .clk_i,
          .rst_i,
          .time_i,
          .judged_i    (judged),
          .empty_i     (empty),
          .bytes_i     (bytes),
          .packets_i   (packets),
          .counted_i   (counted),
          .cfg_i       (cfg_i[8*u+:Ports]),
          .word_valid_i(word_valid),
          .word_i,
          .commit_i    (commit),
          .law_reset_i (law_reset),
          .red_load_i  (red_load),
          .load_o      (load),
          .chance_o    (chance),
          .reach_o     (reach),
          .view_o      (red_view_o[u]),
          .busy_o      (red_busy[u])
      );
    end
  end else begin : gen_no_red
    for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
      assign law_o[p].red = '0;
    end
    assign {red_view_o, red_busy} = '0;
  end

  if (BUILD.codel) begin : gen_codel
    logic [BUILD.ports-1:0] request, entering, from_now, again, converge, step, now, done;
    logic [BUILD.ports-1:0][31:0] interval;
    logic [31:0] increment;
    for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
      assign {request[p], entering[p], from_now[p], again[p]} = law_i[p].codel;
      assign interval[p] = cfg_i[p].codel.interval;
      assign converge[p] = cfg_i[p].codel.converge;
      assign law_o[p].codel = '{step: step[p], now: now[p], done: done[p], increment: increment};
    end

    tm_codel_law #(
        .PORTS(BUILD.ports)
    ) law (
        .clk_i,
        .rst_i,
        .request_i  (request),
        .entering_i (entering),
        .from_now_i (from_now),
        .again_i    (again),
        .interval_i (interval),
        .converge_i (converge),
        .step_o     (step),
        .now_o      (now),
        .final_o    (done),
        .increment_o(increment),
        .busy_o     (codel_busy)
    );
  end else begin : gen_no_codel
    for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
      assign law_o[p].codel = '0;
    end
    assign codel_busy = 1'b0;
  end

endmodule
