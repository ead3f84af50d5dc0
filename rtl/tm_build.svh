// SPDX-License-Identifier: BSD-3-Clause
// The parameters of a build, for tops whose tools know no structs: included at the end of a top's list of parameters.
//
// One for each field of tm_pkg::build_t, with the values of DefaultBuild, and BUILD, which joins them. PORTS to
// MAX_FRAME are the top's own, by these names: their defaults differ, and NetFPGA has words of its own for some.
    parameter bit STORE_AND_FORWARD = 1'b0,
    parameter bit FLAGS_VERDICT = 1'b0,  // verdicts may wait for the TCP flags
    parameter bit RED = 1'b0,  // the law slots can do RED
    parameter bit RED_LINUX = 1'b0,  // and space signals as Linux does; only with RED
    parameter bit CODEL = 1'b0,  // CoDel at the head
    localparam tm_pkg::build_t BUILD = '{
        ports: PORTS,
        data_w: DATA_W,
        tuser_w: TUSER_W,
        rows: ROWS,
        descriptors: DESCRIPTORS,
        ultra: ULTRA,
        marked_copy: MARKED_COPY,
        max_frame: MAX_FRAME,
        store_and_forward: STORE_AND_FORWARD,
        flags_verdict: FLAGS_VERDICT,
        red: RED,
        red_linux: RED_LINUX,
        codel: CODEL
    }
