// SPDX-License-Identifier: BSD-3-Clause
// Lines up with the beat bus what the header walk has found.
//
// In: what is found at the L3 header one cycle after its beat, the class three cycles after the beat that decides. Out,
// counted from the pins: ECN two cycles after its beat, the tally four after the last one. With FLAGS_VERDICT=0 the
// class parts of meta_o are zero and next_flags_valid_o never comes: the class is in the tally alone. With
// FLAGS_VERDICT=1 they come four cycles after the beat that decides, and all else waits for them: it is ClassWait
// cycles later, as the beat bus is. class_ece_o is that of the class and the ECE flag of meta_o, or zero with
// FLAGS_VERDICT=0.
module tm_header_times
  import tm_pkg::*;
#(
    parameter bit FLAGS_VERDICT = 1'b0
) (
    input  logic       clk_i,
    input  logic       rst_i,
    // one cycle after the beat
    input  logic       ecn_valid_i,
    input  l3_found_t  found_i,
    // three cycles after: the beat that decides the class, and the last one
    input  logic       walked_i,
    input  class_e     class_i,
    input  class_ece_t class_ece_i,
    input  tcp_flags_t flags_i,
    input  logic       payload_i,
    input  logic       ended_i,
    input  tally_t     tally_i,
    // to the ports
    output logic       next_ecn_valid_o,    // meta_o has it in the next cycle
    output logic       next_flags_valid_o,
    output meta_t      meta_o,
    output class_ece_t class_ece_o,
    output l3_found_t  bus_found_o,         // of the beat on the beat bus
    // to the counters
    output logic       tally_valid_o,
    output tally_t     tally_o
);

  localparam int unsigned Late = FLAGS_VERDICT ? ClassWait : 0;

  tm_delay #(
      .WIDTH  (1 + $bits(tally_t)),
      .CYCLES (1 + Late),
      .CLEARED({1'b1, {$bits(tally_t) {1'b0}}})
  ) tally_delay (
      .clk_i,
      .rst_i,
      .data_i({ended_i, tally_i}),
      .data_o({tally_valid_o, tally_o})
  );

  l3_found_t found_q;
  tm_delay #(
      .WIDTH  (1 + $bits(l3_found_t)),
      .CYCLES (Late),
      .CLEARED({1'b1, {$bits(l3_found_t) {1'b0}}})
  ) ecn_delay (
      .clk_i,
      .rst_i,
      .data_i({ecn_valid_i, found_i}),
      .data_o({next_ecn_valid_o, bus_found_o})
  );
  always_ff @(posedge clk_i) found_q <= bus_found_o;

  class_e class_q;
  tcp_flags_t flags_q;
  logic payload_q;
  assign next_flags_valid_o = FLAGS_VERDICT && walked_i;
  if (FLAGS_VERDICT) begin : gen_flags_verdict
    always_ff @(posedge clk_i) begin
      if (walked_i) {class_q, flags_q, payload_q, class_ece_o} <= {class_i, flags_i, payload_i, class_ece_i};
    end
  end else begin : gen_ecn_verdict
    assign {class_q, flags_q, payload_q, class_ece_o} = '0;

    logic unused;
    assign unused = &{class_i, flags_i, payload_i, class_ece_i};
  end

  assign meta_o = '{
          l3: found_q.l3,
          tags: found_q.tags,
          ecn: found_q.ecn,
          checksum: found_q.checksum,
          class_id: class_q,
          flags: flags_q,
          payload: payload_q
      };

  logic unused_found;
  assign unused_found = &{found_q.raw_l3, found_q.row, found_q.dscp, found_q.has_tag, found_q.pcp};

endmodule
