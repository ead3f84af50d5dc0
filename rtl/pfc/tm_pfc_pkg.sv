// SPDX-License-Identifier: BSD-3-Clause
// Priority-based flow control (IEEE 802.1Q clause 36): its frame, as IEEE 802.3 annex 31D lays it out, and what the
// blocks tell one another.
package tm_pfc_pkg;

  // `truemark` itself uses the levels alone.
  // verilator lint_off UNUSED

  localparam int unsigned Classes = 8;
  localparam int unsigned QuantaW = 16;  // bits of a time in quanta of 512 bit times
  localparam int unsigned StepFractionW = 24;  // a step: quanta a cycle, with so many bits below the point
  localparam int unsigned StepW = StepFractionW + 3;  // and less than eight
  localparam int unsigned UnitsW = 20;  // bits of the watchdog's times

  // ---- the frame, without FCS; the first byte on the line is a struct's highest ----
  localparam int unsigned FrameBytes = 60;
  localparam logic [47:0] ControlAddress = 48'h0180_C200_0001;
  localparam logic [15:0] ControlType = 16'h8808;
  localparam logic [15:0] PfcOpcode = 16'h0101;
  localparam logic [15:0] CustomerTag = 16'h8100, ServiceTag = 16'h88A8;  // of IEEE 802.1Q, in the type's place

  typedef struct packed {
    logic [47:0] destination;
    logic [47:0] source;
    logic [15:0] ethertype;
    logic [15:0] behind_type;  // a control frame's opcode, or a tag's priority and number
  } head_t;

  localparam int unsigned HeadBytes = $bits(head_t) / 8;

  typedef struct packed {
    head_t                           head;
    logic [7:0]                      reserved;
    logic [Classes-1:0]              enable;    // the class's time counts
    logic [Classes-1:0][QuantaW-1:0] quanta;    // class 0 comes first: that of c is Classes - 1 - c
  } frame_t;

  localparam int unsigned FieldBytes = $bits(frame_t) / 8;

  // ---- what a frame asks for ----
  typedef struct packed {
    logic [Classes-1:0]              enable;
    logic [Classes-1:0][QuantaW-1:0] quanta;  // 0: send again
  } pause_t;

  // ---- memory held by a class of a source, in cells ----
  localparam int unsigned CellsW = tm_pkg::CellsW;

  typedef struct packed {
    logic              dynamic_limit;  // the limit is 2^alpha of what is free, and not `limit`
    logic signed [3:0] alpha;          // -7 to 3
    logic [CellsW-1:0] limit;          // xoff above it
    logic [CellsW-1:0] xon;            // xon at or below this, or at or below
    logic [CellsW-1:0] xon_offset;     // the limit less this
  } threshold_t;

  localparam logic [CellsW-1:0] NoOffset = CellsW'(16'hFFFF);  // all that the register holds: xon alone counts

  // For the registers.
  typedef struct packed {
    logic                     fault;     // whose a frame is was read with a wrong parity: levels mean nothing
    logic [31:0]              overruns;  // cells
    logic [15:0][Classes-1:0] xoff;      // by source
  } state_t;

  // What is no configuration. A commit asks before it takes the words.
  function automatic logic refused(input threshold_t threshold);
    return threshold.dynamic_limit ? threshold.alpha > 3 || threshold.alpha < -7 : threshold.xon > threshold.limit;
  endfunction

  // verilator lint_on UNUSED

endpackage
