// SPDX-License-Identifier: BSD-3-Clause
// What a line and its queues tell one another.
package tm_schedule_pkg;

  import tm_pkg::*;

  // What is behind the frame on a queue's output.
  typedef struct packed {
    logic            at_end;  // its last row stands there
    logic            ended;   // it was taken in the cycle before, and not known to be the last
    logic            valid;   // the next one waits, and its first row follows at once
    logic            soon;    // the next one waits; its first row follows, at once or when the pool has read it
    logic [LenW-1:0] last;    // the length of that one less one, bytes
  } behind_t;

  // What the line lets a queue do.
  typedef struct packed {
    logic ready;  // it takes the row on the queue's output
    logic tx_en;  // the queue may take its next frame
  } permit_t;

endpackage
