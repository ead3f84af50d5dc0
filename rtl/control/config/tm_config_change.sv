// SPDX-License-Identifier: BSD-3-Clause
// What a commit changes, as far as it touches the state of the laws: the shadow against what the port has accepted.
//
// Contract: after `start_i`, `compare_i` shows each word at its place (tm_config_check), as it is in the shadow and as
// it was accepted. The outputs hold from two cycles after the last word on until the next start: slot by slot, the law,
// the weight, the spacing or what counts is another (`law_o`), or else the probability or a slope (`red_o`); CoDel is
// on where it was off, or the other way round (`codel_o`).
module tm_config_change
  import tm_regs_pkg::*;
(
    input  logic          clk_i,
    input  logic          start_i,
    input  logic          compare_i,
    input  place_t        place_i,
    input  logic   [31:0] word_i,
    input  logic   [31:0] accepted_i,
    output logic   [ 1:0] law_o,
    output logic   [ 1:0] red_o,
    output logic          codel_o
);

  // What the average depends on.
  localparam logic [31:0] RedState = MaskRedSettingsWeight | MaskRedSettingsSpacing | MaskRedSettingsPackets;

  logic [31:0] differs;
  logic [ 1:0] slopes_q;

  assign differs = word_i ^ accepted_i;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      law_o    <= '0;
      slopes_q <= '0;
      codel_o  <= 1'b0;
    end else if (compare_i) begin
      if (place_i == PlaceControl && (differs & MaskControlLaw0) != '0) law_o[0] <= 1'b1;
      if (place_i == PlaceControl && (differs & MaskControlLaw1) != '0) law_o[1] <= 1'b1;
      if (place_i == PlaceCodelSettings && (differs & MaskCodelSettingsOn) != '0) codel_o <= 1'b1;
      // Slot 0 has the higher places.
      for (int unsigned s = 0; s < 2; s++) begin
        if (place_i[5] && place_i[4] == (s == 0)) begin
          if (place_i[3:0] == PlaceRedSettings && (differs & RedState) != '0) law_o[s] <= 1'b1;
          if ((place_i[3:0] inside {PlaceRedMaxp, PlaceRedSlope, PlaceRedReciprocal}) && differs != '0)
            slopes_q[s] <= 1'b1;
        end
      end
    end
  end

  assign red_o = slopes_q & ~law_o;

endmodule
