// SPDX-License-Identifier: BSD-3-Clause
// What a random configuration is drawn with: the registers of a shadow, by name, and what they must not say.
#pragma once

#include "../model/random.h"
#include "../model/shadow.h"
#include "traffic.h"

namespace truemark {

constexpr uint32_t kOne = 1u << 24;  // probability 1
constexpr reg::Field kLaw[kSlots] = {reg::control::kLaw0, reg::control::kLaw1};

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

// The same for a port in a phase of traffic; `spoiled_` counts the impossible ones.
class PhaseDraw : protected ConfigDraw {
 protected:
  PhaseDraw(Random& random, const Build& build, const Shadow& shadow, uint32_t port, const Phase& phase,
            uint32_t& spoiled)
      : ConfigDraw(random, build, shadow), port_(port), phase_(phase), spoiled_(spoiled) {}

  // Bytes that so many frames of this phase may come to, often a multiple of a frame's length, or one off.
  uint32_t near(uint32_t multiples) {
    const uint32_t length = phase_.max_length;
    const uint32_t bytes = random_.one_in(2) ? length * random_.below(multiples) : random_.below(multiples * length);
    return random_.one_in(2) ? bytes : bytes + random_.below(3) - (bytes > 0 ? 1 : 0);
  }

  uint32_t port_;
  const Phase& phase_;
  uint32_t& spoiled_;
};

// Returns a configuration of laws with what its port shares with others; if that is impossible, `spoiled` is one more.
Shadow shared_config(Random& random, const Build& build, const Shadow& laws, uint32_t port, const Phase& phase,
                     uint32_t& spoiled);

// Returns a possible configuration with one thing that makes it impossible: each in turn, in one slot and then in
// the other.
Shadow spoiled_config(Random& random, const Build& build, const Shadow& possible, uint32_t turn);

}  // namespace truemark
