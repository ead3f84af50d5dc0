// SPDX-License-Identifier: BSD-3-Clause
// Sends 40 frames through truemark.v, a true-mark build at its defaults, and compares every beat that leaves.
module release_bench;
  localparam PORTS = 5, WIDTH = 256, BYTES = 32, FRAMES = 40, MOST = 1 << 15;
  reg clk = 0, rst = 1, valid = 0, last = 0;
  reg [WIDTH-1:0] data;
  reg [BYTES-1:0] keep;
  reg [16:0] user;
  reg [PORTS-1:0] dest, ready = 0;
  wire [PORTS-1:0] m_valid, m_last;
  wire [PORTS*WIDTH-1:0] m_data;
  wire [PORTS*BYTES-1:0] m_keep;
  wire [PORTS*17-1:0] m_user;
  reg [WIDTH+BYTES:0] beats[0:PORTS*MOST-1];  // of each port: what it must send
  integer put[0:PORTS-1], got[0:PORTS-1];
  integer frame, length, left, port, wrong = 0, compared = 0;

  truemark dut (
      .clk(clk), .rst(rst), .time_external_i(1'b0), .time_i(64'b0), .tx_en_i({PORTS{1'b1}}), .pfc_pause_i({8*PORTS{1'b0}}),
      .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tvalid(valid), .s_axis_tlast(last), .s_axis_tdest(dest), .s_axis_tid(4'b0),
      .s_axis_tuser(user), .m_axis_tdata(m_data), .m_axis_tkeep(m_keep), .m_axis_tvalid(m_valid),
      .m_axis_tready(ready), .m_axis_tlast(m_last), .m_axis_tuser(m_user),
      .s_axil_awaddr(12'b0), .s_axil_awprot(3'b0), .s_axil_awvalid(1'b0), .s_axil_wdata(32'b0), .s_axil_wstrb(4'b0),
      .s_axil_wvalid(1'b0), .s_axil_bready(1'b1), .s_axil_araddr(12'b0), .s_axil_arprot(3'b0), .s_axil_arvalid(1'b0),
      .s_axil_rready(1'b1)
  );

  always #5 clk = !clk;

  always @(posedge clk) begin
    for (port = 0; port < PORTS; port = port + 1) begin
      if (!rst && m_valid[port] !== 1'b0 && ready[port]) begin
        if ({m_last[port], m_keep[port*BYTES+:BYTES], m_data[port*WIDTH+:WIDTH]} !== beats[port*MOST+got[port]]) begin
          wrong = wrong + 1;
          $display("port %0d, beat %0d is wrong", port, got[port]);
        end
        got[port] = got[port] + 1;
        compared = compared + 1;
      end
    end
    ready <= #1 $random;
  end

  initial begin
    for (port = 0; port < PORTS; port = port + 1) {put[port], got[port]} = 0;
    repeat (4) @(posedge clk);
    #1 rst = 0;
    repeat (2) @(posedge clk);
    for (frame = 0; frame < FRAMES; frame = frame + 1) begin
      length = 60 + {$random} % 400;
      #1 dest = 1 << {$random} % PORTS | 1 << {$random} % PORTS;
      for (left = length; left > 0; left = left - BYTES) begin
        data = {8{$random}};
        last = left <= BYTES;
        keep = last ? {BYTES{1'b1}} >> (BYTES - left) : {BYTES{1'b1}};
        if (last) data = data & ~({WIDTH{1'b1}} << (8 * left));
        user = length;
        valid = 1;
        for (port = 0; port < PORTS; port = port + 1) begin
          if (dest[port]) begin
            beats[port*MOST+put[port]] = {last, keep, data};
            put[port] = put[port] + 1;
          end
        end
        @(posedge clk);
        #1 valid = 0;
      end
      repeat ({$random} % 10) @(posedge clk);
    end
    repeat (400) @(posedge clk);
    for (port = 0; port < PORTS; port = port + 1) if (put[port] != got[port]) wrong = wrong + 1;
    $display("%s: %0d beats", wrong == 0 && compared > 5 * FRAMES ? "RIGHT" : "WRONG", compared);
    $finish;
  end
endmodule
