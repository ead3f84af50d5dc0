// SPDX-License-Identifier: BSD-3-Clause
// The cells that nobody holds: a ring of cell numbers, as long as there are cells.
//
// Contract: `cell_o` may be taken if the list was not `low_o` in the cycle before: so the last free cell never is.
// `begin_i` says that what is taken from this cycle on is of another frame; `back_i`, without a take, frees all that
// its frame took: the place to read from goes back, where the numbers still stand, because a ring as long as the memory
// overwrites no number of a cell that is held. `push_i` frees a cell.
//
// In the first lap the number is the place itself: nothing has to be written before the first frame.
`include "tm_assert.svh"

module tm_pool_free #(
    parameter  int unsigned CELLS = 64,
    localparam int unsigned CellW = $clog2(CELLS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from and to the writer
    input  logic             begin_i,
    input  logic             take_i,
    input  logic             back_i,
    output logic             low_o,
    output logic [CellW-1:0] cell_o,
    // from the walker
    input  logic             push_i,
    input  logic [CellW-1:0] push_cell_i,
    // events
    output logic             fault_o       // a number's parity is wrong
);

  typedef struct packed {
    logic             valid;
    logic [CellW-1:0] number;
  } cell_t;
  // Where to read on: a place in the ring, and whether this is the first lap.
  typedef struct packed {
    logic             first_lap;
    logic [CellW-1:0] place;
  } place_t;

  function automatic place_t next(input place_t at);
    if (at.place == CellW'(CELLS - 1)) return '{first_lap: 1'b0, place: '0};
    return '{first_lap: at.first_lap, place: at.place + 1'b1};
  endfunction

  // The next cells, the next one as [0]; with the one that comes; and those when the frame began.
  cell_t [2:0] head_q, head_d, all_ahead, kept_head_q;
  place_t read_q, kept_q, coming_at_q;
  logic [CellW-1:0] put_q, read;
  logic [CellW:0] listed_q, kept_listed_q, kept_listed_d;  // numbers not read yet, of this place and of the one kept
  logic coming_q, wants, ask, parity;
  cell_t coming;
  logic [1:0] ahead;

  // Whether one is taken is known too late: there is a place for one more.
  assign ahead  = 2'(head_q[0].valid) + 2'(head_q[1].valid) + 2'(head_q[2].valid) + 2'(coming_q);
  assign wants  = listed_q != '0 && ahead < 2'd3;
  assign ask    = wants && !back_i;
  assign kept_listed_d = (begin_i ? listed_q : kept_listed_q) + (CellW + 1)'(push_i);
  assign coming = '{valid: coming_q, number: coming_at_q.first_lap ? coming_at_q.place : read};

  always_comb begin
    all_ahead = head_q;
    if (!head_q[0].valid) all_ahead[0] = coming;
    else if (!head_q[1].valid) all_ahead[1] = coming;
    else if (!head_q[2].valid) all_ahead[2] = coming;
  end
  assign head_d = back_i ? kept_head_q : take_i ? {cell_t'('0), all_ahead[2:1]} : all_ahead;

  always_ff @(posedge clk_i) begin
    head_q        <= head_d;
    coming_q      <= ask;
    coming_at_q   <= read_q;
    read_q        <= back_i ? kept_q : ask ? next(read_q) : read_q;
    listed_q      <= back_i ? kept_listed_d : listed_q - (CellW + 1)'(wants) + (CellW + 1)'(push_i);
    kept_listed_q <= kept_listed_d;
    if (begin_i) begin
      kept_head_q <= all_ahead;
      kept_q      <= read_q;
    end
    if (push_i) put_q <= (put_q == CellW'(CELLS - 1)) ? '0 : put_q + 1'b1;
    if (rst_i) begin
      {head_q, coming_q, put_q} <= '0;
      read_q                    <= '{first_lap: 1'b1, place: '0};
      listed_q                  <= (CellW + 1)'(CELLS);
    end
  end

  tm_prim_ram #(
      .WIDTH(CellW + 1),
      .DEPTH(CELLS),
      .SPECULATIVE(1'b1)
  ) numbers (
      .clk_i,
      .wr_en_i  (push_i),
      .wr_addr_i(put_q),
      .wr_data_i({^push_cell_i, push_cell_i}),
      .rd_en_i  (ask),
      .rd_addr_i(read_q.place),
      .rd_data_o({parity, read})
  );

  assign cell_o  = head_q[0].number;
  assign low_o   = !all_ahead[1].valid;
  assign fault_o = coming_q && !coming_at_q.first_lap && parity != ^read;

  `TM_ASSERT_IF(TakeThere_A, take_i, head_q[0].valid, "a cell is taken that is not there")
  `TM_ASSERT_IF(BackAlone_A, back_i, !take_i && !begin_i, "a frame takes a cell, or begins, as it goes back")
  `TM_ASSERT_IF(PushFits_A, push_i, 32'(listed_q) < CELLS, "more cells are freed than there are")

endmodule
