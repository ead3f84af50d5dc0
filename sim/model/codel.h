// SPDX-License-Identifier: BSD-3-Clause
// CoDel of one port: which frame of a departure is dropped, and how the one that is sent leaves (docs/codel.md).
//
// A departure shows the frames from the head on, one at a time and all at one `now`, until one is not dropped. Where
// the queue has none (left) to show, say so with `ran_out`. Times are 32 bits in units of 1024 ns and wrap.
#pragma once

#include <algorithm>
#include <cstdint>

#include "types.h"

namespace truemark {

// Rare paths, counted.
struct CodelEvents {
  uint64_t entered = 0, reentered = 0, left = 0, drops = 0, several_drops = 0, marks = 0, marks_while_dropping = 0;
  uint64_t ce_signals = 0, protects = 0, protects_ending_loop = 0, thresholds = 0, thresholds_on_marks = 0, emptied = 0;
};

class Codel {
 public:
  Codel() = default;

  struct Head {
    uint32_t length = 0;
    uint32_t stamp = 0;     // bits 41:10 of the time of its verdict
    Ecn ecn = Ecn::NotEct;  // as it is now: CE if it was marked on its way in
    bool is_protected = false;
    uint64_t behind = 0;  // bytes the queue holds without it
  };

  void reset() { *this = Codel{events_}; }

  // A frame of this length is held from now on.
  void stored(uint32_t length) { largest_ = std::max(largest_, length); }

  Departure meet(const CodelConfig& config, uint32_t now, const Head& head);
  void ran_out(const CodelConfig& config);

  const CodelEvents& events() const { return events_; }
  bool dropping() const { return dropping_; }
  uint32_t count() const { return count_; }
  uint32_t drop_next() const { return drop_next_; }
  uint32_t reciprocal_root() const { return root_; }

 private:
  enum class Stage : uint8_t { First, Loop, Entered };

  explicit Codel(const CodelEvents& events) : events_(events) {}

  bool stands(const CodelConfig& config, uint32_t now, const Head& head);
  Departure decide(const CodelConfig& config, uint32_t now, const Head& head, bool standing);
  Departure signal_while_dropping(const CodelConfig& config, uint32_t now, const Head& head);
  void enter(const CodelConfig& config, uint32_t now);
  void newton(const CodelConfig& config);
  uint32_t next_after(const CodelConfig& config, uint32_t time) const;

  Stage stage_ = Stage::First;
  bool dropping_ = false;
  uint32_t first_above_ = 0;  // 0: not above
  uint32_t drop_next_ = 0;
  uint32_t count_ = 0;
  uint32_t last_count_ = 0;
  uint32_t root_ = 0xFFFF;  // 1/sqrt(count) in 2^-16, as good as Newton's steps made it
  uint32_t largest_ = 0;
  uint32_t drops_now_ = 0;
  CodelEvents events_;
};

}  // namespace truemark
