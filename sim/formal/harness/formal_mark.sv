// SPDX-License-Identifier: BSD-3-Clause
// Marking a frame: every IPv4 header that was right is right afterwards, whatever its checksum and TOS, and no bit of
// any frame changes but those of the ECN field and the checksum.
//
// The header's sum without the TOS word and the checksum is one free 16-bit word: every header has one (RFC 1071).
module formal_mark
  import tm_pkg::*;
#(
    parameter int unsigned DATA_W = 64
) (
    input logic              clk_i,
    // a header
    input logic [      15:0] others_i,
    input logic [       7:0] first_octet_i,  // version and IHL
    input logic [       5:0] dscp_i,
    input logic              ect1_i,
    // a row of a frame
    input logic [DATA_W-1:0] row_i,
    input logic [       2:0] number_i,
    input logic              mark_i,
    input l3_e               l3_i,
    input logic [       1:0] tags_i,
    input logic [      15:0] checksum_i
);

  localparam int unsigned Bytes = DATA_W / 8;

  function automatic logic [15:0] fold(input logic [16:0] sum);
    return sum[15:0] + 16'(sum[16]);
  endfunction

  ecn_e ecn;
  logic [15:0] word, marked, right, rewritten;
  assign ecn    = ect1_i ? Ect1 : Ect0;
  assign word   = {first_octet_i, dscp_i, ecn};
  assign marked = {first_octet_i, dscp_i, Ce};
  assign right  = ~fold(17'(others_i) + 17'(word));

  tm_checksum_mark checksum (
      .checksum_i(right),
      .ecn_i     (ecn),
      .checksum_o(rewritten)
  );

  logic [15:0] wrong;  // what a checksum that was off by anything becomes
  tm_checksum_mark wrong_checksum (
      .checksum_i,
      .ecn_i     (ecn),
      .checksum_o(wrong)
  );

  logic [DATA_W-1:0] out, changed, allowed;
  tm_rewrite #(
      .DATA_W(DATA_W)
  ) dut (
      .data_i(row_i),
      .row_i (number_i),
      .mark_i,
      .l3_i,
      .tags_i,
      .checksum_i,
      .data_o(out)
  );

  logic ce, has_ecn, has_checksum, sum_right;
  always_comb begin
    allowed      = '0;
    ce           = 1'b1;
    has_ecn      = 1'b0;
    sum_right    = 1'b1;
    has_checksum = 1'b0;
    for (int unsigned b = 0; b < Bytes; b++) begin
      if (32'(number_i) * Bytes + b == 15 + 4 * 32'(tags_i)) begin
        if (l3_i == L3Ipv4) begin
          allowed[8*b+:2] = '1;
          ce              = out[8*b+:2] == Ce;
        end
        if (l3_i == L3Ipv6) begin
          allowed[8*b+4+:2] = '1;
          ce                = out[8*b+4+:2] == Ce;
        end
      end
      if (l3_i == L3Ipv4 && 32'(number_i) * Bytes + b == 24 + 4 * 32'(tags_i)) begin
        allowed[8*b+:8] = '1;
        if (out[8*b+:8] != checksum_i[15:8]) sum_right = 1'b0;
      end
      if (l3_i == L3Ipv4 && 32'(number_i) * Bytes + b == 25 + 4 * 32'(tags_i)) begin
        allowed[8*b+:8] = '1;
        if (out[8*b+:8] != checksum_i[7:0]) sum_right = 1'b0;
      end
    end
    changed = out ^ row_i;
  end

  always_ff @(posedge clk_i) begin
    // An IPv4 header begins with its version, so its sum is never zero.
    Version_M : assume (first_octet_i[7:4] == 4'd4);
    Kind_M : assume (l3_i != l3_e'(2'd3));
    Recomputed_A : assert (rewritten == 16'(~fold(17'(others_i) + 17'(marked))));
    // Off by as much as before, in the arithmetic of the checksum: zero has two forms there.
    SameError_A :
    assert (fold(
        17'(wrong) + 17'(fold(17'(marked) - 17'(word)))
    ) == fold(
        17'(checksum_i)
    ) || (fold(
        17'(wrong) + 17'(fold(17'(marked) - 17'(word)))
    ) == '1 && checksum_i == '0));
    OnlyItsBits_A : assert ((changed & ~(mark_i ? allowed : '0)) == '0);
    MarkedIsCe_A : assert (!mark_i || ce);
    ChecksumPlaced_A : assert (!mark_i || sum_right);
  end

endmodule
