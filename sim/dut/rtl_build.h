// SPDX-License-Identifier: BSD-3-Clause
// The build that the RTL was Verilated for, fixed at compile time: TM_PORTS, TM_DATA_W, TM_ROWS, TM_DESCRIPTORS,
// TM_MAX_FRAME, TM_STORE_AND_FORWARD, TM_FLAGS_VERDICT, TM_ULTRA, TM_RED and TM_CODEL are those Verilator was given.
#pragma once

#include "../engine/truemark.h"

namespace truemark {

inline constexpr tm_build kRtlBuild = {
    TM_PORTS,         TM_DATA_W, TM_ROWS, TM_DESCRIPTORS, TM_MAX_FRAME, TM_STORE_AND_FORWARD,
    TM_FLAGS_VERDICT, TM_ULTRA,  TM_RED,  TM_CODEL};

// Throws unless `asked` is this build; zeros as truemark.h says.
void check_rtl_build(const tm_build& asked);

}  // namespace truemark
