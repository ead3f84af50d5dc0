// SPDX-License-Identifier: BSD-3-Clause
// Cuts the input stream into frames and rows, and finds the frames that are wrong.
//
// The beat bus is combinational from the pins: a beat shows on it if its row is to be stored. Frames without a
// destination, runts and frames over MAX_FRAME never show (cut-through, where the promised length tells at once). The
// keep that its row is stored with comes one cycle later; keep[0] of a valid beat is always 1. A frame longer than its
// promise ends with its last promised row; the excess is discarded up to and including `tlast`. In store-and-forward
// the promised length is ignored, bytes are counted, and all findings come at the end; storing stops at the row that
// reaches MAX_FRAME.
//
// end_valid_o follows the last stored beat by one cycle; so does bad_valid_o the beat at which a frame is found wrong
// (its first if it is not offered, else its last stored one), once per wrong frame. A hole in discarded beats is not
// looked for. reset_in_frame_o pulses once for a reset that cuts a frame not yet found wrong.
`include "tm_assert.svh"

module tm_framer
  import tm_pkg::*;
#(
    parameter  int unsigned PORTS             = 5,
    parameter  int unsigned DATA_W            = 256,
    parameter  int unsigned MAX_FRAME         = 9216,
    parameter  bit          STORE_AND_FORWARD = 1'b0,
    localparam int unsigned BeatBytes         = DATA_W / 8,
    localparam int unsigned RowsW             = $clog2(MAX_FRAME / BeatBytes + 2)
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    // from s_axis: never blocked, so there is no ready
    input  logic                 s_valid_i,
    input  logic [   DATA_W-1:0] s_data_i,
    input  logic [BeatBytes-1:0] s_keep_i,
    input  logic                 s_last_i,
    input  logic [    PORTS-1:0] s_dest_i,         // first beat
    input  logic [         15:0] s_len_i,          // first beat
    input  logic                 s_error_i,        // last beat
    // to the walk and the ports, in the cycle of the pins
    output logic                 beat_valid_o,
    output logic                 beat_first_o,
    output logic                 beat_last_o,
    output logic [    PORTS-1:0] beat_ports_o,
    output logic [   DATA_W-1:0] beat_data_o,
    output logic [     LenW-1:0] beat_len_o,
    output logic [BeatBytes-1:1] beat_keep_o,      // one cycle later
    // one cycle after the last stored beat
    output logic                 end_valid_o,
    output logic                 end_bad_o,
    output logic                 end_misshaped_o,  // bad because bytes are missing, too many or out of place
    // events
    output logic                 bad_valid_o,
    output bad_e                 bad_kind_o,
    output logic                 reset_in_frame_o
);

  localparam int unsigned FillW = $clog2(BeatBytes);
  localparam int unsigned MaxRows = (MAX_FRAME + BeatBytes - 1) / BeatBytes;

  if (PORTS < 1 || PORTS > MaxPorts) begin : gen_ports_check
    $error("tm_framer: PORTS must be 1 to %0d", MaxPorts);
  end
  if (DATA_W < 64 || DATA_W > 1024 || (DATA_W & (DATA_W - 1)) != 0) begin : gen_width_check
    $error("tm_framer: DATA_W must be 64, 128, 256, 512 or 1024");
  end
  if (MAX_FRAME < 64 || MaxRows * BeatBytes >= 2 ** LenW) begin : gen_max_frame_check
    $error("tm_framer: MAX_FRAME must be at least 64, and in whole rows at most %0d bytes", 2 ** LenW - BeatBytes);
  end

  // A comparison with a constant, bit by bit from below: a few lookup tables, no adder.
  function automatic logic exceeds(input logic [15:0] length, input int unsigned limit);
    logic more;
    more = 1'b0;
    for (int unsigned i = 0; i < 16; i++) more = limit[i] ? length[i] && more : length[i] || more;
    return more;
  endfunction

  // where in the stream this beat is
  logic in_frame_q;  // the next beat is not a first one
  logic storing_q;  // ... and its row is to be stored
  logic first, offered, store, row_is_last, stored_last;

  // the promise or the count
  logic [FillW-1:0] fill;
  logic oversize, runt;

  // what the keep says
  logic [BeatBytes-1:0] keep;
  logic hole, one_byte, full, as_promised, hole_q, hole_so_far;
  logic [FillW-1:0] count;

  assign first       = !in_frame_q;
  assign store       = s_valid_i && (first ? offered : storing_q);
  assign stored_last = s_last_i || row_is_last;
  assign hole_so_far = hole || (hole_q && !first);

  tm_keep_shape #(
      .BEAT_BYTES(BeatBytes)
  ) i_keep_shape (
      .clk_i        (clk_i),
      .keep_i       (s_keep_i),
      .last_i       (s_last_i),
      .last_row_i   (row_is_last && !STORE_AND_FORWARD),
      .fill_i       (fill),
      .keep_o       (keep),
      .hole_o       (hole),
      .one_byte_o   (one_byte),
      .count_o      (count),
      .full_o       (full),
      .as_promised_o(as_promised)
  );

  if (STORE_AND_FORWARD) begin : gen_count
    logic [RowsW-1:0] rows_q;  // rows of this frame before this beat

    always_ff @(posedge clk_i) begin
      if (s_valid_i) rows_q <= rows_q + 1'b1;
      if (rst_i || (s_valid_i && s_last_i)) rows_q <= '0;
    end

    // A row before the end counts whole, a holed end as the one byte it is stored with.
    logic [LenW-1:0] bytes;
    assign bytes      = !s_last_i ? LenW'(BeatBytes) : one_byte ? LenW'(1) : full ? LenW'(BeatBytes) : LenW'(count);
    assign beat_len_o = LenW'({rows_q, FillW'(0)}) + bytes;
    assign fill       = '0;

    logic unused;
    assign unused      = &{s_len_i, as_promised, keep[0]};

    assign row_is_last = rows_q == RowsW'(MaxRows - 1);
    assign offered     = s_dest_i != '0;
    assign runt        = s_last_i && beat_len_o < LenW'(MinFrame);
    assign oversize    = (row_is_last && !s_last_i) || beat_len_o > LenW'(MAX_FRAME);
  end else begin : gen_promise
    logic [LenW-1:0] len_q;
    logic [RowsW-1:0] left_q;  // promised rows from the next beat on, inverted: counting up is cheaper
    logic one_left_q;

    always_ff @(posedge clk_i) begin
      if (s_valid_i) begin
        if (first) begin
          len_q      <= s_len_i[LenW-1:0];
          left_q     <= ~RowsW'((s_len_i[LenW-1:0] - 1'b1) >> FillW);
          one_left_q <= exceeds(s_len_i, BeatBytes) && !exceeds(s_len_i, 2 * BeatBytes);
        end else begin
          left_q     <= left_q + 1'b1;
          one_left_q <= left_q == ~RowsW'(2);
        end
      end
    end

    assign beat_len_o  = first ? s_len_i[LenW-1:0] : len_q;
    assign fill        = beat_len_o[FillW-1:0];
    assign row_is_last = first ? !exceeds(s_len_i, BeatBytes) : one_left_q;
    assign runt        = !exceeds(s_len_i, MinFrame - 1);
    assign oversize    = exceeds(s_len_i, MAX_FRAME);
    assign offered     = s_dest_i != '0 && !runt && !oversize;

    logic unused;
    assign unused = &{one_byte, full, count, keep[0]};
  end

  assign beat_valid_o = store;
  assign beat_first_o = first;
  assign beat_last_o  = stored_last;
  assign beat_ports_o = s_dest_i;
  assign beat_data_o  = s_data_i;
  assign beat_keep_o  = keep[BeatBytes-1:1];

  logic wrong_length, misshaped, bad;
  assign wrong_length = STORE_AND_FORWARD ? 1'b0 : !(s_last_i && row_is_last && as_promised);
  assign misshaped    = hole_so_far || wrong_length || (STORE_AND_FORWARD && runt);
  assign bad          = misshaped || s_error_i || (STORE_AND_FORWARD && oversize);

  always_ff @(posedge clk_i) begin
    if (s_valid_i) begin
      in_frame_q <= !s_last_i;
      storing_q  <= store && !stored_last;
      hole_q     <= hole_so_far;
    end
    end_valid_o      <= store && stored_last;
    end_bad_o        <= bad;
    end_misshaped_o  <= misshaped;
    reset_in_frame_o <= rst_i && in_frame_q && storing_q;
    if (rst_i) begin
      in_frame_q  <= 1'b0;
      storing_q   <= 1'b0;
      end_valid_o <= 1'b0;
    end
  end

  // What is wrong is said in the next cycle: whether a row is stored, and is the last one, comes late. The first kind
  // that matches, of a frame not offered and of a frame that ends.
  logic refused_q, no_destination_q, runt_q, oversize_q, holed_q, wrong_length_q;
  always_ff @(posedge clk_i) begin
    refused_q                 <= s_valid_i && first && !offered && !rst_i;
    no_destination_q          <= s_dest_i == '0;
    {runt_q, oversize_q}      <= {runt, oversize};
    {holed_q, wrong_length_q} <= {hole_so_far, wrong_length};
  end

  assign bad_valid_o = refused_q || (end_valid_o && end_bad_o);
  always_comb begin
    bad_kind_o = BadErrorBit;
    if (refused_q) bad_kind_o = no_destination_q ? BadNoDestination : runt_q ? BadRunt : BadOversize;
    else if (STORE_AND_FORWARD && runt_q) bad_kind_o = BadRunt;
    else if (STORE_AND_FORWARD && oversize_q) bad_kind_o = BadOversize;
    else if (holed_q) bad_kind_o = BadKeepHole;
    else if (wrong_length_q) bad_kind_o = BadLengthMismatch;
  end

  // What is stored is contiguous from byte 0, whatever came in.
  logic store_q;
  always_ff @(posedge clk_i) store_q <= store && !rst_i;
  `TM_ASSERT_IF(KeepContiguous_A, store_q, (keep & (keep + 1'b1)) == '0, "a stored row has a hole")

  // No frame is stored beyond the longest.
  logic [RowsW-1:0] stored_q;
  always_ff @(posedge clk_i) if (store) stored_q <= first ? RowsW'(1) : stored_q + 1'b1;
  `TM_ASSERT_IF(RowsFit_A, store && !first, stored_q < RowsW'(MaxRows), "a frame has more rows than MAX_FRAME")

  // A frame is found wrong once at most.
  logic found, said_q;
  assign found = store ? stored_last && bad : s_valid_i && first;
  always_ff @(posedge clk_i) if (s_valid_i) said_q <= found || (said_q && !first);
  `TM_ASSERT_IF(BadOnce_A, s_valid_i && !first && said_q, !found, "a frame was found wrong twice")

endmodule
