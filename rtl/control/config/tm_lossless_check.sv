// SPDX-License-Identifier: BSD-3-Clause
// Whether a law would drop what must not be lost: one of a queue that frames of a lossless class may reach.
//
// Contract: `port_i` and `in_force_i`, of which the other ports' count, stand from the first word on; `lossless_i` from
// the cycle after PFC_CLASSES is shown with `check_i`, and `drops_i` from the one after CODEL_SETTINGS. Where lines
// have several queues QUEUE_SETTINGS and QUEUE_PCP are shown, too. `dropped_o` stands with the last word, and in the
// cycle after it.
module tm_lossless_check
  import tm_pkg::*;
  import tm_control_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input  logic                                  clk_i,
    input  logic      [$clog2(BUILD.ports+1)-1:0] port_i,
    // Others look at the cells that are kept.
    // verilator lint_off UNUSEDSIGNAL
    input  in_force_t [          BUILD.ports-1:0] in_force_i,
    // verilator lint_on UNUSEDSIGNAL
    // of the configuration that is checked
    input  logic      [                      7:0] lossless_i,
    input  logic                                  drops_i,
    // With one queue a line the words say nothing of it.
    // verilator lint_off UNUSEDSIGNAL
    input  logic                                  check_i,
    input  place_t                                place_i,
    input  logic      [                     31:0] word_i,
    // verilator lint_on UNUSEDSIGNAL
    output logic                                  dropped_o
);

  // ---- of all ports, once the commit has taken effect ----
  logic [7:0] classes, classes_q;
  logic [BUILD.ports-1:0] drops_q;
  always_comb begin
    classes = lossless_i;
    for (int unsigned p = 0; p < BUILD.ports; p++) if (32'(port_i) != p) classes |= in_force_i[p].lossless;
  end
  always_ff @(posedge clk_i) begin
    classes_q <= classes;
    for (int unsigned p = 0; p < BUILD.ports; p++) drops_q[p] <= (32'(port_i) == p) ? drops_i : in_force_i[p].drops;
  end

  // ---- the queues of a line that these classes may reach ----
  logic [BUILD.queues-1:0] reached, reached_q;
  if (BUILD.queues > 1) begin : gen_queues
    localparam int unsigned QueueW = $clog2(BUILD.queues);
    queue_settings_reg_t settings_q;
    logic [7:0][2:0] by_pcp_q;
    logic unused;
    assign unused = settings_q.unused_3;
    always_ff @(posedge clk_i) begin
      if (check_i && place_i == PlaceQueueSettings) settings_q <= word_i[$bits(settings_q)-1:0];
      if (check_i && place_i == PlaceQueuePcp) by_pcp_q <= word_i[$bits(by_pcp_q)-1:0];
    end
    // By the priority a class has a queue; frames without a tag, of class 0, have the default one. Nothing else says
    // what a frame's class is.
    always_comb begin
      reached = '0;
      unique case (settings_q.mode)
        QueueModeFixed: reached[QueueW'(settings_q.default_queue)] = classes_q != '0;
        QueueModePcp: begin
          for (int unsigned c = 0; c < 8; c++) if (classes_q[c]) reached[QueueW'(by_pcp_q[c])] = 1'b1;
          if (classes_q[0]) reached[QueueW'(settings_q.default_queue)] = 1'b1;
        end
        default: reached = {BUILD.queues{classes_q != '0}};
      endcase
    end
  end else begin : gen_one_queue
    assign reached = classes_q != '0;
  end

  always_ff @(posedge clk_i) begin
    reached_q <= reached;
    dropped_o <= (drops_q & {BUILD.ports / BUILD.queues{reached_q}}) != '0;
  end

endmodule
