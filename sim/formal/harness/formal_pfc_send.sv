// SPDX-License-Identifier: BSD-3-Clause
// A port's output under any levels, any frames and any sink: tuser says of each beat whose frame it is.
module formal_pfc_send
  import tm_pfc_pkg::*;
#(
    parameter int unsigned DATA_W = 128
) (
    input logic               clk_i,
    input logic               valid_i,
    input logic               last_i,
    input logic               mark_i,    // tells beats apart
    input logic               ready_i,
    input logic [Classes-1:0] xoff_i,
    input logic [        3:0] elapsed_i
);

  localparam int unsigned Beats = (FrameBytes * 8 + DATA_W - 1) / DATA_W;

  logic boot_q = 1'b1;
  always_ff @(posedge clk_i) boot_q <= 1'b0;

  logic s_ready, m_valid, m_last, sent;
  logic [1:0] m_user;
  logic [DATA_W-1:0] unused_data;
  logic [DATA_W/8-1:0] unused_keep;

  tm_pfc_send #(
      .DATA_W    (DATA_W),
      .TUSER_W   (2),
      .FRAME_USER(2'b00)
  ) dut (
      .clk_i,
      .rst_i        (boot_q),
      .s_axis_tdata ('0),
      .s_axis_tkeep ('1),
      .s_axis_tvalid(valid_i),
      .s_axis_tready(s_ready),
      .s_axis_tlast (last_i),
      .s_axis_tuser ({1'b1, mark_i}),
      .xoff_i,
      .elapsed_i,
      .address_i    ('0),
      .quanta_i     (QuantaW'(6)),
      .m_axis_tdata (unused_data),
      .m_axis_tkeep (unused_keep),
      .m_axis_tvalid(m_valid),
      .m_axis_tready(ready_i),
      .m_axis_tlast (m_last),
      .m_axis_tuser (m_user),
      .sent_o       (sent)
  );

  // ---- what is on its way, and which frame the line is in ----
  logic held_q, mark_q, last_q;  // a beat was taken and has not come out
  logic inside_q, own_q;  // a frame has begun and not ended; it is one of its own
  logic [3:0] beats_q;  // of its own frame, that have come out
  logic takes, gives;
  assign takes = valid_i && s_ready;
  assign gives = m_valid && ready_i;

  always_ff @(posedge clk_i) begin
    if (takes) {held_q, mark_q, last_q} <= {1'b1, mark_i, last_i};
    else if (gives && m_user[1]) held_q <= 1'b0;
    if (gives) {inside_q, own_q} <= {!m_last, !m_user[1]};
    if (gives && !m_user[1]) beats_q <= m_last ? '0 : beats_q + 1'b1;
    if (boot_q) {held_q, inside_q, own_q, beats_q} <= '0;

    if (!boot_q) begin
      Uncut_A : assert (!m_valid || !inside_q || own_q == !m_user[1]);
      Once_A : assert (!m_valid || !m_user[1] || (held_q && m_user[0] == mark_q && m_last == last_q));
      Kept_A : assert (!takes || !held_q || (gives && m_user[1]));
      Whole_A : assert (!m_valid || m_user[1] || m_last == (32'(beats_q) == Beats - 1));
    end
  end

endmodule
