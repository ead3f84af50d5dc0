// SPDX-License-Identifier: BSD-3-Clause
// All registers but the shadow, wired: the device, the port in PAGE, RED, and what went wrong.
//
// Contract: in a cycle with `req_i` a register is written at once, or read in the next cycle, out of what the views
// took in the first, and shown in the one after that with `ack_o`; the request holds until then. `data_o` is 0 in every
// other cycle.
module tm_views
  import tm_pkg::*;
  import tm_regs_pkg::*;
#(
    parameter build_t BUILD = DefaultBuild
) (
    input  logic                                               clk_i,
    input  logic                                               rst_i,
    // from and to the bus
    input  logic                                               req_i,
    input  logic                                               write_i,
    input  logic                                               window_i,
    input  logic         [                  7:0]               index_i,
    input  logic         [                 31:0]               data_i,
    input  logic         [                  3:0]               strobe_i,
    output logic                                               ack_o,
    output logic         [                 31:0]               data_o,
    // to the others
    output logic         [                 31:0]               time_step_o,
    output logic         [                  3:0]               page_o,
    output command_reg_t                                       command_o,
    output query_reg_t                                         query_o,
    // from the others
    input  logic         [            TimeW-1:0]               time_i,
    input  logic                                               snapshot_i,
    input  status_reg_t                                        status_i,
    input  logic         [                 47:0]               sum_packets_i,
    input  logic         [                 47:0]               sum_bytes_i,
    input  logic         [      BUILD.ports-1:0]               page_port_i,       // one-hot
    input  logic         [      BUILD.ports-1:0]               clear_i,           // watermarks
    // from the ports
    input  logic         [      BUILD.ports-1:0][  BytesW-1:0] bytes_i,
    input  logic         [      BUILD.ports-1:0][PacketsW-1:0] packets_i,
    input  red_view_t    [(BUILD.ports+7)/8-1:0]               red_view_i,
    input  logic         [      BUILD.ports-1:0]               depart_valid_i,
    input  departure_e   [      BUILD.ports-1:0]               depart_kind_i,
    input  logic         [      BUILD.ports-1:0][  StampW-1:0] depart_sojourn_i,
    input  logic         [      BUILD.ports-1:0]               cut_short_i,
    input  logic                                               bad_valid_i,
    input  bad_e                                               bad_kind_i,
    input  logic                                               reset_in_frame_i
);

  localparam int unsigned Storage = BUILD.rows * (BUILD.data_w / 8);

  logic asked_q, read_q, read, mishap_cut, taken;
  logic [1:0] write_entry, newest_entry, kept_entry;
  logic [31:0] device_data, port_data, red_data, mishap_data;

  assign read       = read_q && !window_i;
  assign mishap_cut = index_i == RegCutShort;
  assign data_o     = device_data | port_data | red_data | mishap_data;

  always_ff @(posedge clk_i) begin
    if (rst_i) {read_q, asked_q, ack_o} <= '0;
    else begin
      read_q  <= req_i && !write_i;
      asked_q <= req_i;
      ack_o   <= asked_q;
    end
  end

  tm_view_entries entries (
      .clk_i,
      .rst_i,
      .snapshot_i,
      .write_o (write_entry),
      .newest_o(newest_entry),
      .kept_o  (kept_entry),
      .taken_o (taken)
  );

  tm_device_view #(
      .BUILD(BUILD)
  ) device_view (
      .clk_i,
      .rst_i,
      .req_i,
      .write_i,
      .window_i,
      .read_i        (read_q),
      .index_i,
      .data_i,
      .strobe_i,
      .data_o        (device_data),
      .time_step_o,
      .page_o,
      .command_o,
      .query_o,
      .time_i,
      .write_entry_i (write_entry),
      .newest_entry_i(newest_entry),
      .kept_entry_i  (kept_entry),
      .taken_i       (taken),
      .status_i,
      .sum_packets_i,
      .sum_bytes_i
  );

  tm_port_view #(
      .PORTS    (BUILD.ports),
      .BYTES_W  ($clog2(Storage + 1)),
      .PACKETS_W($clog2(BUILD.descriptors + 1))
  ) port_view (
      .clk_i,
      .rst_i,
      .bytes_i,
      .packets_i,
      .depart_valid_i,
      .depart_kind_i,
      .depart_sojourn_i,
      .clear_i,
      .page_i(page_port_i),
      .write_entry_i(write_entry),
      .read_entry_i(index_i[3] ? kept_entry : newest_entry),
      .read_i(read && index_i[7:4] == RegOccupancyBytes[7:4] && (!index_i[3] || (taken && !index_i[2] && !index_i[1]))),
      .index_i(index_i[2:0]),
      .data_o(port_data)
  );

  if (BUILD.red) begin : gen_red
    tm_red_view #(
        .PORTS(BUILD.ports)
    ) red_view (
        .clk_i,
        .view_i (red_view_i),
        .page_i (page_o),
        .read_i (read && index_i[7:2] == RegAverage0[7:2]),
        .index_i(index_i[1:0]),
        .data_o (red_data)
    );
  end else begin : gen_no_red
    logic unused;
    assign unused   = ^red_view_i;
    assign red_data = '0;
  end

  tm_mishaps #(
      .PORTS(BUILD.ports)
  ) mishaps (
      .clk_i,
      .rst_i,
      .bad_valid_i,
      .bad_kind_i,
      .reset_in_frame_i,
      .cut_short_i,
      .read_i     (read && (mishap_cut || (index_i[7:4] == RegBadReset[7:4] && (index_i[3] ^ index_i[2])))),
      .read_addr_i(mishap_cut ? {1'b1, page_o} : {2'b00, index_i[2:0] - 3'd4}),
      .data_o     (mishap_data)
  );

endmodule
