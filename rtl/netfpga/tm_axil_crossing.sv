// SPDX-License-Identifier: BSD-3-Clause
// AXI4-Lite on the host's clock in, one request at a time on the core's clock out. The one place where clocks meet.
//
// Contract:
// * The two clocks may have any ratio and phase. Each side may be reset alone, at any time, for one cycle or longer: a
//   request that the core's reset cuts off is answered SLVERR, and so is each that comes before both sides have found
//   each other again. No request is carried out twice, no answer goes to another request.
// * A write is taken when address and data are both there. Reads and writes that wait take turns.
// * `req_o` is set for one cycle; the other outputs stay until `ack_i`, which comes in a later cycle with the answer.
//
// Five levels cross, each through tm_prim_sync; request and answer are registers that stand still while the level that
// speaks of them is set. `req` and `ack` are a four-phase handshake. After a reset of either side (`lost` says so to
// the host's side) the host's side asks for `clear` until the core's side, idle, says `cleared`.
`include "tm_assert.svh"

module tm_axil_crossing #(
    parameter int unsigned ADDR_W = 12  // bits of an address
) (
    // the host's side
    input  logic              s_clk_i,
    input  logic              s_rst_i,
    input  logic [ADDR_W-1:0] s_axil_awaddr,
    input  logic              s_axil_awvalid,
    output logic              s_axil_awready,
    input  logic [      31:0] s_axil_wdata,
    input  logic [       3:0] s_axil_wstrb,
    input  logic              s_axil_wvalid,
    output logic              s_axil_wready,
    output logic [       1:0] s_axil_bresp,
    output logic              s_axil_bvalid,
    input  logic              s_axil_bready,
    input  logic [ADDR_W-1:0] s_axil_araddr,
    input  logic              s_axil_arvalid,
    output logic              s_axil_arready,
    output logic [      31:0] s_axil_rdata,
    output logic [       1:0] s_axil_rresp,
    output logic              s_axil_rvalid,
    input  logic              s_axil_rready,
    // the core's side
    input  logic              clk_i,
    input  logic              rst_i,
    output logic              req_o,
    output logic              write_o,
    output logic [ADDR_W-1:0] addr_o,
    output logic [      31:0] data_o,
    output logic [       3:0] strobe_o,
    input  logic              ack_i,
    input  logic [      31:0] data_i,
    input  logic              error_i
);

  typedef struct packed {
    logic              write;
    logic [ADDR_W-1:0] addr;
    logic [31:0]       data;
    logic [3:0]        strobe;
  } request_t;

  typedef struct packed {
    logic        error;
    logic [31:0] data;
  } answer_t;

  // ---- the host's side ----
  typedef enum logic [1:0] {
    Idle   = 2'd0,
    Asked  = 2'd1,  // `req` is set, the answer is awaited
    Return = 2'd2   // `req` is taken back, `ack` is to follow
  } host_e;

  host_e host_q;
  logic clear_q, req_q, write_turn_q, read_valid_q, write_valid_q;
  logic lost, cleared, acked, up, idle, take_read, take_write, refuse, answered;
  request_t asked_q, asked;
  answer_t shown_q, answer_q;

  assign up = !clear_q && !cleared && !lost;
  assign idle = host_q == Idle && !read_valid_q && !write_valid_q && !s_rst_i;
  assign take_write = idle && s_axil_awvalid && s_axil_wvalid && (write_turn_q || !s_axil_arvalid);
  assign take_read = idle && s_axil_arvalid && !take_write;
  assign refuse = (take_read || take_write) && !up;
  assign answered = host_q == Asked && (acked || lost);

  assign asked = take_write ?
      '{write: 1'b1, addr: s_axil_awaddr, data: s_axil_wdata, strobe: s_axil_wstrb}
      : '{write: 1'b0, addr: s_axil_araddr, data: '0, strobe: '0};

  always_ff @(posedge s_clk_i) begin
    if (s_rst_i) begin
      host_q        <= Idle;
      clear_q       <= 1'b1;
      req_q         <= 1'b0;
      write_turn_q  <= 1'b0;
      read_valid_q  <= 1'b0;
      write_valid_q <= 1'b0;
    end else begin
      if (lost) clear_q <= 1'b1;
      else if (cleared) clear_q <= 1'b0;
      unique case (host_q)
        Asked:   if (answered) host_q <= Return;
        Return:  if (!acked) host_q <= Idle;
        default: if ((take_read || take_write) && up) host_q <= Asked;
      endcase
      req_q <= ((take_read || take_write) && up) || (req_q && !answered);
      if (take_read || take_write) write_turn_q <= take_read;
      read_valid_q  <= (refuse && take_read) || (answered && !asked_q.write) || (read_valid_q && !s_axil_rready);
      write_valid_q <= (refuse && take_write) || (answered && asked_q.write) || (write_valid_q && !s_axil_bready);
    end
    // Not for a request that is refused: the core's side may still be looking at one from before a reset.
    if ((take_read || take_write) && up) asked_q <= asked;
    if (answered) shown_q <= lost ? '{error: 1'b1, data: '0} : answer_q;
    else if (refuse) shown_q <= '{error: 1'b1, data: '0};
  end

  assign s_axil_awready = take_write;
  assign s_axil_wready  = take_write;
  assign s_axil_arready = take_read;
  assign s_axil_bvalid  = write_valid_q;
  assign s_axil_rvalid  = read_valid_q;
  assign s_axil_rdata   = shown_q.data;
  assign s_axil_bresp   = {shown_q.error, 1'b0};
  assign s_axil_rresp   = {shown_q.error, 1'b0};

  // ---- the core's side ----
  typedef enum logic [1:0] {
    Free = 2'd0,
    Busy = 2'd1,
    Done = 2'd2   // `ack` is set until `req` is taken back
  } core_e;

  core_e core_q;
  logic lost_q, cleared_q, ack_q, request_q, clear, requested;
  request_t doing_q;

  always_ff @(posedge clk_i) begin
    request_q <= 1'b0;
    if (rst_i) begin
      core_q    <= Free;
      lost_q    <= 1'b1;
      cleared_q <= 1'b0;
      ack_q     <= 1'b0;
    end else begin
      unique case (core_q)
        Busy: begin
          if (ack_i) core_q <= Done;
          ack_q <= ack_i;
        end
        Done: begin
          if (!requested) core_q <= Free;
          ack_q <= requested;
        end
        default: begin
          cleared_q <= clear;
          if (clear) begin
            lost_q <= 1'b0;
          end else if (requested && !lost_q) begin
            core_q    <= Busy;
            request_q <= 1'b1;
          end
        end
      endcase
    end
    if (core_q == Free && requested) doing_q <= asked_q;
    if (ack_i) answer_q <= '{error: error_i, data: data_i};
  end

  assign req_o = request_q;
  assign {write_o, addr_o, data_o, strobe_o} = doing_q;

  // ---- between them ----
  tm_prim_sync req_sync (
      .clk_i,
      .rst_i,
      .level_i(req_q),
      .level_o(requested)
  );
  tm_prim_sync clear_sync (
      .clk_i,
      .rst_i,
      .level_i(clear_q),
      .level_o(clear)
  );
  tm_prim_sync ack_sync (
      .clk_i  (s_clk_i),
      .rst_i  (s_rst_i),
      .level_i(ack_q),
      .level_o(acked)
  );
  tm_prim_sync cleared_sync (
      .clk_i  (s_clk_i),
      .rst_i  (s_rst_i),
      .level_i(cleared_q),
      .level_o(cleared)
  );
  tm_prim_sync #(
      .RESET(1'b1)
  ) lost_sync (
      .clk_i  (s_clk_i),
      .rst_i  (s_rst_i),
      .level_i(lost_q),
      .level_o(lost)
  );

  `TM_ASSERT_IF(AnswerAwaited_A, ack_i, core_q == Busy && !request_q, "the core answers what it was not asked")
  `TM_ASSERT_NEXT(AnswerHeld_A, ack_q, $stable(answer_q), "the answer changes while the host's side may look at it")

endmodule
