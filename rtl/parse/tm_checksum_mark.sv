// SPDX-License-Identifier: BSD-3-Clause
// The IPv4 header checksum a frame will have once it is marked CE (RFC 1624).
//
// Combinational. Marking adds 1 (from ECT(0)) or 2 (from ECT(1)) to a header word, so the one's complement checksum
// falls by as much, wrapping past zero through 0xFFFF. A checksum that was wrong stays wrong by the same amount. For a
// frame that is Not-ECT or CE already the result means nothing.
module tm_checksum_mark
  import tm_pkg::*;
(
    input  logic [15:0] checksum_i,
    input  ecn_e        ecn_i,
    output logic [15:0] checksum_o
);

  logic ect1, wraps;
  assign ect1             = ecn_i == Ect1;
  assign wraps            = checksum_i[15:1] == '0 && (ect1 || !checksum_i[0]);
  // 1 or 2, and one more when it wraps: to that, only the lowest two bits look.
  assign checksum_o[15:2] = 14'((checksum_i - 16'({ect1, !ect1})) >> 2);
  assign checksum_o[1:0]  = checksum_i[1:0] - {ect1 || wraps, ect1 == wraps};

endmodule
