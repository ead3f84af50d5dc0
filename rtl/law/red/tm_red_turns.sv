// SPDX-License-Identifier: BSD-3-Clause
// Whose turn it is in RED's scan, and which steps of its port still wait. One law slot begins in each cycle, the two
// slots of a port one after the other.
//
// Contract: slot s of port p begins when the cycle, counted from reset, is 2 p + s modulo `scan_round(PORTS)`
// (tm_red_pkg). Steps are counted up to 15; slot 0 takes the largest power of two of them, slot 1 as many; the rest
// waits for the next round. They count with B and P of the newest. A law reset of the port forgets those that wait.
// `takes_o` is of the slot that begins; the rest belongs to its next cycle, except for `now*`, B and P as they are two
// cycles after slot 0 began, shown in the cycle after that.
module tm_red_turns
  import tm_red_pkg::*;
#(
    parameter int unsigned PORTS    = 5,   // 1 to 8
    parameter int unsigned COUNT_W  = 15,  // bits of B, and of 64 P
    parameter int unsigned FRAMES_W = 9    // bits of P
) (
    input  logic                               clk_i,
    input  logic                               rst_i,
    // from the ports
    input  logic  [   PORTS-1:0]               step_i,
    input  logic  [   PORTS-1:0]               empty_i,
    input  logic  [   PORTS-1:0][ COUNT_W-1:0] bytes_i,
    input  logic  [   PORTS-1:0][FRAMES_W-1:0] packets_i,
    // config
    input  logic  [   PORTS-1:0]               law_reset_i,
    // to the scan, by the cycles since the slot began
    output slot_t [ LastStage:0]               place_o,
    output logic  [   PORTS-1:0][         1:0] takes_o,
    output logic  [   PORTS-1:0]               waits_o,
    output logic                               any_o,
    output logic  [         1:0]               power_o,
    output logic                               idle_o,
    output logic  [ COUNT_W-1:0]               bytes_o,
    output logic  [FRAMES_W-1:0]               packets_o,
    output logic                               now_idle_o,
    output logic  [ COUNT_W-1:0]               now_o,
    output logic  [FRAMES_W-1:0]               now_packets_o
);

  localparam slot_t Last = slot_t'(scan_round(PORTS) - 1);

  always_ff @(posedge clk_i) begin
    place_o[0] <= (rst_i || place_o[0] == Last) ? '0 : place_o[0] + 1'b1;
    for (int k = 1; k <= LastStage; k++) place_o[k] <= place_o[k-1];
  end

  // ---- each port: how many steps wait, and B and P at the newest ----
  logic [PORTS-1:0] visited, first;
  logic [PORTS-1:0][3:0] count_q;
  logic [PORTS-1:0] idle_q;
  logic [PORTS-1:0][COUNT_W-1:0] bytes_q;
  logic [PORTS-1:0][FRAMES_W-1:0] packets_q;
  logic any_q, cancel_q;  // of the port whose slot 1 begins
  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic [3:0] left;
    assign visited[p] = place_o[0][3:1] == 3'(p);
    assign first[p]   = visited[p] && !place_o[0][0];
    assign waits_o[p] = count_q[p] != '0;
    assign takes_o[p] = {visited[p] && place_o[0][0] && any_q && !cancel_q, first[p] && waits_o[p]};
    always_comb begin
      left = count_q[p];
      if (first[p]) begin
        left = {1'b0, count_q[p][2:0]};
        if (!count_q[p][3]) left[2] = 1'b0;
        if (count_q[p][3:2] == '0) left[1] = 1'b0;
        if (count_q[p][3:1] == '0) left[0] = 1'b0;
      end
    end
    always_ff @(posedge clk_i) begin
      if (rst_i || law_reset_i[p]) count_q[p] <= '0;
      else count_q[p] <= left + 4'(step_i[p] && left != '1);
      if (step_i[p]) {idle_q[p], bytes_q[p], packets_q[p]} <= {empty_i[p], bytes_i[p], packets_i[p]};
    end
  end

  // ---- the port whose turn it is ----
  logic [3:0] count;
  logic idle, now_idle, cancel;
  logic [COUNT_W-1:0] bytes, now;
  logic [FRAMES_W-1:0] packets, now_packets;
  always_comb begin
    {count, idle, bytes, packets, now_idle, now, now_packets, cancel} = '0;
    for (int p = 0; p < PORTS; p++) begin
      count  = count | (count_q[p] & {4{visited[p]}});
      cancel = cancel || (law_reset_i[p] && visited[p]);
      if (visited[p]) {idle, bytes, packets} = {idle, bytes, packets} | {idle_q[p], bytes_q[p], packets_q[p]};
      if (place_o[2][3:1] == 3'(p)) begin
        {now_idle, now, now_packets} = {now_idle, now, now_packets} | {empty_i[p], bytes_i[p], packets_i[p]};
      end
    end
  end
  always_ff @(posedge clk_i) begin
    cancel_q <= cancel;
    if (!place_o[0][0]) begin
      any_q                        <= count != '0;
      power_o                      <= count[3] ? 2'd3 : count[2] ? 2'd2 : {1'b0, count[1]};
      {idle_o, bytes_o, packets_o} <= {idle, bytes, packets};
    end
    any_o <= place_o[0][0] ? any_q && !cancel_q : count != '0;
    if (!place_o[2][0]) {now_idle_o, now_o, now_packets_o} <= {now_idle, now, now_packets};
  end

endmodule
