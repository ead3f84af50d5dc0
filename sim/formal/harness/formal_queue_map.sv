// SPDX-License-Identifier: BSD-3-Clause
// Which queue takes a frame: any words in any order, any frames, and one entry of the tables that is watched.
//
// The watched entry is any of all tables, and stays the same. Next to it stands what the contract says of it: a word
// goes to the set that is not in force, and `turn` exchanges the two.
module formal_queue_map
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter int unsigned QUEUES = 8
) (
    input logic              clk_i,
    input queue_word_t       word_i,
    input logic              ecn_valid_i,
    input l3_e               l3_i,
    input ecn_e              ecn_i,
    input logic        [5:0] dscp_i,
    input logic              has_tag_i,
    input logic        [2:0] pcp_i,
    input logic              flags_valid_i,
    input class_e            class_i,
    input logic              ece_i,
    input place_t            place_i,        // the watched entry's word
    input logic        [2:0] column_i        // and where it stands there
);

  localparam int unsigned QueueW = $clog2(QUEUES);
  typedef logic [7:0][2:0] row_t;  // eight entries, as a word of a table has them

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [QUEUES-1:0] queue;
  logic by_class;
  tm_queue_map #(
      .QUEUES(QUEUES)
  ) dut (
      .clk_i,
      .rst_i     (!started_q),
      .word_i,
      .ecn_valid_i,
      .l3_i,
      .ecn_i,
      .dscp_i,
      .has_tag_i,
      .pcp_i,
      .flags_valid_i,
      .class_i,
      .ece_i,
      .queue_o   (queue),
      .by_class_o(by_class)
  );

  // ---- the contract ----
  // Its gap is not looked at.
  // verilator lint_off UNUSEDSIGNAL
  queue_settings_reg_t given, next_q, settings_q;
  // verilator lint_on UNUSEDSIGNAL
  logic [1:0][2:0] entry_q;  // in force, and not
  logic [1:0] known_q;  // has been written
  logic next_known_q;  // so have the settings
  logic mine;
  row_t given_row;
  assign given = word_i.data[$bits(given)-1:0];
  assign given_row = word_i.data;
  assign mine = word_i.valid && word_i.place == place_i;

  always_ff @(posedge clk_i) begin
    if (word_i.valid && word_i.place == PlaceQueueSettings) {next_q, next_known_q} <= {given, 1'b1};
    if (word_i.turn) {settings_q, entry_q, known_q} <= {next_q, entry_q[0], entry_q[1], known_q[0], known_q[1]};
    if (mine) {entry_q[!word_i.turn], known_q[!word_i.turn]} <= {given_row[column_i], 1'b1};
    if (!started_q) {settings_q, known_q, next_known_q} <= '0;
  end

  // ---- what a frame asks for ----
  logic listed, asked, fixed;  // by the table of the mode; of the watched entry; not of any table
  place_t asked_place;
  logic [2:0] asked_column;
  always_comb begin
    {asked_place, asked_column, listed} = '0;
    case (settings_q.mode)
      QueueModeDscp: {asked_place, asked_column, listed} = {3'b0, dscp_i, l3_i != L3None};
      QueueModePcp: {asked_place, asked_column, listed} = {PlaceQueuePcp, pcp_i, has_tag_i};
      QueueModeEcn: {asked_place, asked_column, listed} = {PlaceQueueEcn, 1'b0, ecn_i, l3_i != L3None};
      default: ;
    endcase
  end
  assign asked = listed && asked_place == place_i && asked_column == column_i && known_q[0];
  assign fixed = !listed && settings_q.mode != QueueModeClassEce;

  // The rows of the watched entry.
  row_t kept, next, class_kept, class_next;
  logic by_class_entry;
  assign by_class_entry = place_i inside {PlaceQueueClass, PlaceQueueClassEce};
  always_comb begin
    kept = dut.by_other.words[{dut.bank_q, place_i==PlaceQueueEcn}];
    next = dut.by_other.words[{!dut.bank_q, place_i==PlaceQueueEcn}];
    if (!place_i[4]) begin
      kept = dut.by_dscp.words[{dut.bank_q, place_i[2:0]}];
      next = dut.by_dscp.words[{!dut.bank_q, place_i[2:0]}];
    end
  end
  assign class_kept = dut.classes.words[{dut.bank_q, place_i==PlaceQueueClassEce}];
  assign class_next = dut.classes.words[{!dut.bank_q, place_i==PlaceQueueClassEce}];

  logic [QUEUES-1:0] queue_q, asked_queue_q;  // a cycle ago
  logic asked_q, told_q, class_asked_q, by_class_q;
  logic [$bits(place_i)+2:0] watched_q;
  always_ff @(posedge clk_i) begin
    watched_q <= {place_i, column_i};
    queue_q <= queue;
    by_class_q <= ecn_valid_i ? settings_q.mode == QueueModeClassEce : by_class;
    told_q <= !started_q || ecn_valid_i || (flags_valid_i && by_class);
    asked_q <= started_q && ecn_valid_i && !flags_valid_i && (asked || fixed);
    class_asked_q <= started_q && flags_valid_i && known_q[0] && class_i == class_e'(column_i) &&
        (ecn_valid_i ? settings_q.mode == QueueModeClassEce : by_class) &&
        place_i == (ece_i ? PlaceQueueClassEce : PlaceQueueClass);
    asked_queue_q <= QUEUES'(1) << QueueW'(fixed && !flags_valid_i ? settings_q.default_queue : entry_q[0]);

    // The tables that there are; what control sends comes as it reads: a word or a turn.
    Watched_M : assume (is_of_queues(place_i) && place_i != PlaceQueueSettings);
    Place_M : assume (!word_i.valid || is_of_queues(word_i.place));
    Turn_M : assume (!word_i.turn || (next_known_q && !word_i.valid));
    Steady_M : assume (!started_q || {place_i, column_i} == watched_q);
    Class_M : assume (class_i <= Ack);

    if (started_q) begin
      Kept_A : assert (!known_q[0] || by_class_entry || entry_q[0] == kept[column_i]);
      Next_A : assert (!known_q[1] || by_class_entry || entry_q[1] == next[column_i]);
      KeptClass_A : assert (!known_q[0] || !by_class_entry || entry_q[0] == class_kept[column_i]);
      NextClass_A : assert (!known_q[1] || !by_class_entry || entry_q[1] == class_next[column_i]);
      Settings_A :
      assert ({dut.settings_q.mode, dut.settings_q.default_queue} == {settings_q.mode, settings_q.default_queue});
      NextSettings_A :
      assert (!next_known_q || {dut.next_q.mode, dut.next_q.default_queue} == {next_q.mode, next_q.default_queue});
      Asked_A : assert (!asked_q || queue == asked_queue_q);
      Class_A : assert (!class_asked_q || queue == asked_queue_q);
      ByClass_A : assert (by_class == by_class_q);
      Stays_A : assert (told_q || queue == queue_q);
    end
  end

endmodule
