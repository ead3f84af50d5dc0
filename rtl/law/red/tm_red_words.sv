// SPDX-License-Identifier: BSD-3-Clause
// The words of up to eight ports' configurations that RED's shared unit needs, in three block RAMs; each is read in its
// cycle of a visit and shown two cycles later, for one cycle.
//
// Contract: `words_o` says in which cycle of a visit each is shown (tm_red_pkg).
module tm_red_words
  import tm_pkg::*;
  import tm_red_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter int unsigned PORTS = 5  // 1 to 8
) (
    input  logic                  clk_i,
    // verilator lint_off UNUSEDSIGNAL
    input  round_t                round_i,
    // verilator lint_on UNUSEDSIGNAL
    // config
    input  logic      [PORTS-1:0] word_valid_i,
    // Places of other parts of RED are not looked at.
    // verilator lint_off UNUSEDSIGNAL
    input  red_word_t             word_i,
    // verilator lint_on UNUSEDSIGNAL
    input  logic      [PORTS-1:0] bank_i,        // the set of words that is in force
    // to decay and ARED
    output words_t                words_o
);

  // Which of a RAM's three words, for which place: read in phase 0, 1, 2.
  typedef struct packed {
    logic [1:0] kind;
    slot_t      place;
  } ask_t;
  ask_t first_ask, second_ask, third_ask;
  always_comb begin
    unique case (round_i.phase)
      2'd0: begin
        first_ask  = '{2'd0, {round_i.here[3:1], 1'b0}};
        second_ask = '{2'd0, round_i.moving.place};
        third_ask  = '{2'd0, round_i.settled.place};
      end
      2'd1: begin
        first_ask  = '{2'd1, round_i.here};
        second_ask = '{2'd1, round_i.here};
        third_ask  = '{2'd1, round_i.here};
      end
      default: begin
        first_ask  = '{2'd2, {round_i.here[3:1], 1'b0}};
        second_ask = '{2'd2, {round_i.here[3:1], 1'b0}};
        third_ask  = '{2'd2, round_i.moving.place};
      end
    endcase
  end

  // ---- where a word goes ----
  logic [2:0] port;
  logic [2:0] to;  // a RAM each
  logic [1:0] kind;
  logic slot;
  always_comb begin
    port = '0;
    for (int unsigned p = 0; p < PORTS; p++) if (word_valid_i[p]) port = port | 3'(p);
    slot = word_i.place[5] && !word_i.place[4];
    {to, kind} = '0;
    unique casez (word_i.place)
      PlaceIdleReciprocal:          {to, kind} = {3'b001, 2'd0};
      PlaceIdleShift:               {to, kind} = {3'b001, 2'd2};
      PlaceAdaptInterval:           {to, kind} = {3'b010, 2'd2};
      {2'b1?, PlaceRedBandLow} :    {to, kind} = {3'b001, 2'd1};
      {2'b1?, PlaceRedBandHigh} :   {to, kind} = {3'b010, 2'd1};
      {2'b1?, PlaceRedReciprocal} : {to, kind} = {3'b010, 2'd0};
      {2'b1?, PlaceRedMaxp} :       {to, kind} = {3'b100, 2'd0};
      {2'b1?, PlaceRedSettings} :   {to, kind} = {3'b100, 2'd1};
      {2'b1?, PlaceRedBottom} :     {to, kind} = {3'b100, 2'd2};
      default:                      ;
    endcase
    if (word_valid_i == '0) to = '0;
  end

  // While the words are cleared after a reset, nothing is read: they may be those in force.
  logic still;
  assign still = (word_valid_i & ~(bank_i ^{PORTS{word_i.bank}})) != '0;

  function automatic logic [6:0] address(ask_t ask);
    return {ask.kind, (32'(ask.place[3:1]) < PORTS) ? bank_i[32'(ask.place[3:1])] : 1'b0, ask.place};
  endfunction

  logic [2:0][6:0] asked;
  logic [2:0][31:0] found_q, found;
  assign asked = {address(third_ask), address(second_ask), address(first_ask)};

  for (genvar r = 0; r < 3; r++) begin : gen_ram
    tm_prim_ram #(
        .WIDTH(32),
        .DEPTH(128)
    ) one (
        .clk_i,
        .wr_en_i  (to[r]),
        .wr_addr_i({kind, word_i.bank, port, slot}),
        .wr_data_i(word_i.data),
        .rd_en_i  (!still),
        .rd_addr_i(asked[r]),
        .rd_data_o(found[r])
    );
  end

  always_ff @(posedge clk_i) found_q <= found;
  assign words_o = {found_q[0], found_q[1], found_q[2]};

endmodule
