// SPDX-License-Identifier: BSD-3-Clause
// A queue of words of which the oldest is always at hand: a few in LUT RAM, and behind them any number in block RAM.
//
// Contract: a word may be pushed and one taken in every cycle. `any_o` follows a push by one cycle and `head_o` is the
// oldest word while it is set; one pushed while none is there may be taken in that very cycle, from the pusher. Words
// pass the block RAM only while many wait; they are read into the LUT RAM long before it runs out. One that comes while
// the last of them is on that way, or right behind one that did, waits a cycle: whatever leaves, no word is missed.
`include "tm_assert.svh"

module tm_list #(
    parameter int unsigned WIDTH  = 36,  // bits
    parameter int unsigned FRAMES = 508  // words at most
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             push_i,
    input  logic [WIDTH-1:0] push_data_i,
    input  logic             pop_i,
    output logic             any_o,
    output logic [WIDTH-1:0] head_o
);

  localparam int unsigned Front = 16;
  localparam int unsigned Refill = 10;  // more come while no more than these are there: three are on their way at most
  localparam int unsigned PlaceW = $clog2(Front);
  localparam int unsigned IndexW = $clog2(FRAMES);
  // A power of two, or three quarters of one: block RAMs come in powers of two.
  localparam int unsigned Depth = (IndexW > 1 && FRAMES <= 3 << (IndexW - 2)) ? 3 << (IndexW - 2) : 1 << IndexW;

  function automatic logic [IndexW-1:0] behind(input logic [IndexW-1:0] index);
    if (Depth != 1 << IndexW && index == IndexW'(Depth - 1)) return '0;
    return index + 1'b1;
  endfunction

  logic [PlaceW-1:0] put_q, get_q;
  logic [PlaceW-1:0] count;  // one place stays free: equal places mean that none is taken
  logic any_q, room_q, write, direct;
  logic [WIDTH-1:0] written;

  logic [IndexW-1:0] back_put_q, back_get_q, back_get_next;
  logic waits_any_q, to_back, ask, read_q;
  logic [WIDTH-1:0] read;

  logic late, late_q;  // a word waits a cycle
  logic [WIDTH-1:0] late_word_q;

  // A word is late only while none waits in the block RAM, so none is asked for then: the two never meet.
  assign to_back       = push_i && (waits_any_q || !room_q);
  assign late          = push_i && !to_back && (read_q || late_q);
  assign direct        = push_i && !to_back && !late;
  assign ask           = waits_any_q && room_q;
  assign write         = read_q || late_q || direct;
  assign written       = read_q ? read : late_q ? late_word_q : push_data_i;
  assign back_get_next = behind(back_get_q);
  assign count         = put_q - get_q;

  always_ff @(posedge clk_i) begin
    put_q <= put_q + PlaceW'(write);
    // (A pop comes late: it enables, and adds nothing.)
    if (pop_i) get_q <= get_q + 1'b1;
    any_q  <= pop_i ? count[PlaceW-1:1] != '0 || (write && any_q) : write || any_q;
    room_q <= count <= PlaceW'(Refill);

    if (to_back) back_put_q <= behind(back_put_q);
    if (ask) back_get_q <= back_get_next;
    // Some of the words are always in the LUT RAM: the block RAM is never full, and equal places mean that it is empty.
    waits_any_q <= to_back || (ask ? back_get_next != back_put_q : waits_any_q);
    read_q <= ask;
    late_q <= late;
    late_word_q <= push_data_i;
    if (rst_i) begin
      {put_q, get_q, any_q, back_put_q, back_get_q} <= '0;
      {waits_any_q, read_q, late_q}                 <= '0;
      room_q                                        <= 1'b1;
    end
  end

  tm_prim_lut_ram #(
      .WIDTH(WIDTH),
      .DEPTH(Front)
  ) front (
      .clk_i,
      .wr_en_i  (write),
      .wr_addr_i(put_q),
      .wr_data_i(written),
      .rd_addr_i(get_q),
      .rd_data_o(head_o)
  );

  tm_prim_ram #(
      .STYLE("auto"),
      .WIDTH(WIDTH),
      .DEPTH(Depth)
  ) back (
      .clk_i,
      .wr_en_i  (to_back),
      .wr_addr_i(back_put_q),
      .wr_data_i(push_data_i),
      .rd_en_i  (ask),
      .rd_addr_i(back_get_q),
      .rd_data_o(read)
  );

  assign any_o = any_q;

  `TM_ASSERT_IF(NeverDry_A, waits_any_q || read_q || late_q, any_q, "words wait and none is at hand")
  `TM_ASSERT_IF(PopThere_A, pop_i, any_q || direct, "a word is taken that is not there")
  `TM_ASSERT_IF(Alone_A, late_q, !read_q && !waits_any_q, "a late word meets one of the block RAM")
  `TM_ASSERT_IF(FrontFits_A, write && !pop_i, count != '1, "the LUT RAM is overrun")
  `TM_ASSERT_IF(BackFits_A, to_back, !waits_any_q || back_put_q != back_get_q, "the block RAM is overrun")

endmodule
