// SPDX-License-Identifier: BSD-3-Clause
// Finds out what a difference is, from the frames that leave after it.
//
// A frame that left is looked for among those that came in, whatever its mark. The one that was due with other bits
// where a mark goes: "mark"; with other bytes: "payload"; the same in another cycle: "timing". One of another port:
// "departure port". One that should not have been kept, or another in place of one that never comes: "drop"; if it
// comes later: "order".
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "difference.h"

namespace truemark {

class Suspect {
 public:
  // `difference` has port, cycle, the frame that was due (0: none) and what was seen of it first; `last_left` left
  // last.
  Suspect(Difference difference, uint64_t last_left)
      : difference_(std::move(difference)), due_(difference_.frame), last_left_(last_left) {}

  uint32_t port() const { return difference_.port; }
  // A frame left by a port. The difference, if that says what it is.
  std::optional<Difference> left(uint32_t by, std::span<const uint8_t> frame, const std::deque<Known>& known);
  // No more frames will leave, or it has taken too long.
  std::optional<Difference> passed(uint64_t cycle, const std::deque<Known>& known);
  Difference conclude(const std::deque<Known>& known);

 private:
  Difference as(const std::string& kind, const Known* frame, const std::string& more);
  std::optional<Difference> first(std::span<const uint8_t> frame, const std::deque<Known>& known);
  const Known* find(uint64_t id, const std::deque<Known>& known) const;

  Difference difference_;
  uint64_t due_;
  uint64_t last_left_;
  uint64_t other_ = 0;  // which left in place of the one that was due
  unsigned later_ = 0;  // frames since
};

}  // namespace truemark
