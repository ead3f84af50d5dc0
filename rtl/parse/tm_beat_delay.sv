// SPDX-License-Identifier: BSD-3-Clause
// Holds the beat bus and the end strobes back by one cycle, so that a verdict finds in registers what a beat told.
module tm_beat_delay
  import tm_pkg::*;
#(
    parameter int unsigned PORTS = 5,
    parameter int unsigned ROW_W = 288
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from the framer
    input  logic             beat_valid_i,
    input  logic             beat_first_i,
    input  logic             beat_last_i,
    input  logic [PORTS-1:0] beat_ports_i,
    input  logic [ROW_W-1:0] beat_row_i,
    input  logic             end_valid_i,
    input  logic             end_bad_i,
    // to the ports
    output logic             beat_valid_o,
    output logic             beat_first_o,
    output logic             beat_last_o,
    output logic [PORTS-1:0] beat_ports_o,
    output logic [ROW_W-1:0] beat_row_o,
    output logic             end_valid_o,
    output logic             end_bad_o
);

  always_ff @(posedge clk_i) begin
    beat_valid_o <= beat_valid_i;
    beat_first_o <= beat_first_i;
    beat_last_o  <= beat_last_i;
    beat_ports_o <= beat_ports_i;
    beat_row_o   <= beat_row_i;
    end_valid_o  <= end_valid_i;
    end_bad_o    <= end_bad_i;
    if (rst_i) begin
      beat_valid_o <= 1'b0;
      end_valid_o  <= 1'b0;
    end
  end

endmodule
