// SPDX-License-Identifier: BSD-3-Clause
// Sends the words of a configuration to the ports, for those that RED keeps in RAM.
//
// Contract: a word that is checked is shown in the two cycles that follow, so that whoever has something else to write
// into the same RAM may do so in one of them; it goes to the set of the port that is not in force. While `clear_i`,
// each word is shown in the next cycle, for the set that is in force after a reset. With LINUX, the slope of a slot
// that is spaced as in Linux is sent eight bits up, as its lower bits are those that count.
module tm_config_words
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter  int unsigned PORTS  = 5,
    parameter  bit          LINUX  = 1'b0,
    localparam int unsigned PlaceW = $clog2(PORTS + 1)  // a port, or the shadow
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   clear_i,
    input  logic                   check_i,
    input  logic      [PlaceW-1:0] port_i,
    input  logic      [       5:0] place_i,
    input  logic      [      31:0] data_i,
    input  logic      [ PORTS-1:0] bank_i,        // cfg_t.red_bank
    output logic      [ PORTS-1:0] word_valid_o,
    output red_word_t              word_o
);

  logic [PORTS-1:0] named;
  logic again_q, is_lower;
  logic [31:0] data;

  for (genvar p = 0; p < PORTS; p++) begin : gen_named
    assign named[p] = port_i == PlaceW'(p);
  end

  // The word with the spacing comes before the slopes of its slot.
  if (LINUX) begin : gen_linux
    logic linux_q;
    // verilator lint_off UNUSEDSIGNAL
    red_settings_reg_t settings;  // if this word is RED_SETTINGS
    // verilator lint_on UNUSEDSIGNAL
    assign settings = data_i[$bits(settings)-1:0];
    always_ff @(posedge clk_i) begin
      if (check_i && place_i[5] && place_i[3:0] == PlaceRedSettings) linux_q <= settings.spacing == Linux;
    end
    assign is_lower = linux_q && place_i[5] && place_i[3:0] == PlaceRedSlope;
  end else begin : gen_no_linux
    assign is_lower = 1'b0;
  end
  assign data = is_lower ? data_i << 8 : data_i;

  always_ff @(posedge clk_i) begin
    again_q <= check_i && !rst_i;
    if (rst_i) word_valid_o <= '0;
    else if (clear_i || check_i) word_valid_o <= named;
    else if (!again_q) word_valid_o <= '0;
    if (clear_i || check_i) begin
      word_o <= '{
          bank: !clear_i && (bank_i & named) == '0,
          place: place_i,
          data: data,
          minus: -{1'b0, data[BytesW-1:0]}
      };
    end
  end

endmodule
