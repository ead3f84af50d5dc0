// SPDX-License-Identifier: BSD-3-Clause
// One input's frames, whole or not at all: room for all that a frame promises is made sure of at its first beat.
//
// Contract:
// * The input is never blocked. A frame that finds too little room, or promises more than the FIFO holds, is dropped
//   whole (`drop_o`, for one cycle).
// * A frame longer than it promised ends with its last promised row and `error` set; the excess is discarded.
// * `fetch_i` reads the oldest row, which is on the output from the next cycle to the next fetch. Only while
//   `available_o` is set, which follows a beat by one cycle.
// * `whole_o` says that the next frame to begin is there to its end. `begin_i` comes with the fetch of a frame's first
//   row.
`include "tm_assert.svh"

module tm_input_fifo #(
    parameter int unsigned DATA_W = 256,  // bits
    parameter int unsigned ROWS = 512,  // rows of a beat each; a power of two; one is kept spare
    parameter int unsigned USER_W = 24,  // bits of tuser kept: length in the lowest 16
    localparam int unsigned BeatBytes = DATA_W / 8,
    localparam int unsigned RowW = DATA_W + BeatBytes + 2 + USER_W
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    // from the source
    input  logic                 valid_i,
    input  logic [   DATA_W-1:0] data_i,
    input  logic [BeatBytes-1:0] keep_i,
    input  logic                 last_i,
    input  logic [   USER_W-1:0] user_i,       // first beat
    output logic                 drop_o,
    output logic                 receive_o,    // a frame was taken
    // to the arbiter
    input  logic                 fetch_i,
    input  logic                 begin_i,
    output logic                 available_o,
    output logic                 whole_o,
    output logic                 last_o,
    output logic [     RowW-1:0] row_o         // user, error, last, keep, data
);

  localparam int unsigned AddrW = $clog2(ROWS);
  localparam int unsigned FillW = $clog2(BeatBytes);
  localparam int unsigned LenBits = 16;
  localparam int unsigned CountW = LenBits - FillW + 1;

  if (ROWS != 1 << AddrW) begin : gen_rows_error
    $error("ROWS is %0d: it must be a power of two", ROWS);
  end

  logic [AddrW-1:0] write_q, read_q, free;
  logic [CountW-1:0] rows, left_q;  // promised; still to come after this beat
  logic inside_q, taking_q, first, fits, take, ends;
  logic [USER_W-1:0] user_q;
  logic signed [AddrW+1:0] whole_q;  // ended and not begun to leave; -1: one leaves while it still comes

  assign first = !inside_q;
  assign rows  = CountW'(user_i[LenBits-1:FillW]) + CountW'(user_i[FillW-1:0] != '0);
  assign free  = read_q - write_q - AddrW'(1);
  assign fits  = 32'(rows) <= 32'(free) && free != '0;
  assign take  = valid_i && (first ? fits : taking_q);
  assign ends  = last_i || (first ? rows <= CountW'(1) : left_q == CountW'(1));

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      write_q  <= '0;
      read_q   <= '0;
      inside_q <= 1'b0;
      taking_q <= 1'b0;
      whole_q  <= '0;
    end else begin
      if (valid_i) begin
        inside_q <= !last_i;
        taking_q <= take && !ends;
      end
      write_q <= write_q + AddrW'(take);
      read_q  <= read_q + AddrW'(fetch_i);
      unique case ({
        take && ends, begin_i
      })
        2'b10:   whole_q <= whole_q + 1;
        2'b01:   whole_q <= whole_q - 1;
        default: whole_q <= whole_q;
      endcase
    end
    if (valid_i) begin
      left_q <= (first ? rows : left_q) - CountW'(1);
      if (first) user_q <= user_i;
    end
    drop_o    <= valid_i && first && !fits && !rst_i;
    receive_o <= valid_i && first && fits && !rst_i;
  end

  assign available_o = read_q != write_q;
  assign whole_o     = whole_q > 0;
  assign last_o      = row_o[DATA_W+BeatBytes];

  tm_prim_ram #(
      .STYLE("auto"),
      .WIDTH(RowW),
      .DEPTH(ROWS)
  ) stored (
      .clk_i,
      .wr_en_i  (take),
      .wr_addr_i(write_q),
      .wr_data_i({first ? user_i : user_q, ends && !last_i, ends, keep_i, data_i}),
      .rd_en_i  (fetch_i),
      .rd_addr_i(read_q),
      .rd_data_o(row_o)
  );

  `TM_ASSERT_IF(FetchAvailable_A, fetch_i, available_o, "a row is fetched that is not there")
  `TM_ASSERT(Whole_A, whole_q >= -1 && (available_o || !whole_o),
             "a whole frame is not there, or two left before their ends came")
  `TM_ASSERT_IF(NeverFull_A, take, write_q + AddrW'(1) != read_q, "the room that was made sure of is not there")

endmodule
