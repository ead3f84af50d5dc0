// SPDX-License-Identifier: BSD-3-Clause
// Joins the inputs into one stream: a FIFO for each, served round robin, frame by frame, without an idle cycle between.
//
// Contract: neither side is ever blocked: what does not fit into an input's FIFO is dropped whole (`drop_o`). The first
// beat of a frame that meets empty FIFOs is on the output two cycles after it was on the pins. A frame that has begun
// is finished before another begins; so one that is still coming begins only while no input has a whole one.
`include "tm_assert.svh"

module tm_input_arbiter #(
    parameter int unsigned PORTS = 5,
    parameter int unsigned DATA_W = 256,  // bits
    parameter int unsigned ROWS = 512,  // rows of a beat each per input; a power of two
    parameter int unsigned USER_W = 24,  // bits of tuser kept
    localparam int unsigned BeatBytes = DATA_W / 8
) (
    input  logic                                clk_i,
    input  logic                                rst_i,
    // from the sources
    input  logic [    PORTS-1:0]                s_valid_i,
    input  logic [    PORTS-1:0][   DATA_W-1:0] s_data_i,
    input  logic [    PORTS-1:0][BeatBytes-1:0] s_keep_i,
    input  logic [    PORTS-1:0]                s_last_i,
    input  logic [    PORTS-1:0][   USER_W-1:0] s_user_i,
    // to the lookup
    output logic                                m_valid_o,
    output logic                                m_first_o,
    output logic [   DATA_W-1:0]                m_data_o,
    output logic [BeatBytes-1:0]                m_keep_o,
    output logic                                m_last_o,
    output logic                                m_error_o,
    output logic [   USER_W-1:0]                m_user_o,
    // events
    output logic [    PORTS-1:0]                drop_o,
    output logic [    PORTS-1:0]                receive_o
);

  localparam int unsigned RowW = DATA_W + BeatBytes + 2 + USER_W;

  logic [PORTS-1:0] fetch, available, whole, ready, last, granted_q, grant, after;
  logic [PORTS-1:0][RowW-1:0] rows;
  logic valid_q, first_q, open_q, open;
  logic [RowW-1:0] row;

  for (genvar p = 0; p < PORTS; p++) begin : gen_input
    tm_input_fifo #(
        .DATA_W(DATA_W),
        .ROWS  (ROWS),
        .USER_W(USER_W)
    ) fifo (
        .clk_i,
        .rst_i,
        .valid_i    (s_valid_i[p]),
        .data_i     (s_data_i[p]),
        .keep_i     (s_keep_i[p]),
        .last_i     (s_last_i[p]),
        .user_i     (s_user_i[p]),
        .drop_o     (drop_o[p]),
        .receive_o  (receive_o[p]),
        .fetch_i    (fetch[p]),
        .begin_i    (!open && grant[p]),
        .available_o(available[p]),
        .whole_o    (whole[p]),
        .last_o     (last[p]),
        .row_o      (rows[p])
    );
  end

  // Of those whose frame is whole, or of all, the one after the last served goes first: those above it, then the rest.
  always_comb begin
    open  = valid_q ? (last & granted_q) == '0 : open_q;
    ready = (whole != '0) ? whole : available;
    after = ready & ~(granted_q | (granted_q - PORTS'(1)));
    grant = (after != '0) ? after & (~after + PORTS'(1)) : ready & (~ready + PORTS'(1));
    fetch = open ? granted_q & available : grant;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      granted_q <= PORTS'(1);
      valid_q   <= 1'b0;
      open_q    <= 1'b0;
    end else begin
      valid_q <= fetch != '0;
      open_q  <= open;
      if (!open && grant != '0) granted_q <= grant;
    end
    first_q <= !open;
  end

  always_comb begin
    row = '0;
    for (int unsigned p = 0; p < PORTS; p++) if (granted_q[p]) row |= rows[p];
  end

  assign {m_user_o, m_error_o, m_last_o, m_keep_o, m_data_o} = row;
  assign m_valid_o = valid_q;
  assign m_first_o = first_q;

  `TM_ASSERT(OneAtATime_A, $onehot0(fetch), "two inputs are read at a time")

endmodule
