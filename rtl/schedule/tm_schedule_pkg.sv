// SPDX-License-Identifier: BSD-3-Clause
// What the queues of a line tell those that choose among them.
package tm_schedule_pkg;

  import tm_pkg::*;

  // What is behind the frame on a queue's output.
  typedef struct packed {
    logic            at_end;  // its last row stands there
    logic            ended;   // it was taken in the cycle before, and not known to be the last
    logic            valid;   // the next one waits, and its first row follows at once
    logic [LenW-1:0] last;    // the length of that one less one, bytes
  } behind_t;

endpackage
