// SPDX-License-Identifier: BSD-3-Clause
// The control law of CoDel: the count of signals, the reciprocal of its root as good as Newton's steps make it, and the
// time from one signal to the next (docs/codel-rules.md). Units of 1024 ns; everything wraps at 32 bits.
#pragma once

#include <cstdint>

#include "types.h"

namespace truemark {

// Of two times less than 2^31 units apart: by how much the first is the later.
inline int32_t later_by(uint32_t time, uint32_t than) { return static_cast<int32_t>(time - than); }

class CodelLaw {
 public:
  uint32_t count() const { return count_; }

  // Dropping begins at `now`; the signal after the last would have been due at `drop_next`. True: an earlier count is
  // taken up, and its root is to be improved. After enter and after next: look_ahead.
  bool enter(const CodelConfig& config, uint32_t now, uint32_t drop_next) {
    const uint32_t gained = count_ - last_count_;
    const uint32_t since = now - drop_next;
    const bool soon =
        later_by(since, 16 * config.interval) < 0 && (!config.reentry_past || later_by(now, drop_next) >= 0);
    const bool again = gained > 1 && soon;
    count_ = again ? gained : 1;
    if (!again) root_ = 0xFFFF;
    last_count_ = count_;
    return again;
  }

  // One more signal while dropping.
  void next() {
    ++count_;
    root_ = ahead_;
  }

  // The step from the root of an earlier count to that of the count taken up.
  void improve(const CodelConfig& config) { root_ = improved(config, count_, root_); }

  // The step for the count to come is made as soon as this one's root is known.
  void look_ahead(const CodelConfig& config) { ahead_ = improved(config, count_ + 1, root_); }

  uint32_t gap(uint32_t interval) const { return static_cast<uint32_t>(uint64_t{interval} * root_ / 65536); }

 private:
  // root' = root * (3 - count * root^2) / 2 in 64 bits that wrap, with the precision that Linux gives each factor.
  static uint32_t improved(const CodelConfig& config, uint32_t count, uint32_t root) {
    for (int i = 0; i < (config.converge ? 4 : 1); ++i) {
      const uint64_t wide = uint64_t{root} * 65536;
      const uint64_t square = wide * wide / (uint64_t{1} << 32);
      const uint64_t rest = (uint64_t{3} << 32) - count * square;
      root = static_cast<uint16_t>(rest / 4 * wide / (uint64_t{1} << 31) / 65536);
    }
    return root;
  }

  uint32_t count_ = 0;
  uint32_t last_count_ = 0;
  uint32_t root_ = 0xFFFF;  // 1/sqrt(count) in 2^-16
  uint32_t ahead_ = 0;
};

// What a signal does to the frame that it meets.
inline Departure codel_fate(const CodelConfig& config, Ecn ecn, bool is_protected) {
  if (ecn == Ecn::NotEct) return is_protected ? Departure::Protected : Departure::HeadDropped;
  if (!config.ecn) return Departure::HeadDropped;
  return ecn == Ecn::Ce ? Departure::CeSignalled : Departure::Marked;
}

// Whether a frame has waited for longer than ce_threshold. Frames come while now stands still: such a wait is negative,
// and by modulo longer than the largest thresholds. The largest is off.
inline bool is_over(uint32_t ce_threshold, uint32_t wait) {
  return ce_threshold != CodelConfig::kNever && later_by(ce_threshold, wait) < 0;
}

// The kind of a frame that is sent, with the mark of ce_threshold if it waited too long for that.
inline Departure with_threshold(const CodelConfig& config, Departure kind, Ecn ecn, bool over) {
  if (!over || !is_ect(ecn)) return kind;
  if (kind != Departure::Marked) return Departure::Threshold;
  return config.threshold_once ? kind : Departure::MarkedThreshold;
}

}  // namespace truemark
