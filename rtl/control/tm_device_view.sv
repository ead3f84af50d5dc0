// SPDX-License-Identifier: BSD-3-Clause
// The registers that belong to no port: what the build is, time, lock, page, commands, status, query and its sums.
//
// Contract: in a cycle with `req_i` the word `index_i` (address / 4, from 0x100) is read or written; `data_o` shows what was
// read in the next cycle, and 0 in every other and for a word that is not here; with `window_i` it is NetFPGA's 0xDEADBEEF. `command_o` is the bits of a write to
// COMMAND, for one cycle.
module tm_device_view
  import tm_pkg::*;
#(
    parameter int unsigned PORTS             = 5,
    parameter int unsigned DATA_W            = 256,
    parameter int unsigned ROWS              = 512,
    parameter int unsigned DESCRIPTORS       = 508,
    parameter int unsigned MAX_FRAME         = 9216,
    parameter bit          STORE_AND_FORWARD = 1'b0,
    parameter bit          FLAGS_VERDICT     = 1'b0
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from and to the bus
    input  logic             req_i,
    input  logic             write_i,
    input  logic             window_i,
    input  logic [      5:0] index_i,
    input  logic [     31:0] data_i,
    input  logic [      3:0] strobe_i,
    output logic [     31:0] data_o,
    // to the others
    output logic [     31:0] time_step_o,
    output logic [      3:0] page_o,
    output logic [      6:0] command_o,
    output logic [     15:0] query_o,
    // from the others
    input  logic [TimeW-1:0] time_i,
    input  logic             snapshot_i,
    input  logic [     18:0] status_i,
    input  logic [     47:0] sum_packets_i,
    input  logic [     47:0] sum_bytes_i
);

  localparam int unsigned BeatBytes = DATA_W / 8;

  // Word indices: (address - 0x100) / 4.
  localparam logic [5:0] Id = 6'h00, Version = 6'h01, Build = 6'h02, Rows = 6'h03, Descriptors = 6'h04, Storage = 6'h05;
  localparam logic [5:0] MaxFrame = 6'h06, Capabilities = 6'h07, TimeLow = 6'h08, TimeHigh = 6'h09, TimeStep = 6'h0A;
  localparam logic [5:0] Lock = 6'h10, Page = 6'h11, Command = 6'h12, Status = 6'h13;
  localparam logic [5:0] SnapshotLow = 6'h2A, SnapshotHigh = 6'h2B, Query = 6'h2C;
  localparam logic [5:0] PacketsLow = 6'h2D, PacketsHigh = 6'h2E, BytesLow = 6'h2F, BytesHigh = 6'h30;

  localparam logic [31:0] Capable = {25'b0, 1'b1, 3'b000, 1'b1, FLAGS_VERDICT, STORE_AND_FORWARD};

  logic [31:0] high_q;
  logic [15:0] owner_q;
  logic [TimeW-1:0] snapshot_q;
  logic read, write, lock;

  assign read  = req_i && !write_i && !window_i;
  assign write = req_i && write_i && !window_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      time_step_o <= 32'h0500_0000;
      page_o      <= '0;
      query_o     <= '0;
      snapshot_q  <= '0;
      high_q      <= '0;
    end else begin
      for (int unsigned b = 0; b < 4; b++) begin
        if (write && index_i == TimeStep && strobe_i[b]) time_step_o[8*b+:8] <= data_i[8*b+:8];
      end
      for (int unsigned b = 0; b < 2; b++) begin
        if (write && index_i == Query && strobe_i[b]) query_o[8*b+:8] <= data_i[8*b+:8];
      end
      if (write && index_i == Page && strobe_i[0]) page_o <= data_i[3:0];
      if (snapshot_i) snapshot_q <= time_i;
      if (read && index_i == TimeLow) high_q <= time_i[TimeW-1:32];
    end
  end

  // The lock is taken while nobody has it, and given back by whoever has it.
  assign lock = write && index_i == Lock && &strobe_i;

  always_ff @(posedge clk_i) begin
    if (rst_i || (lock && data_i[31] && owner_q == data_i[15:0])) owner_q <= '0;
    else if (lock && !data_i[31] && owner_q == '0) owner_q <= data_i[15:0];
  end

  assign command_o = (write && index_i == Command && strobe_i[0]) ? data_i[6:0] : '0;

  // Each word is 0 unless it is chosen, so that they meet in an OR: flip-flops instead of multiplexers.
  logic [31:0] constant_q, low_q, shown_high_q, step_q, snapshot_low_q, snapshot_high_q, packets_q, bytes_q;
  logic [15:0] lock_q, shown_query_q, packets_high_q, bytes_high_q;
  logic [18:0] status_q;
  logic [ 3:0] shown_page_q;

  always_ff @(posedge clk_i) begin
    constant_q <= '0;
    if (window_i) constant_q <= 32'hDEAD_BEEF;
    else if (read) begin
      unique case (index_i)
        Id:           constant_q <= 32'h5452_4D4B;
        Version:      constant_q <= 32'h0000_0200;
        Build:        constant_q <= {8'b0, 16'(BeatBytes), 8'(PORTS)};
        Rows:         constant_q <= ROWS;
        Descriptors:  constant_q <= DESCRIPTORS;
        Storage:      constant_q <= ROWS * BeatBytes;
        MaxFrame:     constant_q <= MAX_FRAME;
        Capabilities: constant_q <= Capable;
        default:      ;
      endcase
    end
    low_q           <= (read && index_i == TimeLow) ? time_i[31:0] : '0;
    shown_high_q    <= (read && index_i == TimeHigh) ? high_q : '0;
    step_q          <= (read && index_i == TimeStep) ? time_step_o : '0;
    lock_q          <= (read && index_i == Lock) ? owner_q : '0;
    shown_page_q    <= (read && index_i == Page) ? page_o : '0;
    status_q        <= (read && index_i == Status) ? status_i : '0;
    snapshot_low_q  <= (read && index_i == SnapshotLow) ? snapshot_q[31:0] : '0;
    snapshot_high_q <= (read && index_i == SnapshotHigh) ? snapshot_q[TimeW-1:32] : '0;
    shown_query_q   <= (read && index_i == Query) ? query_o : '0;
    packets_q       <= (read && index_i == PacketsLow) ? sum_packets_i[31:0] : '0;
    packets_high_q  <= (read && index_i == PacketsHigh) ? sum_packets_i[47:32] : '0;
    bytes_q         <= (read && index_i == BytesLow) ? sum_bytes_i[31:0] : '0;
    bytes_high_q    <= (read && index_i == BytesHigh) ? sum_bytes_i[47:32] : '0;
  end

  assign data_o = constant_q | low_q | shown_high_q | step_q | 32'(lock_q) | 32'(shown_page_q) | 32'(status_q) |
                  snapshot_low_q | snapshot_high_q | 32'(shown_query_q) | packets_q | 32'(packets_high_q) | bytes_q |
                  32'(bytes_high_q);

endmodule
