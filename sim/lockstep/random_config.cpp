// SPDX-License-Identifier: BSD-3-Clause
#include "random_config.h"

#include <algorithm>
#include <array>

namespace truemark {
namespace {

constexpr uint32_t kOne = 1u << 24;  // probability 1
constexpr uint64_t kMost = 0xFFFFFFFF;
constexpr uint32_t kSpacings = 3;
constexpr uint32_t kLinux = 3;  // a spacing that not every build has: there the commit is refused

class Maker {
 public:
  Maker(Random& random, const Build& build, const Phase& phase, uint32_t& spoiled)
      : random_(random),
        build_(build),
        phase_(phase),
        spoiled_(spoiled),
        storage_(static_cast<uint32_t>(build.storage())) {}

  Shadow make() {
    limits_and_steps();
    for (unsigned slot = 0; slot < kSlots; ++slot) red(slot);
    idle();
    codel();
    if (random_.one_in(4)) spoil();
    return shadow_;
  }

 private:
  void set(uint32_t address, uint64_t value) { shadow_.write(address, static_cast<uint32_t>(value)); }
  uint32_t get(uint32_t address) const { return shadow_.read(address).value_or(0); }
  void set_red(unsigned slot, uint32_t offset, uint64_t value) {
    set(reg::kRed + reg::kRedSlot * slot + offset, value);
  }
  uint32_t get_red(unsigned slot, uint32_t offset) const { return get(reg::kRed + reg::kRedSlot * slot + offset); }

  // Bytes that so many frames of this phase may come to, often a multiple of a frame's length, or one off.
  uint32_t near(uint32_t multiples) {
    const uint32_t length = phase_.max_length;
    const uint32_t bytes = random_.one_in(2) ? length * random_.below(multiples) : random_.below(multiples * length);
    return random_.one_in(2) ? bytes : bytes + random_.below(3) - (bytes > 0 ? 1 : 0);
  }

  uint32_t random_law() {
    const uint32_t kinds = build_.red ? 10 : 5;
    const uint32_t kind = random_.below(kinds);
    return kind == 0 ? 0 : kind < 5 ? 1 : 2;
  }

  void limits_and_steps() {
    uint32_t control = random_.one_in(30) ? 0 : 1;
    const uint32_t k0 = std::min(near(12), storage_), k1 = std::min(near(12), storage_);
    const uint32_t limit = std::min(std::max({near(30), k0, k1, 1u}), storage_);
    if (random_.one_in(2)) control |= 2;
    if (random_.one_in(3)) control |= 4;
    control |= (random_.one_in(2) ? 0 : random_.below(16)) << 4;
    const uint32_t law0 = build_.red ? random_law() : random_.chance(70),
                   law1 = build_.red ? random_law() : random_.one_in(2);
    control |= law0 << 8 | law1 << 10;
    control |= (random_.one_in(build_.red_linux ? 2 : 6) ? 1u : 0u) << 12;
    const bool without_ecn = random_.one_in(8);
    control |= (without_ecn ? 1u : 0u) << 13;
    const bool protects = build_.flags_verdict && !without_ecn && random_.one_in(2);
    set(reg::kControl, control);
    set(reg::kLimitBytes, limit);
    set(reg::kLimitPackets, random_.between(1, build_.descriptors));
    set(reg::kK0, k0);
    set(reg::kK1, k1);
    set(reg::kProtect, protects ? (random_.one_in(4) ? 0x3FFF : random_.next()) : 0);
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
    const uint32_t min = random_.one_in(5) ? 0 : near(8);
    const uint32_t max = std::max(1u, random_.one_in(8) ? min : min + near(random_.one_in(4) ? 40 : 12));
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
      // As Linux has it, but for some that a commit refuses.
      spacing = kLinux;
      gentle = gentle && random_.one_in(20);
      adaptive = adaptive && random_.one_in(20);
      if (!random_.one_in(20)) scale = 0;
      if (random_.one_in(2)) maxp = kOne >> random_.below(8);  // signals that follow one another soon
      if (!random_.one_in(20)) maxp = std::min<uint64_t>(std::max(maxp, band / 128 + 1), uint64_t{divisor} * 65535);
    }
    set_red(
        slot, reg::kRedSettings,
        weight | spacing << 8 | (gentle ? 1u << 12 : 0) | (adaptive ? 1u << 13 : 0) | scale << 16 | gentle_scale << 20);
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
    const uint32_t interval = random_.one_in(20) ? 0xFFFFFFFF : random_.between(1, 100 * per_cycle);
    const uint32_t target = random_.below(std::min(interval, 30 * per_cycle) + 1);
    uint32_t settings = (on ? 1u : 0u) | (random_.chance(70) ? 2u : 0u);
    for (unsigned bit = 2; bit < 10; ++bit) settings |= (random_.one_in(4) ? 1u : 0u) << bit;
    if (!(settings & 2) && on) set(reg::kProtect, 0);
    set(reg::kCodelSettings, settings);
    set(reg::kCodelTarget, target);
    set(reg::kCodelInterval, interval);
    set(reg::kCodelCeThreshold, random_.one_in(2) ? 0x7FFFFFFF : random_.below(200 * per_cycle));
    set(reg::kCodelExemptBytes, random_.one_in(3) ? random_.between(1, 20) : std::max(1u, near(4)));
  }

