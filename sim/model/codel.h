// SPDX-License-Identifier: BSD-3-Clause
// CoDel of one port: which frame of a departure is dropped, and how the one that is sent leaves (docs/codel-rules.md).
//
// A departure shows the frames from the head on, one at a time and all at one `now`, until one is not dropped. Where
// the queue has none (left) to show, say so with `ran_out`. Times are 32 bits in units of 1024 ns and wrap.
#pragma once

#include <algorithm>
#include <cstdint>

#include "codel_law.h"
#include "types.h"

namespace truemark {

class Codel {
 public:
  struct Head {
    uint32_t stamp = 0;     // bits 41:10 of the time of its verdict
    Ecn ecn = Ecn::NotEct;  // as it is now: CE if it was marked on its way in
    bool is_protected = false;
    uint64_t behind = 0;  // bytes the queue holds without it
  };

  void reset() { *this = Codel{}; }

  // A frame of this length is held from now on.
  void stored(uint32_t length) { largest_ = std::max(largest_, length); }

  bool dropping() const { return dropping_; }
  uint32_t first_above() const { return first_above_; }
  uint32_t count() const { return law_.count(); }

  Departure meet(const CodelConfig& config, uint32_t now, const Head& head);
  void ran_out(const CodelConfig& config);

 private:
  enum class Stage : uint8_t { First, Loop, Entered };

  bool stands(const CodelConfig& config, uint32_t now, const Head& head);
  Departure decide(const CodelConfig& config, uint32_t now, const Head& head, bool standing);
  Departure signal_while_dropping(const CodelConfig& config, uint32_t now, const Head& head);

  Stage stage_ = Stage::First;
  bool dropping_ = false;
  uint32_t first_above_ = 0;  // 0: not above
  uint32_t drop_next_ = 0;
  uint32_t largest_ = 0;
  CodelLaw law_;
};

}  // namespace truemark
