// SPDX-License-Identifier: BSD-3-Clause
// Shows the first 16 bytes of each frame of a stream next to its first beat.
//
// Contract: beats pass as they came, in the same cycle; at 64 bit in the next one, where a first beat also waits for
// the second, which has the rest of the head; no cycle is lost. `head_o` and `whole_o` are of the frame whose first
// beat is `m_axis_tvalid`, and mean nothing with another beat; a frame that is shorter than 16 bytes is not whole.
module tm_pfc_head
  import tm_pfc_pkg::*;
#(
    parameter int unsigned DATA_W  = 256,  // bits: 64 to 1024
    parameter int unsigned TUSER_W = 17    // bits
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    // frames in
    input  logic  [  DATA_W-1:0] s_axis_tdata,
    input  logic  [DATA_W/8-1:0] s_axis_tkeep,
    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic                 s_axis_tlast,
    input  logic  [ TUSER_W-1:0] s_axis_tuser,
    // frames out
    output logic  [  DATA_W-1:0] m_axis_tdata,
    output logic  [DATA_W/8-1:0] m_axis_tkeep,
    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic                 m_axis_tlast,
    output logic  [ TUSER_W-1:0] m_axis_tuser,
    // with a frame's first beat
    output logic                 first_o,
    output head_t                head_o,
    output logic                 whole_o
);

  localparam int unsigned Bytes = DATA_W / 8;

  logic [8*HeadBytes-1:0] bits;
  assign head_o = bits;

  always_ff @(posedge clk_i) begin
    if (rst_i) first_o <= 1'b1;
    else if (m_axis_tvalid && m_axis_tready) first_o <= m_axis_tlast;
  end

  if (Bytes >= HeadBytes) begin : gen_wide
    assign {m_axis_tdata, m_axis_tkeep, m_axis_tlast} = {s_axis_tdata, s_axis_tkeep, s_axis_tlast};
    assign m_axis_tuser                               = s_axis_tuser;
    assign m_axis_tvalid                              = s_axis_tvalid;
    assign s_axis_tready                              = m_axis_tready;
    assign whole_o                                    = s_axis_tkeep[HeadBytes-1];
    for (genvar b = 0; b < HeadBytes; b++) begin : gen_head
      assign bits[8*(HeadBytes-1-b)+:8] = s_axis_tdata[8*b+:8];
    end
  end else begin : gen_narrow
    logic valid_q;

    assign m_axis_tvalid = valid_q && (!first_o || m_axis_tlast || s_axis_tvalid);
    assign s_axis_tready = !valid_q || m_axis_tready;
    assign whole_o       = !m_axis_tlast && s_axis_tkeep[HeadBytes-Bytes-1];
    for (genvar b = 0; b < Bytes; b++) begin : gen_head
      assign bits[8*(HeadBytes-1-b)+:8]       = m_axis_tdata[8*b+:8];
      assign bits[8*(HeadBytes-1-Bytes-b)+:8] = s_axis_tdata[8*b+:8];
    end
    always_ff @(posedge clk_i) begin
      if (s_axis_tvalid && s_axis_tready) begin
        valid_q                                    <= 1'b1;
        {m_axis_tdata, m_axis_tkeep, m_axis_tlast} <= {s_axis_tdata, s_axis_tkeep, s_axis_tlast};
        m_axis_tuser                               <= s_axis_tuser;
      end else if (m_axis_tvalid && m_axis_tready) valid_q <= 1'b0;
      if (rst_i) valid_q <= 1'b0;
    end
  end

endmodule
