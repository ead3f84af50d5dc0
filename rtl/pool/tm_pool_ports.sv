// SPDX-License-Identifier: BSD-3-Clause
// The pool of a build, next to its ports: the beat bus in a register, and the ports' structs.
//
// Contract: that of tm_pool. A port says what becomes of its copies as it would say it to its ring.
module tm_pool_ports
  import tm_pkg::*;
  import tm_pool_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    localparam int unsigned RowW = BUILD.data_w / 8 * 9
) (
    input logic clk_i,
    input logic rst_i,
    // from parse
    // verilator lint_off UNUSEDSIGNAL
    input strobes_t strobes_i,
    // verilator lint_on UNUSEDSIGNAL
    input logic [BUILD.ports-1:0] beat_ports_i,
    input logic [RowW-1:0] beat_row_i,
    input logic [LenW-1:0] soon_len_i,  // of the frame that may be judged in two cycles
    // config
    // verilator lint_off UNUSEDSIGNAL
    input cfg_t [BUILD.ports-1:0] cfg_i,
    // verilator lint_on UNUSEDSIGNAL
    // from and to the ports
    // verilator lint_off UNUSEDSIGNAL
    input pool_req_t [BUILD.ports-1:0] port_i,
    // verilator lint_on UNUSEDSIGNAL
    output pool_rsp_t [BUILD.ports-1:0] port_o,
    output logic [BUILD.ports-1:0][RowW-1:0] row_o,
    // to the registers
    output pool_state_t state_o
);

  localparam int unsigned Cells = cells(BUILD);
  localparam int unsigned CellW = $clog2(Cells);
  localparam int unsigned CellRows = cell_rows(BUILD);
  localparam int unsigned Most = counted_cells(most_cells(BUILD), Cells);
  localparam int unsigned RowsW = $clog2(Most * CellRows + 1);
  localparam int unsigned ManyW = $clog2(Most + 1);
  localparam int unsigned Lines = BUILD.ports / BUILD.queues;
  localparam int unsigned Bytes = CellRows * (BUILD.data_w / 8);

  if (BUILD.ultra) begin : gen_ultra_error
    $error("POOL and ULTRA are 1: a pool is not built of UltraRAM");
  end
  if (BUILD.rows % CellRows != 0) begin : gen_rows_error
    $error("ROWS is %0d: with POOL it must be a multiple of %0d, the rows of a cell", BUILD.rows, CellRows);
  end

  if (Cells <= UnreservedCells) begin : gen_cells_error
    $error("ROWS is %0d: a pool must have more than %0d cells of %0d rows", BUILD.rows, UnreservedCells, CellRows);
  end

  logic valid_q, first_q, open_q, open, next_first, alone, alone_q, lost, full, overflow;
  logic [Lines-1:0] lines;
  logic [RowW-1:0] row_q;
  logic [31:0] next_cells;
  logic [ManyW-1:0] next_cells_q;
  logic [BUILD.ports-1:0][$clog2(BUILD.rows)-1:0] rows_used;
  logic [BUILD.ports-1:0] copy, rewind, over, opens, open_arriving, open_ready, fetch, discard, skip, valid;
  pool_share_t [BUILD.ports-1:0] share;
  logic [BUILD.ports-1:0][CellW:0] port_cells;
  logic [MaxPorts-1:0][NumberW:0] cells_of;
  logic [MaxPorts-1:0][31:0] refused_q;
  logic [BUILD.ports-1:0][CellW-1:0] open_cell;
  logic [BUILD.ports-1:0][RowsW-1:0] open_rows;
  // verilator lint_off UNUSEDSIGNAL
  logic [CellW:0] free_cells, held_cells, walking_cells;
  logic [2:0] fault;
  logic [7:0] faults;
  pool_moves_t moves;
  // verilator lint_on UNUSEDSIGNAL

  assign state_o = '{
          free_cells: (NumberW + 1)'(free_cells),
          held_cells: (NumberW + 1)'(held_cells),
          walking_cells: (NumberW + 1)'(walking_cells),
          reads: |(fetch | discard),
          fault: fault,
          faults: faults,
          cells: cells_of,
          refused: refused_q,
          moves: moves
      };

  always_comb begin
    cells_of = '0;
    for (int unsigned p = 0; p < BUILD.ports; p++) cells_of[p] = (NumberW + 1)'(port_cells[p]);
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < BUILD.ports; p++) refused_q[p] <= refused_q[p] + 32'(port_i[p].crowded);
    if (rst_i) refused_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    valid_q <= strobes_i.valid && !rst_i;
    first_q <= next_first;
    open_q <= open && !rst_i;
    alone_q <= alone;
    row_q <= beat_row_i;
    next_cells_q <= ManyW'(most_cells(BUILD) <= Cells || next_cells < Most ? next_cells : Most);
  end
  assign next_cells = (32'(soon_len_i) + Bytes - 1) / Bytes;
  assign open       = strobes_i.valid ? !strobes_i.last : open_q;  // behind the row on the bus
  assign next_first = strobes_i.valid && strobes_i.first;
  // Every queue of a line gets the frame first.
  for (genvar l = 0; l < Lines; l++) begin : gen_line
    assign lines[l] = beat_ports_i[l*BUILD.queues];
  end
  assign alone    = next_first ? (lines & (lines - 1'b1)) == '0 : alone_q;
  assign overflow = lost || full;

  for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
    assign copy[p] = port_i[p].copy;
    assign rewind[p] = port_i[p].rewind;
    assign opens[p] = port_i[p].open;
    assign open_cell[p] = port_i[p].first_cell[CellW-1:0];
    assign open_rows[p] = port_i[p].rows[RowsW-1:0];
    assign open_arriving[p] = port_i[p].arriving;
    assign fetch[p] = port_i[p].fetch;
    assign discard[p] = port_i[p].discard;
    assign skip[p] = port_i[p].skip;
    assign share[p] = cfg_i[p].pool_share;
    assign port_o[p] = '{
            rows_used: (NumberW + 3)'(rows_used[p]),
            over: over[p],
            overflow: overflow,
            first_cell: moves.close_cell,
            open_ready: open_ready[p],
            valid: valid[p]
        };
  end

  tm_pool #(
      .PORTS     (BUILD.ports),
      .QUEUES    (BUILD.queues),
      .ROW_W     (RowW),
      .LAST      (BUILD.data_w),
      .CELLS     (Cells),
      .CELL_ROWS (CellRows),
      .MOST_CELLS(Most)
  ) pool (
      .clk_i,
      .rst_i,
      .beat_valid_i(valid_q),
      .beat_first_i(first_q),
      .next_frame_i(
      '{may_be_new: next_first || !open, first: next_first, alone: alone, cells: NumberW'(next_cells_q)}
      ),
      .beat_ports_i(copy),
      .beat_row_i(row_q),
      .rewind_i(rewind),
      .overflow_o(lost),
      .full_o(full),
      .rows_used_o(rows_used),
      .over_o(over),
      .share_i(share),
      .open_i(opens),
      .open_cell_i(open_cell),
      .open_rows_i(open_rows),
      .open_arriving_i(open_arriving),
      .open_ready_o(open_ready),
      .skip_i(skip),
      .valid_o(valid),
      .ready_i(fetch | discard),
      .row_o,
      .free_cells_o(free_cells),
      .held_cells_o(held_cells),
      .walking_cells_o(walking_cells),
      .port_cells_o(port_cells),
      .moves_o(moves),
      .fault_o(fault),
      .faults_o(faults)
  );

endmodule
