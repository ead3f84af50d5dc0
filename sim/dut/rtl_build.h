// SPDX-License-Identifier: BSD-3-Clause
// The build that the RTL was Verilated for, fixed at compile time: TM_ and a parameter's name is what Verilator was
// given, and TM_SWITCHES are those of them that are bits of CAPABILITIES.
#pragma once

#include "../engine/truemark.h"

namespace truemark {

inline constexpr tm_build kRtlBuild = {.ports = TM_PORTS,
                                       .data_w = TM_DATA_W,
                                       .rows = TM_ROWS,
                                       .descriptors = TM_DESCRIPTORS,
                                       .max_frame = TM_MAX_FRAME,
                                       .ultra = TM_ULTRA,
                                       .switches = TM_SWITCHES,
                                       .queues = TM_QUEUES};

// Throws unless `asked` is this build; zeros as truemark.h says.
void check_rtl_build(const tm_build& asked);

}  // namespace truemark
