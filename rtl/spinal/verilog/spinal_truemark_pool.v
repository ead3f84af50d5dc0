// Generator : SpinalHDL v1.14.2    git head : v1.14.2
// Component : spinal_truemark_pool

`timescale 1ns/1ps

module spinal_truemark_pool (
  input  wire          reset,
  input  wire          clk,
  input  wire          time_external_i,
  input  wire [63:0]   time_i,
  output wire [63:0]   time_o,
  input  wire [3:0]    tx_en_i,
  input  wire [15:0]   pfc_pause_i,
  input  wire          s_axis_tvalid,
  output wire          s_axis_tready,
  input  wire [511:0]  s_axis_tdata,
  input  wire [63:0]   s_axis_tkeep,
  input  wire          s_axis_tlast,
  input  wire [1:0]    s_axis_tdest,
  input  wire [16:0]   s_axis_tuser,
  input  wire [3:0]    s_axis_tid,
  output wire [1023:0] m_axis_tdata,
  output wire [127:0]  m_axis_tkeep,
  output wire [1:0]    m_axis_tvalid,
  input  wire [1:0]    m_axis_tready,
  output wire [1:0]    m_axis_tlast,
  output wire [33:0]   m_axis_tuser,
  input  wire          s_axil_awvalid,
  output wire          s_axil_awready,
  input  wire [11:0]   s_axil_awaddr,
  input  wire [2:0]    s_axil_awprot,
  input  wire          s_axil_wvalid,
  output wire          s_axil_wready,
  input  wire [31:0]   s_axil_wdata,
  input  wire [3:0]    s_axil_wstrb,
  output wire          s_axil_bvalid,
  input  wire          s_axil_bready,
  output wire [1:0]    s_axil_bresp,
  input  wire          s_axil_arvalid,
  output wire          s_axil_arready,
  input  wire [11:0]   s_axil_araddr,
  input  wire [2:0]    s_axil_arprot,
  output wire          s_axil_rvalid,
  input  wire          s_axil_rready,
  output wire [31:0]   s_axil_rdata,
  output wire [1:0]    s_axil_rresp,
  output wire [363:0]  event_o,
  output wire [3:0]    depart_valid_o,
  output wire [55:0]   depart_len_o,
  output wire [31:0]   pfc_xoff_o,
  output wire [1:0]    settled_o
);

  wire                truemark_1_time_external_i;
  wire       [63:0]   truemark_1_time_i;
  wire                truemark_1_s_axis_tvalid;
  wire                truemark_1_s_axis_tlast;
  wire       [1:0]    truemark_1_s_axis_tdest;
  wire                truemark_1_s_axil_awvalid;
  wire       [11:0]   truemark_1_s_axil_awaddr;
  wire                truemark_1_s_axil_wvalid;
  wire                truemark_1_s_axil_bready;
  wire                truemark_1_s_axil_arvalid;
  wire       [11:0]   truemark_1_s_axil_araddr;
  wire                truemark_1_s_axil_rready;
  wire       [63:0]   truemark_1_time_o;
  wire                truemark_1_s_axis_tready;
  wire       [1023:0] truemark_1_m_axis_tdata;
  wire       [127:0]  truemark_1_m_axis_tkeep;
  wire       [1:0]    truemark_1_m_axis_tvalid;
  wire       [1:0]    truemark_1_m_axis_tlast;
  wire       [33:0]   truemark_1_m_axis_tuser;
  wire                truemark_1_s_axil_awready;
  wire                truemark_1_s_axil_wready;
  wire                truemark_1_s_axil_bvalid;
  wire       [1:0]    truemark_1_s_axil_bresp;
  wire                truemark_1_s_axil_arready;
  wire                truemark_1_s_axil_rvalid;
  wire       [31:0]   truemark_1_s_axil_rdata;
  wire       [1:0]    truemark_1_s_axil_rresp;
  wire       [363:0]  truemark_1_event_o;
  wire       [3:0]    truemark_1_depart_valid_o;
  wire       [55:0]   truemark_1_depart_len_o;
  wire       [31:0]   truemark_1_pfc_xoff_o;
  wire       [1:0]    truemark_1_settled_o;
  wire       [0:0]    _zz_time_external_i;
  wire       [0:0]    _zz_s_axis_tvalid;
  wire       [0:0]    _zz_s_axis_tready;
  wire       [0:0]    _zz_s_axis_tlast;
  wire       [0:0]    _zz_s_axil_awvalid;
  wire       [0:0]    _zz_s_axil_awready;
  wire       [0:0]    _zz_s_axil_wvalid;
  wire       [0:0]    _zz_s_axil_wready;
  wire       [0:0]    _zz_s_axil_bvalid;
  wire       [0:0]    _zz_s_axil_bready;
  wire       [0:0]    _zz_s_axil_arvalid;
  wire       [0:0]    _zz_s_axil_arready;
  wire       [0:0]    _zz_s_axil_rvalid;
  wire       [0:0]    _zz_s_axil_rready;

  assign _zz_time_external_i = time_external_i;
  assign _zz_s_axis_tvalid = s_axis_tvalid;
  assign _zz_s_axis_tready = truemark_1_s_axis_tready;
  assign _zz_s_axis_tlast = s_axis_tlast;
  assign _zz_s_axil_awvalid = s_axil_awvalid;
  assign _zz_s_axil_awready = truemark_1_s_axil_awready;
  assign _zz_s_axil_wvalid = s_axil_wvalid;
  assign _zz_s_axil_wready = truemark_1_s_axil_wready;
  assign _zz_s_axil_bvalid = truemark_1_s_axil_bvalid;
  assign _zz_s_axil_bready = s_axil_bready;
  assign _zz_s_axil_arvalid = s_axil_arvalid;
  assign _zz_s_axil_arready = truemark_1_s_axil_arready;
  assign _zz_s_axil_rvalid = truemark_1_s_axil_rvalid;
  assign _zz_s_axil_rready = s_axil_rready;
  truemark #(
    .PORTS             (4   ),
    .DATA_W            (512 ),
    .ROWS              (1024),
    .DESCRIPTORS       (508 ),
    .MAX_FRAME         (1600),
    .QUEUES            (2   ),
    .POOL              (1   ),
    .PFC               (1   ),
    .STORE_AND_FORWARD (0   ),
    .FLAGS_VERDICT     (0   ),
    .RED               (0   ),
    .RED_LINUX         (0   ),
    .CODEL             (0   ),
    .TCN               (0   ),
    .MARK_ON_DEPARTURE (0   ),
    .SHAPING           (0   ),
    .ULTRA             (0   ),
    .MARKED_COPY       (1   ),
    .TUSER_W           (17  )
  ) truemark_1 (
    .clk             (clk                            ), //i
    .rst             (reset                          ), //i
    .time_external_i (truemark_1_time_external_i     ), //i
    .time_i          (truemark_1_time_i[63:0]        ), //i
    .time_o          (truemark_1_time_o[63:0]        ), //o
    .tx_en_i         (tx_en_i[3:0]                   ), //i
    .pfc_pause_i     (pfc_pause_i[15:0]              ), //i
    .s_axis_tvalid   (truemark_1_s_axis_tvalid       ), //i
    .s_axis_tready   (truemark_1_s_axis_tready       ), //o
    .s_axis_tdata    (s_axis_tdata[511:0]            ), //i
    .s_axis_tkeep    (s_axis_tkeep[63:0]             ), //i
    .s_axis_tlast    (truemark_1_s_axis_tlast        ), //i
    .s_axis_tdest    (truemark_1_s_axis_tdest[1:0]   ), //i
    .s_axis_tuser    (s_axis_tuser[16:0]             ), //i
    .s_axis_tid      (s_axis_tid[3:0]                ), //i
    .m_axis_tdata    (truemark_1_m_axis_tdata[1023:0]), //o
    .m_axis_tkeep    (truemark_1_m_axis_tkeep[127:0] ), //o
    .m_axis_tvalid   (truemark_1_m_axis_tvalid[1:0]  ), //o
    .m_axis_tready   (m_axis_tready[1:0]             ), //i
    .m_axis_tlast    (truemark_1_m_axis_tlast[1:0]   ), //o
    .m_axis_tuser    (truemark_1_m_axis_tuser[33:0]  ), //o
    .s_axil_awvalid  (truemark_1_s_axil_awvalid      ), //i
    .s_axil_awready  (truemark_1_s_axil_awready      ), //o
    .s_axil_awaddr   (truemark_1_s_axil_awaddr[11:0] ), //i
    .s_axil_awprot   (s_axil_awprot[2:0]             ), //i
    .s_axil_wvalid   (truemark_1_s_axil_wvalid       ), //i
    .s_axil_wready   (truemark_1_s_axil_wready       ), //o
    .s_axil_wdata    (s_axil_wdata[31:0]             ), //i
    .s_axil_wstrb    (s_axil_wstrb[3:0]              ), //i
    .s_axil_bvalid   (truemark_1_s_axil_bvalid       ), //o
    .s_axil_bready   (truemark_1_s_axil_bready       ), //i
    .s_axil_bresp    (truemark_1_s_axil_bresp[1:0]   ), //o
    .s_axil_arvalid  (truemark_1_s_axil_arvalid      ), //i
    .s_axil_arready  (truemark_1_s_axil_arready      ), //o
    .s_axil_araddr   (truemark_1_s_axil_araddr[11:0] ), //i
    .s_axil_arprot   (s_axil_arprot[2:0]             ), //i
    .s_axil_rvalid   (truemark_1_s_axil_rvalid       ), //o
    .s_axil_rready   (truemark_1_s_axil_rready       ), //i
    .s_axil_rdata    (truemark_1_s_axil_rdata[31:0]  ), //o
    .s_axil_rresp    (truemark_1_s_axil_rresp[1:0]   ), //o
    .event_o         (truemark_1_event_o[363:0]      ), //o
    .depart_valid_o  (truemark_1_depart_valid_o[3:0] ), //o
    .depart_len_o    (truemark_1_depart_len_o[55:0]  ), //o
    .pfc_xoff_o      (truemark_1_pfc_xoff_o[31:0]    ), //o
    .settled_o       (truemark_1_settled_o[1:0]      )  //o
  );
  assign truemark_1_time_external_i = _zz_time_external_i[0];
  assign truemark_1_time_i = time_i;
  assign time_o = truemark_1_time_o;
  assign truemark_1_s_axis_tvalid = _zz_s_axis_tvalid[0];
  assign s_axis_tready = _zz_s_axis_tready[0];
  assign truemark_1_s_axis_tlast = _zz_s_axis_tlast[0];
  assign truemark_1_s_axis_tdest = s_axis_tdest;
  assign m_axis_tdata = truemark_1_m_axis_tdata;
  assign m_axis_tkeep = truemark_1_m_axis_tkeep;
  assign m_axis_tvalid = truemark_1_m_axis_tvalid;
  assign m_axis_tlast = truemark_1_m_axis_tlast;
  assign m_axis_tuser = truemark_1_m_axis_tuser;
  assign truemark_1_s_axil_awvalid = _zz_s_axil_awvalid[0];
  assign s_axil_awready = _zz_s_axil_awready[0];
  assign truemark_1_s_axil_awaddr = s_axil_awaddr;
  assign truemark_1_s_axil_wvalid = _zz_s_axil_wvalid[0];
  assign s_axil_wready = _zz_s_axil_wready[0];
  assign s_axil_bvalid = _zz_s_axil_bvalid[0];
  assign truemark_1_s_axil_bready = _zz_s_axil_bready[0];
  assign s_axil_bresp = truemark_1_s_axil_bresp;
  assign truemark_1_s_axil_arvalid = _zz_s_axil_arvalid[0];
  assign s_axil_arready = _zz_s_axil_arready[0];
  assign truemark_1_s_axil_araddr = s_axil_araddr;
  assign s_axil_rvalid = _zz_s_axil_rvalid[0];
  assign truemark_1_s_axil_rready = _zz_s_axil_rready[0];
  assign s_axil_rdata = truemark_1_s_axil_rdata;
  assign s_axil_rresp = truemark_1_s_axil_rresp;
  assign event_o = truemark_1_event_o;
  assign depart_valid_o = truemark_1_depart_valid_o;
  assign depart_len_o = truemark_1_depart_len_o;
  assign pfc_xoff_o = truemark_1_pfc_xoff_o;
  assign settled_o = truemark_1_settled_o;

endmodule
