// SPDX-License-Identifier: BSD-3-Clause
// Which port a MAC address was last seen on: a table of two entries per row, chosen by a hash of the address.
//
// Contract:
// * `valid_i` with a frame's addresses and source ports, one in every cycle if need be. Three cycles later `hit_o` and
//   `ports_o` say where the destination was seen; in the same cycle the source is learned if its entry is not there
//   yet. Group addresses are never learned.
// * A frame may follow so closely that it does not see what the one before teaches: it misses, and is flooded.
// * A full row loses one of its two entries by turns. `clear_i` forgets all; for DEPTH cycles after it, or after a
//   reset, nothing hits and nothing is learned.
module tm_mac_table #(
    parameter int unsigned DEPTH = 1024,  // rows of two entries; a power of two
    parameter int unsigned PORTS_W = 8  // bits that name a port
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               clear_i,
    input  logic               valid_i,
    input  logic [       47:0] destination_i,   // byte 0 of the address lowest
    input  logic [       47:0] source_i,
    input  logic [PORTS_W-1:0] source_ports_i,
    output logic               hit_o,
    output logic [PORTS_W-1:0] ports_o,
    output logic               learn_o          // an entry is written
);

  localparam int unsigned IndexW = $clog2(DEPTH);

  if (DEPTH < 2 || DEPTH != 1 << IndexW) begin : gen_depth_error
    $error("DEPTH is %0d: it must be a power of two, 2 or more", DEPTH);
  end

  typedef struct packed {
    logic               valid;
    logic [47:0]        mac;
    logic [PORTS_W-1:0] ports;
  } entry_t;

  typedef struct packed {
    logic [47:0]       mac;
    logic [IndexW-1:0] index;
  } key_t;

  // Every bit of the address counts, the low ones of its last bytes first: neighbours fall into different rows.
  function automatic logic [IndexW-1:0] hash(input logic [47:0] mac);
    logic [47:0] swapped;
    logic [IndexW-1:0] folded;
    swapped = {mac[7:0], mac[15:8], mac[23:16], mac[31:24], mac[39:32], mac[47:40]};
    folded  = '0;
    for (int unsigned i = 0; i < 48; i++) folded[i%IndexW] ^= swapped[i];
    return folded;
  endfunction

  logic valid_1_q, valid_2_q, group_1_q, group_2_q, sweep_q, swept_late_q, turn_q;
  key_t destination_1_q, source_1_q, source_2_q;
  logic [47:0] destination_2_q;
  logic [PORTS_W-1:0] ports_1_q, ports_2_q;
  entry_t [1:0] at_destination, at_source;
  logic [1:0] seen, known, vacant, write, write_q;
  logic [IndexW-1:0] write_index_q, sweep_index_q;
  entry_t [1:0] entry_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_1_q <= 1'b0;
      valid_2_q <= 1'b0;
    end else begin
      valid_1_q <= valid_i;
      valid_2_q <= valid_1_q;
    end
    destination_1_q                                     <= '{mac: destination_i, index: hash(destination_i)};
    source_1_q                                          <= '{mac: source_i, index: hash(source_i)};
    ports_1_q                                           <= source_ports_i;
    group_1_q                                           <= source_i[0];
    {destination_2_q, source_2_q, ports_2_q, group_2_q} <= {destination_1_q.mac, source_1_q, ports_1_q, group_1_q};
  end

  for (genvar way = 0; way < 2; way++) begin : gen_way
    tm_forward_ram #(
        .WIDTH($bits(entry_t)),
        .DEPTH(DEPTH)
    ) destinations (
        .clk_i,
        .wr_en_i  (write_q[way]),
        .wr_addr_i(write_index_q),
        .wr_data_i(entry_q[way]),
        .rd_en_i  (valid_1_q),
        .rd_addr_i(destination_1_q.index),
        .rd_data_o(at_destination[way])
    );
    tm_forward_ram #(
        .WIDTH($bits(entry_t)),
        .DEPTH(DEPTH)
    ) sources (
        .clk_i,
        .wr_en_i  (write_q[way]),
        .wr_addr_i(write_index_q),
        .wr_data_i(entry_q[way]),
        .rd_en_i  (valid_1_q),
        .rd_addr_i(source_1_q.index),
        .rd_data_o(at_source[way])
    );
    assign seen[way]   = at_destination[way].valid && at_destination[way].mac == destination_2_q;
    assign known[way]  = at_source[way].valid && at_source[way].mac == source_2_q.mac;
    assign vacant[way] = !at_source[way].valid;
  end

  // The entry the source has, else a free one, else one by turns. One that is there twice is corrected in both places.
  always_comb begin
    if (known != '0) write = known & {at_source[1].ports != ports_2_q, at_source[0].ports != ports_2_q};
    else if (vacant[0]) write = 2'b01;
    else if (vacant[1]) write = 2'b10;
    else write = {turn_q, !turn_q};
    if (!valid_2_q || group_2_q || sweep_q || swept_late_q || rst_i) write = '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) begin
      sweep_q       <= 1'b1;
      sweep_index_q <= '0;
    end else if (sweep_q) begin
      sweep_index_q <= sweep_index_q + IndexW'(1);
      sweep_q       <= sweep_index_q != '1;
    end
    if (write != '0) turn_q <= !turn_q;
    if (rst_i) turn_q <= 1'b0;
    swept_late_q  <= sweep_q;  // the last row is cleared now, and may have been read before
    write_q       <= {2{sweep_q}} | write;
    write_index_q <= sweep_q ? sweep_index_q : source_2_q.index;
    entry_q       <= {2{entry_t'{valid: !sweep_q, mac: source_2_q.mac, ports: ports_2_q}}};
    hit_o         <= valid_2_q && seen != '0 && !sweep_q && !swept_late_q;
    ports_o       <= seen[0] ? at_destination[0].ports : at_destination[1].ports;
    learn_o       <= write != '0;
  end

endmodule
