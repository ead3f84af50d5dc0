// SPDX-License-Identifier: BSD-3-Clause
// tm_pfc_level with a fixed limit, under any traffic of two classes of one source, and with any contents of its
// memories at first. Next to it what the two hold.
module formal_pfc_level
  import tm_pfc_pkg::*;
#(
    parameter  int unsigned CELLS = 4,
    localparam int unsigned MOST  = 2,
    localparam int unsigned ManyW = $clog2(MOST + 1),
    localparam int unsigned HeldW = $clog2(CELLS + 1)
) (
    input logic             clk_i,
    input logic             take_i,
    input logic             back_i,
    input logic             frame_class_i,
    input logic [ManyW-1:0] back_cells_i,
    input logic             walk_i,
    input logic             walk_class_i,
    input logic [ManyW-1:0] walk_cells_i,
    input logic [HeldW-1:0] limit_i,
    input logic [HeldW-1:0] xon_i
);

  localparam int unsigned Seen = 6;  // cycles from an event to what comes of it

  logic boot_q = 1'b1;
  always_ff @(posedge clk_i) boot_q <= 1'b0;

  // ---- a configuration that stays ----
  logic [HeldW-1:0] limit_q, xon_q;
  always_ff @(posedge clk_i) if (boot_q) {limit_q, xon_q} <= {limit_i, xon_i};

  logic overrun;
  logic [Classes-1:0] xoff;
  threshold_t threshold;
  assign threshold = '{
          dynamic_limit: 1'b0,
          alpha: '0,
          limit: CellsW'(limit_q),
          xon: CellsW'(xon_q),
          xon_offset: '1
      };

  tm_pfc_level #(
      .SOURCES   (1),
      .CELLS     (CELLS),
      .MOST_CELLS(MOST)
  ) dut (
      .clk_i,
      .rst_i         (boot_q),
      .take_i,
      .back_i,
      .frame_source_i(1'b0),
      .frame_class_i ({2'b00, frame_class_i}),
      .back_cells_i,
      .walk_i,
      .walk_source_i (1'b0),
      .walk_class_i  ({2'b00, walk_class_i}),
      .walk_cells_i,
      .free_i        ('0),
      .threshold_i   (threshold),
      .headroom_i    ('0),
      .lossless_i    ('1),
      .xoff_o        (xoff),
      .overrun_o     (overrun)
  );

  // ---- what the two hold ----
  logic [1:0][HeldW-1:0] held_q, held;
  always_comb begin
    held = held_q;
    if (take_i) held[frame_class_i] += 1'b1;
    if (back_i) held[frame_class_i] -= HeldW'(back_cells_i);
    if (walk_i) held[walk_class_i] -= HeldW'(walk_cells_i);
  end

  // ---- of class 0, six cycles ago ----
  typedef struct packed {
    logic took;
    logic walked;
    logic [HeldW-1:0] holds;
  } event_t;
  event_t [Seen-1:0] past_q;
  logic xoff_q;

  always_ff @(posedge clk_i) begin
    Few_M : assume (!take_i || 32'(held_q[0]) + 32'(held_q[1]) < CELLS);
    One_M : assume (!take_i || !back_i);
    Back_M : assume (!back_i || 32'(back_cells_i) <= 32'(held_q[frame_class_i]));
    Walk_M :
    assume (!walk_i || 32'(walk_cells_i) + ((back_i && frame_class_i == walk_class_i) ? 32'(back_cells_i) : 0) <=
            32'(held_q[walk_class_i]));
    Configured_M : assume (!boot_q || xon_i <= limit_i);
    QuietInReset_M : assume (!boot_q || (!take_i && !back_i && !walk_i));

    held_q <= held;
    past_q <= {
      past_q[Seen-2:0], event_t'{took: take_i && !frame_class_i, walked: walk_i && !walk_class_i, holds: held[0]}
    };
    xoff_q <= xoff[0];
    if (boot_q) {held_q, past_q, xoff_q} <= '0;

    if (!boot_q) begin
      Rises_A : assert (!xoff[0] || xoff_q || past_q[Seen-1].holds > limit_q);
      Falls_A : assert (xoff[0] || !xoff_q || past_q[Seen-1].holds <= xon_q);
      Taken_A : assert (!past_q[Seen-1].took || past_q[Seen-1].holds <= limit_q || xoff[0]);
      Walked_A : assert (!past_q[Seen-1].walked || past_q[Seen-1].holds > xon_q || !xoff[0]);
      Others_A : assert (xoff[Classes-1:2] == '0);
    end
  end

endmodule