  // One thing that makes the configuration impossible, if it is in force: each in its turn, in one slot and then in the
  // other.
  void spoil() {
    const uint32_t kinds = build_.red || build_.codel ? 21 : 8;
    const uint32_t turn = spoiled_++;
    const uint32_t kind = turn % kinds, slot = turn / kinds % 2;
    const uint32_t control = get(reg::kControl);
    const uint32_t as_red = build_.red ? (control & ~(3u << (8 + 2 * slot))) | 2u << (8 + 2 * slot) : control;
    const uint32_t band = get_red(slot, reg::kRedMax) - get_red(slot, reg::kRedMin);
    const uint32_t settings = get_red(slot, reg::kRedSettings);
    const uint32_t codel = get(reg::kCodelSettings);
    const auto off = [&](uint32_t value) { return random_.one_in(2) ? value + 3 : value - 3; };
    // A weight is at fault under every law.
    if (kind >= 8 && kind < 16 && (kind != 8 || random_.one_in(2))) set(reg::kControl, as_red);
    if (kind >= 16) set(reg::kCodelSettings, codel | 1);
    switch (kind) {
      case 0:
        set(reg::kLimitBytes, random_.one_in(2) ? 0 : storage_ + 1);
        set(reg::kControl, control | 2);
        break;
      case 1:
        set(reg::kLimitPackets, random_.one_in(2) ? 0 : build_.descriptors + 1);
        set(reg::kControl, control | 4);
        break;
      case 2:
        set(reg::kControl, control | (build_.red ? 3u : 2u) << (8 + 2 * slot));
        break;
      case 3:
      case 4:
        set(reg::kK0 + 4 * slot, std::max(2u, get(reg::kK0 + 4 * slot)));
        set(reg::kLimitBytes, get(reg::kK0 + 4 * slot) - 1);
        set(reg::kControl, (control & ~0xF00u) | 2 | 1u << (8 + 2 * slot));
        break;
      case 5:
        set(reg::kProtect, 1u << random_.below(14));
        set(reg::kControl, control | 5u << 8);
        break;
      case 6:
        set(reg::kControl, control | 8);
        break;
      case 7:
        set(reg::kControl, control | 1u << 13);
        set(reg::kProtect, 1u << random_.below(14));
        break;
      case 8:
        set_red(slot, reg::kRedSettings, (settings & ~31u) | random_.between(25, 31));
        break;
      case 9:
        if (random_.one_in(2)) {
          set_red(slot, reg::kRedMax, 0);
        } else {
          set_red(slot, reg::kRedMin, get_red(slot, reg::kRedMax) + 1);
        }
        break;
      case 10:
        set_red(slot, reg::kRedMaxp, random_.one_in(2) ? 0 : kOne + 1);
        break;
      case 11:
        if (band != 0) set_red(slot, reg::kRedSlope, off(get_red(slot, reg::kRedSlope)));
        break;
      case 12:
        set_red(slot, reg::kRedSettings, settings | 1u << 12);
        set_red(slot, reg::kRedGentleSlope, off(get_red(slot, reg::kRedGentleSlope)));
        break;
      case 13:
      case 14:
        set_red(slot, reg::kRedSettings, settings | 1u << 13);
        spoil_adaptive(slot);
        break;
      case 15:
        set_red(slot, reg::kRedSettings, settings | 1u);
        set(reg::kIdleReciprocal, 0);
        break;
      case 16:
        set(reg::kCodelInterval, 0);
        break;
      case 17:
        set(reg::kCodelInterval, get(reg::kCodelTarget) / 2 + 1);
        set(reg::kCodelTarget, get(reg::kCodelInterval) + 1);
        break;
      case 18:
        set(reg::kCodelSettings, get(reg::kCodelSettings) | 8);
        set(reg::kCodelExemptBytes, 0);
        break;
      case 19:
        set(reg::kCodelCeThreshold, 0x80000000 + random_.below(2));
        break;
      default:
        set(reg::kCodelSettings, (codel | 1) & ~2u);
        set(reg::kProtect, 1u << random_.below(14));
    }
  }

  void spoil_adaptive(unsigned slot) {
    switch (random_.below(5)) {
      case 0:
        set_red(slot, reg::kRedReciprocal, get_red(slot, reg::kRedReciprocal) - 3);
        break;
      case 1:
        set_red(slot, reg::kRedBottom, random_.one_in(2) ? 0 : kOne / 2 + 1);
        break;
      case 2:
        set_red(slot, reg::kRedBottom, get_red(slot, reg::kRedMaxp) + 1);
        break;
      case 3:
        set_red(slot, reg::kRedBandLow, get_red(slot, reg::kRedBandHigh) + 1);
        break;
      default:
        set(reg::kAdaptInterval, 0);
    }
  }

  Random& random_;
  Build build_;
  const Phase& phase_;
  uint32_t& spoiled_;
  uint32_t storage_;
  Shadow shadow_;
};

}  // namespace

Shadow random_config(Random& random, const Build& build, const Phase& phase, uint32_t& spoiled) {
  return Maker(random, build, phase, spoiled).make();
}

}  // namespace truemark
