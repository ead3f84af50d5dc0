// SPDX-License-Identifier: BSD-3-Clause
// Counters of one port: outcome x class x ECE in packets and bytes, departures, head drops and the sojourn histogram.
//
// Index = code * 16 + class * 2 + ece; codes 0..11 are outcomes, then departed as it was, head-dropped, the
// histogram (two), and from pkg::kLawCodes on departed with what a law did. A frame has one outcome and one departure.
#pragma once

#include <array>
#include <bit>

#include "types.h"

namespace truemark {

struct Total {
  uint64_t packets = 0;
  uint64_t bytes = 0;
};

class Counters {
 public:
  static constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;
  static constexpr unsigned kDeparted = static_cast<unsigned>(Outcome::Departed);
  static constexpr unsigned kHeadDropped = static_cast<unsigned>(Outcome::HeadDropped);
  static constexpr unsigned kHistogram = static_cast<unsigned>(Outcome::SojournLow);
  static constexpr unsigned kDepartedMarked = pkg::kLawCodes;  // then as Departure goes on
  static constexpr unsigned kCodes = 32;

  // Whether a build has codes of five bits, and how many counters of a port.
  static constexpr unsigned kPlainCode = static_cast<unsigned>(Outcome::SojournHigh);
  static constexpr bool has_high(const Build& build) { return build.last_code() > kPlainCode; }
  static constexpr unsigned count(const Build& build) {
    return pkg::kPlainCounters + (build.last_code() - kPlainCode) * pkg::kIndices;
  }

  void arrived(Outcome outcome, const Meta& meta, uint32_t length) {
    add(index(static_cast<unsigned>(outcome), meta), length);
  }

  static constexpr unsigned code_of(Departure kind) {
    if (kind == Departure::Plain) return kDeparted;
    if (kind == Departure::HeadDropped) return kHeadDropped;
    return kDepartedMarked + static_cast<unsigned>(kind) - kFirstMarked;
  }

  void departed(Departure kind, const Meta& meta, uint32_t length, uint64_t sojourn) {
    add(index(code_of(kind), meta), length);
    if (kind != Departure::HeadDropped) total_[kHistogram * 16 + sojourn_bin(sojourn)].packets += 1;
  }

  // Sum over the counters whose code and class_ece agree with the given ones in the bits of the masks.
  Total query(unsigned code, unsigned code_mask, unsigned class_ece, unsigned class_ece_mask) const {
    Total sum;
    for (unsigned i = 0; i < total_.size(); ++i) {
      if (((i / 16) & code_mask) != (code & code_mask)) continue;
      if (((i % 16) & class_ece_mask) != (class_ece & class_ece_mask)) continue;
      sum.packets = (sum.packets + total_[i].packets) & kMask;
      sum.bytes = (sum.bytes + total_[i].bytes) & kMask;
    }
    return sum;
  }

  const Total& at(unsigned i) const { return total_[i]; }

  // Bin 0 below 2^8 ns, bin i from 2^(7+i), the last (23) from 2^30.
  static unsigned sojourn_bin(uint64_t nanoseconds) {
    const unsigned bits = static_cast<unsigned>(std::bit_width(nanoseconds));
    return bits <= 8 ? 0 : bits > 30 ? 23 : bits - 8;
  }

 private:
  static unsigned index(unsigned code, const Meta& meta) {
    return code * 16 + static_cast<unsigned>(meta.class_id) * 2 + (meta.ece ? 1 : 0);
  }

  void add(unsigned i, uint32_t length) {
    total_[i].packets += 1;
    total_[i].bytes += length;
  }

  std::array<Total, kCodes * 16> total_{};
};

}  // namespace truemark
