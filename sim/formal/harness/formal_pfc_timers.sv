// SPDX-License-Identifier: BSD-3-Clause
// The timer of class 0 under any frames and any time: next to it the quanta that have ended since its last frame.
module formal_pfc_timers
  import tm_pfc_pkg::*;
(
    input logic       clk_i,
    input logic       valid_i,
    input logic       enable_i,
    input logic [2:0] quanta_i,
    input logic [3:0] elapsed_i
);

  logic boot_q = 1'b1;
  always_ff @(posedge clk_i) boot_q <= 1'b0;

  logic [Classes-1:0] paused;
  pause_t pause;
  assign pause = '{enable: Classes'(enable_i), quanta: {Classes{QuantaW'(quanta_i)}}};

  tm_pfc_timers dut (
      .clk_i,
      .rst_i        (boot_q),
      .pause_valid_i(valid_i),
      .pause_i      (pause),
      .elapsed_i,
      .paused_o     (paused)
  );

  logic asked_q;  // a frame has come
  logic [2:0] quanta_q;  // of the last one
  logic [4:0] ended_q;  // quanta since, 16 and more as 16

  always_ff @(posedge clk_i) begin
    Elapsed_M : assume (elapsed_i <= 8);
    ended_q <= ended_q > 16 - 5'(elapsed_i) ? 5'd16 : ended_q + 5'(elapsed_i);
    if (valid_i && enable_i) {asked_q, quanta_q, ended_q} <= {1'b1, quanta_i, 5'd0};
    if (boot_q) {asked_q, quanta_q, ended_q} <= '0;

    if (!boot_q) begin
      Ends_A : assert (!paused[0] || ended_q <= 5'(quanta_q));
      Lasts_A : assert (paused[0] || !asked_q || quanta_q == '0 || ended_q > 5'(quanta_q));
      Others_A : assert (paused[Classes-1:1] == '0);
    end
  end

endmodule
