// SPDX-License-Identifier: BSD-3-Clause
#include "rewrite.h"

namespace truemark {
namespace {

// Sum of the header's 16-bit words modulo 65535, which is what an Internet checksum preserves.
uint32_t residue(std::span<const uint8_t> frame, uint32_t begin, uint32_t end) {
  uint64_t sum = 0;
  for (uint32_t i = begin; i < end && i < frame.size(); ++i) sum += uint64_t{frame[i]} << ((i - begin) % 2 ? 0 : 8);
  return static_cast<uint32_t>(sum % 65535);
}

}  // namespace

void mark_ce(std::span<uint8_t> frame, const Meta& meta) {
  const uint32_t o = meta.l3_offset;
  if (frame.size() <= o + 1) return;
  if (meta.l3 == L3::Ipv6) {
    frame[o + 1] |= 0x30;
    return;
  }
  const uint32_t end = o + 4u * (frame[o] & 15u);
  const uint32_t before = residue(frame, o, end);
  frame[o + 1] |= 3;
  if (frame.size() < o + 12) return;
  frame[o + 10] = frame[o + 11] = 0;
  const uint32_t after = residue(frame, o, end);
  const uint32_t checksum = (before + 65535 - after) % 65535;
  frame[o + 10] = static_cast<uint8_t>(checksum >> 8);
  frame[o + 11] = static_cast<uint8_t>(checksum);
}

}  // namespace truemark
