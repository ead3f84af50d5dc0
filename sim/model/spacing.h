// SPDX-License-Identifier: BSD-3-Clause
// Spacing: from the chance of a signal to the signals themselves, one slot of RED (docs/red.md).
#pragma once

#include <algorithm>
#include <cstdint>

#include "types.h"

namespace truemark {

// What RED says of an average: it is below the band, beyond it, or in between with a probability in 2^-24.
struct Chance {
  enum class Region : uint8_t { Below, Between, Forced } region = Region::Below;
  uint32_t probability = 0;
  uint32_t above_min = 0;  // bytes, while in between
};

class SignalSpacing {
 public:
  // As after a reset of the law.
  void reset(Spacing spacing) {
    const int64_t half = kOne / 2;
    left_ = spacing == Spacing::Wait ? 3 * half : half;
    count_ = -1;
    threshold_ = 0;
  }

  // What the slot that speaks says at a step; `word` is the step's. `slope`: the law's, which Linux divides by.
  Signal step(Spacing spacing, const Chance& chance, uint32_t slope, uint32_t word) {
    if (spacing == Spacing::Linux) return step_linux(chance, slope, word);
    const bool between = chance.region == Chance::Region::Between;
    const int64_t left = left_ - int64_t{chance.probability};
    const bool signal = between && left < 0;
    const bool carries_on = between && !signal && spacing != Spacing::Memoryless;
    left_ = carries_on ? left : int64_t{word} / 256 + (spacing == Spacing::Wait ? kOne : 0);
    return signal ? Signal::Probabilistic : chance.region == Chance::Region::Forced ? Signal::Forced : Signal::None;
  }

 private:
  static constexpr int64_t kOne = int64_t{1} << 24;  // probability 1
  static constexpr int64_t kMostCount = (int64_t{1} << 24) - 1;

  // Linux counts the frames since the last signal and compares with a threshold of one random word.
  Signal step_linux(const Chance& chance, uint32_t slope, uint32_t word) {
    if (chance.region != Chance::Region::Between) {
      count_ = -1;
      return chance.region == Chance::Region::Forced ? Signal::Forced : Signal::None;
    }
    count_ = std::min(count_ + 1, kMostCount);
    const uint64_t drawn = word / std::max(slope, 1u);
    if (count_ == 0) {
      threshold_ = drawn;
      return Signal::None;
    }
    if (chance.above_min * static_cast<uint64_t>(count_) < threshold_) return Signal::None;
    count_ = 0;
    threshold_ = drawn;
    return Signal::Probabilistic;
  }

  int64_t left_ = kOne / 2;  // until the next signal, in 2^-24
  int64_t count_ = -1;
  uint64_t threshold_ = 0;
};

}  // namespace truemark
