// SPDX-License-Identifier: BSD-3-Clause
// The outputs: each line's queues, joined by transmission selection as the configuration says; of a build with one
// queue a line, the queues themselves. Where rows are not kept marked, they are rewritten here, once for a line.
//
// Contract: that of truemark_ets for each line, whose queues are ports next to one another. With one queue a line
// nothing is added, not a cycle. In a build with SHAPING `permit_o` lets a queue take its next frame when its bucket
// may send (tm_shaper), and a line of several queues has a bucket of its own, of its first queue's configuration.
// A queue that is paused (`paused_i`) begins no frame, not one that stands ready either (tm_shaped_ets).
// `standing_o[port]` is 1 while a row of the queue or of its line stands somewhere here.
module tm_lines
  import tm_pkg::*;
  import tm_schedule_pkg::*;
  import tm_rewrite_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    localparam int unsigned Ports = BUILD.ports,
    localparam int unsigned Lines = BUILD.ports / BUILD.queues,
    localparam int unsigned DataW = BUILD.data_w,
    localparam int unsigned TuserW = BUILD.tuser_w,
    localparam int unsigned UserW = user_pins(BUILD),
    localparam int unsigned RewritingW = rewriting_w(BUILD)
) (
    input  logic                                              clk_i,
    input  logic                                              rst_i,
    // from the queues, packed as the outputs are
    input  logic    [  Ports*DataW-1:0]                       s_data_i,
    input  logic    [Ports*DataW/8-1:0]                       s_keep_i,
    input  logic    [        Ports-1:0][RewritingW+UserW-1:0] s_user_i,
    // With one queue a line nothing looks at some of these.
    // verilator lint_off UNUSEDSIGNAL
    input  sink_t   [        Ports-1:0]                       sink_i,
    input  behind_t [        Ports-1:0]                       behind_i,
    // verilator lint_on UNUSEDSIGNAL
    // to the sinks
    output logic    [  Lines*DataW-1:0]                       m_data_o,
    output logic    [Lines*DataW/8-1:0]                       m_keep_o,
    output logic    [        Lines-1:0]                       m_valid_o,
    input  logic    [        Lines-1:0]                       m_ready_i,
    output logic    [        Lines-1:0]                       m_last_o,
    output logic    [ Lines*TuserW-1:0]                       m_user_o,
    // config
    input  cfg_t    [        Ports-1:0]                       cfg_i,
    // to the queues
    input  logic    [        Ports-1:0]                       tx_en_i,
    input  logic    [        Ports-1:0]                       paused_i,
    output permit_t [        Ports-1:0]                       permit_o,
    // state
    output logic    [        Ports-1:0]                       standing_o
);

  localparam int unsigned Queues = BUILD.queues;
  localparam int unsigned SideW = RewritingW + TuserW;  // {how the row is rewritten, tuser}
  localparam int unsigned ErrorBit = 16;  // of tuser, above the length

  logic [Ports-1:0] valid, last, ready, may_send;
  logic [Ports*SideW-1:0] side;
  logic [Lines*DataW-1:0] data;  // of the queue that sends
  logic [Lines-1:0][SideW-1:0] line_side;
  for (genvar p = 0; p < Ports; p++) begin : gen_sink
    assign {valid[p], last[p]} = {sink_i[p].valid, sink_i[p].last};
    assign permit_o[p] = '{ready: ready[p], tx_en: tx_en_i[p] && may_send[p] && !paused_i[p]};
    assign side[p*SideW+:SideW] = SideW'({
      s_user_i[p] >> UserW, TuserW'({s_user_i[p][UserW-1:0], sink_i[p].error, ErrorBit'(sink_i[p].len)})
    });
  end

  if (Queues > 1) begin : gen_queues
    for (genvar l = 0; l < Lines; l++) begin : gen_line
      logic [Queues-1:0] strict;
      logic [$clog2(Queues)-1:0] unused_id;  // a sink does not see which queue a frame is from
      logic [Queues-1:0][QuantumW-1:0] quantum;
      shape_t [Queues-1:0] shape;
      for (genvar q = 0; q < Queues; q++) begin : gen_queue
        assign standing_o[l*Queues+q] = valid[l*Queues+q] || m_valid_o[l];
        assign strict[q] = !cfg_i[l*Queues+q].shares;
        assign quantum[q] = cfg_i[l*Queues+q].quantum;
        assign shape[q] = cfg_i[l*Queues+q].shape;
      end

      truemark_ets #(
          .QUEUES   (Queues),
          .DATA_W   (DataW),
          .TUSER_W  (SideW),
          .MAX_FRAME(BUILD.max_frame),
          .QUANTUM_W(QuantumW),
          .SHAPING  (BUILD.shaping)
      ) ets (
          .clk          (clk_i),
          .rst          (rst_i),
          .strict_i     (strict),
          .quantum_i    (quantum),
          .shape_i      (shape),
          .line_shape_i (cfg_i[l*Queues].line_shape),
          .paused_i     (paused_i[l*Queues+:Queues]),
          .open_o       (may_send[l*Queues+:Queues]),
          .s_axis_tdata (s_data_i[l*Queues*DataW+:Queues*DataW]),
          .s_axis_tkeep (s_keep_i[l*Queues*DataW/8+:Queues*DataW/8]),
          .s_axis_tvalid(valid[l*Queues+:Queues]),
          .s_axis_tready(ready[l*Queues+:Queues]),
          .s_axis_tlast (last[l*Queues+:Queues]),
          .s_axis_tuser (side[l*Queues*SideW+:Queues*SideW]),
          .behind_i     (behind_i[l*Queues+:Queues]),
          .m_axis_tdata (data[l*DataW+:DataW]),
          .m_axis_tkeep (m_keep_o[l*DataW/8+:DataW/8]),
          .m_axis_tvalid(m_valid_o[l]),
          .m_axis_tready(m_ready_i[l]),
          .m_axis_tlast (m_last_o[l]),
          .m_axis_tid   (unused_id),
          .m_axis_tuser (line_side[l])
      );
    end
  end else begin : gen_one_queue
    logic unused;
    assign unused = &{clk_i, rst_i, cfg_i, behind_i};
    assign {data, m_keep_o, m_valid_o, m_last_o, line_side} = {s_data_i, s_keep_i, valid, last, side};
    assign ready = m_ready_i;
    assign standing_o = valid;
    if (BUILD.shaping) begin : gen_shaping
      for (genvar p = 0; p < Ports; p++) begin : gen_port
        tm_shaped_port #(
            .MAX_FRAME(BUILD.max_frame)
        ) shaped (
            .clk_i,
            .rst_i,
            .shape_i(cfg_i[p].shape),
            .valid_i(valid[p]),
            .ready_i(ready[p]),
            .last_i (last[p]),
            .len_i  (sink_i[p].len),
            .tx_en_o(may_send[p])
        );
      end
    end else begin : gen_no_shaping
      assign may_send = '1;
    end
  end

  // ---- the row as it leaves ----
  for (genvar l = 0; l < Lines; l++) begin : gen_row
    always_comb begin
      m_user_o[l*TuserW+:TuserW]  = line_side[l][TuserW-1:0];
      m_user_o[l*TuserW+ErrorBit] = line_side[l][ErrorBit] && m_last_o[l];
    end
    if (RewritingW == 0) begin : gen_kept_marked
      assign m_data_o[l*DataW+:DataW] = data[l*DataW+:DataW];
    end else begin : gen_rewrite
      rewriting_t rewriting;
      assign rewriting = line_side[l][TuserW+:$bits(rewriting_t)];
      tm_rewrite #(
          .DATA_W(DataW)
      ) rewrite (
          .data_i    (data[l*DataW+:DataW]),
          .row_i     (rewriting.row),
          .mark_i    (rewriting.mark),
          .l3_i      (rewriting.how.l3),
          .tags_i    (rewriting.how.tags),
          .checksum_i(rewriting.how.checksum),
          .data_o    (m_data_o[l*DataW+:DataW])
      );
    end
  end

endmodule
