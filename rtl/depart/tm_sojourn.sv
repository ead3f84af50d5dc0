// SPDX-License-Identifier: BSD-3-Clause
// How long each frame of one port was held: from its verdict to the cycle it departs in, modulo 2^42 ns.
//
// Contract: `push_i` records a stored frame at the end of its arrival, with length, class and time of verdict;
// `gone_i` asks for the oldest record when the frame's last row is taken (or skipped). Four cycles later `valid_o`
// shows the departure's tally. Records are in arrival order, so no index travels with a frame.
`include "tm_assert.svh"

module tm_sojourn
  import tm_pkg::*;
#(
    parameter int unsigned FRAMES = 508,  // frames the port can hold
    localparam int unsigned IndexW = $clog2(FRAMES + 4)
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic       [StampW-1:0] time_i,
    // from admit: a stored frame has arrived
    input  logic                    push_i,
    input  logic       [StampW-1:0] stamp_i,
    input  class_e                  class_i,
    input  logic                    ece_i,
    input  logic       [  LenW-1:0] len_i,
    // from depart
    input  logic                    depart_i,  // the frame departs in this cycle
    input  logic                    gone_i,    // its last row is taken in this cycle
    input  departure_e              kind_i,    // with gone_i
    // events
    output logic                    valid_o,
    output departure_e              kind_o,
    output class_e                  class_o,
    output logic                    ece_o,
    output logic       [  LenW-1:0] len_o,
    output logic       [StampW-1:0] sojourn_o
);

  typedef struct packed {
    logic [StampW-1:0] stamp;
    class_e            class_id;
    logic              ece;
    logic [LenW-1:0]   len;
  } record_t;

  logic [IndexW-1:0] write_q, read_q;
  logic [StampW-1:0] departed_q;
  logic [1:0][StampW-1:0] time_q;  // of the cycles before; the same for all ports
  logic [1:0] depart_q;
  logic gone_q, gone_2_q, gone_3_q;
  departure_e kind_q, kind_2_q, kind_3_q;
  record_t pushed, record;

  assign pushed = '{stamp: stamp_i, class_id: class_i, ece: ece_i, len: len_i};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_q  <= '0;
      read_q   <= '0;
      gone_q   <= 1'b0;
      gone_2_q <= 1'b0;
      gone_3_q <= 1'b0;
      valid_o  <= 1'b0;
    end else begin
      write_q  <= write_q + IndexW'(push_i);
      read_q   <= read_q + IndexW'(gone_q);
      gone_q   <= gone_i;
      gone_2_q <= gone_q;
      gone_3_q <= gone_2_q;
      valid_o  <= gone_3_q;
    end
    time_q   <= {time_q[0], time_i};
    depart_q <= {depart_q[0], depart_i};
    kind_q   <= kind_i;
    kind_2_q <= kind_q;
    kind_3_q <= kind_2_q;
    if (depart_q[1]) departed_q <= time_q[1];
    sojourn_o               <= departed_q - record.stamp;
    kind_o                  <= kind_3_q;
    {class_o, ece_o, len_o} <= {record.class_id, record.ece, record.len};
  end

  tm_prim_ram #(
      .STYLE("auto"),
      .REGISTERED(1'b1),
      .WIDTH($bits(record_t)),
      .DEPTH(1 << IndexW)
  ) records (
      .clk_i,
      .wr_en_i  (push_i),
      .wr_addr_i(write_q),
      .wr_data_i(pushed),
      .rd_en_i  (gone_q),
      .rd_addr_i(read_q),
      .rd_data_o(record)
  );

  `TM_ASSERT_IF(RecordThere_A, gone_q, read_q != write_q, "a frame is gone before its record was written")

endmodule
