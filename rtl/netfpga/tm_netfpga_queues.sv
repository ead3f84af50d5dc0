// SPDX-License-Identifier: BSD-3-Clause
// The queues of `truemark` behind NetFPGA's `tuser`, with NetFPGA's registers in front of Truemark's own.
//
// Contract:
// * Of a frame's first `s_tuser_i` bits 15:0 are the length in bytes without FCS and bits 31:24 the destinations: queue
//   p takes bit 24 + 2p, the last queue (the host) any of the odd bits between. The whole of it leaves with each copy
//   and stands on `m_tuser_o` for all of the frame.
// * With PFC bits 23:16 are the port that it came in by, as destinations are: bit 16 + 2p is port p, any odd one the
//   last port; with several the lowest port counts, with none no port. `pfc_xoff_o` is truemark's.
// * `s_error_i` on the last beat says that the frame is bad, as `truemark` has it; NetFPGA's own streams cannot say so.
// * Registers: 0x000 to 0x0FF NetFPGA's, above them Truemark's. One request at a time, as tm_axil_crossing makes them.
// * `stored_o`, `dropped_o` pulse when a frame has arrived, one bit for each copy: every copy is one or the other, also
//   of a runt or of a frame over MAX_FRAME. `removed_o` pulses when one has left.
module tm_netfpga_queues
  import tm_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,  // the last port is the host's
    localparam int unsigned TuserW = BUILD.tuser_w - 1,  // without the error bit that the core has above the length
    localparam int unsigned BeatBytes = BUILD.data_w / 8,
    localparam int unsigned LenBits = 16  // of `tuser`
) (
    input  logic                                               clk_i,
    input  logic                                               rst_i,
    // from the lookup
    input  logic [         BUILD.data_w-1:0]                   s_tdata_i,
    input  logic [            BeatBytes-1:0]                   s_tkeep_i,
    input  logic [               TuserW-1:0]                   s_tuser_i,
    input  logic                                               s_tvalid_i,
    output logic                                               s_tready_o,
    input  logic                                               s_tlast_i,
    input  logic                                               s_error_i,
    // to the sinks
    output logic [          BUILD.ports-1:0][BUILD.data_w-1:0] m_tdata_o,
    output logic [BUILD.ports*BeatBytes-1:0]                   m_tkeep_o,
    output logic [          BUILD.ports-1:0][      TuserW-1:0] m_tuser_o,
    output logic [          BUILD.ports-1:0]                   m_tvalid_o,
    input  logic [          BUILD.ports-1:0]                   m_tready_i,
    output logic [          BUILD.ports-1:0]                   m_tlast_o,
    // registers
    input  logic                                               req_i,
    input  logic                                               write_i,
    input  logic [                     11:0]                   addr_i,
    input  logic [                     31:0]                   data_i,
    input  logic [                      3:0]                   strobe_i,
    output logic                                               ack_o,
    output logic [                     31:0]                   data_o,
    output logic                                               error_o,
    // events
    output logic [          BUILD.ports-1:0]                   stored_o,
    output logic [          BUILD.ports-1:0]                   dropped_o,
    output logic [              LenBits-1:0]                   arrive_len_o,
    output logic [          BUILD.ports-1:0]                   removed_o,
    output logic [          BUILD.ports-1:0][        LenW-1:0] removed_len_o,
    output logic [          BUILD.ports-1:0][             7:0] pfc_xoff_o
);

  localparam int unsigned Source = 16, Destination = 24;
  localparam logic [3:0] NoSource = '1;

  if (TuserW < Destination + 2 * BUILD.ports - 2) begin : gen_tuser_error
    $error("TuserW is %0d: the destination bits of %0d ports do not fit", TuserW, BUILD.ports);
  end

  if (BUILD.queues != 1) begin : gen_queues_error
    $error("QUEUES is %0d: behind NetFPGA's tuser a port has one queue", BUILD.queues);
  end

  if (BUILD.pfc && BUILD.ports > 5) begin : gen_source_error
    $error("PFC is 1 and PORTS is %0d: a source is one of 5 ports", BUILD.ports);
  end

  logic [BUILD.ports-1:0] dest, taken_q, last_q;
  logic [BUILD.ports-1:0][BUILD.tuser_w-1:0] m_user;
  logic [TimeW-1:0] unused_time;
  logic [1:0] unused_settled;
  event_t [BUILD.ports-1:0] events;

  always_comb begin
    dest = '0;
    for (int unsigned p = 0; p < BUILD.ports - 1; p++) begin
      dest[p] = s_tuser_i[Destination+2*p];
      if (s_tuser_i[Destination+2*p+1]) dest[BUILD.ports-1] = 1'b1;
    end
  end

  logic [3:0] source;
  if (BUILD.pfc) begin : gen_source
    always_comb begin
      source = NoSource;
      for (int unsigned p = 0; p < BUILD.ports - 1; p++) if (s_tuser_i[Source+2*p+1]) source = 4'(BUILD.ports - 1);
      for (int unsigned p = BUILD.ports - 1; p > 0; p--) if (s_tuser_i[Source+2*p-2]) source = 4'(p - 1);
    end
  end else begin : gen_no_source
    assign source = '0;
  end

  // ---- copies that the core refuses at the first beat ----
  // It offers no port a frame that promises less than a header or more than MAX_FRAME. (With STORE_AND_FORWARD it
  // counts, and judges every frame.) The core reports a frame so many cycles after its last beat: as late after this
  // first beat no other frame's report comes.
  localparam int unsigned ReportLate = 4 + class_wait(BUILD);
  logic beat, in_frame_q, impossible;
  logic [BUILD.ports-1:0] refused;
  logic [LenBits-1:0] refused_len;

  assign beat = s_tvalid_i && s_tready_o;
  assign impossible = !BUILD.store_and_forward && (s_tuser_i[LenBits-1:0] < LenBits'(MinFrame) ||
                                                   s_tuser_i[LenBits-1:0] > LenBits'(BUILD.max_frame));

  always_ff @(posedge clk_i) begin
    if (beat) in_frame_q <= !s_tlast_i;
    if (rst_i) in_frame_q <= 1'b0;
  end

  tm_delay #(
      .WIDTH  (BUILD.ports + LenBits),
      .CYCLES (ReportLate),
      .CLEARED({{BUILD.ports{1'b1}}, LenBits'(0)})
  ) refusals (
      .clk_i,
      .rst_i,
      .data_i({dest & {BUILD.ports{beat && !in_frame_q && impossible}}, s_tuser_i[LenBits-1:0]}),
      .data_o({refused, refused_len})
  );

  for (genvar p = 0; p < BUILD.ports; p++) begin : gen_port
    logic unused;
    assign unused       = &{m_user[p][LenBits], events[p]};  // NetFPGA's streams have no error bit
    assign m_tuser_o[p] = {m_user[p][BUILD.tuser_w-1:LenBits+1], m_user[p][LenBits-1:0]};
    assign stored_o[p]  = events[p].valid && is_stored(events[p].outcome);
    assign dropped_o[p] = (events[p].valid && !is_stored(events[p].outcome)) || refused[p];
  end

  // The beats that left. Whether one is a frame's last comes out of a memory.
  always_ff @(posedge clk_i) {taken_q, last_q} <= {rst_i ? '0 : m_tvalid_o & m_tready_i, m_tlast_o};

  // ---- pacing ----
  logic [BUILD.ports-1:0][23:0] pace;
  logic [BUILD.ports-1:0] tx_en;
  for (genvar p = 0; p < BUILD.ports; p++) begin : gen_pacer
    tm_pacer #(
        .CODEL(BUILD.codel)
    ) pacer (
        .clk_i,
        .rst_i,
        .rate_i (pace[p]),
        .valid_i(m_tvalid_o[p]),
        .ready_i(m_tready_i[p]),
        .len_i  (m_user[p][LenW-1:0]),
        .taken_i(taken_q[p]),
        .last_i (last_q[p]),
        .tx_en_o(tx_en[p])
    );
  end

  // Every copy of a frame is reported in the same cycle.
  assign arrive_len_o = refused != '0 ? refused_len : LenBits'(events[0].len);

  // ---- registers ----
  logic window, own_ack, own_error, netfpga_ack;
  logic [31:0] own_data, netfpga_data;

  assign window  = addr_i[11:8] == '0;
  assign ack_o   = own_ack || netfpga_ack;
  assign data_o  = netfpga_ack ? netfpga_data : own_data;
  assign error_o = own_ack && own_error;

  tm_netfpga_registers #(
      .PORTS(BUILD.ports)
  ) netfpga_registers (
      .clk_i,
      .rst_i,
      .req_i        (req_i && window),
      .write_i,
      .index_i      (addr_i[7:2]),
      .data_i,
      .strobe_i,
      .ack_o        (netfpga_ack),
      .data_o       (netfpga_data),
      .in_i         (beat && s_tlast_i),
      .out_i        (taken_q & last_q),
      .stored_i     (stored_o),
      .dropped_i    (dropped_o),
      .arrive_len_i (arrive_len_o),
      .removed_i    (removed_o),
      .removed_len_i(removed_len_o),
      .pace_o       (pace)
  );

  logic [11:0] awaddr, araddr;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [31:0] wdata, rdata;
  logic [3:0] wstrb;
  logic [1:0] bresp, rresp;

  tm_axil_request own_registers (
      .clk_i,
      .rst_i,
      .req_i         (req_i && !window),
      .write_i,
      .addr_i,
      .data_i,
      .strobe_i,
      .ack_o         (own_ack),
      .data_o        (own_data),
      .error_o       (own_error),
      .m_axil_awaddr (awaddr),
      .m_axil_awvalid(awvalid),
      .m_axil_awready(awready),
      .m_axil_wdata  (wdata),
      .m_axil_wstrb  (wstrb),
      .m_axil_wvalid (wvalid),
      .m_axil_wready (wready),
      .m_axil_bresp  (bresp),
      .m_axil_bvalid (bvalid),
      .m_axil_bready (bready),
      .m_axil_araddr (araddr),
      .m_axil_arvalid(arvalid),
      .m_axil_arready(arready),
      .m_axil_rdata  (rdata),
      .m_axil_rresp  (rresp),
      .m_axil_rvalid (rvalid),
      .m_axil_rready (rready)
  );

  truemark #(
      `include "tm_build_of.svh"
  ) queues (
      .clk            (clk_i),
      .rst            (rst_i),
      .time_external_i(1'b0),
      .time_i         ('0),
      .time_o         (unused_time),
      .tx_en_i        (tx_en),
      .pfc_pause_i    ('0),
      .s_axis_tdata   (s_tdata_i),
      .s_axis_tkeep   (s_tkeep_i),
      .s_axis_tvalid  (s_tvalid_i),
      .s_axis_tready  (s_tready_o),
      .s_axis_tlast   (s_tlast_i),
      .s_axis_tdest   (dest),
      .s_axis_tid     (source),
      .s_axis_tuser   ({s_tuser_i[TuserW-1:LenBits], s_error_i, s_tuser_i[LenBits-1:0]}),
      .m_axis_tdata   (m_tdata_o),
      .m_axis_tkeep   (m_tkeep_o),
      .m_axis_tvalid  (m_tvalid_o),
      .m_axis_tready  (m_tready_i),
      .m_axis_tlast   (m_tlast_o),
      .m_axis_tuser   (m_user),
      .s_axil_awaddr  (awaddr),
      .s_axil_awprot  ('0),
      .s_axil_awvalid (awvalid),
      .s_axil_awready (awready),
      .s_axil_wdata   (wdata),
      .s_axil_wstrb   (wstrb),
      .s_axil_wvalid  (wvalid),
      .s_axil_wready  (wready),
      .s_axil_bresp   (bresp),
      .s_axil_bvalid  (bvalid),
      .s_axil_bready  (bready),
      .s_axil_araddr  (araddr),
      .s_axil_arprot  ('0),
      .s_axil_arvalid (arvalid),
      .s_axil_arready (arready),
      .s_axil_rdata   (rdata),
      .s_axil_rresp   (rresp),
      .s_axil_rvalid  (rvalid),
      .s_axil_rready  (rready),
      .event_o        (events),
      .depart_valid_o (removed_o),
      .depart_len_o   (removed_len_o),
      .pfc_xoff_o,
      .settled_o      (unused_settled)
  );

endmodule
