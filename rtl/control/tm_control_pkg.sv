// SPDX-License-Identifier: BSD-3-Clause
// What the parts of control tell each other.
package tm_control_pkg;

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

endpackage
