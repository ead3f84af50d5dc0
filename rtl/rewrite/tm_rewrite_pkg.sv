// SPDX-License-Identifier: BSD-3-Clause
// What marking changes in a frame.
package tm_rewrite_pkg;

  // The bits of a beat, of any, that marking may change (tm_rewrite): ECN, and the checksum, for each number of tags.
  function automatic logic [1023:0] markable(input int unsigned data_w);
    markable = '0;
    for (int unsigned n = 0; n <= tm_pkg::MaxTags; n++) begin
      markable[(8*(15+4*n))%data_w+:2]   = '1;
      markable[(8*(15+4*n)+4)%data_w+:2] = '1;
      markable[(8*(24+4*n))%data_w+:16]  = '1;
    end
  endfunction

endpackage
