// SPDX-License-Identifier: BSD-3-Clause
// The registers that belong to no port: what the build is, time, lock, page, commands, status, query and its sums.
//
// Contract: in a cycle with `req_i` the word `index_i` (byte address / 4) is read or written; `data_o` shows what was
// read in the next cycle, and 0 in every other and for a word that is not here; with `window_i` it is NetFPGA's 0xDEADBEEF. `command_o` is the bits of a write to
// COMMAND, for one cycle.
module tm_device_view
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter int unsigned PORTS             = 5,
    parameter int unsigned DATA_W            = 256,
    parameter int unsigned ROWS              = 512,
    parameter int unsigned DESCRIPTORS       = 508,
    parameter int unsigned MAX_FRAME         = 9216,
    parameter bit          STORE_AND_FORWARD = 1'b0,
    parameter bit          FLAGS_VERDICT     = 1'b0,
    parameter bit          RED               = 1'b0,
    parameter bit          CODEL             = 1'b0
) (
    input  logic             clk_i,
    input  logic             rst_i,
    // from and to the bus
    input  logic             req_i,
    input  logic             write_i,
    input  logic             window_i,
    input  logic [      7:0] index_i,
    input  logic [     31:0] data_i,
    input  logic [      3:0] strobe_i,
    output logic [     31:0] data_o,
    // to the others
    output logic [     31:0] time_step_o,
    output logic [      3:0] page_o,
    output logic [      6:0] command_o,
    output logic [     17:0] query_o,
    // from the others
    input  logic [TimeW-1:0] time_i,
    input  logic             snapshot_i,
    input  logic [     18:0] status_i,
    input  logic [     47:0] sum_packets_i,
    input  logic [     47:0] sum_bytes_i
);

  localparam int unsigned BeatBytes = DATA_W / 8;

  localparam logic [31:0] Capable = {25'b0, 1'b1, 1'b0, CODEL, RED, 1'b1, FLAGS_VERDICT, STORE_AND_FORWARD};

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
        if (write && index_i == RegTimeStep && strobe_i[b]) time_step_o[8*b+:8] <= data_i[8*b+:8];
      end
      for (int unsigned b = 0; b < 2; b++) begin
        if (write && index_i == RegQuery && strobe_i[b]) query_o[8*b+:8] <= data_i[8*b+:8];
      end
      if (CODEL && write && index_i == RegQuery && strobe_i[2]) query_o[17:16] <= data_i[17:16];
      if (write && index_i == RegPage && strobe_i[0]) page_o <= data_i[3:0];
      if (snapshot_i) snapshot_q <= time_i;
      if (read && index_i == RegTimeLow) high_q <= time_i[TimeW-1:32];
    end
  end

  // The lock is taken while nobody has it, and given back by whoever has it.
  assign lock = write && index_i == RegLock && &strobe_i;

  always_ff @(posedge clk_i) begin
    if (rst_i || (lock && data_i[31] && owner_q == data_i[15:0])) owner_q <= '0;
    else if (lock && !data_i[31] && owner_q == '0) owner_q <= data_i[15:0];
  end

  assign command_o = (write && index_i == RegCommand && strobe_i[0]) ? data_i[6:0] : '0;

  // Each word is 0 unless it is chosen, so that they meet in an OR: flip-flops instead of multiplexers.
  logic [31:0] constant_q, low_q, shown_high_q, step_q, snapshot_low_q, snapshot_high_q, packets_q, bytes_q;
  logic [17:0] shown_query_q;
  logic [15:0] lock_q, packets_high_q, bytes_high_q;
  logic [18:0] status_q;
  logic [ 3:0] shown_page_q;

  always_ff @(posedge clk_i) begin
    constant_q <= '0;
    if (window_i) constant_q <= 32'hDEAD_BEEF;
    else if (read) begin
      unique case (index_i)
        RegId:           constant_q <= 32'h5452_4D4B;
        RegVersion:      constant_q <= 32'h0000_0200;
        RegBuild:        constant_q <= {8'b0, 16'(BeatBytes), 8'(PORTS)};
        RegRows:         constant_q <= ROWS;
        RegDescriptors:  constant_q <= DESCRIPTORS;
        RegStorage:      constant_q <= ROWS * BeatBytes;
        RegMaxFrame:     constant_q <= MAX_FRAME;
        RegCapabilities: constant_q <= Capable;
        default:         ;
      endcase
    end
    low_q           <= (read && index_i == RegTimeLow) ? time_i[31:0] : '0;
    shown_high_q    <= (read && index_i == RegTimeHigh) ? high_q : '0;
    step_q          <= (read && index_i == RegTimeStep) ? time_step_o : '0;
    lock_q          <= (read && index_i == RegLock) ? owner_q : '0;
    shown_page_q    <= (read && index_i == RegPage) ? page_o : '0;
    status_q        <= (read && index_i == RegStatus) ? status_i : '0;
    snapshot_low_q  <= (read && index_i == RegSnapshotTimeLow) ? snapshot_q[31:0] : '0;
    snapshot_high_q <= (read && index_i == RegSnapshotTimeHigh) ? snapshot_q[TimeW-1:32] : '0;
    shown_query_q   <= (read && index_i == RegQuery) ? query_o : '0;
    packets_q       <= (read && index_i == RegSumPacketsLow) ? sum_packets_i[31:0] : '0;
    packets_high_q  <= (read && index_i == RegSumPacketsHigh) ? sum_packets_i[47:32] : '0;
    bytes_q         <= (read && index_i == RegSumBytesLow) ? sum_bytes_i[31:0] : '0;
    bytes_high_q    <= (read && index_i == RegSumBytesHigh) ? sum_bytes_i[47:32] : '0;
  end

  assign data_o = constant_q | low_q | shown_high_q | step_q | 32'(lock_q) | 32'(shown_page_q) | 32'(status_q) |
                  snapshot_low_q | snapshot_high_q | 32'(shown_query_q) | packets_q | 32'(packets_high_q) | bytes_q |
                  32'(bytes_high_q);

endmodule
