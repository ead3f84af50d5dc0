// SPDX-License-Identifier: BSD-3-Clause
#include "average.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace truemark::average {
namespace {

constexpr unsigned kWeights = 25;
constexpr uint64_t kMostTicks = (uint64_t{1} << 30) - 1;

using Wide = unsigned __int128;

int64_t floor_divided(int64_t dividend, int64_t divisor) {
  const int64_t quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}

// Of a fraction in Linux's arithmetic, which has as many bits as the weight.
uint64_t unit(const RedConfig& config) { return kOne / (uint64_t{1} << config.weight); }

uint64_t rounded(long double value) { return static_cast<uint64_t>(std::floor(value + 0.5L)); }

// What the rule calls round(): all three tables are made here once, from their formulas.
struct Tables {
  std::array<uint64_t, kWeights> halvings{};  // of one tick, in 2^-17 * 2^-W
  std::array<uint64_t, 512> coarse{};         // 2^(-i/512) in 2^-16
  std::array<uint64_t, 256> fine{};           // 2^(-i/2^17) in 2^-16

  Tables() {
    for (unsigned w = 1; w < kWeights; ++w) {
      const long double kept = 1.0L - std::exp2(-static_cast<long double>(w));
      halvings[w] = rounded(-std::log2(kept) * std::exp2(static_cast<long double>(w + 17)));
    }
    for (unsigned i = 0; i < coarse.size(); ++i) coarse[i] = rounded(65536.0L * std::exp2(i / -512.0L));
    for (unsigned i = 0; i < fine.size(); ++i) fine[i] = rounded(65536.0L * std::exp2(i / -131072.0L));
  }
};

const Tables tables;

// Linux's idle time (red_calc_qavg_from_idle_time): cells of 2^n us, and the shift that tc's table holds for each. The
// table is given by its slope: entry i is (i * idle_reciprocal) >> 20, or >> 16 with bit 5 of idle_shift, whose lower
// bits are n; the last of its 256 entries is 31, and none is more.
uint64_t faded_by_table(const RedConfig& config, const RedClock& clock, uint64_t average, uint64_t elapsed) {
  constexpr uint64_t kLast = 255;
  constexpr uint64_t kMostHalvings = 31;
  const unsigned cell_log = clock.idle_shift & 31;
  const unsigned scale = (clock.idle_shift & 32) != 0 ? 16 : 20;
  const uint64_t microseconds = std::min(elapsed / 1000, kLast << cell_log);
  const uint64_t cell = microseconds >> cell_log;
  const uint64_t halvings =
      cell == kLast ? kMostHalvings : std::min((cell * clock.idle_reciprocal) >> scale, kMostHalvings);
  const uint64_t held = average / unit(config);
  if (halvings != 0) return (held >> halvings) * unit(config);
  const auto less = static_cast<uint64_t>((Wide{held} * microseconds) >> cell_log);
  return (less < held / 2 ? held - less : held / 2) * unit(config);
}

}  // namespace

uint64_t step(const RedConfig& config, uint64_t average, uint64_t queue, bool was_idle) {
  const int64_t before = static_cast<int64_t>(average);
  if (config.spacing == Spacing::Linux) {
    if (was_idle) return average;
    const int64_t whole = static_cast<int64_t>(average / kOne);
    return static_cast<uint64_t>(before + (static_cast<int64_t>(queue) - whole) * static_cast<int64_t>(unit(config)));
  }
  const int64_t distance = static_cast<int64_t>(queue * kOne) - before;
  return static_cast<uint64_t>(before + floor_divided(distance, int64_t{1} << config.weight));
}

uint64_t faded(const RedConfig& config, const RedClock& clock, uint64_t average, uint64_t elapsed) {
  if (config.weight == 0) return 0;
  if (config.spacing == Spacing::Linux) return faded_by_table(config, clock, average, elapsed);
  const uint64_t passed = elapsed * clock.idle_reciprocal / (uint64_t{1} << clock.idle_shift);  // 42 and 17 bits
  const uint64_t ticks = std::min(passed, kMostTicks);
  const uint64_t fall = ticks * tables.halvings[config.weight] / (uint64_t{1} << config.weight);
  const uint64_t whole = fall / 131072;
  const uint64_t fraction = fall % 131072;
  if (whole >= 64) return 0;
  const uint64_t factor = tables.coarse[fraction / 256] * tables.fine[fraction % 256] / 65536;
  return static_cast<uint64_t>(Wide{average} * factor / 65536) >> whole;
}

}  // namespace truemark::average
