// SPDX-License-Identifier: BSD-3-Clause
// Depart: the frames a queue holds, in arrival order, and how long each has waited.
#pragma once

#include <algorithm>

#include "ring.h"
#include "types.h"

namespace truemark {

struct Held {
  Meta meta;
  uint32_t length = 0;  // as judged and counted
  uint32_t rows = 0;
  uint32_t first_row = 0;
  uint64_t verdict_time = 0;
  Outcome outcome = Outcome::Pass;
  uint64_t id = 0;  // the caller's name for the frame

  bool deferred = false;     // the step law judges it as it leaves
  bool class_known = false;  // to the verdict; CoDel takes other frames for NON_IP without ECE

  Class known_class() const { return class_known ? meta.class_id : Class::NonIp; }
  bool known_ece() const { return class_known && meta.ece; }
  bool marked() const { return outcome == Outcome::Mark; }
  // The codepoint it would leave with if nothing more were done to it.
  Ecn ecn() const { return marked() ? Ecn::Ce : meta.ecn; }
};

class Depart {
 public:
  bool empty() const { return held_.empty(); }
  size_t size() const { return held_.size(); }
  const Held& front() const { return held_.front(); }
  const Held& back() const { return held_.back(); }
  void push(const Held& frame) { held_.push_back(frame); }
  void drop_back() { held_.pop_back(); }
  Held pop() { return held_.pop_front(); }

  // Time between verdict and departure, modulo 2^42 ns; remembers the longest.
  uint64_t sojourn(const Held& frame, uint64_t now) {
    const uint64_t waited = (now - frame.verdict_time) & kStampMask;
    watermark_ = std::max(watermark_, waited);
    return waited;
  }

  uint64_t watermark() const { return watermark_; }
  void clear_watermark() { watermark_ = 0; }

 private:
  Ring<Held> held_;
  uint64_t watermark_ = 0;
};

}  // namespace truemark
