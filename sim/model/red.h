// SPDX-License-Identifier: BSD-3-Clause
// RED of one law slot: its average, the probability that follows from it, the spacing of signals, and ARED
// (docs/red-rules.md). Who calls decides when; time and random words are arguments.
#pragma once

#include <algorithm>
#include <cstdint>

#include "average.h"
#include "spacing.h"
#include "types.h"

namespace truemark {

class RedSlot {
 public:
  uint64_t average() const { return average_; }
  uint32_t maxp() const { return maxp_; }
  uint32_t slope() const { return slope_; }

  void reset(const RedConfig& config, uint64_t now) {
    average_ = 0;
    spacing_.reset(config.spacing);
    adapted_ = now;
    load(config);
  }

  void set_probability(uint32_t maxp, uint32_t slope) {
    maxp_ = maxp;
    slope_ = slope;
  }

  // The configured probability in place of what ARED made of it.
  void load(const RedConfig& config) { set_probability(config.maxp, config.slope); }

  void set_average(uint64_t average) { average_ = average; }

  // What an average means with a slope (of the configuration, or ARED's).
  static Chance chance(const RedConfig& config, uint32_t slope, uint64_t average) {
    constexpr uint64_t certain = (uint64_t{1} << 24) - 1;
    const uint64_t bytes = average / average::kOne;
    const uint64_t min = config.min, max = config.max;
    if (bytes < min) return {};
    if (bytes >= (config.gentle ? 2 * max : max)) return {Chance::Region::Forced, 0, 0};
    uint64_t probability = 0;
    if (bytes < max) {
      probability = (bytes - min) * upper(slope) / scale(config.slope_scale);
    } else {
      probability = config.maxp + (bytes - max) * upper(config.gentle_slope) / scale(config.gentle_scale);
    }
    return {Chance::Region::Between, static_cast<uint32_t>(std::min(probability, certain)),
            static_cast<uint32_t>(bytes - min)};
  }

  Signal space(const RedConfig& config, const Chance& chance, uint32_t word) {
    return spacing_.step(config.spacing, chance, slope_, word);
  }
  Signal space(const RedConfig& config, const Chance& chance, uint32_t word, CountSeen seen) {
    return spacing_.step(config.spacing, chance, slope_, word, seen);
  }
  uint64_t next_count() const { return spacing_.next_count(); }

  // With each configuration, whatever is new in it.
  void commit() { spacing_.begin_count(); }

  // ---- ARED

  bool is_due(const RedConfig& config, const RedClock& clock, uint64_t now) const {
    return config.adaptive && ((now - adapted_) & kStampMask) >= clock.adapt_interval;
  }
  void set_adapted(uint64_t now) { adapted_ = now; }

  // One step of maxp, by the average: up, down, or none.
  void adapt(const RedConfig& config, uint64_t average) {
    constexpr uint32_t half = 1u << 23, hundredth = 167772;
    const uint64_t bytes = average / average::kOne;
    if (bytes > config.band_high && maxp_ < half) {
      maxp_ = std::min(maxp_ + std::min(hundredth, maxp_ / 4), half);
    } else if (bytes < config.band_low && maxp_ > config.bottom) {
      maxp_ = std::max(static_cast<uint32_t>(uint64_t{maxp_} * 58982 / 65536), config.bottom);
    }
    const uint64_t slope = uint64_t{maxp_} * config.reciprocal / (uint64_t{1} << 24);
    slope_ = static_cast<uint32_t>(std::min(slope, (uint64_t{1} << 32) - 1));
  }

 private:
  // The bits of a slope that count.
  static uint64_t upper(uint32_t slope) { return slope / 256; }
  static uint64_t scale(unsigned bytes) { return uint64_t{1} << (8 * bytes); }

  uint64_t average_ = 0;
  uint32_t maxp_ = 0;
  uint32_t slope_ = 0;
  uint64_t adapted_ = 0;  // when ARED last acted
  SignalSpacing spacing_;
};

}  // namespace truemark
