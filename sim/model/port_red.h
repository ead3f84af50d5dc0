// SPDX-License-Identifier: BSD-3-Clause
// RED of one port at frame level: both slots, their random words and the time since the queue ran empty. A step sees
// the queue as it is; whoever needs the cycles in which RTL sees it has sim/model/cycles/red_cycles.h.
#pragma once

#include <array>

#include "generator.h"
#include "red.h"
#include "types.h"

namespace truemark {

class PortRed {
 public:
  const RedSlot& slot(unsigned index) const { return slots_[index]; }

  void seed(uint32_t seed, uint32_t port) { generator_.seed(seed, port); }
  void reset_law(unsigned slot, const PortConfig& config, uint64_t now) { slots_[slot].reset(config.red[slot], now); }
  void load(unsigned slot, const PortConfig& config) { slots_[slot].load(config.red[slot]); }
  void commit(unsigned slot) { slots_[slot].commit(); }

  // The queue held something until now.
  void busy_until(uint64_t now) { since_ = now; }

  // A slot's average as the next verdict would find it.
  uint64_t average(unsigned slot, const PortConfig& config, bool idle, uint64_t now) const {
    const uint64_t stored = slots_[slot].average();
    if (!idle) return stored;
    const uint64_t elapsed = now - since_;
    return elapsed >= average::kForever ? 0 : average::faded(config.red[slot], config.clock, stored, elapsed);
  }

  // A verdict is taken on a frame of slot `speaking`; the queue holds `bytes` in so many `packets`.
  Signal step(const PortConfig& config, unsigned speaking, uint64_t bytes, uint64_t packets, uint64_t now) {
    const bool idle = packets == 0;
    for (unsigned i = 0; i < kSlots; ++i) {
      const uint64_t base = average(i, config, idle, now);
      slots_[i].set_average(average::step(config.red[i], base, config.red[i].queue(bytes, packets), idle));
    }
    RedSlot& speaker = slots_[speaking];
    const RedConfig& law = config.red[speaking];
    const Signal signal =
        speaker.space(law, RedSlot::chance(law, speaker.slope(), speaker.average()), generator_.word());
    generator_.advance();
    since_ = now;
    for (unsigned i = 0; i < kSlots; ++i) {
      if (config.law[i] != Law::Red || !slots_[i].is_due(config.red[i], config.clock, now)) continue;
      slots_[i].set_adapted(now);
      slots_[i].adapt(config.red[i], slots_[i].average());
    }
    return signal;
  }

 private:
  std::array<RedSlot, kSlots> slots_;
  Generator generator_;
  uint64_t since_ = 0;
};

}  // namespace truemark
