// SPDX-License-Identifier: BSD-3-Clause
// Spacing: from the chance of a signal to the signals themselves, one slot of RED (docs/red-rules.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "types.h"

namespace truemark {

// What RED says of an average: it is below the band, beyond it, or in between with a probability in 2^-24.
struct Chance {
  enum class Region : uint8_t { Below, Between, Forced } region = Region::Below;
  uint32_t probability = 0;
  uint32_t above_min = 0;  // bytes, while in between
};

// What Linux's count is taken for by who sees it late: that of the frame in question, or none: no signal at random.
using CountSeen = std::optional<uint64_t>;

class SignalSpacing {
 public:
  // Linux's count of the frames since the last signal, if one comes now; 0 where this one would draw a threshold.
  uint64_t next_count() const { return count_; }

  // Linux counts again with each configuration.
  void begin_count() { count_ = 0; }

  // As after a reset of the law.
  void reset(Spacing spacing) {
    const int64_t half = kOne / 2;
    left_ = spacing == Spacing::Wait ? 3 * half : half;
    begin_count();
    threshold_ = 0;
  }

  // What the slot that speaks says at a step; `word` is the step's. `slope`: the law's, which Linux divides by.
  Signal step(Spacing spacing, const Chance& chance, uint32_t slope, uint32_t word) {
    return step(spacing, chance, slope, word, next_count());
  }

  // The same where Linux's count is seen late.
  Signal step(Spacing spacing, const Chance& chance, uint32_t slope, uint32_t word, CountSeen seen) {
    if (spacing == Spacing::Linux) return step_linux(chance, slope, word, seen);
    const bool between = chance.region == Chance::Region::Between;
    const int64_t left = left_ - int64_t{chance.probability};
    const bool signal = between && left < 0;
    const bool carries_on = between && !signal && spacing != Spacing::Memoryless;
    left_ = carries_on ? left : int64_t{word} / 256 + (spacing == Spacing::Wait ? kOne : 0);
    return signal ? Signal::Probabilistic : chance.region == Chance::Region::Forced ? Signal::Forced : Signal::None;
  }

 private:
  static constexpr int64_t kOne = int64_t{1} << 24;  // probability 1

  // Linux counts the frames since the last signal and compares with a threshold of one random word.
  Signal step_linux(const Chance& chance, uint32_t slope, uint32_t word, CountSeen seen) {
    if (chance.region != Chance::Region::Between) {
      begin_count();
      return chance.region == Chance::Region::Forced ? Signal::Forced : Signal::None;
    }
    const bool is_first = count_ == 0;
    const bool signal = !is_first && seen && chance.above_min * *seen >= threshold_;
    if (is_first || signal) {
      count_ = 0;
      threshold_ = word / std::max(slope, 1u);
    }
    count_ += 1;
    return signal ? Signal::Probabilistic : Signal::None;
  }

  int64_t left_ = kOne / 2;  // until the next signal, in 2^-24
  uint64_t count_ = 0;       // Linux's, of the next frame
  uint64_t threshold_ = 0;
};

}  // namespace truemark
