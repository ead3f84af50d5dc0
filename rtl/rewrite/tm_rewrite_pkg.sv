// SPDX-License-Identifier: BSD-3-Clause
// What marking changes in a frame, and what must be known for it.
package tm_rewrite_pkg;

  import tm_pkg::*;

  // How a frame is rewritten if it is marked.
  typedef struct packed {
    l3_e         l3;
    logic [1:0]  tags;
    logic [15:0] checksum;  // the finished one
  } rewrite_t;

  // The row on an output.
  typedef struct packed {
    logic       mark;
    logic [2:0] row;   // row number within the frame, 7 and beyond as 7
    rewrite_t   how;
  } rewriting_t;

  // Where rows are kept marked nothing is rewritten.
  function automatic int unsigned rewrite_w(input build_t build);
    return keeps_marked_copy(build) ? 0 : $bits(rewrite_t);
  endfunction
  function automatic int unsigned rewriting_w(input build_t build);
    return keeps_marked_copy(build) ? 0 : $bits(rewriting_t);
  endfunction

  // The bits of a beat, of any, that marking may change (tm_rewrite): ECN, and the checksum, for each number of tags.
  function automatic logic [1023:0] markable(input int unsigned data_w);
    markable = '0;
    for (int unsigned n = 0; n <= MaxTags; n++) begin
      markable[(8*(15+4*n))%data_w+:2]   = '1;
      markable[(8*(15+4*n)+4)%data_w+:2] = '1;
      markable[(8*(24+4*n))%data_w+:16]  = '1;
    end
  endfunction

endpackage
