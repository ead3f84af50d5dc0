// SPDX-License-Identifier: BSD-3-Clause
// The laws at the head of one port's queue, wired: what they look at, and what they make of a frame together.
//
// Contract: a law is told of the frame that waited longest (`head_t`) and of what is pulled (`pull_t`), and says what
// becomes of it (`fate_t`, docs/depart.md). `stored_head_o` is kept for each frame that is stored, in HeadW bits; it
// comes back as `head_i` when the frame waits longest. Without a law nothing is kept, and all that it would say is 0.
// A mark of waiting time is independent of CoDel: it changes neither CoDel's state nor how it counts the frame.
module tm_departure_laws
  import tm_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    localparam int unsigned CountW = count_w(BUILD),  // bits of B
    localparam int unsigned HeadW = (head_w(BUILD) > 0) ? head_w(BUILD) : 1
) (
    // Without a law nothing looks at these.
    // verilator lint_off UNUSEDSIGNAL
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic       [StampW-1:0] time_i,
    // from admit: the frame judged in the cycle before
    input  logic                    stored_i,
    input  logic       [StampW-1:0] stored_time_i,
    input  logic       [  LenW-1:0] stored_last_i,  // its length less one
    input  meta_t                   meta_i,
    input  logic                    mark_i,
    input  logic                    deferred_i,     // the step law judges it as it leaves
    input  logic                    abort_i,        // the frame stored last is taken back
    input  logic       [CountW-1:0] bytes_i,        // B, but with the frame that departed in the last cycle
    input  logic       [  LenW-1:0] depart_last_i,  // the length less one of the frame that departs in this one
    // from and to the descriptors, and depart
    input  logic                    head_valid_i,
    input  logic       [ HeadW-1:0] head_i,
    input  logic       [  LenW-1:0] head_last_i,    // its length less one
    input  pull_t                   pull_i,
    input  logic                    pending_i,      // the frame pulled before is not read yet
    input  logic                    available_i,    // the first row of the frame pulled is there
    // config
    input  cfg_t                    cfg_i,
    input  logic                    codel_reset_i,
    // from and to CoDel's engine
    input  codel_rsp_t              codel_rsp_i,
    // verilator lint_on UNUSEDSIGNAL
    output codel_req_t              codel_req_o,
    output logic       [ HeadW-1:0] stored_head_o,
    output fate_t                   fate_o
);

  // verilator lint_off UNUSEDSIGNAL
  head_t head;
  // verilator lint_on UNUSEDSIGNAL
  fate_t codel_fate, tcn_fate;

  // What becomes of the frame pulled last once a law that only marks has judged it too.
  function automatic fate_t with_mark(input fate_t judged, input logic marks, input departure_e counts_as);
    with_mark = judged;
    with_mark.mark |= marks;
    if (marks) with_mark.kind = counts_as;
  endfunction

  if (BUILD.codel) begin : gen_head
    localparam int unsigned CodelW = codel_w(BUILD);
    localparam int unsigned Fine = StampW + 4 - CodelW;  // bits of a stamp that no law looks at
    // Class and ECE of a frame without ECT, or ECT, or CE, whoever set it: four bits do.
    logic [3:0] code;
    logic [2:0] wait_flags_q;  // of the configuration that the verdict followed
    always_ff @(posedge clk_i) wait_flags_q <= {wait_flags_q[1:0], cfg_i.wait_flags};
    always_comb begin
      code = wait_flags_q[2] ? {meta_i.class_id, meta_i.flags.ece} : {NonIp, 1'b0};
      if (mark_i || meta_i.ecn == Ce) code = HeadCe;
      else if (meta_i.ecn == Ect0 || meta_i.ecn == Ect1) code = HeadEct;
    end
    // The step law's bit, if there is one, stands above.
    assign stored_head_o = HeadW'({deferred_i, stored_time_i[StampW-1:Fine], code});
    assign head          = '{valid: head_valid_i, stamp: StampW'(head_i[CodelW-1:4]) << Fine, code: head_i[3:0]};
  end else begin : gen_no_head
    assign stored_head_o = BUILD.mark_on_departure && deferred_i;
    assign head          = '0;
  end

  if (BUILD.codel) begin : gen_codel
    tm_codel #(
        .COUNT_W(CountW),
        .LATE   (BUILD.pool)
    ) codel (
        .clk_i,
        .rst_i,
        .unit_i   (time_i[StampW-1:10]),
        .stored_i,
        .stored_last_i,
        .bytes_i,
        .depart_last_i,
        .head_i   (head),
        .pull_i,
        .pending_i,
        .available_i,
        .fate_o   (codel_fate),
        .cfg_i    (cfg_i.codel),
        .protect_i(BUILD.flags_verdict ? cfg_i.protect : '0),
        .reset_i  (codel_reset_i),
        .law_i    (codel_rsp_i),
        .law_o    (codel_req_o)
    );
  end else begin : gen_no_codel
    assign {codel_req_o, codel_fate} = '0;
  end

  if (BUILD.tcn) begin : gen_tcn
    logic mark;

    tm_tcn #(
        .FRAMES(BUILD.descriptors)
    ) tcn (
        .clk_i,
        .rst_i,
        .time_i       (time_i[TcnTimeW-1:0]),
        .stored_i,
        .stored_time_i(stored_time_i[TcnTimeW-1:0]),
        .stored_ect_i (!mark_i && (meta_i.ecn == Ect0 || meta_i.ecn == Ect1)),
        .abort_i,
        .pull_i,
        .hold_i       (pull_i.pauses || pending_i),
        .cfg_i        (cfg_i.tcn),
        .mark_o       (mark)
    );

    assign tcn_fate = with_mark(codel_fate, mark, codel_fate.kind == DepartPlain ? DepartWaited : codel_fate.kind);
  end else begin : gen_no_tcn
    assign tcn_fate = codel_fate;
  end

  if (BUILD.mark_on_departure) begin : gen_step
    logic step_mark;

    tm_step_departure #(
        .COUNT_W(CountW)
    ) step (
        .clk_i,
        .rst_i,
        .stored_i,
        .stored_last_i,
        .abort_i,
        .pull_i,
        .head_last_i,
        .head_deferred_i(head_i[HeadW-1]),
        .on_i           (cfg_i.mark_on_departure),
        .k_i            (cfg_i.law[1] == LawStep ? cfg_i.k[1][CountW-1:0] : cfg_i.k[0][CountW-1:0]),
        .mark_o         (step_mark)
    );

    // A signal, as CoDel's is: it counts before a wait, and with ce_threshold.
    logic beside;
    assign beside = tcn_fate.kind inside {DepartThreshold, DepartMarkedThreshold};
    assign fate_o = with_mark(tcn_fate, step_mark, beside ? DepartMarkedThreshold : DepartMarked);
  end else begin : gen_no_step
    assign fate_o = tcn_fate;
  end

endmodule
