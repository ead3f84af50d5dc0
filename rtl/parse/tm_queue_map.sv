// SPDX-License-Identifier: BSD-3-Clause
// Which queue of its line takes a frame: one lookup for all its copies, in the table that the mode says.
//
// Contract: `queue_o` (one bit for each queue) and `by_class_o` stand from one cycle after ecn_valid_i, or, where
// `by_class_o` is 1, after flags_valid_i, until the next frame's. Tables are kept twice: words go to the set that is
// not in force, and `turn` puts it in force, for strobes from the next cycle on. The mode of a frame is the one in
// force at its ecn_valid_i. After a reset every frame goes to queue 0.
module tm_queue_map
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter int unsigned QUEUES = 4,  // of a line: 2, 4 or 8
    parameter bit FLAGS_VERDICT = 1'b1  // there is a mode by class
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    // from control
    input  queue_word_t              word_i,
    // from the header walk: one cycle before meta has it
    input  logic                     ecn_valid_i,
    input  l3_e                      l3_i,
    input  ecn_e                     ecn_i,          // if it is IP
    input  logic        [       5:0] dscp_i,
    input  logic                     has_tag_i,
    input  logic        [       2:0] pcp_i,
    input  logic                     flags_valid_i,
    input  class_e                   class_i,
    input  logic                     ece_i,
    // to the ports
    output logic        [QUEUES-1:0] queue_o,
    output logic                     by_class_o
);

  localparam int unsigned QueueW = $clog2(QUEUES);

  typedef logic [7:0][2:0] row_t;  // eight entries, as a word of a table has them

  // ---- two sets ----
  logic bank_q;  // the one in force
  logic by_table, is_settings;
  queue_settings_reg_t given, next_q, settings_q;
  assign given       = word_i.data[$bits(given)-1:0];
  assign is_settings = word_i.place == PlaceQueueSettings;
  assign by_table    = word_i.valid && !is_settings;

  always_ff @(posedge clk_i) begin
    if (word_i.valid && is_settings) next_q <= given;
    if (word_i.turn) {bank_q, settings_q} <= {!bank_q, next_q};
    if (rst_i) {bank_q, settings_q} <= '0;
  end

  // ---- by what the ECN field comes with: eight rows by DSCP, and one each by PCP and codepoint ----
  // The mode chooses behind the memories: nothing stands in front of their addresses.
  row_t dscp_row, other_row;
  tm_prim_lut_ram #(
      .WIDTH($bits(row_t)),
      .DEPTH(16)
  ) by_dscp (
      .clk_i,
      .wr_en_i  (by_table && !word_i.place[4]),
      .wr_addr_i({!bank_q, word_i.place[2:0]}),
      .wr_data_i(word_i.data),
      .rd_addr_i({bank_q, dscp_i[5:3]}),
      .rd_data_o(dscp_row)
  );
  tm_prim_lut_ram #(
      .WIDTH($bits(row_t)),
      .DEPTH(4)
  ) by_other (
      .clk_i,
      .wr_en_i  (by_table && (word_i.place inside {PlaceQueuePcp, PlaceQueueEcn})),
      .wr_addr_i({!bank_q, word_i.place == PlaceQueueEcn}),
      .wr_data_i(word_i.data),
      .rd_addr_i({bank_q, settings_q.mode == QueueModeEcn}),
      .rd_data_o(other_row)
  );

  logic [2:0] entry;
  logic listed;  // the table speaks of the frame
  always_comb begin
    unique case (settings_q.mode)
      QueueModeDscp: {entry, listed} = {dscp_row[dscp_i[2:0]], l3_i != L3None};
      QueueModePcp:  {entry, listed} = {other_row[pcp_i], has_tag_i};
      QueueModeEcn:  {entry, listed} = {other_row[{1'b0, ecn_i}], l3_i != L3None};
      default:       {entry, listed} = '0;
    endcase
  end

  // ---- by class: a row without the ECE flag, and one with it ----
  row_t class_row;
  tm_prim_lut_ram #(
      .WIDTH($bits(row_t)),
      .DEPTH(4)
  ) classes (
      .clk_i,
      .wr_en_i  (by_table && (word_i.place inside {PlaceQueueClass, PlaceQueueClassEce})),
      .wr_addr_i({!bank_q, word_i.place == PlaceQueueClassEce}),
      .wr_data_i(word_i.data),
      .rd_addr_i({bank_q, ece_i}),
      .rd_data_o(class_row)
  );

  // ---- the frame's ----
  logic [QueueW-1:0] queue, class_queue;
  logic by_class;
  assign queue       = QueueW'(listed ? entry : settings_q.default_queue);
  assign class_queue = QueueW'(class_row[class_i]);
  assign by_class    = FLAGS_VERDICT && (ecn_valid_i ? settings_q.mode == QueueModeClassEce : by_class_o);

  always_ff @(posedge clk_i) begin
    by_class_o <= by_class;
    if (ecn_valid_i) queue_o <= QUEUES'(1) << queue;
    if (flags_valid_i && by_class) queue_o <= QUEUES'(1) << class_queue;
  end

  logic unused;
  assign unused = &{given.unused_3, settings_q.unused_3};

endmodule
