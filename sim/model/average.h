// SPDX-License-Identifier: BSD-3-Clause
// Average: how RED's average of a queue moves at a step and fades while the queue is idle (docs/red-rules.md).
//
// An average is in bytes, or 64ths of a packet, with 24 fractional bits. Nothing here has a state.
#pragma once

#include <cstdint>

#include "types.h"

namespace truemark::average {

inline constexpr uint64_t kOne = uint64_t{1} << 24;  // one byte

// After a step that sees `queue` (RedConfig::queue); `was_idle`: the step ends an idle time, and `average` has faded
// already.
uint64_t step(const RedConfig& config, uint64_t average, uint64_t queue, bool was_idle);

// After an idle time of `elapsed` ns; with Linux's spacing by tc's table, which the clock's two words then mean.
uint64_t faded(const RedConfig& config, const RedClock& clock, uint64_t average, uint64_t elapsed);

// An idle time after which nothing is left of an average, whatever its weight: 37 minutes, half of what a stamp holds.
inline constexpr uint64_t kForever = (kStampMask + 1) / 2;  // ns

}  // namespace truemark::average
