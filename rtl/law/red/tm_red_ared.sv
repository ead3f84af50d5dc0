// SPDX-License-Identifier: BSD-3-Clause
// ARED of up to eight ports: whether a slot's interval has passed, on which side of the band its average is, and what
// becomes of its maxp and slope.
//
// Contract: `bytes_i` is the average of the slot visited in its cycle 2; `maxp_o` and `slope_o` are there in its cycle
// 16. maxp is kept with `moves_i`.
module tm_red_ared
  import tm_pkg::*;
  import tm_red_pkg::*;
  import tm_arith_pkg::*;
  import tm_regs_pkg::red_settings_reg_t;
#(
    parameter int unsigned PORTS   = 5,  // 1 to 8
    parameter int unsigned COUNT_W = 15  // bits of B, and of 64 P
) (
    input  logic                      clk_i,
    input  logic   [ StampW-1:0]      now_i,
    input  logic   [COUNT_W-1:0]      bytes_i,
    // verilator lint_off UNUSEDSIGNAL
    input  round_t                    round_i,
    input  words_t                    words_i,
    // verilator lint_on UNUSEDSIGNAL
    // from the slots
    input  logic   [  PORTS-1:0][1:0] adapted_i,
    input  logic                      moves_i,
    output found_t                    found_o,
    output logic   [       24:0]      maxp_o,
    output logic   [       23:0]      slope_o
);

  logic [StampW-1:0] last, last_q, passed_q;
  logic [COUNT_W-1:0] bytes_q;
  logic above_q, below_q, adapts_q;
  logic kept_q;  // the slot that is about to move has a maxp of its own
  logic [24:0] maxp_kept, maxp_kept_q;
  logic [15:0] adapted;
  // Of the settings one bit counts here.
  // verilator lint_off UNUSEDSIGNAL
  red_settings_reg_t settings;
  // verilator lint_on UNUSEDSIGNAL
  assign adapted  = 16'(adapted_i);
  assign settings = words_i.third[$bits(settings)-1:0];

  // An interval starts with the first visit after a law reset, and with each that adapts.
  tm_prim_ram #(
      .WIDTH(StampW),
      .DEPTH(16)
  ) lasts (
      .clk_i,
      .wr_en_i  (round_i.arrives.restarts && round_i.phase == 2'd1),
      .wr_addr_i(round_i.here),
      .wr_data_i(now_i),
      .rd_en_i  (round_i.phase == 2'd2),
      .rd_addr_i(round_i.here + 4'd1),
      .rd_data_o(last)
  );

  always_ff @(posedge clk_i) begin
    last_q      <= last;
    bytes_q     <= bytes_i;
    maxp_kept_q <= maxp_kept;
    kept_q      <= adapted[round_i.settled.place];
    if (round_i.phase == 2'd0) begin
      above_q  <= less_than(wide_t'(words_i.second[BytesW-1:0]), wide_t'(bytes_q), 1'b0, BytesW);
      below_q  <= less_than(wide_t'(bytes_q), wide_t'(words_i.first[BytesW-1:0]), 1'b0, BytesW);
      adapts_q <= settings.adaptive;
    end
    if (round_i.phase == 2'd1) passed_q <= now_i - last_q;
  end
  assign found_o = '{
          due: !round_i.averaged.restarts && less_than(wide_t'(words_i.second), wide_t'(passed_q), 1'b1, StampW),
          rises: round_i.averaged.asks && above_q,
          falls: round_i.averaged.asks && below_q,
          adapts: adapts_q
      };

  tm_prim_ram #(
      .WIDTH(25),
      .DEPTH(16)
  ) maxps (
      .clk_i,
      .wr_en_i  (moves_i),
      .wr_addr_i(round_i.ending.place),
      .wr_data_i(maxp_o),
      .rd_en_i  (round_i.phase == 2'd0),
      .rd_addr_i(round_i.settled.place),
      .rd_data_o(maxp_kept)
  );

  tm_red_adapt adapt (
      .clk_i,
      .rise_i      (round_i.moving.found.rises),
      .fall_i      (round_i.moving.found.falls),
      .maxp_i      (kept_q ? maxp_kept_q : words_i.third[24:0]),
      .bottom_i    (words_i.third[24:0]),
      .reciprocal_i(words_i.second),
      .maxp_o,
      .slope_o
  );

endmodule
