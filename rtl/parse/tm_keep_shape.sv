// SPDX-License-Identifier: BSD-3-Clause
// Judges `tkeep` of one beat, and gives the keep its row is stored with one cycle later.
//
// `fill_i` is the promised length modulo the beat (0: the last promised row is full); `last_row_i` says
// that this beat is that row. What is stored is always contiguous from byte 0 and never beyond the promise, whatever
// came in: a row that is neither the frame's end nor the last promised one is full, an end before the last promised row
// has the bytes it came with (one, if there is a hole), the last promised row has at most the promised bytes.
module tm_keep_shape #(
    parameter  int unsigned BEAT_BYTES = 32,
    localparam int unsigned FillW      = $clog2(BEAT_BYTES)
) (
    input  logic                  clk_i,
    // from s_axis and the frame's promise
    input  logic [BEAT_BYTES-1:0] keep_i,
    input  logic                  last_i,
    input  logic                  last_row_i,
    input  logic [     FillW-1:0] fill_i,
    // to the row, one cycle later
    output logic [BEAT_BYTES-1:0] keep_o,
    // findings
    output logic                  hole_o,        // not contiguous, empty, or not full before the end
    output logic                  one_byte_o,    // the end, stored as one byte because of a hole
    output logic [     FillW-1:0] count_o,       // bytes in a contiguous beat, modulo the beat
    output logic                  full_o,        // all bytes, if contiguous
    output logic                  as_promised_o  // contiguous, and as many bytes as the last promised row has
);

  // Groups of eight bytes: the promised mask is "a whole group" or "this group, up to a byte", which keeps it to one
  // lookup table a byte.
  localparam int unsigned Groups = BEAT_BYTES / 8;

  logic contiguous;
  logic last_row_q, ignore_keep_q, one_byte_q;
  logic [BEAT_BYTES-1:0] keep_q;
  logic [FillW-1:0] fill_q;
  logic [Groups-1:0] group_full, group_cut;
  logic [7:0] cut;

  always_comb begin
    contiguous = keep_i[0];
    for (int unsigned i = 1; i < BEAT_BYTES; i++) begin
      if (keep_i[i] && !keep_i[i-1]) contiguous = 1'b0;
    end
  end

  assign full_o     = keep_i[BEAT_BYTES-1];
  assign hole_o     = !contiguous || (!last_i && !full_o);
  assign one_byte_o = last_i && !last_row_i && !contiguous;

  always_ff @(posedge clk_i) begin
    {keep_q, fill_q, last_row_q} <= {keep_i, fill_i, last_row_i};
    {ignore_keep_q, one_byte_q}  <= {!last_i || !contiguous, one_byte_o};
  end

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) cut[i] = 32'(fill_q[2:0]) > i;
    for (int unsigned g = 0; g < Groups; g++) begin
      group_full[g] = !last_row_q || fill_q == '0 || 32'(fill_q >> 3) > g;
      group_cut[g]  = 32'(fill_q >> 3) == g;
    end
    for (int unsigned i = 0; i < BEAT_BYTES; i++) begin
      keep_o[i] = (group_full[i/8] || (group_cut[i/8] && cut[i%8])) && (keep_q[i] || ignore_keep_q) && !one_byte_q;
    end
    keep_o[0] = 1'b1;
  end

  // The count of a contiguous keep, read off it like a binary search: bit b is the keep at the place where the bits
  // above it put the middle.
  always_comb begin
    count_o = '0;
    for (int b = FillW - 1; b >= 0; b--) begin
      logic [FillW-1:0] middle;
      middle     = count_o | FillW'((1 << b) - 1);
      count_o[b] = keep_i[middle];
    end
    if (full_o) count_o = '0;
  end

  // Where a contiguous keep ends; a full one in place 0.
  logic [BEAT_BYTES-1:0] ends_before;
  assign ends_before   = {keep_i[BEAT_BYTES-2:0], keep_i[BEAT_BYTES-1]} & ~{keep_i[BEAT_BYTES-1:1], 1'b0};
  assign as_promised_o = contiguous && ends_before[fill_i];

endmodule
