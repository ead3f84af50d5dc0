// SPDX-License-Identifier: BSD-3-Clause
// MAC addresses whose ports somebody has set: a few entries that all compare at once.
//
// Contract: `match_o` and `ports_o` follow the address by one cycle; where more than one entry has it, the ports of
// all. `write_i` sets entry `index_i`, in force for addresses from the next cycle on.
module tm_static_entries #(
    parameter int unsigned ENTRIES = 16,
    parameter int unsigned PORTS_W = 8,  // bits that name ports
    localparam int unsigned IndexW = $clog2(ENTRIES)
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic [       47:0] mac_i,
    output logic               match_o,
    output logic [PORTS_W-1:0] ports_o,
    // config
    input  logic               write_i,
    input  logic [ IndexW-1:0] index_i,
    input  logic               entry_valid_i,
    input  logic [       47:0] entry_mac_i,
    input  logic [PORTS_W-1:0] entry_ports_i
);

  if (ENTRIES < 2) begin : gen_entries_error
    $error("ENTRIES is %0d: it must be 2 or more", ENTRIES);
  end

  logic [ENTRIES-1:0] valid_q, match;
  logic [ENTRIES-1:0][47:0] mac_q;
  logic [ENTRIES-1:0][PORTS_W-1:0] ports_q;
  logic [PORTS_W-1:0] ports;

  always_comb begin
    ports = '0;
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      match[e] = valid_q[e] && mac_q[e] == mac_i;
      if (match[e]) ports |= ports_q[e];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      if (write_i && index_i == IndexW'(e)) begin
        valid_q[e] <= entry_valid_i;
        mac_q[e]   <= entry_mac_i;
        ports_q[e] <= entry_ports_i;
      end
    end
    if (rst_i) valid_q <= '0;
    match_o <= match != '0;
    ports_o <= ports;
  end

endmodule
