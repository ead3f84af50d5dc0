// SPDX-License-Identifier: BSD-3-Clause
// The registers that belong to no port: what the build is, time, lock, page, commands, status, query and its sums.
//
// Contract: in a cycle with `req_i` the word `index_i` (address / 4, from 0x100) is read or written; `data_o` shows what was
// read in the next cycle, and 0 in every other and for a word that is not here. `command_o` is the bits of a write to
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
  logic write;

  assign write = req_i && write_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      time_step_o <= 32'h0500_0000;
      page_o      <= '0;
      query_o     <= '0;
      owner_q     <= '0;
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
      if (write && index_i == Lock && &strobe_i) begin
        if (data_i[31]) begin
          if (owner_q == data_i[15:0]) owner_q <= '0;
        end else if (owner_q == '0) owner_q <= data_i[15:0];
      end
      if (snapshot_i) snapshot_q <= time_i;
      if (req_i && !write_i && index_i == TimeLow) high_q <= time_i[TimeW-1:32];
    end
  end

  assign command_o = (write && index_i == Command && strobe_i[0]) ? data_i[6:0] : '0;

  always_ff @(posedge clk_i) begin
    data_o <= '0;
    if (req_i && !write_i) begin
      unique case (index_i)
        Id:           data_o <= 32'h5452_4D4B;
        Version:      data_o <= 32'h0000_0100;
        Build:        data_o <= {8'b0, 16'(BeatBytes), 8'(PORTS)};
        Rows:         data_o <= ROWS;
        Descriptors:  data_o <= DESCRIPTORS;
        Storage:      data_o <= ROWS * BeatBytes;
        MaxFrame:     data_o <= MAX_FRAME;
        Capabilities: data_o <= Capable;
        TimeLow:      data_o <= time_i[31:0];
        TimeHigh:     data_o <= high_q;
        TimeStep:     data_o <= time_step_o;
        Lock:         data_o <= 32'(owner_q);
        Page:         data_o <= 32'(page_o);
        Status:       data_o <= 32'(status_i);
        SnapshotLow:  data_o <= snapshot_q[31:0];
        SnapshotHigh: data_o <= snapshot_q[TimeW-1:32];
        Query:        data_o <= 32'(query_o);
        PacketsLow:   data_o <= sum_packets_i[31:0];
        PacketsHigh:  data_o <= 32'(sum_packets_i[47:32]);
        BytesLow:     data_o <= sum_bytes_i[31:0];
        BytesHigh:    data_o <= 32'(sum_bytes_i[47:32]);
        default:      ;
      endcase
    end
  end

endmodule
