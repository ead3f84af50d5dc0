// SPDX-License-Identifier: BSD-3-Clause
// AXI4-Lite in, one request at a time out.
//
// Contract: `access_o` asks for one read or write of a register, or of a word of NetFPGA's window: it stands one cycle
// before it is `valid` and holds until it is answered. `answer_i` has the answer, in a later cycle, with the word for a
// read. An address without a register is answered here, with SLVERR. A read and a write that wait are taken in turn; a
// write is taken when its address and its data are there.
`include "tm_assert.svh"

module tm_regs_bus
  import tm_pkg::*;
  import tm_control_pkg::*;
  import tm_regs_pkg::register_exists;
#(
    parameter bit QUEUES  = 1'b0,  // lines have several
    parameter bit SHAPING = 1'b0,
    parameter bit POOL    = 1'b0,
    parameter bit PFC     = 1'b0
) (
    input  logic      clk_i,
    input  logic      rst_i,
    // registers
    input  axil_req_t axil_i,
    output axil_rsp_t axil_o,
    // to and from the registers
    output access_t   access_o,
    input  answer_t   answer_i
);

  logic busy_q, taken_q, valid_q, missing_q, write_q, exists, done, take_read, take_write, answered, unused;
  logic [9:0] word_q;
  logic b_valid_q, r_valid_q, refused_q;
  logic [31:0] data_q, answer_q;
  logic [3:0] strobe_q;

  assign unused     = ^{axil_i.aw_addr[1:0], axil_i.ar_addr[1:0]};

  // ---- a request is taken whole, and the next one after it was answered ----
  assign take_read  = !busy_q && axil_i.ar_valid && (write_q || !(axil_i.aw_valid && axil_i.w_valid));
  assign take_write = !busy_q && axil_i.aw_valid && axil_i.w_valid && !take_read;
  assign answered   = (r_valid_q && axil_i.r_ready) || (b_valid_q && axil_i.b_ready);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 1'b0;
      taken_q <= 1'b0;
      valid_q <= 1'b0;
      missing_q <= 1'b0;
      write_q <= 1'b0;
    end else begin
      taken_q   <= take_read || take_write;
      valid_q   <= taken_q && exists;
      missing_q <= taken_q && !exists;
      if (take_read || take_write) {busy_q, write_q} <= {1'b1, take_write};
      else if (answered) busy_q <= 1'b0;
    end
    if (!busy_q) begin
      word_q   <= take_read ? axil_i.ar_addr[11:2] : axil_i.aw_addr[11:2];
      data_q   <= axil_i.w_data;
      strobe_q <= axil_i.w_strb;
    end
  end

  // ---- what there is ----
  assign exists = register_exists(word_q, PFC, POOL, QUEUES, SHAPING);
  assign access_o = '{
          valid: valid_q,
          write: write_q,
          window: word_q[7:6] == 2'b00,
          index: word_q[7:0],
          data: data_q,
          strobe: strobe_q
      };

  // ---- the answer ----
  assign done = answer_i.ack || missing_q;
  assign axil_o = '{
          aw_ready: take_write,
          w_ready: take_write,
          b_valid: b_valid_q,
          b_resp: {refused_q, 1'b0},
          ar_ready: take_read,
          r_valid: r_valid_q,
          r_data: answer_q,
          r_resp: {refused_q, 1'b0}
      };

  always_ff @(posedge clk_i) begin
    if (rst_i) {b_valid_q, r_valid_q} <= '0;
    else if (done) {b_valid_q, r_valid_q} <= {write_q, !write_q};
    else if (answered) {b_valid_q, r_valid_q} <= '0;
    if (done) {answer_q, refused_q} <= {answer_i.data, !answer_i.ack};
  end

  `TM_ASSERT_IF(AnswerAsked_A, answer_i.ack, busy_q && !taken_q && !valid_q, "an answer came to what was not asked")

endmodule
