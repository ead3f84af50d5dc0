// SPDX-License-Identifier: BSD-3-Clause
// The words of the golden model: codepoints, classes, outcomes, the build and what parse says of a frame.
//
// Enumerations and widths are those of rtl/tm_pkg.sv, because they are visible; nothing else is shared.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "registers.h"
#include "threshold.h"

namespace truemark {

using PortMask = std::bitset<pkg::kMaxPorts>;

// What a law says of a frame that arrives.
enum class Signal : uint8_t { None, Probabilistic, Forced };

inline constexpr unsigned kBadKinds = static_cast<unsigned>(Bad::Reset) + 1;
inline constexpr unsigned kMinFrame = pkg::kMinFrame;
inline constexpr uint64_t kStampMask = (uint64_t{1} << pkg::kStampW) - 1;
inline constexpr unsigned kSlots = 2;

// A frame with this outcome is in the queue.
constexpr bool is_stored(Outcome outcome) { return outcome <= Outcome::Protected; }

constexpr bool is_ect(Ecn ecn) { return ecn == Ecn::Ect0 || ecn == Ecn::Ect1; }

// A frame that leaves so carries the mark that a law at the head gave it.
constexpr bool is_marked(Departure kind) {
  return kind != Departure::Plain && kind != Departure::HeadDropped && kind != Departure::Protected &&
         kind != Departure::CeSignalled;
}

// What the laws at the head make of a frame.
struct Leaving {
  Leaving() = default;
  Leaving(Departure what) : kind(what), marked(is_marked(what)) {}

  // The step law signals, too: before a wait, and with ce_threshold.
  void mark_signalled() {
    if (kind == Departure::HeadDropped) return;
    const bool threshold = kind == Departure::Threshold || kind == Departure::MarkedThreshold;
    kind = threshold ? Departure::MarkedThreshold : Departure::Marked;
    marked = true;
  }

  // It waited too long, too.
  void mark_waited() {
    if (kind == Departure::Plain) kind = Departure::Waited;
    marked = true;
  }

  Departure kind = Departure::Plain;
  bool marked = false;
};

// The first kind of departure that only a law at the head can make.
inline constexpr unsigned kFirstMarked = static_cast<unsigned>(Departure::Marked);

struct Build {
  uint32_t ports = 5;
  uint32_t data_w = 256;
  uint32_t rows = 0;
  uint32_t descriptors = 0;
  uint32_t max_frame = 9216;
  bool store_and_forward = false;
  bool flags_verdict = false;
  bool red = false;
  bool codel = false;
  bool red_linux = false;  // RED can also space signals as Linux does
  bool ultra = false;      // rows in UltraRAM, which frees those that CoDel skips one in each cycle
  bool tcn = false;        // waiting-time marking
  bool mark_on_departure = false;
  bool shaping = false;  // lines and queues can be held to a rate
  bool pool = false;     // one memory of cells for all ports, of `rows` rows together
  bool pfc = false;      // levels of priority-based flow control, from a pool's cells
  uint32_t queues = 1;   // of a line: ports next to one another

  uint32_t lines() const { return ports / queues; }
  // Of lines as bits, those that are there.
  uint32_t there(uint32_t lines_named) const { return lines_named & ((1u << lines()) - 1); }
  uint32_t line_of(uint32_t port) const { return port / queues; }
  unsigned queue_of(uint32_t port) const { return port % queues; }
  uint32_t beat_bytes() const { return data_w / 8; }
  uint32_t rows_of(uint32_t length) const { return (length + beat_bytes() - 1) / beat_bytes(); }
  // Of a pool, of 64 bytes or a row.
  uint32_t cells() const { return rows / std::max(1u, 64 / beat_bytes()); }
  uint64_t storage() const { return uint64_t{rows} * beat_bytes(); }

  // The last code that its counters have.
  constexpr unsigned last_code() const {
    return std::max({pkg::kLastCode, codel ? pkg::kLastCodeCodel : 0, tcn ? pkg::kLastCodeTcn : 0,
                     mark_on_departure ? pkg::kLastCodeMarkOnDeparture : 0});
  }

