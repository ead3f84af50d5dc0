// SPDX-License-Identifier: BSD-3-Clause
// A learning Ethernet switch: finds the ports a frame goes to and writes them into its destination bits.
//
// Contract: the stream leaves four cycles after it came, beat for beat. Of the first beat, `m_user_o` has length and
// source ports as they came and the destinations above them: those of a static entry, else the port the address was
// last seen on, else, and for a group address, every MAC port; never the one it came from.
module tm_switch_lookup #(
    parameter int unsigned PORTS = 5,  // the last one is the host's, which is not flooded to
    parameter int unsigned DATA_W = 256,  // bits
    parameter int unsigned DEPTH = 1024,  // rows of two learned addresses
    parameter int unsigned STATIC_ENTRIES = 16,
    localparam int unsigned BeatBytes = DATA_W / 8,
    localparam int unsigned LenBits = 16,
    localparam int unsigned PortsW = 8,
    localparam int unsigned IndexW = $clog2(STATIC_ENTRIES)
) (
    input  logic                        clk_i,
    input  logic                        rst_i,
    // from the arbiter
    input  logic                        s_valid_i,
    input  logic                        s_first_i,
    input  logic [          DATA_W-1:0] s_data_i,
    input  logic [       BeatBytes-1:0] s_keep_i,
    input  logic                        s_last_i,
    input  logic                        s_error_i,
    input  logic [  LenBits+PortsW-1:0] s_user_i,       // source ports, length
    // to the queues
    output logic                        m_valid_o,
    output logic [          DATA_W-1:0] m_data_o,
    output logic [       BeatBytes-1:0] m_keep_o,
    output logic                        m_last_o,
    output logic                        m_error_o,
    output logic [LenBits+2*PortsW-1:0] m_user_o,       // destination ports, source ports, length
    // config
    input  logic                        clear_i,        // forget what was learned
    input  logic                        write_i,
    input  logic [          IndexW-1:0] index_i,
    input  logic                        entry_valid_i,
    input  logic [                47:0] entry_mac_i,
    input  logic [          PortsW-1:0] entry_ports_i,
    // events
    output logic                        learn_o,
    output logic                        hit_o,
    output logic                        flood_o,
    output logic                        filter_o        // no port is left
);

  localparam int unsigned Latency = 3;  // of the table
  localparam logic [PortsW-1:0] MacPorts = PortsW'('h55) & PortsW'((1 << 2 * (PORTS - 1)) - 1);

  if (DATA_W < 128) begin : gen_width_error
    $error("DATA_W is %0d: both addresses must be in the first beat", DATA_W);
  end
  if (PORTS < 2 || PORTS > 5) begin : gen_ports_error
    $error("PORTS is %0d: tuser names the ports of 1 to 4 MACs and the host", PORTS);
  end

  typedef struct packed {
    logic                      valid;
    logic                      first;
    logic                      last;
    logic                      error;
    logic [LenBits+PortsW-1:0] user;
    logic [BeatBytes-1:0]      keep;
    logic [DATA_W-1:0]         data;
  } beat_t;

  beat_t [Latency:0] beat;
  beat_t beat_q;
  logic first, unused, hit, match, match_q, match_2_q;
  logic [PortsW-1:0] seen_ports, static_ports, static_q, static_2_q, source, found, destination, destination_q;
  logic arrives;  // a frame for which the table has answered

  assign first = s_valid_i && s_first_i;
  assign beat[0] = '{
          valid: s_valid_i && !rst_i,
          first: s_first_i,
          last: s_last_i,
          error: s_error_i,
          user: s_user_i,
          keep: s_keep_i,
          data: s_data_i
      };

  for (genvar i = 0; i < Latency; i++) begin : gen_wait
    always_ff @(posedge clk_i) begin
      beat[i+1] <= beat[i];
      if (rst_i) beat[i+1].valid <= 1'b0;
    end
  end

  tm_mac_table #(
      .DEPTH  (DEPTH),
      .PORTS_W(PortsW)
  ) learned (
      .clk_i,
      .rst_i,
      .clear_i,
      .valid_i       (first),
      .destination_i (s_data_i[47:0]),
      .source_i      (s_data_i[95:48]),
      .source_ports_i(s_user_i[LenBits+:PortsW]),
      .hit_o         (hit),
      .ports_o       (seen_ports),
      .learn_o
  );

  tm_static_entries #(
      .ENTRIES(STATIC_ENTRIES),
      .PORTS_W(PortsW)
  ) fixed (
      .clk_i,
      .rst_i,
      .mac_i  (s_data_i[47:0]),
      .match_o(match),
      .ports_o(static_ports),
      .write_i,
      .index_i,
      .entry_valid_i,
      .entry_mac_i,
      .entry_ports_i
  );

  // The table has answered: the beat it spoke of has waited as long.
  assign arrives = beat[Latency].valid && beat[Latency].first && !rst_i;
  assign source  = beat[Latency].user[LenBits+:PortsW];
  always_comb begin
    found = MacPorts;
    if (match_2_q) found = static_2_q;
    else if (hit && !beat[Latency].data[0]) found = seen_ports;
    destination = found & ~source;
  end

  always_ff @(posedge clk_i) begin
    {match_q, static_q}     <= {match, static_ports};
    {match_2_q, static_2_q} <= {match_q, static_q};
    beat_q                  <= beat[Latency];
    if (rst_i) beat_q.valid <= 1'b0;
    if (beat[Latency].first) destination_q <= destination;
    hit_o    <= arrives && (match_2_q || (hit && !beat[Latency].data[0]));
    flood_o  <= arrives && !match_2_q && (!hit || beat[Latency].data[0]);
    filter_o <= arrives && destination == '0;
  end

  assign unused    = beat_q.first;
  assign m_valid_o = beat_q.valid;
  assign m_data_o  = beat_q.data;
  assign m_keep_o  = beat_q.keep;
  assign m_last_o  = beat_q.last;
  assign m_error_o = beat_q.error;
  assign m_user_o  = {destination_q, beat_q.user};

endmodule
