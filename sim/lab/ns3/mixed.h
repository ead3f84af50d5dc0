// SPDX-License-Identifier: GPL-2.0-only
// Words that differ in one bit become words that have nothing in common: for hashes, and for seeds of many streams.
#pragma once

#include <cstdint>

namespace lab {

// The finalizer of splitmix64.
inline uint64_t mixed(uint64_t word) {
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
  word = (word ^ word >> 27) * 0x94D049BB133111EBu;
  return word ^ word >> 31;
}

}  // namespace lab
