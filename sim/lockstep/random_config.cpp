// SPDX-License-Identifier: BSD-3-Clause
#include "random_config.h"

#include <algorithm>
#include <array>

#include "random_config_draw.h"

namespace truemark {
namespace {

constexpr uint64_t kMost = 0xFFFFFFFF;
constexpr uint32_t kLinux = static_cast<uint32_t>(Spacing::Linux);  // not every build has it: there it is refused
constexpr uint32_t kSpacings = kLinux;                              // that every build has

class Maker : PhaseDraw {
 public:
  Maker(Random& random, const Build& build, uint32_t port, const Phase& phase, uint32_t& spoiled)
      : PhaseDraw(random, build, Shadow(), port, phase, spoiled) {}

  Shadow make() {
    limits_and_steps();
    for (unsigned slot = 0; slot < kSlots; ++slot) red(slot);
    idle();
    codel();
    if (build_.tcn) set(reg::kTcnThreshold, random_threshold());
    const uint32_t before = spoiled_;
    shadow_ = shared_config(random_, build_, shadow_, port_, phase_, spoiled_);
    if (spoiled_ != before) return shadow_;
    if (random_.one_in(4)) return spoiled_config(random_, build_, shadow_, spoiled_++);
    return shadow_;
  }

 private:
  uint32_t random_law() {
    const uint32_t kinds = build_.red ? 10 : 5;
    const uint32_t kind = random_.below(kinds);
    return kind == 0 ? 0 : kind < 5 ? 1 : 2;
  }

  void limits_and_steps() {
    using namespace reg::control;
    uint32_t control = kEnable.put(!random_.one_in(30));
    uint32_t k0 = std::min(near(12), storage_), k1 = std::min(near(12), storage_);
    const uint32_t limit = std::min(std::max({near(30), k0, k1, 1u}), storage_);
    control |= kLimitBytesOn.put(random_.one_in(2));
    control |= kLimitPacketsOn.put(random_.one_in(3));
    control |= kSlotOf.put(random_.one_in(2) ? 0 : random_.below(16));
    const uint32_t law0 = build_.red ? random_law() : random_.chance(70),
                   law1 = build_.red ? random_law() : random_.one_in(2);
    control |= kLaw0.put(law0) | kLaw1.put(law1);
    control |= kHarddrop.put(random_.one_in(build_.red_linux ? 2 : 6));
    const bool without_ecn = random_.one_in(8);
    control |= kNoecn.put(without_ecn);
    const bool protects = build_.flags_verdict && !without_ecn && random_.one_in(2);
    if (build_.mark_on_departure && random_.one_in(2)) {
      control = on_departure(control);
      // Some frames of the longest, often: or a byte less.
      for (uint32_t* k : {&k0, &k1}) *k = std::min(*k, phase_.max_length * random_.between(1, 4) - random_.below(2));
    }
    set(reg::kControl, control);
    set(reg::kLimitBytes, limit);
    set(reg::kLimitPackets, random_.between(1, build_.descriptors));
    set(reg::kK0, k0);
    set(reg::kK1, k1);
    set(reg::kProtect, protects ? (random_.one_in(4) ? 0x3FFF : random_.next()) : 0);
  }

  // The same, but that the step law of one slot marks as frames leave; in most of them.
  uint32_t on_departure(uint32_t control) {
    using reg::control::kMarkOnDeparture, reg::control::kNoecn, reg::control::kHarddrop;
    constexpr auto step = static_cast<uint32_t>(Law::Step);
    const unsigned slot = random_.below(kSlots);
    control = kNoecn.put(0, kHarddrop.put(0, kMarkOnDeparture.put(1, control)));
    if (kLaw[1 - slot].get(control) == step) control = kLaw[1 - slot].put(0, control);
    return kLaw[slot].put(step, control);
  }

  // The most precise scale at which `of * 2^(bits + 8 * scale) / by` fits a word.
  static unsigned scale_for(uint64_t of, unsigned bits, uint64_t by) {
    unsigned scale = 3;
    while (scale > 0 && (of << (bits + 8 * scale)) / by > kMost) --scale;
    return scale;
  }

  uint64_t rounded(uint64_t of, unsigned shift, uint64_t by) {
    const uint64_t below = (of << shift) / by;
    return std::min(below + (random_.one_in(3) ? 1 : 0) - (random_.one_in(6) && below > 0 ? 1 : 0), kMost);
  }

  // maxp from 2^-24 to 1: a bit length first.
  uint32_t random_maxp() {
    const uint32_t bits = random_.one_in(3) ? random_.between(21, 24) : random_.below(25);
    const uint32_t low = 1u << bits;
    return random_.one_in(4) ? kOne : std::min(low + random_.below(low), kOne);
  }

