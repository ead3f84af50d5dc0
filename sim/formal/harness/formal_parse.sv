// SPDX-License-Identifier: BSD-3-Clause
// Parse under any stream at all: the rules that formal_port takes for granted of its source hold.
module formal_parse
  import tm_pkg::*;
#(
    parameter  int unsigned DATA_W            = 64,
    parameter  int unsigned MAX_FRAME         = 64,
    parameter  bit          STORE_AND_FORWARD = 1'b0,
    parameter  bit          FLAGS_VERDICT     = 1'b0,
    localparam int unsigned BeatBytes         = DATA_W / 8,
    localparam int unsigned RowsW             = $clog2(MAX_FRAME / BeatBytes + 2)
) (
    input logic                 clk_i,
    input logic                 rst_later_i,
    input logic                 s_valid_i,
    input logic [   DATA_W-1:0] s_data_i,
    input logic [BeatBytes-1:0] s_keep_i,
    input logic                 s_last_i,
    input logic                 s_dest_i,
    input logic [         15:0] s_len_i,
    input logic                 s_error_i
);

  logic [1:0] boot_q = '0;
  logic rst;
  always_ff @(posedge clk_i) boot_q <= boot_q + 2'(!(&boot_q));
  assign rst = !(&boot_q) || rst_later_i;

  logic beat_valid, beat_first, beat_last, beat_port, next_ecn_valid, next_flags_valid, next_end, next_bad;
  logic [DATA_W+BeatBytes-1:0] row;
  logic [LenW-1:0] soon_len, len;
  logic [RowsW-1:0] rows;
  always_ff @(posedge clk_i) len <= soon_len;
  assign rows = RowsW'((32'(len) + BeatBytes - 1) / BeatBytes);

  localparam build_t Build = '{
      ports: 1,
      data_w: DATA_W,
      max_frame: MAX_FRAME,
      queues: 1,
      store_and_forward: STORE_AND_FORWARD,
      flags_verdict: FLAGS_VERDICT,
      marked_copy: 1'b1,
      default: '0
  };

  strobes_t strobes;
  meta_t meta;
  class_ece_t class_ece;
  assign {beat_valid, beat_first, beat_last, next_ecn_valid, next_flags_valid} = strobes;

  tm_parse #(
      .BUILD(Build)
  ) dut (
      .clk_i,
      .rst_i        (rst),
      .s_valid_i    (s_valid_i && !rst),
      .s_data_i,
      .s_keep_i,
      .s_last_i,
      .s_dest_i,
      .s_len_i,
      .s_error_i,
      .word_i       ('0),
      .strobes_o    (strobes),
      .beat_ports_o (beat_port),
      .beat_row_o   (row),
      .beat_marked_o(),
      .soon_len_o   (soon_len),
      .next_ecn_o   (),
      .meta_o       (meta),
      .class_ece_o  (class_ece),
      .queue_o      (),
      .by_class_o   (),
      .next_end_o   (next_end),
      .next_bad_o   (next_bad),
      .tally_valid_o(),
      .tally_o      (),
      .mishap_o     ()
  );

  logic in_frame_q, told_q, walked_q, classed_q, ends;
  logic [RowsW-1:0] number_q, number;
  logic [LenW-1:0] len_q;

  assign number = beat_first ? '0 : number_q;
  assign ends   = beat_valid && beat_last;

  always_ff @(posedge clk_i) begin
    if (beat_valid) begin
      in_frame_q <= !beat_last;
      number_q   <= number + 1'b1;
      len_q      <= len;
    end
    told_q <= !ends && (told_q || next_ecn_valid);
    walked_q <= !ends && (walked_q || next_flags_valid);
    classed_q <= next_flags_valid;
    if (rst) {in_frame_q, told_q, walked_q, classed_q} <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst) begin
      // A frame's first row is its first: the next one begins when it has ended.
      FirstWhenClosed_A : assert (!beat_valid || beat_first == !in_frame_q);
      Offered_A : assert (!(beat_valid && beat_first) || beat_port);
      LengthSteady_A : assert (STORE_AND_FORWARD || !beat_valid || beat_first || len == len_q);
      Length_A : assert (STORE_AND_FORWARD || !beat_valid || (len >= LenW'(MinFrame) && len <= LenW'(MAX_FRAME)));
      NoMoreRows_A : assert (!beat_valid || number < rows);
      LastAtPromise_A : assert (STORE_AND_FORWARD || !beat_valid || number + 1'b1 != rows || beat_last);
      EndForetold_A : assert (next_end == ends);
      ShortIsBad_A : assert (STORE_AND_FORWARD || !(next_end && number + 1'b1 != rows) || next_bad);
      EcnOfABeat_A : assert (!next_ecn_valid || (beat_valid && !told_q));
      EcnByTheEnd_A : assert (!next_end || next_ecn_valid || told_q);
      FlagsOnce_A : assert (!next_flags_valid || (beat_valid && !walked_q && (next_ecn_valid || told_q)));
      FlagsByTheEnd_A : assert (!FLAGS_VERDICT || !next_end || next_flags_valid || walked_q);
      ClassAsOneBit_A : assert (!classed_q || class_ece == class_ece_t'(1) << {meta.class_id, meta.flags.ece});
    end
  end

endmodule
