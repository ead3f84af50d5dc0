// SPDX-License-Identifier: BSD-3-Clause
// Checks a shadow configuration word by word and makes the port's configuration of it.
//
// Contract: after `start_i`, `check_i` shows the six words in order (index 0 to 5: CONTROL, LIMIT_BYTES, LIMIT_PACKETS, K0,
// K1, PROTECT). One cycle after the last, `fault_o` is the first thing at fault in the order of the codes (0 if nothing
// is) and `cfg_o` the configuration. A port that does not exist is at fault before anything else.
module tm_config_check
  import tm_pkg::*;
#(
    parameter int unsigned STORAGE       = 16384,  // bytes per port
    parameter int unsigned DESCRIPTORS   = 508,    // frames per port
    parameter bit          FLAGS_VERDICT = 1'b0
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        start_i,
    input  logic        exists_i,  // with start_i: the port is there
    input  logic        check_i,
    input  logic [ 2:0] index_i,
    input  logic [23:0] word_i,
    output logic [ 3:0] fault_o,
    output cfg_t        cfg_o
);

  localparam logic [2:0] Control = 3'd0, LimitBytes = 3'd1, LimitPackets = 3'd2, K0 = 3'd3, K1 = 3'd4, Protect = 3'd5;

  typedef enum logic [3:0] {
    FaultNone         = 4'd0,
    FaultLimitBytes   = 4'd1,
    FaultLimitPackets = 4'd2,
    FaultLaw          = 4'd3,
    FaultK0           = 4'd4,
    FaultK1           = 4'd5,
    FaultProtect      = 4'd6,
    FaultPort         = 4'd7,
    FaultControl      = 4'd8
  } fault_e;

  typedef struct packed {
    logic       harddrop;
    logic [1:0] law1;
    logic [1:0] law0;
    logic [3:0] slot_of;
    logic       reserved;
    logic       limit_packets_on;
    logic       limit_bytes_on;
    logic       enable;
  } control_t;

  control_t control_q;
  fault_e fault_q, found;
  logic [BytesW-1:0] limit_bytes_q, bound;
  logic [PacketsW-1:0] limit_packets_q;
  logic [1:0][BytesW-1:0] k_q;
  logic [13:0] protect_q;
  logic [1:0] step_law;
  logic above, protectable;

  assign step_law    = {control_q.law1 == LawStep, control_q.law0 == LawStep};
  assign protectable = step_law[control_q.slot_of[NotEct]];

  // One compare serves the four numbers, each against its own bound.
  always_comb begin
    if (index_i == LimitPackets) bound = BytesW'(DESCRIPTORS);
    else if (index_i != LimitBytes && control_q.limit_bytes_on) bound = limit_bytes_q;
    else bound = BytesW'(STORAGE);
  end

  assign above = word_i > bound;

  always_comb begin
    found = FaultNone;
    unique case (index_i)
      LimitBytes: if (control_q.limit_bytes_on && (above || word_i == '0)) found = FaultLimitBytes;
      LimitPackets: if (control_q.limit_packets_on && (above || word_i == '0)) found = FaultLimitPackets;
      K0: begin
        if (control_q.law0[1] || control_q.law1[1]) found = FaultLaw;
        else if (step_law[0] && above) found = FaultK0;
      end
      K1: if (step_law[1] && above) found = FaultK1;
      Protect: begin
        if (!FLAGS_VERDICT && protectable && word_i[13:0] != '0) found = FaultProtect;
        else if (control_q.reserved) found = FaultControl;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) fault_q <= FaultNone;
    else if (start_i) fault_q <= exists_i ? FaultNone : FaultPort;
    else if (check_i && fault_q == FaultNone) fault_q <= found;
  end

  // A limit that is switched off is all ones.
  always_ff @(posedge clk_i) begin
    if (check_i && index_i == Control) control_q <= word_i[$bits(control_t)-1:0];
    if (check_i && index_i == LimitBytes) limit_bytes_q <= control_q.limit_bytes_on ? word_i : '1;
    if (check_i && index_i == LimitPackets) limit_packets_q <= control_q.limit_packets_on ? word_i[PacketsW-1:0] : '1;
    if (check_i && index_i == K0) k_q[0] <= word_i;
    if (check_i && index_i == K1) k_q[1] <= word_i;
    if (check_i && index_i == Protect) protect_q <= word_i[13:0];
  end

  assign fault_o = fault_q;
  assign cfg_o = '{
          enable: control_q.enable,
          limit_bytes: limit_bytes_q,
          limit_packets: limit_packets_q,
          slot_of: control_q.slot_of,
          law: {law_e'(control_q.law1), law_e'(control_q.law0)},
          k: k_q,
          protect: protect_q,
          harddrop: control_q.harddrop,
          wait_flags: FLAGS_VERDICT && protectable && protect_q != '0,
          red: '0,
          default: '0
      };

endmodule
