// SPDX-License-Identifier: BSD-3-Clause
// The registers of the reference pipeline's arbiter and lookup, one window each (docs/netfpga-drop-in.md has the map).
//
// Contract: `req_i` reads or writes the word `index_i` of the lookup's window, or of the arbiter's where `arbiter_i` is
// set; `ack_o` answers two cycles later. Counters wrap at 2^32 and are not cleared by a read. An address without a
// register reads 0xDEADBEEF.
module tm_reference_registers #(
    parameter int unsigned PORTS = 5,
    parameter int unsigned STATIC_ENTRIES = 16,
    localparam int unsigned PortsW = 8,
    localparam int unsigned EntryW = $clog2(STATIC_ENTRIES)
) (
    input  logic              clk_i,
    input  logic              rst_i,
    // the request
    input  logic              req_i,
    input  logic              write_i,
    input  logic              arbiter_i,
    input  logic [       5:0] index_i,        // address / 4
    input  logic [      31:0] data_i,
    input  logic [       3:0] strobe_i,
    output logic              ack_o,
    output logic [      31:0] data_o,
    // events
    input  logic [ PORTS-1:0] receive_i,
    input  logic [ PORTS-1:0] drop_i,
    input  logic              learn_i,
    input  logic              hit_i,
    input  logic              flood_i,
    input  logic              filter_i,
    // to the lookup
    output logic              clear_o,
    output logic              entry_write_o,
    output logic [EntryW-1:0] entry_index_o,
    output logic              entry_valid_o,
    output logic [      47:0] entry_mac_o,
    output logic [PortsW-1:0] entry_ports_o
);

  localparam logic [31:0] Nothing = 32'hDEAD_BEEF;
  localparam logic [31:0] ArbiterId = 32'h5452_4D41, LookupId = 32'h5452_4D4C;  // TRMA, TRML
  localparam int unsigned Received = 4, Dropped = 12;  // the arbiter's words of input 0
  localparam int unsigned Command = 1, MacLow = 2, MacHigh = 3, Ports = 4, Store = 5, Events = 8;  // the lookup's

  logic [PORTS-1:0][31:0] received_q, dropped_q;
  logic [3:0][31:0] events_q;  // learned, hits, floods, filtered
  logic [3:0] event_now;
  logic asked_q, write_lookup;
  logic [31:0] shown;

  assign event_now    = {filter_i, flood_i, hit_i, learn_i};
  assign write_lookup = req_i && write_i && !arbiter_i && strobe_i == '1;

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < PORTS; p++) begin
      received_q[p] <= rst_i ? '0 : received_q[p] + 32'(receive_i[p]);
      dropped_q[p]  <= rst_i ? '0 : dropped_q[p] + 32'(drop_i[p]);
    end
    for (int unsigned e = 0; e < 4; e++) events_q[e] <= rst_i ? '0 : events_q[e] + 32'(event_now[e]);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      entry_mac_o   <= '0;
      entry_ports_o <= '0;
      entry_valid_o <= 1'b0;
    end else if (write_lookup) begin
      if (index_i == 6'(MacLow)) entry_mac_o[31:0] <= data_i;
      if (index_i == 6'(MacHigh)) entry_mac_o[47:32] <= data_i[15:0];
      if (index_i == 6'(Ports)) {entry_valid_o, entry_ports_o} <= {data_i[31], data_i[PortsW-1:0]};
    end
    clear_o       <= write_lookup && index_i == 6'(Command) && data_i[0] && !rst_i;
    entry_write_o <= write_lookup && index_i == 6'(Store) && data_i < STATIC_ENTRIES && !rst_i;
    entry_index_o <= data_i[EntryW-1:0];
  end

  always_comb begin
    shown = Nothing;
    if (arbiter_i) begin
      if (index_i == '0) shown = ArbiterId;
      for (int unsigned p = 0; p < PORTS; p++) begin
        if (index_i == 6'(Received + p)) shown = received_q[p];
        if (index_i == 6'(Dropped + p)) shown = dropped_q[p];
      end
    end else begin
      if (index_i == '0) shown = LookupId;
      if (index_i == 6'(MacLow)) shown = entry_mac_o[31:0];
      if (index_i == 6'(MacHigh)) shown = 32'(entry_mac_o[47:32]);
      if (index_i == 6'(Ports)) shown = {entry_valid_o, 23'b0, entry_ports_o};
      for (int unsigned e = 0; e < 4; e++) if (index_i == 6'(Events + e)) shown = events_q[e];
    end
  end

  always_ff @(posedge clk_i) begin
    asked_q <= req_i && !rst_i;
    ack_o   <= asked_q && !rst_i;
    if (req_i) data_o <= shown;
  end

endmodule
