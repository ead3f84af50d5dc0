// SPDX-License-Identifier: BSD-3-Clause
// Generator: the random words of one port, xorshift32 (Marsaglia, 2003), one for each verdict.
#pragma once

#include <cstdint>

namespace truemark {

class Generator {
 public:
  // Ports that share a seed get words of their own; the state zero, which would stay zero, is replaced.
  void seed(uint32_t seed, uint32_t port) {
    const uint64_t golden = uint64_t{0x9E3779B9} * (port + 1) % (uint64_t{1} << 32);
    state_ = seed ^ static_cast<uint32_t>(golden);
    if (state_ == 0) state_ = 0x6D2B79F5;
  }

  uint32_t word() const { return state_; }

  void advance() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
  }

 private:
  uint32_t state_ = 1;
};

}  // namespace truemark
