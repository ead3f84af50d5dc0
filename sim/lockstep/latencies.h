// SPDX-License-Identifier: BSD-3-Clause
// When commands act, in cycles after the cycle in which the write to COMMAND is accepted (docs/control.md).
#pragma once

#include <cstdint>

namespace truemark::latency {

inline constexpr uint64_t kCommit = 12;  // the first verdict under the new configuration
inline constexpr uint64_t kFlush = 1;    // the cycle in which the frames to drop are those whose verdict came before it
inline constexpr uint64_t kClear = 1;    // watermarks restart from what is held after this cycle

}  // namespace truemark::latency
