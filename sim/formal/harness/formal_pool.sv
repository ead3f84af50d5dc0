// SPDX-License-Identifier: BSD-3-Clause
// tm_pool under any frames, verdicts and ports that store whole frames: no cell has two owners, none is lost, and all
// are free again once every copy has left.
module formal_pool #(
    parameter  int unsigned PORTS      = 2,
    parameter  int unsigned CELLS      = 4,
    parameter  int unsigned MOST_CELLS = 2,
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned RowsW      = $clog2(MOST_CELLS + 1),
    localparam int unsigned Idle       = 10                       // cycles in which what has left becomes free
) (
    input logic             clk_i,
    input logic             beat_valid_i,
    input logic             beat_first_i,
    input logic             beat_last_i,
    input logic [PORTS-1:0] beat_ports_i,
    input logic [PORTS-1:0] rewind_i,
    input logic [PORTS-1:0] open_i,
    input logic [PORTS-1:0] skip_i,
    input logic [PORTS-1:0] ready_i
);

  logic boot_q = 1'b1;
  always_ff @(posedge clk_i) boot_q <= 1'b0;

  typedef struct packed {
    logic [CellW-1:0] first_cell;
    logic [RowsW-1:0] rows;
  } stored_t;

  logic [PORTS-1:0][CellW-1:0] head_cell;
  logic [PORTS-1:0][RowsW-1:0] head_rows;
  logic [PORTS-1:0] open_ready, valid, row;
  logic [CellW:0] free_cells, held_cells, walking_cells;

  // A row is one bit, whether it is the last, and a cell has one row.
  tm_pool #(
      .PORTS     (PORTS),
      .ROW_W     (1),
      .LAST      (0),
      .CELLS     (CELLS),
      .CELL_ROWS (1),
      .MOST_CELLS(MOST_CELLS)
  ) dut (
      .clk_i,
      .rst_i          (boot_q),
      .beat_valid_i,
      .beat_first_i,
      .next_frame_i   ('0),
      .beat_ports_i,
      .beat_row_i     (beat_last_i),
      .rewind_i,
      .overflow_o     (),
      .rows_used_o    (),
      .over_o         (),
      .full_o         (),
      .share_i        ('0),
      .open_i,
      .open_cell_i    (head_cell),
      .open_rows_i    (head_rows),
      .open_arriving_i('0),
      .open_ready_o   (open_ready),
      .skip_i,
      .valid_o        (valid),
      .ready_i,
      .row_o          (row),
      .free_cells_o   (free_cells),
      .held_cells_o   (held_cells),
      .walking_cells_o(walking_cells),
      .port_cells_o   (),
      .moves_o        (),
      .fault_o        (),
      .faults_o       ()
  );

  // ---- a frame arrives; each copy is refused by the cycle after its last row, or stored ----
  logic arriving_q, ended_q;  // it has begun and not ended; it ended in the cycle before
  logic [RowsW-1:0] rows_q;
  logic [PORTS-1:0] copies_q, stored;
  assign stored = ended_q ? copies_q & ~rewind_i : '0;

  always_ff @(posedge clk_i) begin
    ended_q <= beat_valid_i && beat_last_i;
    if (beat_valid_i) begin
      arriving_q <= !beat_last_i;
      rows_q     <= beat_first_i ? RowsW'(1) : rows_q + 1'b1;
    end
    copies_q <= (beat_valid_i && beat_first_i) ? beat_ports_i : copies_q & ~rewind_i;
    if (boot_q) {arriving_q, ended_q, rows_q, copies_q} <= '0;
    else begin
      First_M : assume (!beat_valid_i || beat_first_i == !arriving_q);
      Longest_M : assume (!beat_valid_i || beat_last_i || 32'(beat_first_i ? '0 : rows_q) < MOST_CELLS - 1);
      RewindCopy_M : assume ((rewind_i & ~((arriving_q || ended_q) ? copies_q : '0)) == '0);
      LostIsRefused_M : assume (!(ended_q && dut.write.overflow_q) || rewind_i == copies_q);
    end
    if (boot_q) QuietInReset_M : assume (!beat_valid_i && rewind_i == '0 && open_i == '0 && skip_i == '0);
  end

  // ---- a port keeps what it stored in order, opens it, and may skip what it has not read of it ----
  logic [PORTS-1:0] waiting;
  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    stored_t [CELLS-1:0] kept_q, kept;
    logic [CellW:0] many_q, open_q, open;  // that wait, and that are open
    logic took_q;
    assign open                         = open_q - (CellW + 1)'(took_q && row[p]);
    assign waiting[p]                   = many_q != '0;
    assign {head_cell[p], head_rows[p]} = kept_q[0];
    assign kept                         = open_i[p] ? kept_q >> $bits(stored_t) : kept_q;
    always_ff @(posedge clk_i) begin
      kept_q <= kept;
      if (stored[p]) kept_q[CellW'(many_q-(CellW+1)'(open_i[p]))] <= '{first_cell: dut.frame_cell, rows: rows_q};
      many_q <= many_q + (CellW + 1)'(stored[p]) - (CellW + 1)'(open_i[p]);
      open_q <= open + (CellW + 1)'(open_i[p]) - (CellW + 1)'(skip_i[p]);
      took_q <= valid[p] && ready_i[p];
      if (boot_q) {many_q, open_q, took_q} <= '0;
      else begin
        Open_M : assume (!open_i[p] || (open_ready[p] && waiting[p]));
        Skip_M : assume (!skip_i[p] || (open == (CellW + 1)'(1) && !open_i[p] && !ready_i[p]));
      end
    end
  end

  // ---- whose each cell is ----
  logic [CELLS-1:0] out_q, frame_q, taken, pushed;  // cells that are not free; of these, those of the arriving frame
  assign taken  = dut.take ? CELLS'(1) << dut.free_cell : '0;
  assign pushed = dut.push ? CELLS'(1) << dut.push_cell : '0;

  logic quiet;
  logic [3:0] quiet_q;  // cycles since which no copy is anywhere
  assign quiet = !arriving_q && !ended_q && !beat_valid_i && waiting == '0 && valid == '0 && (&open_ready);

  always_ff @(posedge clk_i) begin
    out_q   <= (dut.back ? out_q & ~frame_q : out_q | taken) & ~pushed;
    frame_q <= (dut.back || dut.close.valid) ? '0 : (dut.begins ? '0 : frame_q) | taken;
    quiet_q <= !quiet ? '0 : (quiet_q == 4'(Idle)) ? quiet_q : quiet_q + 1'b1;
    if (boot_q) {out_q, frame_q, quiet_q} <= '0;
    else begin
      Once_A : assert (!dut.take || (32'(dut.free_cell) < CELLS && !out_q[dut.free_cell]));
      Freed_A : assert (!dut.push || (32'(dut.push_cell) < CELLS && out_q[dut.push_cell] && !frame_q[dut.push_cell]));
      Out_A : assert (32'(held_cells) + 32'(walking_cells) == $countones(out_q));
      Home_A : assert (quiet_q != 4'(Idle) || (out_q == '0 && 32'(free_cells) == CELLS));
    end
  end

endmodule
