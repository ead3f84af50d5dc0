// SPDX-License-Identifier: BSD-3-Clause
// Registers, configuration, counters, watermarks and time of all ports, wired (docs/registers.md).
//
// Contract: AXI4-Lite with one request at a time. `cfg_o` of a port changes as a whole, in one cycle. Events are
// counted in the cycle they come, one arrival and one departure of each port in every cycle. After any but the first
// reset counting begins a sweep of all counters and ClearingRest cycles after its start: one so long loses nothing
// (tm_snapshot).
module tm_control
  import tm_pkg::*;
  import tm_control_pkg::*;
  import tm_pool_pkg::pool_state_t;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input  logic                                       clk_i,
    input  logic                                       rst_i,
    // registers
    input  axil_req_t                                  axil_i,
    output axil_rsp_t                                  axil_o,
    // time
    output logic               [            TimeW-1:0] time_o,        // ns, of the timebase
    input  logic               [            TimeW-1:0] time_i,        // ns, the time in use
    // to the ports
    output cfg_t               [      BUILD.ports-1:0] cfg_o,
    output order_t             [      BUILD.ports-1:0] order_o,
    output red_word_t                                  word_o,
    output queue_word_t                                queue_word_o,
    output logic                                       busy_o,        // an access, a command, what a reset clears
    // from the ports
    input  held_t              [      BUILD.ports-1:0] held_i,
    input  red_view_t          [(BUILD.ports+7)/8-1:0] red_view_i,
    input  pool_state_t                                pool_i,
    input  tm_pfc_pkg::state_t                         pfc_i,
    // events
    input  arrival_t           [      BUILD.ports-1:0] arrival_i,
    input  tally_t                                     tally_i,
    input  departure_t         [      BUILD.ports-1:0] departure_i,
    input  mishap_t                                    mishap_i
);

  // Between two sweeps of a counter (tm_snapshot).
  localparam int unsigned LastCode = last_code(BUILD);
  localparam int unsigned RoundEvents = counters_to(LastCode) * (BUILD.ports + 1) + 24;
  localparam int unsigned PacketsDeltaW = $clog2(RoundEvents + 1);
  localparam int unsigned BytesDeltaW = $clog2(RoundEvents * BUILD.max_frame + 1);

  logic config_req, config_ack;
  access_t request, view_request;
  answer_t view_answer;
  logic [31:0] config_data, time_step;
  logic [PageW-1:0] page;
  logic [3:0] sweep_index;
  fault_e fault;
  command_reg_t command;
  query_reg_t query;
  status_reg_t status;
  logic commit_busy, refused, snapshot_busy, query_busy, flush_busy_q;
  total_t sum;
  logic bank, hold, snapshot;
  logic [BUILD.ports-1:0] sweep_port, page_port_q, flushing;
  order_t [BUILD.ports-1:0] order;
  incidents_t [BUILD.ports-1:0] incidents;
  logic [4:0] sweep_code;
  logic [PacketsDeltaW+BytesDeltaW-1:0] swept;

  tm_regs_bus #(
      .QUEUES (BUILD.queues > 1),
      .SHAPING(BUILD.shaping),
      .POOL   (BUILD.pool),
      .PFC    (BUILD.pfc)
  ) registers (
      .clk_i,
      .rst_i,
      .axil_i,
      .axil_o,
      .access_o(request),
      .answer_i('{ack: config_ack || view_answer.ack, data: config_data | view_answer.data})
  );

  assign status = '{flush_busy_q, query_busy, snapshot_busy, fault, 6'b0, refused, commit_busy};

  // The shadow and the seed answer for themselves, the views for all else. A request stands a cycle before it is valid.
  logic of_config_q;
  always_ff @(posedge clk_i) begin
    of_config_q <= request.index[7] || request.index[7:3] == RegControl[7:3] || request.index == RegSeed;
  end
  assign config_req = request.valid && of_config_q;
  always_comb begin
    view_request       = request;
    view_request.valid = request.valid && !config_req;
  end

  // A cycle late: no access follows one to the page so soon.
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < BUILD.ports; p++) page_port_q[p] <= page == PageW'(p);
  end

  // A soft reset clears the watermarks until the flush is over and the last byte of it has been given back.
  logic [5:0][BUILD.ports-1:0] resetting_q;
  logic [BUILD.ports-1:0] clear_watermarks, clear_watermarks_q;
  always_ff @(posedge clk_i) begin
    clear_watermarks_q <= clear_watermarks;
    resetting_q <= {resetting_q[4:0], (page_port_q & {BUILD.ports{command.soft_reset}}) | (resetting_q[0] & flushing)};
    if (rst_i) resetting_q <= '0;
  end
  assign clear_watermarks = (page_port_q & {BUILD.ports{command.clear_watermarks}}) |
                            resetting_q[0] | resetting_q[1] | resetting_q[2] | resetting_q[3] | resetting_q[4] |
                            resetting_q[5];

  for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
    assign flushing[p]  = held_i[p].flushing;
    assign incidents[p] = '{cut_short: arrival_i[p].cut};
    always_comb begin
      order_o[p]       = order[p];
      order_o[p].flush = page_port_q[p] && (command.flush || command.soft_reset);
    end
  end

  // A cycle late: ports are far from the registers, and no access follows a command so soon.
  always_ff @(posedge clk_i) flush_busy_q <= |(page_port_q & flushing) && !rst_i;
  assign busy_o = request.valid || command != '0 || commit_busy || snapshot_busy || query_busy ||
      |(flushing | clear_watermarks | clear_watermarks_q);

  tm_views #(
      .BUILD(BUILD)
  ) views (
      .clk_i,
      .rst_i,
      .access_i   (view_request),
      .answer_o   (view_answer),
      .time_step_o(time_step),
      .page_o     (page),
      .command_o  (command),
      .query_o    (query),
      .time_i,
      .snapshot_i (snapshot),
      .status_i   (status),
      .sum_i      (sum),
      .page_port_i(page_port_q),
      .clear_i    (clear_watermarks_q),
      .held_i,
      .red_view_i,
      .pool_i,
      .pfc_i,
      .departure_i,
      .incidents_i(incidents),
      .mishap_i
  );

  tm_timebase timebase (
      .clk_i,
      .rst_i,
      .step_i(time_step),
      .time_o
  );

  tm_config #(
      .BUILD(BUILD)
  ) configuration (
      .clk_i,
      .rst_i,
      .req_i    (config_req),
      .write_i  (request.write),
      .index_i  (request.index),
      .data_i   (request.data),
      .strobe_i (request.strobe),
      .ack_o    (config_ack),
      .data_o   (config_data),
      .commit_i (command.commit),
      .load_i   (command.load),
      .reset_i  (page_port_q & {BUILD.ports{command.soft_reset}}),
      .page_i   (page),
      .busy_o   (commit_busy),
      .refused_o(refused),
      .fault_o  (fault),
      .cfg_o,
      .order_o  (order),
      .word_o,
      .queue_word_o
  );

  tm_counters #(
      .PORTS    (BUILD.ports),
      .QUEUES   (BUILD.queues),
      .PACKETS_W(PacketsDeltaW),
      .BYTES_W  (BytesDeltaW),
      .LAST_CODE(LastCode),
      .ROW_BYTES(BUILD.data_w / 8)
  ) counters (
      .clk_i,
      .rst_i,
      .arrival_i,
      .tally_i,
      .departure_i,
      .bank_i       (bank),
      .hold_i       (hold),
      .sweep_port_i (sweep_port),
      .sweep_code_i (sweep_code),
      .sweep_index_i(sweep_index),
      .swept_o      (swept)
  );

  tm_snapshot #(
      .PORTS    (BUILD.ports),
      .MAX_FRAME(BUILD.max_frame),
      .PACKETS_W(PacketsDeltaW),
      .BYTES_W  (BytesDeltaW),
      .LAST_CODE(LastCode)
  ) snapshots (
      .clk_i,
      .rst_i,
      .snapshot_i     (command.snapshot),
      .query_i        (command.query),
      .page_i         (page),
      .select_i       (query),
      .snapshot_busy_o(snapshot_busy),
      .query_busy_o   (query_busy),
      .sum_o          (sum),
      .bank_o         (bank),
      .hold_o         (hold),
      .sweep_port_o   (sweep_port),
      .sweep_code_o   (sweep_code),
      .sweep_index_o  (sweep_index),
      .swept_i        (swept),
      .snapshot_o     (snapshot)
  );

endmodule
