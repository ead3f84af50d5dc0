// SPDX-License-Identifier: BSD-3-Clause
// Priority-based flow control of a build, next to its pool: whose a frame is, which classes of which source must pause,
// and which queues are paused.
//
// Contract: a frame's source is `s_source_i`, and its class the priority of its outer tag (802.1Q, 802.1ad), with its
// first beat on the pins; without a tag it is of class 0, and of any class if it ends within its tag. Sources are the
// numbers of ports; frames of another source count for none. Levels are tm_pfc_pool's. A queue is paused (`paused_o`)
// from the cycle after `pause_i`, its line's, has one of the classes of `paused_by` until the cycle after it has none.
// Without PFC nobody must pause, and no queue is paused.
module tm_pfc_ports
  import tm_pkg::build_t;
  import tm_pkg::cfg_t;
  import tm_pkg::class_wait;
  import tm_pkg::DefaultBuild;
  import tm_pkg::MaxLines;
  import tm_pool_pkg::*;
  import tm_pfc_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    localparam int unsigned Lines = BUILD.ports / BUILD.queues
) (
    // verilator lint_off UNUSEDSIGNAL
    input  logic                                        clk_i,
    input  logic                                        rst_i,
    // from the source, in the cycle of the pins
    input  logic        [BUILD.data_w-1:0]              s_data_i,
    input  logic        [             3:0]              s_source_i,
    // from the lines' link partners
    input  logic        [       Lines-1:0][Classes-1:0] pause_i,
    // from the pool
    input  pool_state_t                                 pool_i,
    // config
    input  cfg_t        [ BUILD.ports-1:0]              cfg_i,
    // verilator lint_on UNUSEDSIGNAL
    // to the ports
    output logic        [ BUILD.ports-1:0][Classes-1:0] xoff_o,
    output logic        [ BUILD.ports-1:0]              paused_o,
    // to the registers
    output state_t                                      state_o
);

  if (BUILD.pfc) begin : gen_levels
    if (!BUILD.pool) begin : gen_pool_error
      $error("PFC is 1 and POOL is 0: levels follow a pool's cells");
    end
    if (BUILD.store_and_forward) begin : gen_stored_error
      $error("PFC and STORE_AND_FORWARD are 1: a frame that is stored before its verdict takes others' headroom");
    end
    if (BUILD.data_w < 128) begin : gen_width_error
      $error("PFC is 1 and DATA_W is %0d: a frame's tag must be in its first beat, from 128 bits on", BUILD.data_w);
    end

    localparam int unsigned Cells = cells(BUILD);
    localparam int unsigned CellW = $clog2(Cells);
    // Frames come in by ports, of which the first have registers here; and from elsewhere.
    localparam int unsigned Kept = (BUILD.ports < MaxLines) ? BUILD.ports : MaxLines;
    localparam int unsigned Sources = (Kept < MaxLines) ? Kept + 1 : MaxLines;
    localparam int unsigned SourceW = $clog2(Sources);
    // From the pins to the row on the beat bus, and to the cell it is written to.
    localparam int unsigned Begins = 1 + class_wait(BUILD) + 2;

    // ---- whose the frame is that begins in the pool ----
    logic has_tag;
    logic [2:0] s_class, frame_class;
    logic [SourceW-1:0] s_source, source;
    assign s_source = (32'(s_source_i) < Sources) ? s_source_i[SourceW-1:0] : SourceW'(Sources - 1);
    assign has_tag  = {s_data_i[8*12+:8], s_data_i[8*13+:8]} inside {CustomerTag, ServiceTag};
    assign s_class  = has_tag ? s_data_i[8*14+5+:3] : '0;

    tm_delay #(
        .WIDTH (SourceW + 3),
        .CYCLES(Begins)
    ) of_frame (
        .clk_i,
        .rst_i (1'b0),
        .data_i({s_source, s_class}),
        .data_o({source, frame_class})
    );

    // ---- what is configured ----
    threshold_t threshold_q;
    logic [CellW:0] kept, kept_q;
    logic [Sources-1:0][ CellsW-1:0] headroom_q;
    logic [Sources-1:0][Classes-1:0] lossless_q;
    always_comb begin
      kept = '0;
      for (int unsigned p = 0; p < BUILD.ports; p++) kept += (CellW + 1)'(cfg_i[p].pool_share.headroom);
    end
    always_ff @(posedge clk_i) begin
      kept_q <= kept;
      threshold_q <= '{
          dynamic_limit: cfg_i[0].pfc.dynamic_limit,
          alpha: cfg_i[0].pfc.alpha,
          limit: cfg_i[0].pfc.limit,
          xon: cfg_i[0].pfc.xon,
          xon_offset: cfg_i[0].pfc.xon_offset
      };
      {headroom_q, lossless_q} <= '0;
      for (int unsigned p = 0; p < Kept; p++) begin
        headroom_q[p] <= cfg_i[p].pfc.headroom;
        lossless_q[p] <= cfg_i[p].pfc.lossless;
      end
    end

    logic [Sources-1:0][Classes-1:0] xoff;
    logic overrun, fault;
    tm_pfc_pool #(
        .SOURCES   (Sources),
        .CELLS     (Cells),
        .MOST_CELLS(most_cells(BUILD))
    ) levels (
        .clk_i,
        .rst_i,
        .moves_i     (pool_i.moves),
        .free_cells_i(pool_i.free_cells[CellW:0]),
        .source_i    (source),
        .class_i     (frame_class),
        .threshold_i (threshold_q),
        .kept_i      (kept_q),
        .headroom_i  (headroom_q),
        .lossless_i  (lossless_q),
        .xoff_o      (xoff),
        .overrun_o   (overrun),
        .fault_o     (fault)
    );
    assign xoff_o = (BUILD.ports * Classes)'(xoff[Kept-1:0]);

    // ---- which queues are paused ----
    always_ff @(posedge clk_i) begin
      for (int unsigned p = 0; p < BUILD.ports; p++) begin
        paused_o[p] <= (pause_i[p/BUILD.queues] & cfg_i[p].pfc.paused_by) != '0;
      end
    end

    // ---- for the registers ----
    logic fault_q;
    logic [31:0] overruns_q;
    always_ff @(posedge clk_i) begin
      fault_q    <= fault_q || fault;
      overruns_q <= overruns_q + 32'(overrun);
      if (rst_i) {fault_q, overruns_q} <= '0;
    end
    always_comb begin
      state_o          = '0;
      state_o.fault    = fault_q;
      state_o.overruns = overruns_q;
      for (int unsigned p = 0; p < BUILD.ports; p++) state_o.xoff[p] = xoff[p];
    end
  end else begin : gen_no_levels
    assign {xoff_o, paused_o, state_o} = '0;
  end

endmodule
