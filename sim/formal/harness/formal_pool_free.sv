// SPDX-License-Identifier: BSD-3-Clause
// tm_pool_free under any traffic its owners may make: no cell is in two places, and cells are taken in the order in
// which they were freed, whatever is taken back.
module formal_pool_free #(
    parameter  int unsigned CELLS = 5,
    localparam int unsigned CellW = $clog2(CELLS)
) (
    input logic clk_i,
    input logic begin_i,
    input logic take_i,
    input logic back_i,
    input logic push_i,
    input logic [CellW-1:0] push_cell_i,
    input logic choose_i
);

  logic boot_q = 1'b1;
  always_ff @(posedge clk_i) boot_q <= 1'b0;

  logic low, low_q, fault;
  logic [CellW-1:0] cell_number;

  tm_pool_free #(
      .CELLS(CELLS)
  ) dut (
      .clk_i,
      .rst_i  (boot_q),
      .begin_i,
      .take_i,
      .back_i,
      .low_o  (low),
      .cell_o (cell_number),
      .push_i,
      .push_cell_i,
      .fault_o(fault)
  );

  // ---- the owners: a frame takes cells, and gives them back or keeps them; kept ones are freed in any order ----
  logic [CELLS-1:0] out_q, frame_q, taken, pushed;  // cells that are out; of these, those of the newest frame
  logic open_q;
  assign taken  = take_i ? CELLS'(1) << cell_number : '0;
  assign pushed = push_i ? CELLS'(1) << push_cell_i : '0;

  always_ff @(posedge clk_i) begin
    low_q <= low || boot_q;
    if (boot_q) begin
      QuietInReset_M : assume (!take_i && !back_i && !begin_i && !push_i);
    end else begin
      TakeHigh_M : assume (!take_i || (!low_q && (open_q || begin_i)));
      BackTaken_M : assume (!back_i || (open_q && frame_q != '0 && !take_i && !begin_i));
      FirstTakes_M : assume (!begin_i || take_i);
      PushOut_M : assume (!push_i || (32'(push_cell_i) < CELLS && |(pushed & out_q & ~(begin_i ? '0 : frame_q))));
    end
    out_q   <= (back_i ? out_q & ~frame_q : out_q | taken) & ~pushed;
    frame_q <= back_i ? '0 : (begin_i ? '0 : frame_q) | taken;
    open_q  <= (open_q || begin_i) && !back_i;
    if (boot_q) {out_q, frame_q, open_q} <= '0;
  end

  // ---- a cell of the solver's choice, followed from the cycle that frees it ----
  logic chosen_q, choose;
  logic gone_q;  // it was taken, and is the frame's: it may come back
  logic [CellW-1:0] number_q;
  logic [CellW:0] ahead_q;  // free cells that were freed before it
  logic [CellW:0] before_q;  // how many the frame took before it
  assign choose = choose_i && push_i && !chosen_q;

  always_ff @(posedge clk_i) begin
    if (choose) begin
      chosen_q <= 1'b1;
      gone_q   <= 1'b0;
      number_q <= push_cell_i;
      ahead_q  <= (CellW + 1)'(CELLS) - (CellW + 1)'($countones(back_i ? out_q & ~frame_q : out_q | taken));
    end else if (chosen_q) begin
      if (back_i) begin
        gone_q  <= 1'b0;
        ahead_q <= gone_q ? (CellW + 1)'(before_q) : ahead_q + (CellW + 1)'($countones(frame_q));
      end else if (take_i && !gone_q) begin
        if (ahead_q == '0) gone_q <= 1'b1;
        else ahead_q <= ahead_q - 1'b1;
      end
      // A frame begins behind it: it does not come back.
      if (gone_q && begin_i) chosen_q <= 1'b0;
    end
    if (boot_q) chosen_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (take_i && !gone_q) before_q <= begin_i ? '0 : (CellW + 1)'($countones(frame_q));
  end

  always_ff @(posedge clk_i) begin
    if (!boot_q) begin
      Once_A : assert (!take_i || (32'(cell_number) < CELLS && !out_q[cell_number]));
      Order_A : assert (!(take_i && chosen_q && !gone_q) || (cell_number == number_q) == (ahead_q == '0));
      Parity_A : assert (!fault);
      Counted_A :
      assert ((CellW + 2)'(dut.listed_q) + (CellW + 2)'(dut.head_q[0].valid) + (CellW + 2)'(dut.head_q[1].valid) +
              (CellW + 2)'(dut.head_q[2].valid) + (CellW + 2)'(dut.coming_q) + (CellW + 2)'($countones(
          out_q
      )) == (CellW + 2)'(CELLS));
    end
  end

endmodule
