// SPDX-License-Identifier: BSD-3-Clause
// What a port and the pool tell one another, and what of a build the pool follows from.
package tm_pool_pkg;

  localparam int unsigned CellBytes = 64;  // or a row, where that is longer
  localparam int unsigned NumberW = tm_pkg::CellsW;  // of a cell

  // verilator lint_off UNUSED
  // The rows of a cell.
  function automatic int unsigned cell_rows(input tm_pkg::build_t build);
    return (build.data_w / 8 < CellBytes) ? CellBytes / (build.data_w / 8) : 1;
  endfunction

  function automatic int unsigned cells(input tm_pkg::build_t build);
    return build.rows / cell_rows(build);
  endfunction

  // The cells of the longest frame.
  function automatic int unsigned most_cells(input tm_pkg::build_t build);
    return (build.max_frame / (build.data_w / 8) + 1) / cell_rows(build) + 1;
  endfunction

  // Those that are counted of the longest frame: one that is larger than its pool has a cell more than that.
  function automatic int unsigned counted_cells(input int unsigned most, input int unsigned all);
    return (most <= all) ? most : all + 1;
  endfunction

  // A threshold is a number of cells that the pool has, or else 2^exponent times what is free, as SAI's dynamic ones.
  function automatic logic is_threshold(input tm_pkg::build_t build, input logic dynamic_limit,
                                        input logic signed [3:0] exponent, input logic [NumberW-1:0] limit);
    if (dynamic_limit) return limit == '0 && exponent >= -4'sd7 && exponent <= 4'sd3;
    return exponent == '0 && 32'(limit) <= cells(build);
  endfunction
  // verilator lint_on UNUSED

  // The frame that is judged next, as parse has it.
  typedef struct packed {
    logic may_be_new;  // one that is judged in two cycles has not begun before this cycle
    logic first;  // a first row is on the beat bus in the next cycle
    logic alone;  // of the one that may be judged in the next cycle: it is for one line
    logic [NumberW-1:0] cells;  // and has so many
  } pool_next_t;

  typedef struct packed {
    logic copy;  // the row on the beat bus is of a frame that goes to this port
    logic rewind;  // it lets go of its copy of the frame on the bus
    logic crowded;  // a frame was refused for its share
    logic open;  // its next frame is to be read:
    logic [NumberW-1:0] first_cell;
    logic [tm_pkg::NeedW-1:0] rows;
    logic arriving;  // it had not ended before this cycle
    logic fetch;  // the row at hand is taken
    logic discard;  // so is each that comes: their frame is not shown
    logic skip;  // all rows at hand go, and what is left of their frame
  } pool_req_t;

  typedef struct packed {
    logic [NumberW+2:0] rows_used;  // for the verdict of the next cycle
    logic over;  // the frame judged in this cycle would have more cells than the port may
    logic overflow;  // a row of the frame on the bus was lost, or one for several lines would take from a reserve
    logic [NumberW-1:0] first_cell;  // of the frame that had a row in the cycle before
    logic open_ready;
    logic valid;  // a row is at hand
  } pool_rsp_t;

  // A frame that has ended, and stays.
  typedef struct packed {
    logic valid;
    logic alone;  // a reserve has paid for its cells
    logic [4:0] copies;
    logic [NumberW-1:0] cells;
  } pool_close_t;

  // Where cells go, cycle by cycle. A frame that is counted is the one that begins to be walked next.
  typedef struct packed {
    logic begins;  // a frame's first row is written
    logic take;  // a cell for its frame
    logic back;  // nobody keeps it:
    logic [NumberW-1:0] back_cells;  // so many are free again
    logic close;  // it has ended, and is kept:
    logic [NumberW-1:0] close_cell;  // by the first cell of the frame that had a row in the cycle before
    logic count;  // a copy was released, of the frame with this first cell
    logic [NumberW-1:0] count_cell;
    logic walk;  // and it was the last one, of so many cells
    logic [NumberW-1:0] walk_cells;
  } pool_moves_t;

  // For the registers.
  typedef struct packed {
    logic [NumberW:0] free_cells;
    logic [NumberW:0] held_cells;
    logic [NumberW:0] walking_cells;
    logic reads;  // a port takes a row, or throws one away
    logic [2:0] fault;  // in the counts of copies, in the next cells' numbers, in the free cells'
    logic [7:0] faults;
    // of the ports
    logic [tm_pkg::MaxPorts-1:0][NumberW:0] cells;
    logic [tm_pkg::MaxPorts-1:0][31:0] refused;
    // for flow control
    pool_moves_t moves;
  } pool_state_t;

endpackage
