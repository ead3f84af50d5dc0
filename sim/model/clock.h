// SPDX-License-Identifier: BSD-3-Clause
// Clock: how many cycles have passed, by TIME_STEP. Another step counts from when it is written, as a clock does not
// run backwards.
#pragma once

#include <algorithm>
#include <cstdint>

#include "registers.h"

namespace truemark {

class Clock {
 public:
  // From now on, in units of 2^-24 ns. The part of a cycle that has begun is lost.
  void set_step(uint32_t step, uint64_t now) {
    cycles_ = cycle(now);
    since_ = now;
    step_ = std::max(step, kShortest);
  }

  uint64_t cycle(uint64_t now) const {
    const uint64_t elapsed = now - since_;
    return cycles_ + (elapsed / step_ << 24) + (elapsed % step_ << 24) / step_;
  }

 private:
  static constexpr uint32_t kShortest = 1 << 20;  // 16 GHz: cycles fit in 64 bits for 36 years, whatever is written

  uint64_t cycles_ = 0;  // at the time `since_`
  uint64_t since_ = 0;
  uint32_t step_ = reg::kTimeStepReset;
};

}  // namespace truemark
