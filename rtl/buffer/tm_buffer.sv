// SPDX-License-Identifier: BSD-3-Clause
// Chooses how one port's rows are stored: one ring of block RAM, or a large memory behind a small ring.
//
// Contract: that of tm_ring, whichever is chosen.
module tm_buffer #(
    parameter  int unsigned ROW_W = 288,          // bits
    parameter  int unsigned ROWS  = 512,          // rows
    parameter  bit          ULTRA = 1'b0,         // UltraRAM behind a small block RAM (tm_spill_ring)
    parameter  bit          SKIP  = 1'b0,         // frames may be skipped
    localparam int unsigned AddrW = $clog2(ROWS)
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             beat_valid_i,
    input  logic             beat_first_i,
    input  logic             beat_take_i,
    input  logic [ROW_W-1:0] beat_row_i,
    input  logic             rewind_i,
    output logic             overflow_o,
    output logic [AddrW-1:0] rows_used_o,
    output logic             freed_o,
    input  logic             end_valid_i,
    input  logic             leaving_i,
    input  logic             look_i,
    input  logic             fetch_i,
    input  logic             skip_i,
    input  logic [AddrW-1:0] skip_rows_i,
    output logic             available_o,
    output logic [ROW_W-1:0] row_o
);

  if (ULTRA) begin : gen_ultra
    tm_spill_ring #(
        .ROW_W(ROW_W),
        .ROWS (ROWS),
        .SKIP (SKIP)
    ) ring (
        .*
    );
  end else begin : gen_block
    logic unused;
    assign unused = &{end_valid_i, leaving_i};  // only a spill needs to know what may still be rewound
    tm_ring #(
        .ROW_W(ROW_W),
        .ROWS (ROWS),
        .SKIP (SKIP)
    ) ring (
        .clk_i,
        .rst_i,
        .beat_valid_i,
        .beat_first_i,
        .beat_take_i,
        .beat_row_i,
        .rewind_i,
        .overflow_o,
        .rows_used_o,
        .freed_o,
        .look_i,
        .fetch_i,
        .skip_i,
        .skip_rows_i,
        .available_o,
        .row_o
    );
  end

endmodule
