// SPDX-License-Identifier: BSD-3-Clause
// BUILD as the scalar parameters of `truemark`: the list of parameters of an instance (see tm_build.svh).
      .PORTS(BUILD.ports),
      .DATA_W(BUILD.data_w),
      .TUSER_W(BUILD.tuser_w),
      .ROWS(BUILD.rows),
      .DESCRIPTORS(BUILD.descriptors),
      .ULTRA(BUILD.ultra),
      .MARKED_COPY(BUILD.marked_copy),
      .MAX_FRAME(BUILD.max_frame),
      .STORE_AND_FORWARD(BUILD.store_and_forward),
      .FLAGS_VERDICT(BUILD.flags_verdict),
      .RED(BUILD.red),
      .RED_LINUX(BUILD.red_linux),
      .CODEL(BUILD.codel)
