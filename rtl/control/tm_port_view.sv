// SPDX-License-Identifier: BSD-3-Clause
// What the registers show of each port: occupancy, watermarks, and the occupancy at the last snapshot.
//
// Contract: in a cycle with `read_i` the word `index_i` (0 to 5: bytes, packets, watermarks of bytes, packets, sojourn low,
// sojourn high; 8, 9: bytes and packets at the snapshot) of port `page_i` is taken, as it was one cycle before;
// `data_o` shows it in the next cycle, and 0 in every other and for a port or word that is not there.
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
    input  logic       [PORTS-1:0]               clear_i,
    input  logic       [PORTS-1:0]               page_i,            // one-hot
    // entries of the views
    input  logic       [      1:0]               write_entry_i,
    input  logic       [      1:0]               read_entry_i,
    // to the registers
    input  logic                                 read_i,
    input  logic       [      2:0]               index_i,
    output logic       [     31:0]               data_o
);

  logic [PORTS-1:0][31:0] words;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic [BYTES_W-1:0] bytes, top_bytes;
    logic [PACKETS_W-1:0] packets, top_packets;
    logic [StampW-1:0] sojourn;

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

    tm_view_ram #(
        .WORDS(8)
    ) view (
        .clk_i,
        .wr_entry_i(write_entry_i),
        .wr_data_i({
          64'b0, 32'(sojourn[StampW-1:32]), sojourn[31:0], 32'(top_packets), 32'(top_bytes), 32'(packets), 32'(bytes)
        }),
        .rd_en_i(read_i && page_i[p]),
        .rd_entry_i(read_entry_i),
        .rd_word_i(index_i),
        .rd_data_o(words[p])
    );
  end

  always_comb begin
    data_o = '0;
    for (int unsigned p = 0; p < PORTS; p++) data_o |= words[p];
  end

endmodule
