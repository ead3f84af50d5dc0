// SPDX-License-Identifier: BSD-3-Clause
// Bucket: what a line, or a queue of one, may send at a rate. Its credit is worked out when it is asked for, from the
// cycles that have passed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "types.h"

namespace truemark {

class Bucket {
 public:
  // From this cycle on. One that was not held to a rate begins full.
  void configure(const Shape& shape, uint64_t cycle) {
    if (shape == shape_) return;
    credit_ = shape_.rate != 0 ? credit(cycle) : full(shape);
    since_ = cycle;
    shape_ = shape;
  }

  // A frame may begin in this cycle.
  bool open(uint64_t cycle) const { return shape_.rate == 0 || credit(cycle) >= 0; }

  // A frame of this length begins in this cycle.
  void charge(uint32_t length, uint64_t cycle) {
    credit_ = credit(cycle + 1) - (int64_t{length} << pkg::kRateFractionW);
    since_ = std::max(since_, cycle + 1);
  }

 private:
  static int64_t full(const Shape& shape) { return int64_t{shape.burst} << pkg::kRateFractionW; }

  int64_t credit(uint64_t cycle) const {
    if (cycle <= since_) return credit_;
    const uint64_t enough = (uint64_t{1} << 42) / std::max(shape_.rate, 1u);  // cycles that fill any bucket
    const auto elapsed = static_cast<int64_t>(std::min(cycle - since_, enough + 1));
    return std::min(credit_ + int64_t{shape_.rate} * elapsed, full(shape_));
  }

  Shape shape_;
  int64_t credit_ = 0;  // as it was when cycle `since_` began
  uint64_t since_ = 0;
};

}  // namespace truemark
