// SPDX-License-Identifier: BSD-3-Clause
// A stream that goes straight through one register: the device under which the test environment itself is tested.
//
// Contract: no back-pressure. `mischief_i` breaks one rule of the stream: 1 drops valid, 2 changes data under a stall.
module loop #(
    parameter int unsigned DATA_W = 64
) (
    input  logic                clk,
    input  logic                rst,
    input  logic [         1:0] mischief_i,
    // source
    input  logic [  DATA_W-1:0] s_axis_tdata,
    input  logic [DATA_W/8-1:0] s_axis_tkeep,
    input  logic                s_axis_tvalid,
    input  logic                s_axis_tlast,
    input  logic [         0:0] s_axis_tdest,
    input  logic [        16:0] s_axis_tuser,
    // sink
    output logic [  DATA_W-1:0] m_axis_tdata,
    output logic [DATA_W/8-1:0] m_axis_tkeep,
    output logic [         0:0] m_axis_tvalid,
    input  logic [         0:0] m_axis_tready,
    output logic [         0:0] m_axis_tlast,
    output logic [        16:0] m_axis_tuser
);

  logic first_q, stalled;
  logic [15:0] length_q;

  assign stalled = m_axis_tvalid && !m_axis_tready;

  always_ff @(posedge clk) begin
    if (rst) begin
      m_axis_tvalid <= 1'b0;
      first_q       <= 1'b1;
    end else if (!stalled) begin
      m_axis_tvalid <= s_axis_tvalid;
      if (s_axis_tvalid) first_q <= s_axis_tlast;
    end else if (mischief_i == 2'd1) begin
      m_axis_tvalid <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    if (!stalled) begin
      m_axis_tdata <= s_axis_tdata;
      m_axis_tkeep <= s_axis_tkeep;
      m_axis_tlast <= s_axis_tlast;
      m_axis_tuser <= {s_axis_tuser[16] && s_axis_tlast, first_q ? s_axis_tuser[15:0] : length_q};
      if (first_q) length_q <= s_axis_tuser[15:0];
    end else if (mischief_i == 2'd2) begin
      m_axis_tdata <= ~m_axis_tdata;
    end
  end

endmodule
