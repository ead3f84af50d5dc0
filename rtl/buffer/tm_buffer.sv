// SPDX-License-Identifier: BSD-3-Clause
// Chooses how one port's rows are stored: one ring of block RAM, or a large memory with two small ones next to it.
//
// Contract: that of tm_ring, whichever is chosen.
module tm_buffer #(
    parameter int unsigned ROW_W = 288,  // bits
    parameter int unsigned ROWS = 512,  // rows
    parameter bit ULTRA = 1'b0,  // UltraRAM (tm_spill_ring)
    parameter bit SKIP = 1'b0,  // frames may be skipped
    parameter int unsigned FRONT = 64,  // with ULTRA: rows of each small memory
    parameter int unsigned LATENCY = 3,  // with ULTRA: cycles of a read of the large one
    parameter logic [ROW_W-1:0] TWICE = '0,  // not with ULTRA: bits kept marked as well
    parameter bit MARK_LATE = 1'b0,  // with TWICE: `marked_i` is of the row that is shown
    localparam int unsigned AddrW = $clog2(ROWS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             beat_valid_i,
    input  logic             beat_first_i,
    input  logic             next_new_i,
    input  logic             beat_take_i,
    input  logic [ROW_W-1:0] beat_row_i,
    input  logic [ROW_W-1:0] beat_marked_i,
    input  logic             rewind_i,
    output logic             overflow_o,
    output logic [AddrW-1:0] rows_used_o,
    input  logic             look_i,
    input  logic             marked_i,
    input  logic             fetch_i,
    input  logic             skip_i,
    input  logic [AddrW-1:0] skip_rows_i,
    output logic             available_o,
    output logic             blocked_o,
    output logic [ROW_W-1:0] row_o
);

  if (ULTRA) begin : gen_ultra
    logic unused;
    assign unused = &{beat_marked_i, marked_i};

    tm_spill_ring #(
        .ROW_W(ROW_W),
        .ROWS(ROWS),
        .FRONT(FRONT),
        .LATENCY(LATENCY),
        .SKIP(SKIP)
    ) ring (
        .*
    );
  end else begin : gen_block
    tm_ring #(
        .ROW_W(ROW_W),
        .ROWS(ROWS),
        .SKIP(SKIP),
        .TWICE(TWICE),
        .MARK_LATE(MARK_LATE)
    ) ring (
        .*
    );
  end

endmodule
