// SPDX-License-Identifier: BSD-3-Clause
// When commands act, in cycles after the cycle in which the write to COMMAND is accepted (docs/control.md).
#pragma once

#include <cstdint>

namespace truemark::latency {

inline constexpr uint64_t kCommit = 12;  // the first verdict under the new configuration
inline constexpr uint64_t kFlush = 1;    // the cycle in which the frames to drop are those whose verdict came before it
inline constexpr uint64_t kClear = 1;    // watermarks restart from what is held after this cycle

// RED (docs/red.md, "Cycles").
inline constexpr uint64_t kRedLag = 8;        // a verdict sees the evaluation of a cycle at least so long before
inline constexpr uint64_t kRedSettle = 10;    // verdicts after a commit that find both slots below
inline constexpr uint64_t kRedRound = 48;     // the shared unit comes by once in so many cycles
inline constexpr uint64_t kRedPlace = 6;      // cycles between its visits to two ports
inline constexpr uint64_t kRedSlot = 3;       // cycles between its visits to the two slots of a port
inline constexpr uint64_t kRedUnitPorts = 8;  // ports that share a unit
inline constexpr uint64_t kRedVisible = 16;   // from a visit to what it brings

}  // namespace truemark::latency
