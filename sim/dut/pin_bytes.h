// SPDX-License-Identifier: BSD-3-Clause
// Pins of a Verilated class, whatever integer or array Verilator makes of them: it keeps each as little-endian bytes.
#pragma once

#include <cstdint>
#include <type_traits>

namespace truemark {

template <typename Pin>
auto bytes_of(Pin& pin) {
  using Byte = std::conditional_t<std::is_const_v<Pin>, const uint8_t, uint8_t>;
  return reinterpret_cast<Byte*>(&pin);
}

// At most 56 bits.
inline uint64_t bits(const uint8_t* bytes, uint32_t offset, uint32_t width) {
  const uint32_t first = offset / 8, last = (offset + width - 1) / 8;
  uint64_t value = 0;
  for (uint32_t i = first; i <= last; ++i) value |= uint64_t{bytes[i]} << 8 * (i - first);
  return value >> offset % 8 & ((uint64_t{1} << width) - 1);
}

inline void set_bit(uint8_t* bytes, uint32_t at, bool value) {
  bytes[at / 8] = static_cast<uint8_t>((bytes[at / 8] & ~(1u << at % 8)) | unsigned{value} << at % 8);
}

}  // namespace truemark
