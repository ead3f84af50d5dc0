// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>

#include "random_config_draw.h"

namespace truemark {
namespace {

class Spoiler : ConfigDraw {
 public:
  Spoiler(Random& random, const Build& build, const Shadow& possible) : ConfigDraw(random, build, possible) {}

  Shadow make(uint32_t turn) {
    const auto kinds = static_cast<uint32_t>(build_.red || build_.codel ? std::size(kSpoilings) : kOfEveryBuild);
    const Spoiling& chosen = kSpoilings[turn % kinds];
    const unsigned slot = turn / kinds % 2;
    const bool under_red = chosen.law == Needs::Red || (chosen.law == Needs::PerhapsRed && random_.one_in(2));
    if (under_red && build_.red) set_law(slot, static_cast<uint32_t>(Law::Red));
    if (chosen.law == Needs::Codel) switch_on(reg::kCodelSettings, reg::codel_settings::kOn);
    (this->*chosen.spoil)(slot);
    return shadow_;
  }

 private:
  void switch_on(uint32_t address, reg::Field field) { set(address, get(address) | field.mask()); }
  void set_law(unsigned slot, uint32_t law) { set(reg::kControl, kLaw[slot].put(law, get(reg::kControl))); }
  void switch_on_red(unsigned slot, reg::Field field) { switch_on(reg::kRed0Settings + reg::kRedSlot * slot, field); }
  void put_off(unsigned slot, uint32_t offset) {
    const uint32_t value = get_red(slot, offset);
    set_red(slot, offset, random_.one_in(2) ? value + 3 : value - 3);
  }
  void protect_one() { set(reg::kProtect, 1u << random_.below(14)); }

  void no_byte_limit(unsigned) {
    set(reg::kLimitBytes, random_.one_in(2) ? 0 : storage_ + 1);
    switch_on(reg::kControl, reg::control::kLimitBytesOn);
  }
  void no_packet_limit(unsigned) {
    set(reg::kLimitPackets, random_.one_in(2) ? 0 : build_.descriptors + 1);
    switch_on(reg::kControl, reg::control::kLimitPacketsOn);
  }
  void no_such_law(unsigned slot) { set_law(slot, get_law(slot) | (build_.red ? 3u : 2u)); }
  void limit_below_k(unsigned slot) {
    set(reg::kK0 + 4 * slot, std::max(2u, get(reg::kK0 + 4 * slot)));
    set(reg::kLimitBytes, get(reg::kK0 + 4 * slot) - 1);
    set_law(0, 0);
    set_law(1, 0);
    set_law(slot, static_cast<uint32_t>(Law::Step));
    switch_on(reg::kControl, reg::control::kLimitBytesOn);
  }
  void protection(unsigned) {
    protect_one();
    for (unsigned slot = 0; slot < kSlots; ++slot) set_law(slot, get_law(slot) | static_cast<uint32_t>(Law::Step));
  }
  // Without the step law, or with it twice, or with what drops.
  void no_departure(unsigned) {
    switch_on(reg::kControl, reg::control::kMarkOnDeparture);
    if (!build_.mark_on_departure) return;
    const uint32_t way = random_.below(4);
    if (way < 2) {
      for (unsigned slot = 0; slot < kSlots; ++slot) set_law(slot, way);
    } else {
      set(reg::kProtect, 0);
      switch_on(reg::kControl, way == 2 ? reg::control::kNoecn : reg::control::kHarddrop);
    }
  }
  void protection_without_ecn(unsigned) {
    switch_on(reg::kControl, reg::control::kNoecn);
    protect_one();
  }
  void weight(unsigned slot) {
    const uint32_t weight = random_.between(25, 31);
    set_red(slot, reg::kRedSettings, reg::red_settings::kWeight.put(weight, get_red(slot, reg::kRedSettings)));
  }
  void band(unsigned slot) {
    if (random_.one_in(2)) {
      set_red(slot, reg::kRedMax, 0);
    } else {
      set_red(slot, reg::kRedMin, get_red(slot, reg::kRedMax) + 1);
    }
  }
  void maxp(unsigned slot) { set_red(slot, reg::kRedMaxp, random_.one_in(2) ? 0 : kOne + 1); }
  void slope(unsigned slot) {
    if (get_red(slot, reg::kRedMax) != get_red(slot, reg::kRedMin)) put_off(slot, reg::kRedSlope);
  }
  void gentle_slope(unsigned slot) {
    switch_on_red(slot, reg::red_settings::kGentle);
    put_off(slot, reg::kRedGentleSlope);
  }
  void no_tick(unsigned slot) {
    set_red(slot, reg::kRedSettings, get_red(slot, reg::kRedSettings) | reg::red_settings::kWeight.put(1));
    set(reg::kIdleReciprocal, 0);
  }
  void no_interval(unsigned) { set(reg::kCodelInterval, 0); }
  void interval_too_long(unsigned) { set(reg::kCodelInterval, CodelConfig::kNever + 1 + random_.below(2)); }
  void interval_below_target(unsigned) {
    set(reg::kCodelInterval, get(reg::kCodelTarget) / 2 + 1);
    set(reg::kCodelTarget, get(reg::kCodelInterval) + 1);
  }
  void exempts_nothing(unsigned) {
    switch_on(reg::kCodelSettings, reg::codel_settings::kExemptBelow);
    set(reg::kCodelExemptBytes, 0);
  }
  void threshold(unsigned) { set(reg::kCodelCeThreshold, CodelConfig::kNever + 1 + random_.below(2)); }
  void protection_without_marks(unsigned) {
    set(reg::kCodelSettings, reg::codel_settings::kEcn.put(0, get(reg::kCodelSettings)));
    protect_one();
  }

  void adaptive(unsigned slot) {
    switch_on_red(slot, reg::red_settings::kAdaptive);
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

  // What must be in force for a fault to be one; a weight is at fault under every law.
  enum class Needs : uint8_t { Nothing, Red, PerhapsRed, Codel };
  struct Spoiling {
    void (Spoiler::*spoil)(unsigned slot);
    Needs law = Needs::Nothing;
  };
  static const Spoiling kSpoilings[22];
  static constexpr size_t kOfEveryBuild = 8;
};

const Spoiler::Spoiling Spoiler::kSpoilings[] = {
    {&Spoiler::no_byte_limit},
    {&Spoiler::no_packet_limit},
    {&Spoiler::no_such_law},
    {&Spoiler::limit_below_k},
    {&Spoiler::limit_below_k},
    {&Spoiler::protection},
    {&Spoiler::no_departure},
    {&Spoiler::protection_without_ecn},
    {&Spoiler::weight, Needs::PerhapsRed},
    {&Spoiler::band, Needs::Red},
    {&Spoiler::maxp, Needs::Red},
    {&Spoiler::slope, Needs::Red},
    {&Spoiler::gentle_slope, Needs::Red},
    {&Spoiler::adaptive, Needs::Red},
    {&Spoiler::adaptive, Needs::Red},
    {&Spoiler::no_tick, Needs::Red},
    {&Spoiler::no_interval, Needs::Codel},
    {&Spoiler::interval_too_long, Needs::Codel},
    {&Spoiler::interval_below_target, Needs::Codel},
    {&Spoiler::exempts_nothing, Needs::Codel},
    {&Spoiler::threshold, Needs::Codel},
    {&Spoiler::protection_without_marks, Needs::Codel},
};

}  // namespace

Shadow spoiled_config(Random& random, const Build& build, const Shadow& possible, uint32_t turn) {
  return Spoiler(random, build, possible).make(turn);
}

}  // namespace truemark
