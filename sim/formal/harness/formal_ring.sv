// SPDX-License-Identifier: BSD-3-Clause
// tm_buffer, with either ring, under any traffic its owner may make: what is fetched is what was written, once and in
// order.
//
// Rows carry nothing but two bits that the harness gives them: `mark` on one row of its choice, `later` on every row
// written after it. A ring that lost, repeated or swapped rows would show them in another order.
module formal_ring #(
    parameter int unsigned ROWS = 6,
    parameter bit SKIP = 1'b0,
    parameter bit ULTRA = 1'b0,
    parameter int unsigned FRONT = 4,
    parameter int unsigned LATENCY = 1,
    localparam int unsigned AddrW = $clog2(ROWS)
) (
    input logic clk_i,
    input logic beat_valid_i,
    input logic beat_first_i,
    input logic beat_take_i,
    input logic rewind_i,
    input logic look_i,
    input logic fetch_i,
    input logic skip_i,
    input logic [AddrW-1:0] skip_rows_i,
    input logic choose_i
);

  logic boot_q = 1'b1;
  always_ff @(posedge clk_i) boot_q <= 1'b0;

  logic overflow, available, skip, freed;
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
      .beat_take_i,
      .beat_row_i   (row),
      .beat_marked_i('0),
      .rewind_i,
      .overflow_o   (overflow),
      .rows_used_o  (rows_used),
      .freed_o      (freed),
      .look_i       (look_i || fetch_i),
      .look_marked_i('0),
      .fetch_i,
      .skip_i       (skip),
      .skip_rows_i,
      .available_o  (available),
      .row_o        (fetched)
  );

  // ---- the owner: fetches what is there, rewinds a frame that has begun, none of whose rows was fetched ----
  logic open_q, touched_q, doomed_q;  // a frame has begun; one of its rows was fetched; it met a full ring
  logic [AddrW:0] older_q, newest_q;  // rows of earlier frames, and of the newest, not yet fetched
  logic [AddrW:0] older, newest;
  logic stored;

  assign skip = SKIP && skip_i;
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
      FetchThere_M : assume (!fetch_i || available);
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
    if (beat_valid_i && beat_first_i) begin
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
      if (beat_valid_i && beat_first_i) {open_q, touched_q} <= {beat_take_i, 1'b0};
      else if (rewind_i) open_q <= 1'b0;
      else if (fetch_i && older_q == 0) touched_q <= 1'b1;
    end
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
        if (beat_valid_i && beat_first_i) in_newest_q <= 1'b0;
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
      Held_A : assert (available == (older_q != 0 || newest_q != 0));
      UsedIsOlder_A : assert (!open_q || touched_q || (AddrW + 1)'(rows_used) == older_q + (AddrW + 1)'(freed));
      Spare_A : assert (older_q + newest_q < (AddrW + 1)'(ROWS));
    end
  end

endmodule
