// SPDX-License-Identifier: BSD-3-Clause
// What the registers show of each port: occupancy, watermarks, and the occupancy at the last snapshot.
//
// Contract: in a cycle with `read_i` the word `index_i` (0 to 5: bytes, packets, watermarks of bytes, packets, sojourn low,
// sojourn high; 8, 9: bytes and packets at the snapshot) of port `page_i` is taken; `data_o` shows it in the next cycle,
// and 0 in every other and for a port or word that is not there. Registers that are 0 unless chosen meet in an OR: that
// costs flip-flops instead of multiplexers.
module tm_port_view
  import tm_pkg::*;
#(
    parameter int unsigned PORTS     = 5,
    parameter int unsigned BYTES_W   = 15,
    parameter int unsigned PACKETS_W = 9
) (
    input  logic                                 clk_i,
    input  logic                                 rst_i,
    // from the ports
    input  logic       [PORTS-1:0][  BytesW-1:0] bytes_i,
    input  logic       [PORTS-1:0][PacketsW-1:0] packets_i,
    input  logic       [PORTS-1:0]               depart_valid_i,
    input  departure_e [PORTS-1:0]               depart_kind_i,
    input  logic       [PORTS-1:0][  StampW-1:0] depart_sojourn_i,
    // commands
    input  logic                                 snapshot_i,
    input  logic       [PORTS-1:0]               clear_i,
    input  logic       [      3:0]               page_i,
    // to the registers
    input  logic                                 read_i,
    input  logic       [      3:0]               index_i,
    output logic       [     31:0]               data_o
);

  logic [PORTS-1:0][31:0] words;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic here;
    logic [BYTES_W-1:0] bytes, top_bytes, kept_bytes_q, bytes_q, top_bytes_q, shown_bytes_q;
    logic [PACKETS_W-1:0] packets, top_packets, kept_packets_q, packets_q, top_packets_q, shown_packets_q;
    logic [StampW-1:0] sojourn;
    logic [31:0] sojourn_low_q;
    logic [StampW-33:0] sojourn_high_q;

    assign here    = page_i == 4'(p);
    assign bytes   = bytes_i[p][BYTES_W-1:0];
    assign packets = packets_i[p][PACKETS_W-1:0];

    tm_watermarks #(
        .BYTES_W  (BYTES_W),
        .PACKETS_W(PACKETS_W)
    ) watermarks (
        .clk_i,
        .rst_i,
        .clear_i         (clear_i[p]),
        .bytes_i         (bytes),
        .packets_i       (packets),
        .depart_valid_i  (depart_valid_i[p] && depart_kind_i[p] != DepartHeadDropped),
        .depart_sojourn_i(depart_sojourn_i[p]),
        .bytes_o         (top_bytes),
        .packets_o       (top_packets),
        .sojourn_o       (sojourn)
    );

    always_ff @(posedge clk_i) begin
      if (rst_i) {kept_bytes_q, kept_packets_q} <= '0;
      else if (snapshot_i) {kept_bytes_q, kept_packets_q} <= {bytes, packets};
    end

    always_ff @(posedge clk_i) begin
      bytes_q         <= (read_i && here && index_i == 4'd0) ? bytes : '0;
      packets_q       <= (read_i && here && index_i == 4'd1) ? packets : '0;
      top_bytes_q     <= (read_i && here && index_i == 4'd2) ? top_bytes : '0;
      top_packets_q   <= (read_i && here && index_i == 4'd3) ? top_packets : '0;
      sojourn_low_q   <= (read_i && here && index_i == 4'd4) ? sojourn[31:0] : '0;
      sojourn_high_q  <= (read_i && here && index_i == 4'd5) ? sojourn[StampW-1:32] : '0;
      shown_bytes_q   <= (read_i && here && index_i == 4'd8) ? kept_bytes_q : '0;
      shown_packets_q <= (read_i && here && index_i == 4'd9) ? kept_packets_q : '0;
    end

    assign words[p] = 32'(bytes_q) | 32'(packets_q) | 32'(top_bytes_q) | 32'(top_packets_q) | sojourn_low_q |
                      32'(sojourn_high_q) | 32'(shown_bytes_q) | 32'(shown_packets_q);
  end

  always_comb begin
    data_o = '0;
    for (int unsigned p = 0; p < PORTS; p++) data_o |= words[p];
  end

endmodule
