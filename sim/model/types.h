// SPDX-License-Identifier: BSD-3-Clause
// The words of the golden model: codepoints, classes, outcomes, the build and what parse says of a frame.
//
// Numbering is that of the registers and of rtl/tm_pkg.sv, because it is visible there; nothing else is shared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace truemark {

enum class Ecn : uint8_t { NotEct = 0, Ect1 = 1, Ect0 = 2, Ce = 3 };
enum class L3 : uint8_t { None = 0, Ipv4 = 1, Ipv6 = 2 };
enum class Class : uint8_t { NonIp, OtherIp, SynAck, Syn, TcpCtrl, Data, Ack };
enum class Law : uint8_t { None = 0, Step = 1 };

enum class Outcome : uint8_t {
  Pass,
  PassCe,
  Mark,
  CeSignalled,
  Protected,
  EarlyProbability,
  EarlyForced,
  TailBytes,
  TailPackets,
  NoRoom,
  Disabled,
  Aborted
};

enum class Bad : uint8_t { NoDestination, Runt, Oversize, KeepHole, LengthMismatch, ErrorBit, Reset };

inline constexpr unsigned kBadKinds = 7;
inline constexpr unsigned kMinFrame = 14;
inline constexpr uint64_t kStampMask = (uint64_t{1} << 42) - 1;

// A frame with this outcome is in the queue.
constexpr bool is_stored(Outcome outcome) { return outcome <= Outcome::Protected; }

struct Build {
  uint32_t ports = 5;
  uint32_t data_w = 256;
  uint32_t rows = 0;
  uint32_t descriptors = 0;
  uint32_t max_frame = 9216;
  bool store_and_forward = false;
  bool flags_verdict = false;

  uint32_t beat_bytes() const { return data_w / 8; }
  uint32_t rows_of(uint32_t length) const { return (length + beat_bytes() - 1) / beat_bytes(); }
  uint64_t storage() const { return uint64_t{rows} * beat_bytes(); }
};

// What the header walk finds. `ecn_byte` and `flags_byte` are the indices of the frame's bytes that complete the ECN
// half and the flags half of the walk; they may lie beyond the end of the frame.
struct Meta {
  L3 l3 = L3::None;
  uint32_t l3_offset = 14;
  Ecn ecn = Ecn::NotEct;
  Class class_id = Class::NonIp;
  bool ece = false;
  bool payload = false;
  uint16_t flags = 0;  // AE in bit 8, then CWR .. FIN
  uint32_t ecn_byte = 13;
  uint32_t flags_byte = 13;
};

// One port's active configuration; a limit that is off has no value.
struct PortConfig {
  bool enable = true;
  std::optional<uint32_t> limit_bytes;
  std::optional<uint32_t> limit_packets;
  std::array<uint8_t, 4> slot_of{};  // by ECN codepoint
  std::array<Law, 2> law{};          // by slot
  std::array<uint32_t, 2> k{};       // by slot, bytes
  uint16_t protect = 0;              // bit 2*class + ece
  bool harddrop = false;
};

}  // namespace truemark
