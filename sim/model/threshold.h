// SPDX-License-Identifier: BSD-3-Clause
// Threshold: how many cells of a shared memory one user of it may have. A number, or the cells that are free times 2^n
// (SAI's SHARED_STATIC_TH and SHARED_DYNAMIC_TH, inc/saibuffer.h).
#pragma once

#include <cstdint>
#include <optional>

namespace truemark {

inline uint64_t times_two_to_the(int exponent, uint64_t cells) {
  return exponent < 0 ? cells >> -exponent : cells << exponent;
}

struct Threshold {
  static constexpr int kLeast = -7, kMost = 3;

  std::optional<uint64_t> fixed;  // cells; without it 2^exponent times what is free
  int exponent = 0;               // kLeast to kMost

  uint64_t of(uint64_t free) const { return fixed ? *fixed : times_two_to_the(exponent, free); }
};

}  // namespace truemark