  // What the register BUILD says of it.
  uint32_t shape() const {
    return reg::build::kMoreQueues.put(queues - 1) | reg::build::kPorts.put(ports) |
           reg::build::kDataBytes.put(beat_bytes());
  }
  // What a build can have or not, by its bits of CAPABILITIES.
  constexpr uint32_t switches() const;
  constexpr Build with(uint32_t switches) const;
};

struct Switch {
  reg::Field bit;
  bool Build::* on;
};
inline constexpr Switch kSwitches[] = {{reg::capabilities::kStoreAndForward, &Build::store_and_forward},
                                       {reg::capabilities::kFlagsVerdict, &Build::flags_verdict},
                                       {reg::capabilities::kRed, &Build::red},
                                       {reg::capabilities::kRedLinux, &Build::red_linux},
                                       {reg::capabilities::kCodel, &Build::codel},
                                       {reg::capabilities::kTcn, &Build::tcn},
                                       {reg::capabilities::kMarkOnDeparture, &Build::mark_on_departure},
                                       {reg::capabilities::kShaping, &Build::shaping},
                                       {reg::capabilities::kPool, &Build::pool},
                                       {reg::capabilities::kPfc, &Build::pfc}};

constexpr uint32_t Build::switches() const {
  uint32_t all = 0;
  for (const auto& [bit, on] : kSwitches) all |= bit.put(this->*on);
  return all;
}

constexpr Build Build::with(uint32_t switches) const {
  Build build = *this;
  for (const auto& [bit, on] : kSwitches) build.*on = bit.get(switches) != 0;
  return build;
}

// What the header walk finds. `ecn_byte` and `flags_byte` are the indices of the frame's bytes that complete the ECN
// half and the flags half of the walk; they may lie beyond the end of the frame.
struct Meta {
  L3 l3 = L3::None;
  uint32_t l3_offset = 14;
  Ecn ecn = Ecn::NotEct;
  uint32_t dscp = 0;            // where there is an L3 header
  std::optional<uint32_t> pcp;  // of the first VLAN tag, if it is whole
  Class class_id = Class::NonIp;
  bool ece = false;
  bool payload = false;
  uint16_t flags = 0;  // AE in bit 8, then CWR .. FIN
  uint32_t ecn_byte = 13;
  uint32_t flags_byte = 13;
};

// RED in one law slot (docs/red-rules.md). Bytes, or 64ths of a packet with `packets`, except for: probabilities with
// 24 bits (maxp, bottom), slopes and the reciprocal in 2^-(32 + 8 * scale) per byte, or per 64th.
struct RedConfig {
  bool packets = false;  // the queue is counted in packets
  unsigned weight = 0;
  uint32_t min = 0;
  uint32_t max = 0;
  uint32_t maxp = 0;
  uint32_t slope = 0;
  unsigned slope_scale = 0;
  bool gentle = false;
  uint32_t gentle_slope = 0;
  unsigned gentle_scale = 0;
  Spacing spacing = Spacing::Memoryless;
  bool adaptive = false;
  uint32_t reciprocal = 0;
  uint32_t bottom = 0;
  uint32_t band_low = 0;
  uint32_t band_high = 0;

  // What the average follows: B, or 64 for each packet (Ethernet's shortest frame, IEEE 802.3, 3.2.8).
  uint64_t queue(uint64_t bytes, uint64_t frames) const { return packets ? 64 * frames : bytes; }
};

// How an average fades while the port is idle, and how often ARED may act: of both slots.
struct RedClock {
  uint32_t idle_reciprocal = 0;  // packet times in an idle time: (ns * idle_reciprocal) >> idle_shift; Linux: a table
  unsigned idle_shift = 0;
  uint32_t adapt_interval = 0;  // ns
};

// CoDel (docs/codel-rules.md); times in units of 1024 ns.
struct CodelConfig {
  static constexpr uint32_t kNever = pkg::kCodelNever;  // the largest ce_threshold: off

  bool on = false;
  bool ecn = false;
  bool at_once = false;
  bool exempt_below = false;
  bool exempt_largest = false;
  bool converge = false;
  bool mark_from_now = false;
  bool reentry_past = false;
  bool threshold_once = false;
  bool keep_first_above = false;
  uint32_t target = 0;
  uint32_t interval = 0;
  uint32_t ce_threshold = 0;
  uint32_t exempt_bytes = 0;
};

// Whether waiting-time marking marks a frame (docs/verdict.md). Its times wrap: a wait that exceeds the threshold by
// more than half of them lies in the future.
inline bool waited_too_long(uint32_t threshold, Ecn ecn, uint64_t since, uint64_t now) {
  const uint64_t mask = ~uint64_t{0} >> (64 - pkg::kTcnTimeW), waited = (now - since) & mask;
  return threshold != 0 && is_ect(ecn) && waited > threshold && waited - threshold <= mask / 2 + 1;
}

// What a line or a queue is held to (docs/shaping.md).
struct Shape {
  uint32_t rate = 0;   // bytes a cycle, pkg::kRateFractionW fractional bits; 0 is not shaped
  uint32_t burst = 0;  // bytes

  bool operator==(const Shape&) const = default;
};

// What a port may have of a pool beyond its reserve: cells, or 2^exponent times those that nobody has.
struct Share {
  uint32_t reserve = 0;  // cells
  uint32_t cells = 0;    // 0 without `dynamic` is no threshold
  bool dynamic = false;
  int exponent = 0;

