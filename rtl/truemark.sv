// SPDX-License-Identifier: BSD-3-Clause
// Truemark, the top: an egress queue manager with flat AXI4-Stream and AXI4-Lite ports (docs/README.md).
//
// Contract: one AXI4-Stream in, one for each port out, AXI4-Lite for the registers (docs/registers.md).
// `s_axis_tdest` is a bitmap of ports and `s_axis_tuser[15:0]` the length in bytes without FCS, both on the first
// beat; `s_axis_tuser[16]` on the last beat says that the frame is bad. `m_axis_tuser` is the same: length (steady for
// the frame) and, on the last beat, the error flag. Signals of the outputs are packed, port 0 lowest. With TUSER_W
// above 17, the bits of the first beat's `s_axis_tuser` above the error bit travel with the frame to `m_axis_tuser`.
// `settled_o` tells simulations that whatever came has had its effect (tm_settled).
// `tx_en_i[port]` lets a port take its next frame. `time_i` is used where `time_external_i` is set, else the timebase.
// With MARKED_COPY the bits of a row that marking changes, 80 of them (40 at 64 bits), are kept twice instead of being
// chosen on the way out. Rows in UltraRAM (ULTRA) never are.
module truemark
  import tm_pkg::*;
#(
    parameter int unsigned PORTS = 5,  // 1 to 16
    parameter int unsigned DATA_W = 256,  // 64, 128, 256, 512 or 1024 bits
    parameter int unsigned TUSER_W = 17,  // length, error bit, and what else travels with a frame
    parameter int unsigned ROWS = 512,  // rows of DATA_W/8 bytes per port; one is kept spare
    parameter int unsigned DESCRIPTORS = 508,  // frames per port
    parameter bit ULTRA = 1'b0,  // rows in UltraRAM
    parameter bit MARKED_COPY = 1'b1,  // rows are kept marked as well
    parameter int unsigned MAX_FRAME = 9216,  // bytes
    `include "tm_build.svh"
) (
    input  logic                        clk,
    input  logic                        rst,
    input  logic                        time_external_i,
    input  logic   [         TimeW-1:0] time_i,           // ns
    output logic   [         TimeW-1:0] time_o,           // ns, the time in use
    input  logic   [         PORTS-1:0] tx_en_i,
    // source
    input  logic   [        DATA_W-1:0] s_axis_tdata,
    input  logic   [      DATA_W/8-1:0] s_axis_tkeep,
    input  logic                        s_axis_tvalid,
    output logic                        s_axis_tready,
    input  logic                        s_axis_tlast,
    input  logic   [         PORTS-1:0] s_axis_tdest,
    input  logic   [       TUSER_W-1:0] s_axis_tuser,
    // sinks
    output logic   [  PORTS*DATA_W-1:0] m_axis_tdata,
    output logic   [PORTS*DATA_W/8-1:0] m_axis_tkeep,
    output logic   [         PORTS-1:0] m_axis_tvalid,
    input  logic   [         PORTS-1:0] m_axis_tready,
    output logic   [         PORTS-1:0] m_axis_tlast,
    output logic   [ PORTS*TUSER_W-1:0] m_axis_tuser,
    // registers
    input  logic   [              11:0] s_axil_awaddr,
    input  logic   [               2:0] s_axil_awprot,
    input  logic                        s_axil_awvalid,
    output logic                        s_axil_awready,
    input  logic   [              31:0] s_axil_wdata,
    input  logic   [               3:0] s_axil_wstrb,
    input  logic                        s_axil_wvalid,
    output logic                        s_axil_wready,
    output logic   [               1:0] s_axil_bresp,
    output logic                        s_axil_bvalid,
    input  logic                        s_axil_bready,
    input  logic   [              11:0] s_axil_araddr,
    input  logic   [               2:0] s_axil_arprot,
    input  logic                        s_axil_arvalid,
    output logic                        s_axil_arready,
    output logic   [              31:0] s_axil_rdata,
    output logic   [               1:0] s_axil_rresp,
    output logic                        s_axil_rvalid,
    input  logic                        s_axil_rready,
    // the verdict event of each port, for telemetry (tm_pkg::event_t)
    output event_t [         PORTS-1:0] event_o,
    // departures: a frame sent or dropped at the head, three cycles after its last beat was taken
    output logic   [         PORTS-1:0] depart_valid_o,
    output logic   [    PORTS*LenW-1:0] depart_len_o,
    output logic   [               1:0] settled_o
);

  if (PORTS < 1 || PORTS > 16) begin : gen_ports_error
    $error("PORTS is %0d: 1 to 16 ports are possible", PORTS);
  end
  if (!(DATA_W inside {64, 128, 256, 512, 1024})) begin : gen_width_error
    $error("DATA_W is %0d: it must be 64, 128, 256, 512 or 1024", DATA_W);
  end
  if (RED_LINUX && !RED) begin : gen_linux_error
    $error("RED_LINUX is 1 and RED is 0: Linux's spacing is one of RED");
  end
  if (TUSER_W < 17) begin : gen_tuser_error
    $error("TUSER_W is %0d: length and error bit take 17", TUSER_W);
  end
  if (MAX_FRAME < 64 || MAX_FRAME > (1 << LenW) - DATA_W / 8) begin : gen_frame_error
    $error(
        "MAX_FRAME is %0d: 64 to %0d bytes are possible with DATA_W %0d", MAX_FRAME, (1 << LenW) - DATA_W / 8, DATA_W
    );
  end
  if (ROWS < 2 * (128 / (DATA_W / 8)) + 2) begin : gen_rows_error
    $error("ROWS is %0d: too few for a header window of 128 bytes", ROWS);
  end
  if (ROWS * (DATA_W / 8) + (1 << LenW) > (1 << BytesW)) begin : gen_storage_error
    $error("ROWS is %0d: a port's storage must stay 16 KiB below 16 MiB", ROWS);
  end

  localparam int unsigned UserW = user_pins(BUILD);

  logic [TimeW-1:0] timebase, now;
  cfg_t [PORTS-1:0] cfg;
  order_t [PORTS-1:0] order;
  red_word_t word;
  held_t [PORTS-1:0] held;
  red_view_t [(PORTS+7)/8-1:0] red_view;
  arrival_t [PORTS-1:0] arrival;
  // verilator lint_off UNUSEDSIGNAL
  tally_t tally;  // the counters do not look at its ECN
  // verilator lint_on UNUSEDSIGNAL
  departure_t [PORTS-1:0] departure;
  mishap_t mishap;
  sink_t [PORTS-1:0] sink;
  logic [UserW-1:0] s_user;
  logic [PORTS-1:0][UserW-1:0] m_user;
  logic law_busy, control_busy;

  // The same, field by field.
  logic [PORTS-1:0] flush, flushing, arrive_valid, depart_valid, depart_ece, cut;
  logic [PORTS-1:0] commit, codel_reset, seed_load, word_valid;
  logic [PORTS-1:0][1:0] law_reset, red_load;
  logic [31:0] seed;
  logic [PORTS-1:0][BytesW-1:0] bytes;
  logic [PORTS-1:0][PacketsW-1:0] packets;
  outcome_e [PORTS-1:0] arrive_outcome;
  departure_e [PORTS-1:0] depart_kind;
  class_e [PORTS-1:0] depart_class;
  logic [PORTS-1:0][LenW-1:0] depart_len;
  logic [PORTS-1:0][StampW-1:0] depart_sojourn;
  for (genvar p = 0; p < PORTS; p++) begin : gen_fields
    assign order[p] = '{
            flush: flush[p],
            commit: commit[p],
            law_reset: law_reset[p],
            red_load: red_load[p],
            codel_reset: codel_reset[p],
            seed_load: seed_load[p],
            seed: seed,
            word_valid: word_valid[p]
        };
    assign {bytes[p], packets[p], flushing[p]} = held[p];
    assign {arrive_valid[p], arrive_outcome[p], cut[p]} = arrival[p];
    assign {depart_valid[p], depart_kind[p], depart_class[p], depart_ece[p], depart_len[p], depart_sojourn[p]} =
        departure[p];
    assign m_axis_tvalid[p] = sink[p].valid;
    assign m_axis_tlast[p] = sink[p].last;
  end

  assign now = time_external_i ? time_i : timebase;
  assign {time_o, depart_valid_o, depart_len_o} = {now, depart_valid, depart_len};
  // Ready from the first cycle after reset on, whatever happens.
  always_ff @(posedge clk) s_axis_tready <= !rst;

  tm_core #(
      .BUILD(BUILD)
  ) core (
      .clk_i      (clk),
      .rst_i      (rst),
      .time_i     (now[StampW-1:0]),
      .tx_en_i,
      .s_valid_i  (s_axis_tvalid && s_axis_tready),
      .s_data_i   (s_axis_tdata),
      .s_keep_i   (s_axis_tkeep),
      .s_last_i   (s_axis_tlast),
      .s_dest_i   (s_axis_tdest),
      .s_len_i    (s_axis_tuser[15:0]),
      .s_user_i   (s_user),
      .s_error_i  (s_axis_tuser[16]),
      .m_o        (sink),
      .m_data_o   (m_axis_tdata),
      .m_keep_o   (m_axis_tkeep),
      .m_user_o   (m_user),
      .m_ready_i  (m_axis_tready),
      .cfg_i      (cfg),
      .order_i    (order),
      .word_i     (word),
      .held_o     (held),
      .red_view_o (red_view),
      .law_busy_o (law_busy),
      .event_o,
      .arrival_o  (arrival),
      .tally_o    (tally),
      .departure_o(departure),
      .mishap_o   (mishap)
  );

  if (TUSER_W > 17) begin : gen_user
    assign s_user = s_axis_tuser[TUSER_W-1-:UserW];
    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      assign m_axis_tuser[TUSER_W*p+:TUSER_W] = {m_user[p], sink[p].error, 16'(sink[p].len)};
    end
  end else begin : gen_no_user
    logic unused;
    assign unused = &m_user;
    assign s_user = '0;
    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      assign m_axis_tuser[17*p+:17] = {sink[p].error, 16'(sink[p].len)};
    end
  end

  tm_control #(
      .BUILD(BUILD)
  ) control (
      .clk_i           (clk),
      .rst_i           (rst),
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
      .time_o          (timebase),
      .time_i          (now),
      .cfg_o           (cfg),
      .word_valid_o    (word_valid),
      .word_o          (word),
      .flush_o         (flush),
      .commit_o        (commit),
      .law_reset_o     (law_reset),
      .red_load_o      (red_load),
      .codel_reset_o   (codel_reset),
      .seed_load_o     (seed_load),
      .seed_o          (seed),
      .flushing_i      (flushing),
      .busy_o          (control_busy),
      .bytes_i         (bytes),
      .packets_i       (packets),
      .red_view_i      (red_view),
      .arrive_valid_i  (arrive_valid),
      .arrive_outcome_i(arrive_outcome),
      .arrive_class_i  (tally.class_id),
      .arrive_ece_i    (tally.ece),
      .arrive_len_i    (tally.len),
      .depart_valid_i  (depart_valid),
      .depart_kind_i   (depart_kind),
      .depart_class_i  (depart_class),
      .depart_ece_i    (depart_ece),
      .depart_len_i    (depart_len),
      .depart_sojourn_i(depart_sojourn),
      .cut_short_i     (cut),
      .bad_valid_i     (mishap.valid),
      .bad_kind_i      (mishap.kind),
      .reset_in_frame_i(mishap.reset_in_frame)
  );

  tm_settled #(
      .PORTS(PORTS),
      .RED  (RED),
      .CODEL(CODEL)
  ) settled (
      .clk_i         (clk),
      .rst_i         (rst),
      .time_i        (now[StampW-1:0]),
      .beat_valid_i  (s_axis_tvalid),
      .tx_en_i,
      .row_valid_i   (m_axis_tvalid),
      .packets_i     (packets),
      .control_busy_i(control_busy),
      .law_busy_i    (law_busy),
      .arrive_valid_i(arrive_valid),
      .depart_valid_i(depart_valid),
      .settled_o
  );

endmodule
