// SPDX-License-Identifier: BSD-3-Clause
// A content-addressable memory in the place of Xilinx's `cam_top` (XAPP1151, VHDL that NetFPGA's trees do not carry),
// with the ports that their `cam_wrapper` connects. For simulation only.
//
// Contract, that of the block RAM form without masks: MATCH and the lowest MATCH_ADDR that holds CMP_DIN stand one
// cycle after CMP_DIN; a write takes two cycles, during which BUSY is 1 and no other write is taken. Nothing matches
// before it has been written.
module cam_top #(
    parameter int C_ADDR_TYPE             = 0,
    parameter int C_DEPTH                 = 16,
    parameter     C_FAMILY                = "virtex5",
    parameter int C_HAS_CMP_DIN           = 1,
    parameter int C_HAS_EN                = 0,
    parameter int C_HAS_MULTIPLE_MATCH    = 0,
    parameter int C_HAS_READ_WARNING      = 0,
    parameter int C_HAS_SINGLE_MATCH      = 0,
    parameter int C_HAS_WE                = 1,
    parameter int C_MATCH_RESOLUTION_TYPE = 0,
    parameter int C_MEM_INIT              = 0,
    parameter int C_MEM_TYPE              = 1,
    parameter int C_REG_OUTPUTS           = 0,
    parameter int C_TERNARY_MODE          = 0,
    parameter int C_WIDTH                 = 48
) (
    input  logic                       CLK,
    input  logic [        C_WIDTH-1:0] CMP_DATA_MASK,
    input  logic [        C_WIDTH-1:0] CMP_DIN,
    input  logic [        C_WIDTH-1:0] DATA_MASK,
    input  logic [        C_WIDTH-1:0] DIN,
    input  logic                       EN,
    input  logic                       WE,
    input  logic [$clog2(C_DEPTH)-1:0] WR_ADDR,
    output logic                       BUSY,
    output logic                       MATCH,
    output logic [$clog2(C_DEPTH)-1:0] MATCH_ADDR,
    output logic                       MULTIPLE_MATCH,
    output logic                       READ_WARNING,
    output logic                       SINGLE_MATCH
);

  if (C_TERNARY_MODE != 0 || C_ADDR_TYPE != 0 || C_REG_OUTPUTS != 0) begin : gen_form_error
    $error("this memory is binary, with an encoded address and no output registers");
  end

  logic [C_DEPTH-1:0][C_WIDTH-1:0] word_q;
  logic [C_DEPTH-1:0] written_q = '0;
  logic [C_DEPTH-1:0] hit;
  logic busy_q = 1'b0;
  logic [C_WIDTH-1:0] data_q;
  logic [$clog2(C_DEPTH)-1:0] at_q;

  always_comb begin
    for (int i = 0; i < C_DEPTH; i++) hit[i] = written_q[i] && word_q[i] == CMP_DIN;
  end

  always_ff @(posedge CLK) begin
    busy_q <= WE && !busy_q;
    data_q <= DIN;
    at_q   <= WR_ADDR;
    if (busy_q) begin
      word_q[at_q]    <= data_q;
      written_q[at_q] <= 1'b1;
    end
    MATCH      <= hit != '0;
    MATCH_ADDR <= '0;
    for (int i = C_DEPTH - 1; i >= 0; i--) if (hit[i]) MATCH_ADDR <= $clog2(C_DEPTH)'(i);
  end

  assign BUSY           = busy_q;
  assign MULTIPLE_MATCH = 1'b0;
  assign READ_WARNING   = 1'b0;
  assign SINGLE_MATCH   = 1'b0;

endmodule