  bool limited() const { return dynamic || cells != 0; }
  uint64_t threshold(uint64_t available) const { return dynamic ? times_two_to_the(exponent, available) : cells; }
};

// When classes of a source must pause: those of the port as a source, and (of port 0) those of all. And the classes
// whose pause holds the port's own queue.
struct PauseConfig {
  uint8_t lossless = 0;   // classes
  uint8_t paused_by = 0;  // classes
  uint32_t headroom = 0;  // cells, of each of them
  uint32_t cells = 0;     // xoff above them
  bool dynamic = false;   // or above 2^exponent times those that nobody has
  int exponent = 0;
  uint32_t xon = 0;         // at or below this, or at or below
  uint32_t xon_offset = 0;  // the threshold less this

  // Cells that nobody else may have.
  uint64_t kept() const { return uint64_t{headroom} * static_cast<unsigned>(std::popcount(lossless)); }
  bool is_for_all() const { return cells != 0 || dynamic || exponent != 0; }
};

// One port's active configuration; a limit that is off has no value.
struct PortConfig {
  bool enable = true;
  std::optional<uint32_t> limit_bytes;
  std::optional<uint32_t> limit_packets;
  std::array<uint8_t, 4> slot_of{};  // by ECN codepoint
  std::array<Law, kSlots> law{};     // by slot
  std::array<uint32_t, kSlots> k{};  // by slot, bytes
  uint16_t protect = 0;              // bit 2*class + ece
  bool noecn = false;                // a signal meets every frame as if it could carry no mark
  bool harddrop = false;
  std::array<RedConfig, kSlots> red{};
  RedClock clock;
  CodelConfig codel;
  uint32_t tcn_threshold = 0;  // waiting-time marking: ns; 0 is off
  bool mark_on_departure = false;
  bool shares = false;   // the queue takes turns with others of its line
  uint32_t quantum = 0;  // bytes a turn
  Shape shape;           // of the queue
  Shape line_shape;      // of its line, which has several
  Share pool_share;
  PauseConfig pfc;

  // Cells of a pool that are kept for the port.
  uint64_t kept() const { return pool_share.reserve + pfc.kept(); }
  bool protects(Class class_id, bool ece) const {
    return protect >> (2 * static_cast<unsigned>(class_id) + (ece ? 1 : 0)) & 1;
  }
  unsigned slot(Ecn ecn) const { return slot_of[static_cast<size_t>(ecn)]; }
  // A law may drop a frame.
  bool drops() const {
    if (codel.on && (!codel.ecn || std::popcount(protect) < 14)) return true;
    const auto speaks = [this](uint8_t slot) { return law[slot] != Law::None; };
    if (noecn || harddrop) return std::any_of(slot_of.begin(), slot_of.end(), speaks);
    return speaks(slot_of[0]) && std::popcount(protect) < 14;
  }
  // The step law judges the frame as it leaves, not as it comes; and then whether it signals, with so much behind it.
  bool defers(Ecn ecn) const { return mark_on_departure && is_ect(ecn) && law[slot(ecn)] == Law::Step; }
  int64_t k_at_departure() const { return k[law[1] == Law::Step ? 1 : 0]; }
  bool marks_before(int64_t bytes_behind) const { return mark_on_departure && bytes_behind > k_at_departure(); }
  bool counts_as_linux(unsigned slot) const { return law[slot] == Law::Red && red[slot].spacing == Spacing::Linux; }
  // The verdict needs the class, where the build can wait for it.
  bool waits_for_flags() const { return (law[slot(Ecn::NotEct)] != Law::None || codel.on) && protect != 0; }
};

// What is in force at other ports than the one that a commit is for, as far as it matters there.
struct OtherPorts {
  uint64_t kept = 0;     // cells of a pool
  uint8_t lossless = 0;  // classes of any of them as a source
  PortMask drop;         // those with a law that drops

  void add(uint32_t port, const PortConfig& config) {
    kept += config.kept();
    lossless |= config.pfc.lossless;
    drop[port] = config.drops();
  }
};

// What a commit does to the state of a port's laws.
struct LawChanges {
  std::array<bool, kSlots> law_reset{};
  std::array<bool, kSlots> red_load{};
  bool codel_reset = false;

  static constexpr LawChanges all() { return {{true, true}, {false, false}, true}; }

  static LawChanges between(const PortConfig& before, const PortConfig& after) {
    LawChanges changes;
    for (unsigned i = 0; i < kSlots; ++i) {
      const RedConfig &old = before.red[i], &now = after.red[i];
      changes.law_reset[i] = before.law[i] != after.law[i] || old.weight != now.weight || old.spacing != now.spacing ||
                             old.packets != now.packets;
      changes.red_load[i] = old.maxp != now.maxp || old.slope != now.slope || old.reciprocal != now.reciprocal;
    }
    changes.codel_reset = before.codel.on != after.codel.on;
    return changes;
  }
};

}  // namespace truemark
