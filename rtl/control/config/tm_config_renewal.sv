// SPDX-License-Identifier: BSD-3-Clause
// Reads a configuration twice where it matters, tells the ports which laws begin again with a commit or a soft reset,
// and sends them the words of RED (tm_config_words), and to all those that say which queue takes a frame.
//
// Contract: `ask_i` is 1 in a cycle in which a word of place `ask_place_i` is read that a commit looks at; the word
// comes two cycles later, with its place on `place_i`. `advance_o` lets the next place come, and `accepted_o` asks for
// the word as the port has accepted it instead of that in the shadow; `check_o` is 1 with each word of the shadow.
// (With RED or CoDel each word is read in both; the second reading is repeated while `check_busy_i` is 1. Else only the
// shadow is read.) `accepts_i` is 1 for the port that takes the configuration at the end of that cycle: in the next one
// its pulses say what begins again, as they do after `reset_i`. `seeding_i` is 1 with a new SEED, which takes effect in
// the next cycle.
module tm_config_renewal
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter  int unsigned PORTS  = 5,
    parameter  bit          RED    = 1'b0,
    parameter  bit          LINUX  = 1'b0,              // signals of RED can be spaced as in Linux
    parameter  bit          CODEL  = 1'b0,
    parameter  bit          QUEUES = 1'b0,              // lines have several
    localparam int unsigned PlaceW = $clog2(PORTS + 1)  // a port, or the shadow
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    // reading
    input  logic                     start_i,
    input  logic                     ask_i,
    // Only what RED takes long to check is looked at.
    // verilator lint_off UNUSEDSIGNAL
    input  place_t                   ask_place_i,
    // verilator lint_on UNUSEDSIGNAL
    input  place_t                   place_i,       // with word_i
    input  logic        [      31:0] word_i,
    input  logic                     clear_i,       // after a reset: all words are 0
    input  logic        [PlaceW-1:0] port_i,        // whose words they are
    input  logic                     check_busy_i,
    output logic                     check_o,
    output logic                     accepted_o,
    output logic                     advance_o,
    // what happens
    input  logic        [ PORTS-1:0] accepts_i,
    input  logic        [ PORTS-1:0] reset_i,
    input  logic                     seeding_i,
    input  logic        [      31:0] seed_i,
    // to the ports
    output logic        [ PORTS-1:0] bank_o,        // which set of RED's words is in force
    output order_t      [ PORTS-1:0] order_o,       // except for the flush
    output red_word_t                word_o,
    output queue_word_t              queue_word_o
);

  logic [PORTS-1:0] word_valid, commit_q, codel_reset_q, seed_load_q;
  logic [PORTS-1:0][1:0] law_reset_q, red_load_q;
  logic [31:0] seed;
  for (genvar p = 0; p < PORTS; p++) begin : gen_order
    assign order_o[p] = '{
            flush: 1'b0,
            commit: commit_q[p],
            law_reset: law_reset_q[p],
            red_load: red_load_q[p],
            codel_reset: codel_reset_q[p],
            seed_load: seed_load_q[p],
            seed: seed,
            word_valid: word_valid[p]
        };
  end

  if (RED || CODEL) begin : gen_change
    logic accepted_q, held_q, slow;
    logic [ 1:0] asked_q;  // for the shadow, a cycle and two ago
    logic [ 1:0] again_q;  // for what was accepted
    logic [31:0] shadow_q;
    logic [1:0] law_change, red_change;
    logic codel_change;

    // What takes long to check says so in the cycle of the word; until then it is known by its place.
    assign slow = RED && ask_place_i[5] && (ask_place_i[3:0] inside {
      PlaceRedSlope, PlaceRedGentleSlope, PlaceRedReciprocal
    });
    assign accepted_o = accepted_q;
    assign advance_o = !ask_i || (accepted_q && (held_q || !slow) && !check_busy_i);
    assign check_o = asked_q[1];

    always_ff @(posedge clk_i) begin
      accepted_q <= ask_i && !(accepted_q && advance_o);
      held_q     <= accepted_q && !advance_o;
      asked_q    <= rst_i ? '0 : {asked_q[0], ask_i && !accepted_q};
      again_q    <= rst_i ? '0 : {again_q[0], ask_i && accepted_q};
      if (check_o) shadow_q <= word_i;
    end

    tm_config_change change (
        .clk_i,
        .start_i,
        .compare_i (again_q[1]),
        .place_i,
        .word_i    (shadow_q),
        .accepted_i(word_i),
        .law_o     (law_change),
        .red_o     (red_change),
        .codel_o   (codel_change)
    );

    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      always_ff @(posedge clk_i) begin
        if (rst_i) {commit_q[p], law_reset_q[p], red_load_q[p], codel_reset_q[p]} <= '0;
        else begin
          commit_q[p]      <= accepts_i[p] || reset_i[p];
          law_reset_q[p]   <= {2{reset_i[p]}} | ({2{accepts_i[p]}} & law_change);
          red_load_q[p]    <= {2{accepts_i[p]}} & red_change;
          codel_reset_q[p] <= reset_i[p] || (accepts_i[p] && codel_change);
        end
      end
    end
  end else begin : gen_no_change
    logic unused;
    logic [1:0] asked_q;
    always_ff @(posedge clk_i) asked_q <= rst_i ? '0 : {asked_q[0], ask_i};
    assign unused = ^{start_i, place_i, word_i, check_busy_i, accepts_i, reset_i};
    assign {accepted_o, advance_o, check_o} = {1'b0, 1'b1, asked_q[1]};
    assign {commit_q, law_reset_q, red_load_q, codel_reset_q} = '0;
  end

  if (QUEUES) begin : gen_queues
    always_ff @(posedge clk_i) begin
      queue_word_o <= '{
          valid: check_o && is_of_queues(place_i),
          place: place_i,
          data: word_i[23:0],
          turn: accepts_i != '0
      };
      if (rst_i) {queue_word_o.valid, queue_word_o.turn} <= '0;
    end
  end else begin : gen_one_queue
    assign queue_word_o = '0;
  end

  if (RED) begin : gen_seed
    logic [31:0] seed_q;
    assign seed = rst_i ? 32'd1 : seed_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) seed_q <= 32'd1;
      else if (seeding_i) seed_q <= seed_i;
      if (rst_i) seed_load_q <= '0;
      else seed_load_q <= {PORTS{seeding_i}} | reset_i;
      bank_o <= rst_i ? '0 : bank_o ^ accepts_i;
    end
    tm_config_words #(
        .PORTS(PORTS),
        .LINUX(LINUX)
    ) words (
        .clk_i,
        .rst_i,
        .clear_i,
        .check_i(check_o),
        .port_i,
        .place_i,
        .data_i(word_i),
        .bank_i(bank_o),
        .word_valid_o(word_valid),
        .word_o
    );
  end else begin : gen_no_seed
    logic unused;
    assign unused                       = ^{seeding_i, seed_i, clear_i, port_i};
    assign {bank_o, word_valid, word_o} = '0;
    assign seed_load_q                  = '0;
    assign seed                         = 32'd1;
  end

endmodule
