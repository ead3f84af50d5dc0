// SPDX-License-Identifier: BSD-3-Clause
// Throws away what a class in a storm sends: SONiC's action "drop", which frees memory.
//
// Contract: a frame whose first beat comes while its class is in `storm_i` does not pass and is told by `dropped_o` in
// the cycle of that beat. Its class is the priority of its outer tag (type 0x8100 or 0x88A8), or 0 without one. All
// others pass whole, in the cycle in which tm_pfc_head shows them. What is thrown away is taken at a beat a cycle.
module tm_pfc_discard
  import tm_pfc_pkg::*;
#(
    parameter int unsigned DATA_W  = 256,  // bits: 64 to 1024
    parameter int unsigned TUSER_W = 17    // bits
) (
    input  logic                clk_i,
    input  logic                rst_i,
    // from the watchdog
    input  logic [ Classes-1:0] storm_i,
    // from the switch
    input  logic [  DATA_W-1:0] s_axis_tdata,
    input  logic [DATA_W/8-1:0] s_axis_tkeep,
    input  logic                s_axis_tvalid,
    output logic                s_axis_tready,
    input  logic                s_axis_tlast,
    input  logic [ TUSER_W-1:0] s_axis_tuser,
    // to the line
    output logic [  DATA_W-1:0] m_axis_tdata,
    output logic [DATA_W/8-1:0] m_axis_tkeep,
    output logic                m_axis_tvalid,
    input  logic                m_axis_tready,
    output logic                m_axis_tlast,
    output logic [ TUSER_W-1:0] m_axis_tuser,
    // events
    output logic                dropped_o
);

  logic offered, takes, first, whole, drops, drops_q, unused;
  head_t head;
  logic [2:0] frame_class;

  tm_pfc_head #(
      .DATA_W (DATA_W),
      .TUSER_W(TUSER_W)
  ) heads (
      .clk_i,
      .rst_i,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tuser,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid(offered),
      .m_axis_tready(takes),
      .m_axis_tlast,
      .m_axis_tuser,
      .first_o      (first),
      .head_o       (head),
      .whole_o      (whole)
  );

  // A tag's priority is in the highest bits behind its type.
  assign frame_class = whole && head.ethertype inside {CustomerTag, ServiceTag} ? head.behind_type[15:13] : '0;
  assign unused      = ^head;

  // Storms may begin and end while a beat waits: what was offered to the line stays so.
  logic shown_q;
  assign drops         = first ? storm_i[frame_class] && !shown_q : drops_q;
  assign m_axis_tvalid = offered && !drops;
  assign takes         = m_axis_tready || drops;
  assign dropped_o     = offered && first && drops;

  always_ff @(posedge clk_i) begin
    if (offered && first) drops_q <= drops;
    shown_q <= m_axis_tvalid && !m_axis_tready && !rst_i;
  end

endmodule
