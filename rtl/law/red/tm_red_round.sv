// SPDX-License-Identifier: BSD-3-Clause
// The round of RED's shared unit: which slot is visited, and what earlier visits carry along.
//
// Contract: the flags of a slot are sampled in cycle 0 of its visit. `found_i` and `gone_i` count in phase 1: for the
// visit that goes on to `compared`.
module tm_red_round
  import tm_red_pkg::*;
#(
    parameter int unsigned PORTS = 5  // 1 to 8
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    // from the slots
    input  logic   [PORTS-1:0][1:0] asks_i,
    input  logic   [PORTS-1:0][1:0] fresh_i,
    // from the idle time
    input  logic                    gone_i,
    // from ARED
    input  found_t                  found_i,
    // to all
    output round_t                  round_o
);

  logic [15:0] asks, fresh;  // a place without a port has no flags
  assign {asks, fresh} = {16'(asks_i), 16'(fresh_i)};

  always_ff @(posedge clk_i) begin
    round_o.phase <= (rst_i || round_o.phase == 2'd2) ? '0 : round_o.phase + 1'b1;
    unique case (round_o.phase)
      2'd0: begin
        round_o.arrives.asks     <= asks[round_o.here];
        round_o.arrives.restarts <= asks[round_o.here] || fresh[round_o.here];
      end
      2'd1: begin
        round_o.averaged       <= round_o.arrives;
        round_o.averaged.place <= round_o.here;
        round_o.compared       <= round_o.averaged;
        round_o.compared.found <= found_i;
        round_o.compared.gone  <= gone_i;
        round_o.settled        <= round_o.compared;
        round_o.settled.found  <= round_o.compared.found & {4{round_o.compared.found.adapts}};
        round_o.moving         <= round_o.settled;
        round_o.ending         <= round_o.moving;
      end
      default: round_o.here <= round_o.here + 1'b1;
    endcase
    if (rst_i) begin
      {round_o.here, round_o.averaged.place, round_o.compared.place} <= {4'd0, 4'd15, 4'd14};
      {round_o.settled.place, round_o.moving.place, round_o.ending.place} <= {4'd13, 4'd12, 4'd11};
    end
  end

endmodule
