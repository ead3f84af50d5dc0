// SPDX-License-Identifier: BSD-3-Clause
// All registers but the shadow, wired: the device, the port in PAGE, RED, and what went wrong.
//
// Contract: a register is written at once, or read in the cycle after that of the access, out of what the views took in
// that one, and shown two cycles later with the answer. Its data are 0 in every other cycle.
module tm_views
  import tm_pkg::*;
  import tm_control_pkg::*;
  import tm_pool_pkg::pool_state_t;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild,
    localparam int unsigned PlaceW = place_w(BUILD.ports)
) (
    input  logic                                       clk_i,
    input  logic                                       rst_i,
    // from and to the bus
    input  access_t                                    access_i,
    output answer_t                                    answer_o,
    // to the others
    output logic               [                 31:0] time_step_o,
    output logic               [            PageW-1:0] page_o,
    output command_reg_t                               command_o,
    output query_reg_t                                 query_o,
    // from the others
    input  logic               [            TimeW-1:0] time_i,
    input  logic                                       snapshot_i,
    input  status_reg_t                                status_i,
    input  total_t                                     sum_i,
    input  logic               [      BUILD.ports-1:0] page_port_i,  // one-hot
    input  logic               [      BUILD.ports-1:0] clear_i,      // watermarks
    // from the ports
    input  held_t              [      BUILD.ports-1:0] held_i,
    input  red_view_t          [(BUILD.ports+7)/8-1:0] red_view_i,
    input  pool_state_t                                pool_i,
    input  tm_pfc_pkg::state_t                         pfc_i,
    input  departure_t         [      BUILD.ports-1:0] departure_i,
    input  incidents_t         [      BUILD.ports-1:0] incidents_i,
    input  mishap_t                                    mishap_i
);

  logic read_q, incident, incident_q, bad_q, port_q, port_snapshot_q;
  logic [1:0] snapshot_q;
  logic [3:1] asked_q;  // the answer comes three cycles after the access
  logic [7:0] index;
  logic [2:0] bad_kind;
  logic [IncidentW+PlaceW-1:0] mishap_addr_q;
  entries_t device_entries, port_entries;
  logic [1:0][31:0] device_data;
  logic [31:0] port_data, red_data, pool_data, mishap_data;
  logic [31:0] shown_q;  // RED's, the pool's or a mishap's; the device's two and the port's come out of registers

  assign index    = access_i.index;
  assign answer_o = '{ack: asked_q[3], data: device_data[1] | device_data[0] | port_data | shown_q};

  // An access holds until its answer: where its word is stands in registers before the memories are read.
  always_ff @(posedge clk_i) begin
    read_q <= access_i.valid && !access_i.write;
    snapshot_q <= {snapshot_q[0], snapshot_i};
    asked_q <= {asked_q[2:1], access_i.valid};
    shown_q <= red_data | pool_data | mishap_data;
    port_q <= !access_i.window && index[7:4] == RegOccupancyBytes[7:4] && (!index[3] || (!index[2] && !index[1]));
    port_snapshot_q <= index[3];
    incident_q <= !access_i.window && incident;
    bad_q <= !access_i.window && index[7:4] == RegBadReset[7:4] && (index[3] ^ index[2]);
    mishap_addr_q <= incident ? {IncidentW'(index - RegCutShort) + 1'b1, page_o[PlaceW-1:0]}
                              : (IncidentW + PlaceW)'(bad_kind);
    if (rst_i) {read_q, asked_q, snapshot_q} <= '0;
  end

  // One for each of the two that have memories, near them. What ports hold is told two cycles late.
  tm_view_entries device_view_entries (
      .clk_i,
      .rst_i,
      .snapshot_i,
      .entries_o(device_entries)
  );

  tm_view_entries port_view_entries (
      .clk_i,
      .rst_i,
      .snapshot_i(snapshot_q[1]),
      .entries_o (port_entries)
  );

  tm_device_view #(
      .BUILD(BUILD)
  ) device_view (
      .clk_i,
      .rst_i,
      .access_i,
      .read_i   (read_q),
      .data_o   (device_data),
      .time_step_o,
      .page_o,
      .command_o,
      .query_o,
      .time_i,
      .entries_i(device_entries),
      .status_i,
      .sum_i
  );

  tm_port_view #(
      .PORTS    (BUILD.ports),
      .BYTES_W  (count_w(BUILD)),
      .PACKETS_W($clog2(BUILD.descriptors + 1))
  ) port_view (
      .clk_i,
      .rst_i,
      .held_i,
      .departure_i,
      .clear_i,
      .page_i(page_port_i),
      .write_entry_i(port_entries.write),
      .read_entry_i(port_snapshot_q ? port_entries.kept : port_entries.newest),
      .read_i(read_q && port_q && (!port_snapshot_q || port_entries.taken)),
      .index_i(index[2:0]),
      .data_o(port_data)
  );

  if (BUILD.red) begin : gen_red
    logic red_q;
    always_ff @(posedge clk_i) red_q <= !access_i.window && index[7:2] == RegAverage0[7:2];
    tm_red_view #(
        .PORTS(BUILD.ports)
    ) red_view (
        .clk_i,
        .view_i (red_view_i),
        .page_i (page_o),
        .read_i (read_q && red_q),
        .index_i(index[1:0]),
        .data_o (red_data)
    );
  end else begin : gen_no_red
    logic unused;
    assign unused   = ^red_view_i;
    assign red_data = '0;
  end

  if (BUILD.pool) begin : gen_pool
    tm_pool_view #(
        .PORTS(BUILD.ports),
        .PFC  (BUILD.pfc)
    ) pool_view (
        .clk_i,
        .rst_i,
        .pool_i,
        .pfc_i,
        .page_i(page_o),
        .clear_i,
        .access_i,
        .read_i(read_q),
        .data_o(pool_data)
    );
  end else begin : gen_no_pool
    logic unused_pool;
    assign unused_pool = ^{pool_i, pfc_i};
    assign pool_data   = '0;
  end

  // The registers of incidents stand in the order of incidents_t, those of wrong frames in that of bad_e.
  assign bad_kind = index[2:0] - RegBadNoDestination[2:0];
  assign incident = index inside {[RegCutShort : RegCutShort + 8'(IncidentKinds - 1)]};

  tm_mishaps #(
      .PORTS(BUILD.ports)
  ) mishaps (
      .clk_i,
      .rst_i,
      .mishap_i,
      .incidents_i,
      .read_i     (read_q && ((incident_q && page_port_i != '0) || bad_q)),
      .read_addr_i(mishap_addr_q),
      .data_o     (mishap_data)
  );

endmodule
