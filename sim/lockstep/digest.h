// SPDX-License-Identifier: BSD-3-Clause
// A digest of what a run saw on the pins, so that two RTLs can be compared: the FNV-1a step over words of 64 bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace truemark {

class Digest {
 public:
  void add(uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001B3;
    state_ ^= state_ >> 32;
  }
  // A whole number of words.
  void add(std::span<const uint8_t> bytes) {
    for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      uint64_t word;
      std::memcpy(&word, bytes.data() + i, 8);
      add(word);
    }
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0xCBF29CE484222325;
};

}  // namespace truemark
