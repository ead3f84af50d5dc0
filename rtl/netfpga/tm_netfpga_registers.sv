// SPDX-License-Identifier: BSD-3-Clause
// The registers of NetFPGA's output queues, 0x00 to 0xFF, with their documented meaning (docs/netfpga-drop-in.md).
//
// Contract: `req_i` reads or writes the word `index_i`; `ack_o` answers two cycles later with `data_o`. An event counts
// in the cycle after its own, for lengths and last beats come from memories far away. A counter is shown and cleared in
// one cycle: what counts in that cycle is in the next count. An address without a register reads 0xDEADBEEF, as does
// RESET, which can only be written; writes to read-only registers do nothing. Behind NetFPGA's registers, from 0xC0 on,
// are those of the pacers: one word for each port, bytes per cycle with 16 fractional bits. They are 0 when the FPGA
// has been configured, and a reset leaves them: the line behind a port stays what it is.
module tm_netfpga_registers
  import tm_pkg::*;
#(
    parameter int unsigned PORTS = 5
) (
    input  logic                       clk_i,
    input  logic                       rst_i,
    // the request
    input  logic                       req_i,
    input  logic                       write_i,
    input  logic [      5:0]           index_i,        // address / 4
    input  logic [     31:0]           data_i,
    input  logic [      3:0]           strobe_i,
    output logic                       ack_o,
    output logic [     31:0]           data_o,
    // events
    input  logic                       in_i,           // the last beat of a frame came in
    input  logic [PORTS-1:0]           out_i,          // the last beat of a frame went out
    input  logic [PORTS-1:0]           stored_i,
    input  logic [PORTS-1:0]           dropped_i,
    input  logic [     15:0]           arrive_len_i,
    input  logic [PORTS-1:0]           removed_i,
    input  logic [PORTS-1:0][LenW-1:0] removed_len_i,
    // config
    output logic [PORTS-1:0][    23:0] pace_o
);

  localparam logic [31:0] Nothing = 32'hDEAD_BEEF;
  localparam int unsigned PortWords = 7;
  localparam int unsigned Words = 7 + PortWords * PORTS;  // 0x00 to the last port's last register

  localparam int unsigned Id = 0, Version = 1, Reset = 2, Flip = 3, Debug = 4, PacketsIn = 5, PacketsOut = 6;

  localparam int unsigned Pace = 48;  // 0xC0: the pacer of port 0

  if (Words > Pace || PORTS > 8) begin : gen_ports_error
    $error("PORTS is %0d: NetFPGA's window has room for the registers of 5 ports", PORTS);
  end

  logic [Words-1:0] select_q;  // of a read, in the cycle after the request
  logic asked_q, unknown_q, clear_q, reset_q, is_pace;
  logic [31:0] pace_q;
  logic [31:0] flip_q, debug_q, own_data, packets_in, packets_out;
  logic [PORTS-1:0][31:0] port_data;

  assign is_pace = index_i >= 6'(Pace) && index_i < 6'(Pace + PORTS);

  initial pace_o = '0;
  always @(posedge clk_i) begin  // always_ff allows no initial
    if (req_i && !rst_i && write_i && is_pace && strobe_i == '1) pace_o[index_i[2:0]] <= data_i[23:0];
  end

  always_ff @(posedge clk_i) begin
    asked_q   <= req_i && !rst_i;
    ack_o     <= asked_q && !rst_i;
    unknown_q <= req_i && !write_i && ((index_i >= 6'(Words) && !is_pace) || index_i == 6'(Reset));
    pace_q    <= (req_i && !write_i && is_pace) ? 32'(pace_o[index_i[2:0]]) : '0;
    for (int unsigned w = 0; w < Words; w++) select_q[w] <= req_i && !write_i && index_i == 6'(w);
  end

  // RESET is an event: bit 0 clears the counters, bit 4 the registers as well.
  always_ff @(posedge clk_i) begin
    clear_q <= req_i && write_i && index_i == 6'(Reset) && strobe_i[0] && (data_i[0] || data_i[4]) && !rst_i;
    reset_q <= req_i && write_i && index_i == 6'(Reset) && strobe_i[0] && data_i[4] && !rst_i;
    if (rst_i || reset_q) begin
      flip_q  <= '0;
      debug_q <= '0;
    end else if (req_i && write_i) begin
      for (int unsigned b = 0; b < 4; b++) begin
        if (strobe_i[b] && index_i == 6'(Flip)) flip_q[8*b+:8] <= data_i[8*b+:8];
        if (strobe_i[b] && index_i == 6'(Debug)) debug_q[8*b+:8] <= data_i[8*b+:8];
      end
    end
  end

  // ---- events ----
  logic in_q;
  logic [PORTS-1:0] out_q, stored_q, dropped_q, removed_q;
  logic [15:0] arrive_len_q;
  logic [PORTS-1:0][LenW-1:0] removed_len_q;
  logic [$clog2(PORTS+1)-1:0] out_count;

  always_ff @(posedge clk_i) begin
    {in_q, out_q}                       <= {in_i, out_i};
    {stored_q, dropped_q, arrive_len_q} <= {stored_i, dropped_i, arrive_len_i};
    {removed_q, removed_len_q}          <= {removed_i, removed_len_i};
    if (rst_i) {in_q, out_q, stored_q, dropped_q, removed_q} <= '0;
  end

  always_comb begin
    out_count = '0;
    for (int unsigned p = 0; p < PORTS; p++) out_count += $bits(out_count)'(out_q[p]);
  end

  tm_event_counter frames_in (
      .clk_i,
      .rst_i,
      .add_i  (in_q),
      .clear_i(clear_q || select_q[PacketsIn]),
      .count_o(packets_in)
  );

  tm_event_counter #(
      .ADD_W($clog2(PORTS + 1))
  ) frames_out (
      .clk_i,
      .rst_i,
      .add_i  (out_count),
      .clear_i(clear_q || select_q[PacketsOut]),
      .count_o(packets_out)
  );

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    tm_netfpga_port port (
        .clk_i,
        .rst_i,
        .stored_i     (stored_q[p]),
        .dropped_i    (dropped_q[p]),
        .arrive_len_i (arrive_len_q),
        .removed_i    (removed_q[p]),
        .removed_len_i(removed_len_q[p]),
        .clear_i      (clear_q),
        .select_i     (select_q[7+PortWords*p+:PortWords]),
        .data_o       (port_data[p])
    );
  end

  always_comb begin
    own_data = unknown_q ? Nothing : pace_q;
    if (select_q[Id]) own_data |= 32'h0000_DA03;
    if (select_q[Version]) own_data |= 32'h0000_0001;
    if (select_q[Flip]) own_data |= ~flip_q;
    if (select_q[Debug]) own_data |= debug_q;
    if (select_q[PacketsIn]) own_data |= packets_in;
    if (select_q[PacketsOut]) own_data |= packets_out;
    for (int unsigned p = 0; p < PORTS; p++) own_data |= port_data[p];
  end

  always_ff @(posedge clk_i) data_o <= own_data;

endmodule
