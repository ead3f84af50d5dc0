// SPDX-License-Identifier: BSD-3-Clause
// tm_buffer, with either ring, under any traffic its owner may make: what is fetched is what was written, once and in
// order.
//
// Rows carry nothing but two bits that the harness gives them: `mark` on one row of its choice, `later` on every row
// written after it. A ring that lost, repeated or swapped rows would show them in another order.
module formal_ring
  import tm_pkg::NearlyFull;
#(
    parameter int unsigned ROWS = 9,
    parameter bit SKIP = 1'b0,
    parameter bit ULTRA = 1'b0,
    parameter int unsigned FRONT = 4,
    parameter int unsigned LATENCY = 1,
    localparam int unsigned AddrW = $clog2(ROWS)
) (
    input logic clk_i,
    input logic beat_valid_i,
    input logic beat_first_i,
    input logic next_new_i,
    input logic beat_take_i,
    input logic judge_i,
    input logic rewind_i,
    input logic look_i,
    input logic fetch_i,
    input logic skip_i,
    input logic [AddrW-1:0] skip_rows_i,
    input logic choose_i
);

  logic boot_q = 1'b1;
  always_ff @(posedge clk_i) boot_q <= 1'b0;

  logic overflow, available, blocked, skip;
  logic [AddrW-1:0] rows_used;
  logic [1:0] row, fetched;

  tm_buffer #(
      .ROW_W(2),
      .ROWS(ROWS),
      .ULTRA(ULTRA),
      .SKIP(SKIP),
      .FRONT(FRONT),
      .LATENCY(LATENCY)
  ) dut (
      .clk_i,
      .rst_i        (boot_q),
      .beat_valid_i,
      .beat_first_i,
      .next_new_i,
      .beat_take_i,
      .beat_row_i   (row),
      .beat_marked_i('0),
      .rewind_i,
      .overflow_o   (overflow),
      .rows_used_o  (rows_used),
      .look_i       (look_i || fetch_i),
      .marked_i     ('0),
      .fetch_i,
      .skip_i       (skip),
      .skip_rows_i,
      .available_o  (available),
      .blocked_o    (blocked),
      .row_o        (fetched)
  );

  // ---- the owner: fetches what is there, rewinds a frame that has begun, none of whose rows was fetched ----
  logic open_q, touched_q, lost_q;  // a frame has begun; one of its rows was fetched; one found no place
  logic [AddrW:0] older_q, newest_q;  // rows of earlier frames, and of the newest, not yet fetched
  logic [AddrW:0] older, newest;
  logic begins, stored, held, vanished_q;  // rows were taken back or skipped in the cycle before

  assign begins = beat_valid_i && beat_first_i;
  assign held   = older_q != 0 || newest_q != 0;

  assign skip   = SKIP && skip_i;
  if (ULTRA) begin : gen_ultra
    assign stored = beat_valid_i && beat_take_i && dut.gen_ultra.ring.advance;
  end else begin : gen_block
    assign stored = beat_valid_i && beat_take_i && dut.gen_block.ring.advance;
  end

  always_ff @(posedge clk_i) begin
    if (boot_q) QuietInReset_M : assume (!beat_valid_i && !fetch_i);
    if (!boot_q) begin
      // Frames are skipped that have ended, whole, between two fetches.
      SkipOlder_M : assume (!skip || (!fetch_i && skip_rows_i != '0 && (AddrW + 1)'(skip_rows_i) <= older_q));
      FetchThere_M : assume (!fetch_i || ((ULTRA ? available : held) && !blocked));
      RewindUntouched_M : assume (!rewind_i || (open_q && !touched_q));
      RewindNoFetch_M : assume (!(rewind_i && fetch_i && older_q == 0));
      FirstWhenOpen_M : assume (!(beat_valid_i && !beat_first_i) || open_q);
      RewoundStops_M : assume (!(rewind_i && beat_valid_i && beat_take_i) || beat_first_i);
      TakeWhenOpen_M : assume (!(beat_valid_i && beat_take_i && !beat_first_i) || open_q);
    end
  end

  always_comb begin
    older  = older_q;
    newest = rewind_i ? '0 : newest_q;
    if (fetch_i) begin
      if (older_q != 0) older = older_q - 1'b1;
      else newest = newest - 1'b1;
    end
    if (skip) older = older - (AddrW + 1)'(skip_rows_i);
    if (begins) begin
      older  = older + newest;
      newest = '0;
    end
    newest = newest + (AddrW + 1)'(stored);
  end

  always_ff @(posedge clk_i) begin
    if (boot_q) begin
      {open_q, touched_q} <= '0;
      older_q             <= '0;
      newest_q            <= '0;
    end else begin
      older_q  <= older;
      newest_q <= newest;
      if (begins) {open_q, touched_q} <= {beat_take_i, 1'b0};
      else if (rewind_i) open_q <= 1'b0;
      else if (fetch_i && older_q == 0) touched_q <= 1'b1;
    end
    if (beat_valid_i && beat_take_i) lost_q <= !stored || (lost_q && !beat_first_i);
    vanished_q <= rewind_i || skip;
    if (boot_q) {lost_q, vanished_q} <= '0;
  end

  // ---- the frame that is judged in this cycle, and what the others held two cycles ago ----
  logic judge;
  logic [1:0] age, age_q;  // cycles since its first row, three means or more
  logic [2:0] next_new_q;
  logic [1:0][AddrW:0] before_q, others_q;  // rows held; of these, those of frames before the newest
  logic [AddrW-1:0] rows_used_q;

  assign judge = judge_i && (begins ? beat_take_i : open_q && !touched_q && !rewind_i);
  assign age   = begins ? '0 : age_q;

  always_ff @(posedge clk_i) begin
    age_q       <= age + 2'(!(&age));
    next_new_q  <= {next_new_q[1:0], next_new_i};
    before_q    <= {before_q[0], older_q + (rewind_i ? '0 : newest_q)};
    others_q    <= {others_q[0], older_q};
    rows_used_q <= rows_used;
    // Of a frame that began two cycles ago the ring sees for itself that it did.
    if (!boot_q) NextNew_M : assume (!judge || age == 2'd2 || next_new_q[1] == !age[1]);
    if (boot_q) {before_q, others_q, rows_used_q, age_q} <= '0;
  end

  // ---- the chosen row ----
  logic chosen_q, choose, taken_back;  // the row has been written and stays
  logic [AddrW:0] ahead_q;  // rows to be fetched before it
  logic in_newest_q;
  logic [1:0] expected_q;
  logic checking_q;

  assign choose     = choose_i && stored && !chosen_q;
  assign taken_back = rewind_i && chosen_q && in_newest_q;
  assign row        = {chosen_q && !taken_back, choose};

  always_ff @(posedge clk_i) begin
    if (boot_q) begin
      chosen_q   <= 1'b0;
      checking_q <= 1'b0;
    end else begin
      if (taken_back) chosen_q <= 1'b0;
      if (choose) begin
        chosen_q    <= 1'b1;
        ahead_q     <= older + newest - 1'b1;
        in_newest_q <= 1'b1;
      end else if (chosen_q && !taken_back) begin
        if (begins) in_newest_q <= 1'b0;
        if (!(&ahead_q)) begin  // all ones: it has left
          if (fetch_i) ahead_q <= ahead_q - 1'b1;
          if (skip) ahead_q <= ahead_q < (AddrW + 1)'(skip_rows_i) ? '1 : ahead_q - (AddrW + 1)'(skip_rows_i);
        end
      end
      checking_q <= fetch_i;
      expected_q <= {chosen_q && &ahead_q, chosen_q && ahead_q == '0};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!boot_q) begin
      InOrder_A : assert (!checking_q || fetched == expected_q);
      Held_A : assert (held ? available : !available || (!ULTRA && vanished_q));
      UsedIsOlder_A : assert (!judge || (AddrW + 1)'(rows_used_q) == (&age ? others_q[1] : before_q[1]));
      Overflow_A : assert (overflow == (lost_q && !beat_first_i));
      Room_A : assert (!(beat_valid_i && beat_take_i) || stored == (before_q[1] < (AddrW + 1)'(ROWS - NearlyFull)));
      Spare_A : assert (older_q + newest_q < (AddrW + 1)'(ROWS) - 1'b1);
    end
  end

  // ---- why it holds: where the rows lie, from the oldest on (tm_ring) ----
  logic placed, counted, sorted;
  if (ULTRA) begin : gen_no_places
    assign {placed, counted, sorted} = '1;
  end else begin : gen_places
    logic [AddrW-1:0] read_q, start_q, write_q;
    logic [AddrW:0] rows, begun;  // from the oldest row to the next free one, and to where the newest frame began
    assign read_q  = dut.gen_block.ring.read_q;
    assign start_q = dut.gen_block.ring.start_q;
    assign write_q = dut.gen_block.ring.write_q;

    function automatic logic [AddrW:0] distance(input logic [AddrW-1:0] from, input logic [AddrW-1:0] to);
      return (AddrW + 1)'(to) - (AddrW + 1)'(from) + (to < from ? (AddrW + 1)'(ROWS) : '0);
    endfunction

    always_comb begin
      rows = distance(read_q, write_q);
      begun = distance(read_q, start_q);
      placed = 32'(read_q) < ROWS && 32'(start_q) < ROWS && 32'(write_q) < ROWS && older_q <= rows &&
          newest_q == rows - older_q && (touched_q ? older_q == 0 : begun == older_q);
      counted = dut.gen_block.ring.level_q == before_q[0][AddrW-1:0] && before_q[0] <= before_q[1] + 1'b1 &&
          rows <= before_q[0] + 1'b1 && lost_q == dut.gen_block.ring.overflow_q;
      // Before the chosen row all are plain, behind it all are later; one that was fetched has no row of an earlier
      // frame before it.
      sorted = !chosen_q || (&ahead_q ? !in_newest_q || touched_q
                                      : ahead_q < rows && in_newest_q == (ahead_q >= older_q));
      for (int unsigned a = 0; a < ROWS; a++) begin
        logic [AddrW:0] turn;
        turn = distance(read_q, AddrW'(a));
        if (turn < rows && dut.gen_block.ring.rows.once.words[a] !=
            {chosen_q && (&ahead_q || turn > ahead_q), chosen_q && turn == ahead_q})
          sorted = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!boot_q) begin
      Placed_A : assert (placed);
      Counted_A : assert (counted);
      Sorted_A : assert (sorted);
    end
  end

endmodule
