// SPDX-License-Identifier: BSD-3-Clause
// What the parts of control tell each other.
package tm_control_pkg;
  import tm_pkg::*;

  // What a port's configuration means to the other ports.
  typedef struct packed {
    logic [CellsW-1:0] kept;      // cells of the pool
    logic [7:0]        lossless;  // classes of the port as a source
    logic              drops;     // its laws may
  } in_force_t;

  // Whether a law may drop a frame: one that cannot be marked unless it is protected, with noecn, or CoDel without ecn,
  // any, and with harddrop any that meets a forced signal. Limits are no laws.
  // verilator lint_off UNUSED
  function automatic logic drops(input cfg_t cfg);
    drops = cfg.codel.on && (!cfg.codel.ecn || cfg.protect != '1);
    for (int unsigned e = 0; e < 4; e++) begin
      if (cfg.law[cfg.slot_of[e]] != LawNone)
        drops |= cfg.noecn || cfg.harddrop || (ecn_e'(e) == NotEct && cfg.protect != '1);
    end
  endfunction
  // verilator lint_on UNUSED

  // A wide counter.
  typedef struct packed {
    logic [47:0] packets;
    logic [47:0] bytes;
  } total_t;

  // Entries of the views (tm_view_entries).
  typedef struct packed {
    logic [1:0] write;   // is written in this cycle
    logic [1:0] newest;  // was written in the one before
    logic [1:0] kept;    // is the snapshot
    logic       taken;   // there has been one
  } entries_t;

  // One access to a register, and its answer (tm_regs_bus).
  typedef struct packed {
    logic        valid;   // for one cycle; all else holds until the answer
    logic        write;
    logic        window;  // of a word of NetFPGA's
    logic [7:0]  index;   // byte address / 4
    logic [31:0] data;
    logic [3:0]  strobe;
  } access_t;

  typedef struct packed {
    logic        ack;
    logic [31:0] data;
  } answer_t;

  // Bits that number the ports, or the kinds of wrong frames.
  function automatic int unsigned place_w(input int unsigned ports);
    return (ports > 16) ? $clog2(ports) : 4;
  endfunction

endpackage
