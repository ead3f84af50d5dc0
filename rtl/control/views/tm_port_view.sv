// SPDX-License-Identifier: BSD-3-Clause
// What the registers show of each port: occupancy, watermarks, and the occupancy at the last snapshot.
//
// Contract: `page_i` and `index_i` come one cycle before `read_i` and hold. In a cycle with `read_i` the word `index_i`
// (0 to 5: bytes, packets, watermarks of bytes, packets, sojourn low, sojourn high; 8, 9: bytes and packets at the
// snapshot) of port `page_i` is taken, as it was one cycle before; `data_o` shows it two cycles later, and 0 in every
// other and for a port or word that is not there.
module tm_port_view
  import tm_pkg::*;
#(
    parameter int unsigned PORTS     = 5,
    parameter int unsigned BYTES_W   = 15,
    parameter int unsigned PACKETS_W = 9
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    // from the ports
    // verilator lint_off UNUSEDSIGNAL
    input  held_t      [PORTS-1:0] held_i,
    input  departure_t [PORTS-1:0] departure_i,
    // verilator lint_on UNUSEDSIGNAL
    // commands
    input  logic       [PORTS-1:0] clear_i,
    input  logic       [PORTS-1:0] page_i,         // one-hot
    // entries of the views
    input  logic       [      1:0] write_entry_i,
    input  logic       [      1:0] read_entry_i,
    // to the registers
    input  logic                   read_i,
    input  logic       [      2:0] index_i,
    output logic       [     31:0] data_o
);

  // Six words of each port side by side.
  localparam int unsigned PortWords = 6;
  localparam logic [2:0] SojournLowWord = 3'd4;

  logic [PORTS-1:0][PortWords-1:0][31:0] entries;
  logic [1:0][15:0] halves;

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    logic [BYTES_W-1:0] bytes, top_bytes;
    logic [PACKETS_W-1:0] packets, top_packets;
    logic [StampW-1:0] sojourn;

    assign bytes   = BYTES_W'(held_i[p].bytes);
    assign packets = PACKETS_W'(held_i[p].packets);

    tm_watermarks #(
        .BYTES_W  (BYTES_W),
        .PACKETS_W(PACKETS_W)
    ) watermarks (
        .clk_i,
        .rst_i,
        .clear_i         (clear_i[p]),
        .bytes_i         (bytes),
        .packets_i       (packets),
        .depart_valid_i  (departure_i[p].valid && departure_i[p].kind != DepartHeadDropped),
        .depart_sojourn_i(departure_i[p].sojourn),
        .bytes_o         (top_bytes),
        .packets_o       (top_packets),
        .sojourn_o       (sojourn)
    );

    assign entries[p] = {
      32'(sojourn[StampW-1:32]), sojourn[31:0], 32'(top_packets), 32'(top_bytes), 32'(packets), 32'(bytes)
    };
  end

  // Each half of a word has memories of its own: block RAM takes in all that may be read, and the upper half of most
  // words is always 0.
  for (genvar h = 0; h < 2; h++) begin : gen_half
    localparam bit Whole = h == 0 || BYTES_W > 16 || PACKETS_W > 16;
    localparam int unsigned Words = Whole ? PortWords : 1;  // of a port, that have this half
    localparam int unsigned GroupPorts = Whole ? 5 : 8;  // that share a memory
    localparam int unsigned Groups = (PORTS + GroupPorts - 1) / GroupPorts;
    localparam int unsigned Places = (PORTS < GroupPorts ? PORTS : GroupPorts) * Words;
    localparam int unsigned WordW = (Places > 2) ? $clog2(Places) : 1;

    logic [Groups-1:0][15:0] shown;

    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic there, there_q, taken_q, shown_q;
      logic [15:0] word;
      logic [WordW-1:0] first, place_q;  // the port's first word, and the one that is asked for
      logic [(1<<WordW)-1:0][15:0] group;

      always_comb begin
        {there, first, group} = '0;
        for (int unsigned n = 0; n < GroupPorts && GroupPorts * g + n < PORTS; n++) begin
          for (int unsigned w = 0; w < Words; w++) begin
            group[Words*n+w] = entries[GroupPorts*g+n][Whole?3'(w) : SojournLowWord][16*h+:16];
          end
          if (page_i[GroupPorts*g+n]) begin
            there = Whole ? index_i < 3'(PortWords) : index_i == SojournLowWord;
            first = WordW'(Words * n);
          end
        end
      end

      // Which word is asked for reaches memories all over the chip; whether one is, only its register.
      always_ff @(posedge clk_i) begin
        there_q <= there;
        place_q <= first + WordW'(Whole ? index_i : '0);
        {shown_q, taken_q} <= {taken_q, read_i && there_q};
      end
      assign shown[g] = shown_q ? word : '0;

      tm_prim_ram #(
          .REGISTERED(1'b1),
          .SPECULATIVE(1'b1),
          .WIDTH(16),
          .DEPTH(4),
          .WORDS(1 << WordW)
      ) view (
          .clk_i,
          .wr_en_i  (1'b1),
          .wr_addr_i(write_entry_i),
          .wr_data_i(group),
          .rd_en_i  (1'b1),
          .rd_addr_i({read_entry_i, place_q}),
          .rd_data_o(word)
      );
    end

    always_comb begin
      halves[h] = '0;
      for (int unsigned g = 0; g < Groups; g++) halves[h] |= shown[g];
    end
  end

  assign data_o = halves;

endmodule
