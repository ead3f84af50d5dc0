// SPDX-License-Identifier: BSD-3-Clause
// Where a shadow register stands among the 64 words of a configuration, and which bits it has.
//
// Contract: combinational. The place is the word address with a few bits turned, so that the words stand in the order
// in which tm_config_check needs them: 8 to 13 CONTROL to PROTECT, 16 to 24 what a port has once, 32 to 41 RED in slot
// 1, 48 to 57 RED in slot 0; 59 is SEED, which is of no configuration.
module tm_config_place (
    input  logic [ 7:0] index_i,  // word address
    output logic [ 5:0] place_o,
    output logic [31:0] mask_o
);

  logic unused;
  assign unused  = index_i[6];

  assign place_o = {index_i[7] ? !index_i[5] : !index_i[4], !index_i[4], index_i[3:0]};

  always_comb begin
    unique casez (place_o)
      6'b001010: mask_o = 32'h000F_FFFF;  // LIMIT_PACKETS
      6'b001000, 6'b001101: mask_o = 32'h0000_3FFF;  // CONTROL, PROTECT
      6'b010000: mask_o = 32'h0001_FFFF;  // IDLE_RECIPROCAL
      6'b010001: mask_o = 32'h0000_003F;  // IDLE_SHIFT
      6'b010100: mask_o = 32'h0000_03FF;  // CODEL_SETTINGS
      6'b1?0000: mask_o = 32'h0033_331F;  // RED_SETTINGS
      6'b1?0011, 6'b1?0111: mask_o = 32'h01FF_FFFF;  // RED_MAXP, RED_BOTTOM
      // times, slopes
      6'b010010, 6'b010101, 6'b010110, 6'b010111, 6'b1?0100, 6'b1?0101, 6'b1?0110: mask_o = 32'hFFFF_FFFF;
      6'b1?1011: mask_o = 32'hFFFF_FFFF;  // SEED
      default: mask_o = 32'h00FF_FFFF;  // bytes
    endcase
  end

endmodule
