// SPDX-License-Identifier: BSD-3-Clause
// Parse: from the input stream to rows, and to what their headers say.
//
// Wiring only: the framer, the header walk, and a delay for the rows, so that what a verdict needs to know stands in
// registers one cycle after the beat that tells it. b is the cycle of a beat on the beat bus:
//
//   beat bus          one cycle later than the pins; with FLAGS_VERDICT=1 ClassWait cycles more
//   soon_len_o        b - 1, the frame's length as far as that beat tells it
//   next_ecn_valid    b, of the beat with the last byte ECN and checksum need: meta_o has them at b + 1
//   next_flags_valid  b, of the beat that decides the class (FLAGS_VERDICT=1, else never)
//   next_end_o        b, of the last stored beat
//   tally_valid_o     b + 3, of the last stored beat
//   mishap_o          one cycle after the pins
//
module tm_parse
  import tm_pkg::*;
#(
    parameter  build_t      BUILD     = DefaultBuild,
    localparam int unsigned BeatBytes = BUILD.data_w / 8,
    localparam int unsigned RowW      = BUILD.data_w + BeatBytes
) (
    input  logic                           clk_i,
    input  logic                           rst_i,
    // from s_axis
    input  logic                           s_valid_i,
    input  logic        [BUILD.data_w-1:0] s_data_i,
    input  logic        [   BeatBytes-1:0] s_keep_i,
    input  logic                           s_last_i,
    input  logic        [ BUILD.ports-1:0] s_dest_i,
    input  logic        [            15:0] s_len_i,
    input  logic                           s_error_i,
    // from control
    input  queue_word_t                    word_i,
    // to the ports: beat bus
    output strobes_t                       strobes_o,
    output logic        [ BUILD.ports-1:0] beat_ports_o,
    output logic        [        RowW-1:0] beat_row_o,
    output logic        [        RowW-1:0] beat_marked_o,  // with marked_copy: as it leaves if the frame is marked
    output logic        [        LenW-1:0] soon_len_o,
    output ecn_e                           next_ecn_o,     // as meta_o has it in the next cycle
    output meta_t                          meta_o,
    output class_ece_t                     class_ece_o,    // as meta_o has it
    output logic        [BUILD.queues-1:0] queue_o,        // of each line: the one that takes the frame (tm_queue_map)
    output logic                           by_class_o,
    output logic                           next_end_o,
    output logic                           next_bad_o,
    // to the counters
    output logic                           tally_valid_o,
    output tally_t                         tally_o,
    output mishap_t                        mishap_o
);

  logic valid, first, last, end_valid, end_bad, end_misshaped;
  logic [ BUILD.ports-1:0] ports;
  logic [BUILD.data_w-1:0] data;
  logic [BeatBytes-1:1] keep, bus_keep;
  logic [LenW-1:0] len;
  l3_found_t found;

  tm_framer #(
      .PORTS            (BUILD.ports),
      .DATA_W           (BUILD.data_w),
      .MAX_FRAME        (BUILD.max_frame),
      .STORE_AND_FORWARD(BUILD.store_and_forward)
  ) framer (
      .clk_i,
      .rst_i,
      .s_valid_i,
      .s_data_i,
      .s_keep_i,
      .s_last_i,
      .s_dest_i,
      .s_len_i,
      .s_error_i,
      .beat_valid_o    (valid),
      .beat_first_o    (first),
      .beat_last_o     (last),
      .beat_ports_o    (ports),
      .beat_data_o     (data),
      .beat_keep_o     (keep),
      .beat_len_o      (len),
      .end_valid_o     (end_valid),
      .end_bad_o       (end_bad),
      .end_misshaped_o (end_misshaped),
      .bad_valid_o     (mishap_o.valid),
      .bad_kind_o      (mishap_o.kind),
      .reset_in_frame_o(mishap_o.reset_in_frame)
  );

  tm_header_walk #(
      .DATA_W           (BUILD.data_w),
      .STORE_AND_FORWARD(BUILD.store_and_forward),
      .FLAGS_VERDICT    (BUILD.flags_verdict),
      .QUEUES           (BUILD.queues)
  ) header_walk (
      .clk_i,
      .rst_i,
      .s_valid_i,
      .s_last_i,
      .beat_valid_i      (valid),
      .beat_last_i       (last),
      .beat_data_i       (data),
      .beat_len_i        (len),
      .end_misshaped_i   (end_misshaped),
      .word_i,
      .next_ecn_valid_o  (strobes_o.next_ecn_valid),
      .next_flags_valid_o(strobes_o.next_flags_valid),
      .meta_o,
      .class_ece_o,
      .queue_o,
      .by_class_o,
      .bus_found_o       (found),
      .tally_valid_o,
      .tally_o
  );

  tm_delay #(
      .WIDTH (LenW),
      .CYCLES(class_wait(BUILD))
  ) len_delay (
      .clk_i,
      .rst_i,
      .data_i(len),
      .data_o(soon_len_o)
  );

  typedef struct packed {
    logic                    valid;
    logic                    first;
    logic                    last;
    logic [BUILD.ports-1:0]  ports;
    logic [BUILD.data_w-1:0] data;
  } bus_t;
  // What has to be known after a reset.
  localparam bus_t Cleared = '{valid: 1'b1, default: '0};
  bus_t bus;

  tm_delay #(
      .WIDTH  ($bits(bus_t)),
      .CYCLES (1 + class_wait(BUILD)),
      .CLEARED(Cleared)
  ) beat_delay (
      .clk_i,
      .rst_i,
      .data_i({valid, first, last, ports, data}),
      .data_o(bus)
  );

  tm_delay #(
      .WIDTH  (2),
      .CYCLES (class_wait(BUILD)),
      .CLEARED(2'b10)
  ) end_delay (
      .clk_i,
      .rst_i,
      .data_i({end_valid, end_bad}),
      .data_o({next_end_o, next_bad_o})
  );

  tm_delay #(
      .WIDTH (BeatBytes - 1),
      .CYCLES(class_wait(BUILD))
  ) keep_delay (
      .clk_i,
      .rst_i,
      .data_i(keep),
      .data_o(bus_keep)
  );

  assign next_ecn_o = found.ecn;
  assign {strobes_o.valid, strobes_o.first, strobes_o.last} = {bus.valid, bus.first, bus.last};
  assign {beat_ports_o, beat_row_o} = {bus.ports, bus_keep, bus.last, bus.data};

  if (keeps_marked_copy(BUILD)) begin : gen_marked_copy
    tm_rewrite #(
        .DATA_W(BUILD.data_w)
    ) rewrite (
        .data_i    (beat_row_o[BUILD.data_w-1:0]),
        .row_i     (found.row),
        .mark_i    (1'b1),
        .l3_i      (found.raw_l3),
        .tags_i    (found.tags),
        .checksum_i(found.checksum),
        .data_o    (beat_marked_o[BUILD.data_w-1:0])
    );
    assign beat_marked_o[RowW-1:BUILD.data_w] = beat_row_o[RowW-1:BUILD.data_w];
  end else begin : gen_no_marked_copy
    assign beat_marked_o = '0;
  end

  logic unused;
  assign unused = &found;

endmodule
