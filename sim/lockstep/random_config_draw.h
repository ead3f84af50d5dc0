// SPDX-License-Identifier: BSD-3-Clause
// What a random configuration is drawn with: the registers of a shadow, by name, and what they must not say.
#pragma once

#include "../model/random.h"
#include "../model/shadow.h"

namespace truemark {

constexpr uint32_t kOne = 1u << 24;  // probability 1
constexpr reg::Field kLaw[kSlots] = {reg::control::kLaw0, reg::control::kLaw1};
constexpr uint32_t kNoThreshold = 0x7FFFFFFF;

class ConfigDraw {
 protected:
  ConfigDraw(Random& random, const Build& build, const Shadow& shadow)
      : random_(random), build_(build), storage_(static_cast<uint32_t>(build.storage())), shadow_(shadow) {}

  void set(uint32_t address, uint64_t value) { shadow_.write(address, static_cast<uint32_t>(value)); }
  uint32_t get(uint32_t address) const { return shadow_.read(address).value_or(0); }
  void set_red(unsigned slot, uint32_t offset, uint64_t value) {
    set(reg::kRed + reg::kRedSlot * slot + offset, value);
  }
  uint32_t get_law(unsigned slot) const { return kLaw[slot].get(get(reg::kControl)); }
  uint32_t get_red(unsigned slot, uint32_t offset) const { return get(reg::kRed + reg::kRedSlot * slot + offset); }

  Random& random_;
  Build build_;
  uint32_t storage_;
  Shadow shadow_;
};

// Returns a possible configuration with one thing that makes it impossible: each in turn, in one slot and then in
// the other.
Shadow spoiled_config(Random& random, const Build& build, const Shadow& possible, uint32_t turn);

}  // namespace truemark
