// SPDX-License-Identifier: BSD-3-Clause
// Frames that carry a sequence number and pseudo-random fill, so that each can be made again and compared byte for
// byte.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../model/types.h"

namespace truemark::bench {

inline constexpr uint8_t kTcpAck = 0x10;
inline constexpr uint8_t kTcpSyn = 0x02;

struct FrameSpec {
  uint32_t size = 64;  // bytes, no FCS
  uint32_t ports = 1;  // bitmap of destinations
  L3 l3 = L3::Ipv4;
  uint8_t tags = 0;             // VLAN tags, 802.1ad outside and 802.1Q inside
  uint8_t ipv4_options = 0;     // words
  uint8_t ipv6_extensions = 0;  // hop-by-hop, then destination options, 8 bytes each
  Ecn ecn = Ecn::Ect0;
  uint8_t dscp = 0;
  uint8_t tcp_flags = kTcpAck;
  std::optional<uint32_t> ip_payload{};  // bytes behind the TCP header if not all of the frame (the rest is padding)
};

// The frame, as sent or as it must look once marked CE. Headers that do not fit in `size` are cut off.
std::vector<uint8_t> make_frame(uint32_t sequence, const FrameSpec& spec, bool marked = false);

// The sequence number of a frame that make_frame made.
std::optional<uint32_t> sequence_of(std::span<const uint8_t> frame);

// Index of the byte that holds the TCP flags.
uint32_t tcp_flags_byte(const FrameSpec& spec);

// Whether the frame is long enough to carry its ECN field, that is, for marking to be possible.
bool has_ecn(const FrameSpec& spec);

// A small generator of its own for every scenario: same seed, same traffic.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {  // splitmix64
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  uint32_t between(uint32_t low, uint32_t high) { return low + static_cast<uint32_t>(next() % (high - low + 1)); }
  bool chance(uint32_t percent) { return next() % 100 < percent; }

 private:
  uint64_t state_;
};

}  // namespace truemark::bench
