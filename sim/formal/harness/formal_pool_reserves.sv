// SPDX-License-Identifier: BSD-3-Clause
// A frame for one port alone that leaves MARGIN cells of what is left of its reserve finds room: whatever
// frames come before it, are refused late, turn out wrong or are for both ports, and whenever cells are freed. What the
// walker says is free here. A cell is a row; reserves and thresholds stay as they are.
module formal_pool_reserves #(
    parameter  int unsigned CELLS      = 24,
    parameter  int unsigned MOST_CELLS = 4,
    parameter  int unsigned MARGIN     = 8,
    localparam int unsigned PORTS      = 2,
    localparam int unsigned Late       = 8,                      // cycles in which what comes back is not back yet
    localparam int unsigned Rows       = 2,                      // of a frame, before its verdict
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned ManyW      = $clog2(MOST_CELLS + 1)
) (
    input logic clk_i,
    // the strobes, a cycle before the pool's bus
    input logic valid_i,
    input logic last_i,
    input logic [PORTS-1:0] ports_i,
    input logic [ManyW-1:0] cells_i,
    // verdict and end
    input logic judge_i,
    input logic [PORTS-1:0] refuse_i,
    input logic wrong_i,
    // the walker's
    input logic [PORTS-1:0] free_i,
    input logic free_alone_i,
    input logic [PORTS-1:0] let_go_i,
    // config
    input logic [PORTS-1:0][CellW:0] reserve_i,
    input logic [PORTS-1:0] limited_i
);

  logic boot_q = 1'b1;
  logic [2:0] idle_q = '0;  // cycles behind a reset: a frame takes them from the pins to here
  always_ff @(posedge clk_i) begin
    boot_q <= 1'b0;
    if (idle_q != '1) idle_q <= idle_q + 1'b1;
  end

  // ---- config ----
  tm_pkg::pool_share_t [PORTS-1:0] share;
  logic [PORTS-1:0][CellW:0] reserve_q;
  logic [PORTS-1:0] limited_q;
  always_comb begin
    share = '0;
    for (int unsigned p = 0; p < PORTS; p++) begin
      share[p].reserve = tm_pkg::CellsW'(reserve_i[p]);
      share[p].on      = limited_i[p];
      share[p].cells   = tm_pkg::CellsW'(limited_i[p]);
    end
  end

  // ---- the frame on the strobes, on the bus and in the writer ----
  logic open_q, first, bus_valid_q, bus_first_q, bus_last_q, alone_q, alone, judged_q, ended_q, wrong_q;
  logic [ManyW-1:0] rows_q, rows, cells_q, cells, bus_rows_q;
  logic [PORTS-1:0] ports_q, ports, bus_ports_q, rewind_q, kept_q;
  assign first = valid_i && !open_q;
  assign ports = first ? ports_i : ports_q;
  assign cells = first ? cells_i : cells_q;
  assign alone = ports != '1;
  assign rows  = (first ? '0 : rows_q) + ManyW'(valid_i);

  // ---- the pool's parts ----
  logic begins, take, back, low, overflow, full;
  tm_pool_pkg::pool_close_t close;
  logic [CellW-1:0] cell_number;
  logic [ManyW-1:0] back_cells;
  logic [PORTS-1:0] takes, returns, charges, over;
  logic signed [ManyW:0] refund;
  logic [PORTS-1:0][CellW-1:0] rows_used;
  tm_pool_pkg::pool_moves_t moves;
  tm_pool_pkg::pool_next_t next_frame;
  logic [PORTS-1:0] freed_q, let_go_q;
  logic freed_alone_q;
  logic [ManyW-1:0] let_go_cells_q;

  always_comb begin
    moves = '0;
    {moves.begins, moves.take, moves.back} = {begins, take, back};
    moves.back_cells = tm_pool_pkg::NumberW'(back_cells);
    next_frame = '{
        may_be_new: first || !(valid_i ? !last_i : open_q),
        first: first,
        alone: alone,
        cells: tm_pool_pkg::NumberW'(cells)
    };
  end

  tm_pool_free #(
      .CELLS(CELLS)
  ) list (
      .clk_i,
      .rst_i      (boot_q),
      .begin_i    (begins),
      .take_i     (take),
      .back_i     (back),
      .low_o      (low),
      .cell_o     (cell_number),
      .push_i     (|freed_q),
      .push_cell_i('0),
      .fault_o    ()
  );

  tm_pool_write #(
      .PORTS     (PORTS),
      .ROW_W     (1),
      .CELLS     (CELLS),
      .CELL_ROWS (1),
      .MOST_CELLS(MOST_CELLS)
  ) write (
      .clk_i,
      .rst_i        (boot_q),
      .beat_valid_i (bus_valid_q),
      .beat_first_i (bus_first_q),
      .beat_last_i  (bus_last_q),
      .next_alone_i (alone),
      .beat_ports_i (bus_ports_q),
      .beat_row_i   ('0),
      .rewind_i     (rewind_q),
      .overflow_o   (overflow),
      .frame_cell_o (),
      .stop_i       ('0),
      .low_i        (low),
      .cell_i       (cell_number),
      .begin_o      (begins),
      .take_o       (take),
      .back_o       (back),
      .back_cells_o (back_cells),
      .write_o      (),
      .write_cell_o (),
      .write_place_o(),
      .write_row_o  (),
      .link_o       (),
      .link_cell_o  (),
      .rows_put_o   (),
      .close_o      (close),
      .takes_o      (takes),
      .returns_o    (returns),
      .charges_o    (charges),
      .refund_o     (refund)
  );

  tm_pool_shares #(
      .PORTS     (PORTS),
      .CELLS     (CELLS),
      .CELL_ROWS (1),
      .MOST_CELLS(MOST_CELLS)
  ) shares (
      .clk_i,
      .rst_i         (boot_q),
      .share_i       (share),
      .next_frame_i  (next_frame),
      .begins_i      (bus_valid_q && bus_first_q),
      .moves_i       (moves),
      .takes_i       (takes),
      .returns_i     (returns),
      .charges_i     (charges),
      .refund_i      (refund),
      .freed_i       (freed_q),
      .freed_alone_i (freed_alone_q),
      .lets_go_i     (let_go_q),
      .let_go_cells_i(let_go_cells_q),
      .stop_i        ('0),
      .used_cells_i  ('0),
      .rows_used_o   (rows_used),
      .over_o        (over),
      .full_o        (full),
      .port_cells_o  ()
  );

  // ---- the verdict, in a cycle in which a row is on the bus ----
  logic [PORTS-1:0] too_many_q, no_room;
  logic judges;
  assign judges  = bus_valid_q && judge_i && !judged_q;
  assign no_room = {PORTS{overflow || full}} | too_many_q | over;

  always_ff @(posedge clk_i) begin
    open_q <= valid_i ? !last_i : open_q;
    {rows_q, cells_q, ports_q} <= {rows, cells, ports};
    {bus_valid_q, bus_first_q, bus_last_q, bus_ports_q, bus_rows_q} <= {valid_i, first, last_i, ports, rows};
    alone_q <= alone;
    for (int unsigned p = 0; p < PORTS; p++) begin
      too_many_q[p] <= 32'(CELLS - 1) - 32'(rows_used[p]) < 32'(cells) + tm_pkg::SpareRows - 1;
    end
    // Until the verdict, then what it says; and again at the end, of a frame that is wrong.
    judged_q <= (judged_q || judges) && !(bus_valid_q && bus_last_q);
    kept_q   <= judges ? bus_ports_q & ~(refuse_i | no_room) : kept_q;
    rewind_q <= '0;
    if (judges) rewind_q <= bus_ports_q & (refuse_i | no_room);
    if (bus_valid_q && bus_last_q && wrong_i) rewind_q <= bus_ports_q;
    if (boot_q) {open_q, bus_valid_q, judged_q, rewind_q, kept_q} <= '0;
    {reserve_q, limited_q} <= {reserve_i, limited_i};
  end

  // ---- what is stored, and goes ----
  logic [PORTS-1:0][CellW:0] stored_q, charged_q;  // cells of frames for one port; with those of the frame that arrives
  logic [PORTS-1:0] owners_q;  // of the one frame for both that may be stored,
  logic [ManyW-1:0] both_q;  // and its cells
  always_ff @(posedge clk_i) begin
    freed_q        <= free_i;
    freed_alone_q  <= free_alone_i;
    let_go_q       <= let_go_i;
    let_go_cells_q <= both_q;
    for (int unsigned p = 0; p < PORTS; p++) begin
      stored_q[p] <= stored_q[p] + (close.valid && close.alone && write.alive[p] ? (CellW + 1)'(close.cells) : '0) -
          (CellW + 1)'(free_i[p] && free_alone_i);
    end
    if (close.valid && !close.alone) {owners_q, both_q} <= {write.alive, ManyW'(close.cells)};
    else begin
      owners_q <= owners_q & ~let_go_i;
      if (free_i != '0 && !free_alone_i) both_q <= both_q - 1'b1;
    end
    if (boot_q) {stored_q, owners_q, both_q, freed_q, let_go_q} <= '0;
  end

  // ---- the promise ----
  // What a port has charged to its reserve, at the most in the last cycles before a frame came.
  logic [PORTS-1:0][Late-1:0][CellW:0] before_q;
  logic [PORTS-1:0][CellW:0] most, most_q;
  always_comb begin
    charged_q = stored_q;
    for (int unsigned p = 0; p < PORTS; p++) begin
      // Its frame that arrives counts as if it were stored whole.
      if ((open_q || bus_valid_q || begins || write.open_q) && alone_q && bus_ports_q[p]) begin
        charged_q[p] = stored_q[p] + (CellW + 1)'(MOST_CELLS);
      end
      most[p] = charged_q[p];
      for (int unsigned b = 0; b < Late; b++) if (before_q[p][b] > most[p]) most[p] = before_q[p][b];
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < PORTS; p++) before_q[p] <= {before_q[p][Late-2:0], charged_q[p]};
    if (first) most_q <= most;
    if (boot_q) before_q <= '0;
  end

  logic [PORTS-1:0] promised;
  always_comb begin
    for (int unsigned p = 0; p < PORTS; p++) begin
      promised[p] = alone_q && bus_ports_q[p] && 32'(reserve_i[p]) >= 32'(most_q[p]) + 32'(cells_q) + MARGIN;
    end
  end

  always_ff @(posedge clk_i) begin
    Sum_M : assume (32'(reserve_i[0]) + 32'(reserve_i[1]) + tm_pkg::UnreservedCells <= CELLS);
    if (idle_q != '1) Quiet_M : assume (!valid_i && free_i == '0 && let_go_i == '0);
    if (!boot_q) begin
      Config_M : assume (reserve_i == reserve_q && limited_i == limited_q);
      Ports_M : assume (ports_i != '0 && cells_i != '0 && 32'(cells_i) <= MOST_CELLS);
      End_M : assume (!valid_i || (rows != cells || last_i));
      Short_M : assume (!bus_valid_q || !bus_last_q || bus_rows_q == cells_q || wrong_i);
      Judge_M : assume (!bus_valid_q || judged_q || judge_i || (32'(bus_rows_q) < Rows && !bus_last_q));
      Stored_M : assume (!free_alone_i || ((free_i & (free_i - 1'b1)) == '0));
      for (int unsigned p = 0; p < PORTS; p++) begin
        assume (!(free_i[p] && free_alone_i) || stored_q[p] != '0);
      end
      Both_M : assume (free_i == '0 || free_alone_i || (free_i == owners_q && both_q != '0 && let_go_i == '0));
      LetGo_M : assume (let_go_i == '0 || (owners_q == '1 && let_go_i != '1 && both_q != '0));
      OneBoth_M : assume (!(close.valid && !close.alone) || both_q == '0);
      Kept_A : assert (!judges || (promised & no_room) == '0);
    end
  end

endmodule