  void red(unsigned slot) {
    constexpr std::array<uint32_t, 10> usual = {0, 0, 1, 1, 2, 3, 4, 6, 9, 24};
    const uint32_t weight = random_.one_in(8) ? random_.below(25) : usual[random_.below(usual.size())];
    const bool packets = random_.one_in(3);
    const auto some = [&](uint32_t frames) { return packets ? random_.below(64 * frames) : near(frames); };
    const uint32_t min = random_.one_in(5) ? 0 : some(8);
    const uint32_t max = std::max(1u, random_.one_in(8) ? min : min + some(random_.one_in(4) ? 40 : 12));
    const uint32_t band = max - min;
    uint32_t maxp = random_maxp();
    bool gentle = random_.one_in(2), adaptive = random_.one_in(2);
    const uint64_t divisor = std::max(1u, band);
    unsigned scale = scale_for(maxp, 8, divisor);
    if (adaptive) scale = std::min(scale, scale_for(1, 32, divisor));
    if (random_.one_in(3)) scale = random_.below(scale + 1);
    unsigned gentle_scale = scale_for(kOne - maxp, 8, max);
    if (random_.one_in(3)) gentle_scale = random_.below(gentle_scale + 1);
    uint32_t spacing = random_.one_in(24) ? kLinux : random_.below(kSpacings);
    if (build_.red_linux && random_.one_in(2)) {
      // As Linux has it, except for some that a commit refuses.
      spacing = kLinux;
      gentle = gentle && random_.one_in(20);
      adaptive = adaptive && random_.one_in(20);
      if (!random_.one_in(20)) scale = 0;
      if (random_.one_in(2)) maxp = kOne >> random_.below(8);  // signals that follow one another soon
      if (!random_.one_in(20)) maxp = std::min<uint64_t>(std::max(maxp, band / 128 + 1), uint64_t{divisor} * 65535);
    }
    using namespace reg::red_settings;
    set_red(slot, reg::kRedSettings,
            kWeight.put(weight) | kSpacing.put(spacing) | kGentle.put(gentle) | kAdaptive.put(adaptive) |
                kPackets.put(packets) | kSlopeScale.put(scale) | kGentleScale.put(gentle_scale));
    set_red(slot, reg::kRedMin, min);
    set_red(slot, reg::kRedMax, max);
    set_red(slot, reg::kRedMaxp, maxp);
    set_red(slot, reg::kRedSlope, rounded(maxp, 8 + 8 * scale, divisor));
    set_red(slot, reg::kRedGentleSlope, rounded(kOne - maxp, 8 + 8 * gentle_scale, max));
    set_red(slot, reg::kRedReciprocal, rounded(1, 32 + 8 * scale, divisor));
    set_red(slot, reg::kRedBottom, random_.between(1, std::min(maxp, kOne / 2)));
    const uint32_t low = min + random_.below(std::max(1u, band));
    set_red(slot, reg::kRedBandLow, low);
    set_red(slot, reg::kRedBandHigh, low + random_.below(std::max(1u, band)));
  }

  void idle() {
    // A tick of 2^3 ns and up: averages fade while a queue rests for some cycles, or for some seconds.
    const uint32_t bits = random_.between(1, 17);
    set(reg::kIdleReciprocal, (1u << (bits - 1)) + random_.below(1u << (bits - 1)));
    set(reg::kIdleShift, random_.one_in(8) ? random_.below(64) : bits + random_.between(3, 16));
    // Cells from 1 us up, and a table that halves after some of them: of a law that is spaced as in Linux.
    if (build_.red_linux && random_.one_in(2)) set(reg::kIdleShift, random_.below(8) | (random_.one_in(4) ? 32 : 0));
    set(reg::kAdaptInterval, random_.one_in(6) ? 0xFFFFFFFF : random_.between(1, 400 * phase_.nanoseconds));
  }

  void codel() {
    const bool on = build_.codel && random_.chance(60);
    const uint32_t per_cycle = std::max(1u, phase_.nanoseconds / 1024);
    const uint32_t interval = random_.one_in(20) ? CodelConfig::kNever : random_.between(1, 100 * per_cycle);
    const uint32_t target = random_.below(std::min(interval, 30 * per_cycle) + 1);
    using namespace reg::codel_settings;
    uint32_t settings = kOn.put(on) | kEcn.put(random_.chance(70));
    for (unsigned bit = kAtOnce.low; bit <= kKeepFirstAbove.low; ++bit)
      settings |= (random_.one_in(4) ? 1u : 0u) << bit;
    if (!kEcn.get(settings) && on) set(reg::kProtect, 0);
    set(reg::kCodelSettings, settings);
    set(reg::kCodelTarget, target);
    set(reg::kCodelInterval, interval);
    set(reg::kCodelCeThreshold, random_.one_in(2) ? CodelConfig::kNever : random_.below(200 * per_cycle));
    const uint32_t exempt = random_.one_in(3) ? random_.between(1, 20) : std::max(1u, near(4));
    set(reg::kCodelExemptBytes, random_.one_in(20) ? (random_.between(1, 255) << 16) + exempt : exempt);
  }

  // Off, some waits of this phase in full, some nanoseconds, or anything.
  uint32_t random_threshold() {
    switch (random_.below(8)) {
      case 0:
        return 0;
      case 1:
      case 2:
      case 3:
        return random_.between(1, 100);
      case 4:
        return static_cast<uint32_t>(random_.next());
      default:
        return random_.between(4, 40) * phase_.nanoseconds - random_.below(2);
    }
  }
};

}  // namespace

Shadow random_config(Random& random, const Build& build, uint32_t port, const Phase& phase, uint32_t& spoiled) {
  return Maker(random, build, port, phase, spoiled).make();
}

}  // namespace truemark
