// SPDX-License-Identifier: BSD-3-Clause
// Registers, configuration, counters, watermarks and time of all ports, wired (docs/registers.md).
//
// Contract: AXI4-Lite with one request at a time. `cfg_o` of a port changes as a whole, in one cycle. Events are
// counted in the cycle they come, one arrival and one departure of each port in every cycle. After any but the first
// reset counting begins 192 * PORTS + 16 cycles (CoDel: 252) after its start: one so long loses nothing (tm_snapshot).
module tm_control
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input logic clk_i,
    input logic rst_i,
    // registers
    input logic [11:0] s_axil_awaddr,
    input logic [2:0] s_axil_awprot,
    input logic s_axil_awvalid,
    output logic s_axil_awready,
    input logic [31:0] s_axil_wdata,
    input logic [3:0] s_axil_wstrb,
    input logic s_axil_wvalid,
    output logic s_axil_wready,
    output logic [1:0] s_axil_bresp,
    output logic s_axil_bvalid,
    input logic s_axil_bready,
    input logic [11:0] s_axil_araddr,
    input logic [2:0] s_axil_arprot,
    input logic s_axil_arvalid,
    output logic s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0] s_axil_rresp,
    output logic s_axil_rvalid,
    input logic s_axil_rready,
    // time
    output logic [TimeW-1:0] time_o,  // ns, of the timebase
    input logic [TimeW-1:0] time_i,  // ns, the time in use
    // to the ports
    output cfg_t [BUILD.ports-1:0] cfg_o,
    output logic [BUILD.ports-1:0] word_valid_o,
    output red_word_t word_o,
    output logic [BUILD.ports-1:0] flush_o,
    output logic [BUILD.ports-1:0] commit_o,
    output logic [BUILD.ports-1:0][1:0] law_reset_o,
    output logic [BUILD.ports-1:0][1:0] red_load_o,
    output logic [BUILD.ports-1:0] codel_reset_o,
    output logic [BUILD.ports-1:0] seed_load_o,
    output logic [31:0] seed_o,
    input logic [BUILD.ports-1:0] flushing_i,
    output logic busy_o,  // an access, a command, what a reset clears
    // from the ports
    input logic [BUILD.ports-1:0][BytesW-1:0] bytes_i,
    input logic [BUILD.ports-1:0][PacketsW-1:0] packets_i,
    input red_view_t [(BUILD.ports+7)/8-1:0] red_view_i,
    // events
    input logic [BUILD.ports-1:0] arrive_valid_i,
    input outcome_e [BUILD.ports-1:0] arrive_outcome_i,
    input class_e arrive_class_i,
    input logic arrive_ece_i,
    input logic [LenW-1:0] arrive_len_i,
    input logic [BUILD.ports-1:0] depart_valid_i,
    input departure_e [BUILD.ports-1:0] depart_kind_i,
    input class_e [BUILD.ports-1:0] depart_class_i,
    input logic [BUILD.ports-1:0] depart_ece_i,
    input logic [BUILD.ports-1:0][LenW-1:0] depart_len_i,
    input logic [BUILD.ports-1:0][StampW-1:0] depart_sojourn_i,
    input logic [BUILD.ports-1:0] cut_short_i,
    input logic bad_valid_i,
    input bad_e bad_kind_i,
    input logic reset_in_frame_i
);

  // Between two sweeps of a counter (tm_snapshot).
  localparam int unsigned RoundEvents = (PlainCounters + (BUILD.codel ? LawCounters : 0)) * (BUILD.ports + 1) + 16;
  localparam int unsigned PacketsDeltaW = $clog2(RoundEvents + 1);
  localparam int unsigned BytesDeltaW = $clog2(RoundEvents * BUILD.max_frame + 1);

  logic req, write, window, ack, config_req, config_ack, view_ack;
  logic [7:0] index;
  logic [31:0] wdata, rdata, config_data, view_data, time_step;
  logic [3:0] strobe, page, sweep_index;
  fault_e fault;
  command_reg_t command;
  query_reg_t query;
  status_reg_t status;
  logic commit_busy, refused, snapshot_busy, query_busy, flush_busy;
  logic [47:0] sum_packets, sum_bytes;
  logic bank, hold, snapshot;
  logic [BUILD.ports-1:0] sweep_port, page_port;
  logic [4:0] sweep_code;
  logic [PacketsDeltaW+BytesDeltaW-1:0] swept;

  tm_regs_bus registers (
      .clk_i,
      .rst_i,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .req_o   (req),
      .write_o (write),
      .window_o(window),
      .index_o (index),
      .data_o  (wdata),
      .strobe_o(strobe),
      .ack_i   (ack),
      .data_i  (rdata)
  );

  assign status     = '{flush_busy, query_busy, snapshot_busy, fault, 6'b0, refused, commit_busy};

  // The shadow and the seed answer for themselves, the views for all else.
  assign config_req = req && (index[7] || index[7:3] == RegControl[7:3] || index == RegSeed);
  assign ack        = config_ack || view_ack;
  assign rdata      = config_data | view_data;

  always_comb begin
    page_port = '0;
    for (int unsigned p = 0; p < BUILD.ports; p++) page_port[p] = page == 4'(p);
  end

  // A soft reset clears the watermarks until the flush is over and the last byte of it has been given back.
  logic [2:0][BUILD.ports-1:0] resetting_q;
  logic [BUILD.ports-1:0] clear_watermarks;
  always_ff @(posedge clk_i) begin
    resetting_q <= {resetting_q[1:0], (page_port & {BUILD.ports{command.soft_reset}}) | (resetting_q[0] & flushing_i)};
    if (rst_i) resetting_q <= '0;
  end
  assign clear_watermarks = (page_port & {BUILD.ports{command.clear_watermarks}}) |
                            resetting_q[0] | resetting_q[1] | resetting_q[2];

  assign flush_o = (command.flush || command.soft_reset) ? page_port : '0;
  assign flush_busy = |(page_port & flushing_i);
  assign busy_o = req || commit_busy || snapshot_busy || query_busy || |(flushing_i | clear_watermarks);

  tm_views #(
      .BUILD(BUILD)
  ) views (
      .clk_i,
      .rst_i,
      .req_i        (req && !config_req),
      .write_i      (write),
      .window_i     (window),
      .index_i      (index),
      .data_i       (wdata),
      .strobe_i     (strobe),
      .ack_o        (view_ack),
      .data_o       (view_data),
      .time_step_o  (time_step),
      .page_o       (page),
      .command_o    (command),
      .query_o      (query),
      .time_i,
      .snapshot_i   (snapshot),
      .status_i     (status),
      .sum_packets_i(sum_packets),
      .sum_bytes_i  (sum_bytes),
      .page_port_i  (page_port),
      .clear_i      (clear_watermarks),
      .bytes_i,
      .packets_i,
      .red_view_i,
      .depart_valid_i,
      .depart_kind_i,
      .depart_sojourn_i,
      .cut_short_i,
      .bad_valid_i,
      .bad_kind_i,
      .reset_in_frame_i
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
      .write_i  (write),
      .index_i  (index),
      .data_i   (wdata),
      .strobe_i (strobe),
      .ack_o    (config_ack),
      .data_o   (config_data),
      .commit_i (command.commit),
      .load_i   (command.load),
      .reset_i  (page_port & {BUILD.ports{command.soft_reset}}),
      .page_i   (page),
      .busy_o   (commit_busy),
      .refused_o(refused),
      .fault_o  (fault),
      .cfg_o,
      .word_valid_o,
      .word_o,
      .commit_o,
      .law_reset_o,
      .red_load_o,
      .codel_reset_o,
      .seed_load_o,
      .seed_o
  );

  tm_counters #(
      .PORTS    (BUILD.ports),
      .PACKETS_W(PacketsDeltaW),
      .BYTES_W  (BytesDeltaW),
      .CODEL    (BUILD.codel),
      .ROW_BYTES(BUILD.data_w / 8)
  ) counters (
      .clk_i,
      .rst_i,
      .arrive_valid_i,
      .arrive_outcome_i,
      .arrive_class_i,
      .arrive_ece_i,
      .arrive_len_i,
      .depart_valid_i,
      .depart_kind_i,
      .depart_class_i,
      .depart_ece_i,
      .depart_len_i,
      .depart_sojourn_i,
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
      .CODEL    (BUILD.codel)
  ) snapshots (
      .clk_i,
      .rst_i,
      .snapshot_i        (command.snapshot),
      .query_i           (command.query),
      .page_i            (page),
      .query_code_i      ({query.code_high, query.code}),
      .query_code_mask_i ({query.code_mask_high, query.code_mask}),
      .query_index_i     (query.class_ece),
      .query_index_mask_i(query.class_ece_mask),
      .snapshot_busy_o   (snapshot_busy),
      .query_busy_o      (query_busy),
      .sum_packets_o     (sum_packets),
      .sum_bytes_o       (sum_bytes),
      .bank_o            (bank),
      .hold_o            (hold),
      .sweep_port_o      (sweep_port),
      .sweep_code_o      (sweep_code),
      .sweep_index_o     (sweep_index),
      .swept_i           (swept),
      .snapshot_o        (snapshot)
  );

endmodule
