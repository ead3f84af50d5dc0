// SPDX-License-Identifier: BSD-3-Clause
// A pool whose first two ports send what many sources send to them, a row in PACE cycles, with the levels of flow
// control.
module incast
  import tm_pfc_pkg::*;
#(
    parameter  int unsigned PORTS      = 16,
    parameter  int unsigned CELLS      = 4096,
    parameter  int unsigned MOST_CELLS = 16,                     // of a frame; a cell is a row
    parameter  int unsigned PACE       = 16,
    localparam int unsigned SourceW    = $clog2(PORTS),
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned RowsW      = $clog2(MOST_CELLS + 1)
) (
    input  logic                                  clk_i,
    input  logic                                  rst_i,
    // frames, row by row
    input  logic                                  valid_i,
    input  logic                                  first_i,
    input  logic                                  last_i,
    input  logic       [SourceW-1:0]              source_i,
    input  logic       [        2:0]              class_i,
    input  logic       [        1:0]              ports_i,
    input  logic                                  rewind_i,      // nobody keeps it
    // the ports' lines
    input  logic       [        1:0]              blocked_i,
    // config
    input  threshold_t                            threshold_i,
    input  logic       [ CellsW-1:0]              headroom_i,    // of each source
    input  logic       [    CellW:0]              kept_i,
    input  logic       [Classes-1:0]              lossless_i,
    // what comes of it
    output logic       [  PORTS-1:0][Classes-1:0] xoff_o,
    output logic       [    CellW:0]              free_cells_o,
    output logic       [       31:0]              overruns_o,
    output logic       [       31:0]              faults_o,
    output logic       [       31:0]              rows_o,        // sent by the first
    output logic       [       31:0]              idle_o         // times in which it could have sent one
);

  localparam int unsigned RowW = 40, LastBit = 32;

  tm_pool_pkg::pool_moves_t moves;
  logic [PORTS-1:0] opens, open_ready, valid, ready;
  logic [PORTS-1:0][CellW-1:0] open_cell;
  logic [PORTS-1:0][RowsW-1:0] open_rows;
  logic [SourceW-1:0] source_q;
  logic [2:0] class_q;
  logic overrun, fault;

  // ---- the frame in the writer ----
  logic [1:0] ports_q;
  logic [RowsW-1:0] rows_q;
  always_ff @(posedge clk_i) begin
    {source_q, class_q} <= {source_i, class_i};
    if (!first_i) {source_q, class_q} <= ~{source_i, class_i};  // nobody may heed them
    if (valid_i && first_i) ports_q <= ports_i;
    if (valid_i) rows_q <= first_i ? RowsW'(1) : rows_q + 1'b1;
  end

  // ---- frames that wait, port by port ----
  typedef struct packed {
    logic [CellW-1:0] first_cell;
    logic [RowsW-1:0] rows;
  } frame_t;
  logic [$clog2(PACE)-1:0] pace_q;
  logic [1:0] turn;

  for (genvar p = 0; p < 2; p++) begin : gen_line
    frame_t waiting[CELLS];
    logic [CellW-1:0] put_q, get_q;
    assign turn[p]      = pace_q == '0 && !blocked_i[p];
    assign opens[p]     = put_q != get_q && open_ready[p];
    assign ready[p]     = turn[p];
    assign open_cell[p] = waiting[get_q].first_cell;
    assign open_rows[p] = waiting[get_q].rows;
    always_ff @(posedge clk_i) begin
      if (moves.close && ports_q[p]) begin
        waiting[put_q] <= '{first_cell: moves.close_cell[CellW-1:0], rows: rows_q};
        put_q          <= put_q == CellW'(CELLS - 1) ? '0 : put_q + 1'b1;
      end
      if (opens[p]) get_q <= get_q == CellW'(CELLS - 1) ? '0 : get_q + 1'b1;
      if (rst_i) {put_q, get_q} <= '0;
    end
  end

  assign opens[PORTS-1:2]     = '0;
  assign ready[PORTS-1:2]     = '0;
  assign open_cell[PORTS-1:2] = '0;
  assign open_rows[PORTS-1:2] = '0;

  always_ff @(posedge clk_i) begin
    pace_q     <= pace_q == $clog2(PACE)'(PACE - 1) ? '0 : pace_q + 1'b1;
    rows_o     <= rows_o + 32'(turn[0] && valid[0]);
    idle_o     <= idle_o + 32'(turn[0] && !valid[0]);
    overruns_o <= overruns_o + 32'(overrun);
    faults_o   <= faults_o + 32'(fault);
    if (rst_i) {pace_q, rows_o, idle_o, overruns_o, faults_o} <= '0;
  end

  tm_pool #(
      .PORTS     (PORTS),
      .ROW_W     (RowW),
      .LAST      (LastBit),
      .CELLS     (CELLS),
      .CELL_ROWS (1),
      .MOST_CELLS(MOST_CELLS)
  ) pool (
      .clk_i,
      .rst_i,
      .beat_valid_i   (valid_i),
      .beat_first_i   (first_i),
      .next_frame_i   ('0),
      .beat_ports_i   (PORTS'(ports_i)),
      .beat_row_i     (RowW'(last_i) << LastBit),
      .rewind_i       ({PORTS{rewind_i}}),
      .overflow_o     (),
      .rows_used_o    (),
      .over_o         (),
      .full_o         (),
      .share_i        ('0),
      .open_i         (opens),
      .open_cell_i    (open_cell),
      .open_rows_i    (open_rows),
      .open_arriving_i('0),
      .open_ready_o   (open_ready),
      .skip_i         ('0),
      .valid_o        (valid),
      .ready_i        (ready),
      .row_o          (),
      .free_cells_o,
      .held_cells_o   (),
      .walking_cells_o(),
      .port_cells_o   (),
      .moves_o        (moves),
      .fault_o        (),
      .faults_o       ()
  );

  tm_pfc_pool #(
      .SOURCES   (PORTS),
      .CELLS     (CELLS),
      .MOST_CELLS(MOST_CELLS)
  ) pfc (
      .clk_i,
      .rst_i,
      .moves_i     (moves),
      .free_cells_i(free_cells_o),
      .source_i    (source_q),
      .class_i     (class_q),
      .threshold_i,
      .kept_i,
      .headroom_i  ({PORTS{headroom_i}}),
      .lossless_i  ({PORTS{lossless_i}}),
      .xoff_o,
      .overrun_o   (overrun),
      .fault_o     (fault)
  );

endmodule
