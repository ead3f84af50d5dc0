// SPDX-License-Identifier: BSD-3-Clause
// Tells the level what classes of each source hold of the pool: remembers whose each stored frame is, by its first
// cell.
//
// Contract: `moves_i` are tm_pool's, in whose cycle of `begins` the source and the class stand of that frame. Levels
// are tm_pfc_level's; a limit that follows what is free leaves `kept_i` cells alone, those of all headrooms. After a
// wrong parity (`fault_o`) the levels mean nothing until a reset.
module tm_pfc_pool
  import tm_pfc_pkg::*;
  import tm_pool_pkg::*;
#(
    parameter  int unsigned SOURCES    = 5,
    parameter  int unsigned CELLS      = 64,
    parameter  int unsigned MOST_CELLS = 145,                                            // of a frame
    localparam int unsigned Most       = tm_pool_pkg::counted_cells(MOST_CELLS, CELLS),
    localparam int unsigned SourceW    = (SOURCES > 1) ? $clog2(SOURCES) : 1,
    localparam int unsigned CellW      = $clog2(CELLS),
    localparam int unsigned ManyW      = $clog2(Most + 1)
) (
    input  logic                                   clk_i,
    input  logic                                   rst_i,
    // from the pool
    // verilator lint_off UNUSEDSIGNAL
    input  pool_moves_t                            moves_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic        [    CellW:0]              free_cells_i,
    // of the frame that begins
    input  logic        [SourceW-1:0]              source_i,
    input  logic        [        2:0]              class_i,
    // config
    input  threshold_t                             threshold_i,
    input  logic        [    CellW:0]              kept_i,
    input  logic        [SOURCES-1:0][ CellsW-1:0] headroom_i,
    input  logic        [SOURCES-1:0][Classes-1:0] lossless_i,
    // to the ports
    output logic        [SOURCES-1:0][Classes-1:0] xoff_o,
    // events
    output logic                                   overrun_o,
    output logic                                   fault_o
);

  typedef struct packed {
    logic [SourceW-1:0] source;
    logic [2:0]         of_class;
  } owner_t;

  // ---- whose the frame in the writer is ----
  owner_t frame, frame_q, closed_q, walked;
  logic close_q, count_q, parity;
  logic [CellW-1:0] close_cell_q;
  assign frame = moves_i.begins ? '{source: source_i, of_class: class_i} : frame_q;

  // A frame that ended is written when the walker writes how many copies it has.
  always_ff @(posedge clk_i) begin
    frame_q      <= frame;
    close_q      <= moves_i.close && !rst_i;
    count_q      <= moves_i.count && !rst_i;
    closed_q     <= frame;
    close_cell_q <= moves_i.close_cell[CellW-1:0];
  end

  tm_prim_ram #(
      .WIDTH($bits(owner_t) + 1),
      .DEPTH(CELLS)
  ) owners (
      .clk_i,
      .wr_en_i  (close_q),
      .wr_addr_i(close_cell_q),
      .wr_data_i({^closed_q, closed_q}),
      .rd_en_i  (moves_i.count),
      .rd_addr_i(moves_i.count_cell[CellW-1:0]),
      .rd_data_o({parity, walked})
  );
  assign fault_o = count_q && parity != ^walked;

  // ---- what is free for all ----
  logic [CellW:0] shared_q;
  always_ff @(posedge clk_i) shared_q <= free_cells_i > kept_i ? free_cells_i - kept_i : '0;

  tm_pfc_level #(
      .SOURCES   (SOURCES),
      .CELLS     (CELLS),
      .MOST_CELLS(Most)
  ) level (
      .clk_i,
      .rst_i,
      .take_i        (moves_i.take),
      .back_i        (moves_i.back),
      .frame_source_i(frame.source),
      .frame_class_i (frame.of_class),
      .back_cells_i  (moves_i.back_cells[ManyW-1:0]),
      .walk_i        (moves_i.walk),
      .walk_source_i (walked.source),
      .walk_class_i  (walked.of_class),
      .walk_cells_i  (moves_i.walk_cells[ManyW-1:0]),
      .free_i        (shared_q),
      .threshold_i,
      .headroom_i,
      .lossless_i,
      .xoff_o,
      .overrun_o
  );

endmodule
