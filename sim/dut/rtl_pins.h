// SPDX-License-Identifier: BSD-3-Clause
// The Verilated top with its pins by name and width-independent: one call of `cycle` is one clock cycle.
//
// With TM_REGISTERED the top is sim/dut/registered_pins.sv: inputs are those of the cycle after the next tick,
// outputs stand from one tick to the next, and settle has nothing to do.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "../model/types.h"
#include "rtl_build.h"

class Vtruemark;
class VerilatedContext;

namespace truemark {

#ifndef TM_REGISTERED
#define TM_REGISTERED 0
#endif

// tkeep by how many bytes of a beat, from the first on, are meant.
inline constexpr auto kKeeps = [] {
  std::array<std::array<uint8_t, TM_DATA_W / 64>, TM_DATA_W / 8 + 1> keeps{};
  for (size_t count = 0; count < keeps.size(); ++count)
    for (size_t i = 0; i < count; ++i) keeps[count][i / 8] |= static_cast<uint8_t>(1u << i % 8);
  return keeps;
}();

// What the sink of one line sees.
struct SinkBeat {
  bool last = false;
  bool error = false;
  uint32_t length = 0;            // tuser
  std::span<const uint8_t> data;  // one beat wide
  std::span<const uint8_t> keep;  // a bit for each byte

  // The first so many bytes and no other.
  bool keeps(uint32_t bytes) const { return std::memcmp(keep.data(), kKeeps[bytes].data(), keep.size()) == 0; }
  uint32_t bytes() const {
    uint32_t count = 0;
    for (const uint8_t byte : keep) count += static_cast<uint32_t>(std::popcount(byte));
    return count;
  }
};

struct PinEvent {
  static constexpr uint64_t kStampMask = (uint64_t{1} << 42) - 1;  // bits of the time that a stamp keeps
  uint64_t stamp = 0;
  uint32_t length = 0, class_id = 0, ece = 0, ecn = 0, outcome = 0, bytes = 0;
  bool operator==(const PinEvent&) const = default;
};

// Bits of `settled_o`: on frames, their counters and CoDel; on RED's averages and what shows them, too.
enum class Settled : uint8_t { Frames = 1, Laws = 2 };

class RtlPins {
 public:
  static constexpr uint32_t kBeatBytes = TM_DATA_W / 8;
  static constexpr unsigned kSettledLag = 2;         // cycles until an input shows in what the RTL says of itself
  static constexpr unsigned kPatience = 50'000'000;  // cycles in which it settles, whatever there is to do

  // Registers and RAMs start with contents drawn from `seed`. Comes out of reset; what that clears is still cleared.
  explicit RtlPins(uint32_t seed);
  ~RtlPins();

  // ---- inputs of the coming cycle; they stay until changed
  void set_time(uint64_t nanoseconds);
  // From now on the time is the device's own, which goes on with every cycle.
  void use_own_time();
  void set_reset(bool active);
  void set_tx_enable(const PortMask& ports);
  void set_sink_ready(uint32_t lines);
  // Of each line, the classes that its link partner has paused.
  void set_pause(std::span<const uint8_t> lines);
  // `came_by`: the port that the frame came in by.
  void set_source(std::span<const uint8_t> data, std::span<const uint8_t> keep, bool last, uint32_t ports,
                  uint32_t length, bool error, uint32_t came_by = 0);
  void clear_source();
  Vtruemark& top() { return *top_; }

  // ---- outputs of this cycle: valid between settle and the next tick
  void settle();
  bool source_ready() const;
  SinkBeat sink(uint32_t line) const;
  uint32_t sinks_valid() const;
  PortMask events_valid() const;
  PinEvent event(uint32_t port) const;
#if !TM_REGISTERED
  // Departures that are counted in this cycle; a kind is one of truemark.h, a sojourn in ns.
  PortMask departures_valid() const;
  uint32_t departure_kind(uint32_t port) const;
  uint64_t departure_sojourn(uint32_t port) const;
#endif
#if TM_POOL && TM_REGISTERED
  // What the pool says to a port in this cycle.
  bool pool_at_hand(uint32_t port) const;
  bool pool_overflow() const;
  uint32_t pool_used(uint32_t port) const;
  int64_t pool_had(uint32_t port) const;
  uint32_t pool_available() const;
  uint32_t pool_reserved(uint32_t port) const;
  uint32_t pool_free() const;
#endif
  // Everything so far has had its effect (tm_settled); of the inputs two cycles ago.
  bool settled(Settled what) const;
  // Runs cycles until then: `cycle` is one, from settle to tick.
  template <typename Cycle>
  void wait_until_settled(Settled what, Cycle cycle) {
    for (unsigned i = 0; i < kPatience; ++i) {
      settle();
      if (i >= kSettledLag && settled(what)) return;
      cycle();
    }
    throw std::runtime_error("the RTL does not settle");
  }

  // The clock edge that ends the cycle.
  void tick();
  uint64_t cycles() const { return cycles_; }
  // The first cycle after the last reset.
  uint64_t first_cycle() const { return first_cycle_; }

  // ---- state and waveform, through files; only in builds with TM_WAVES, state also needs TM_SAVABLE
  void save(const std::string& path);
  void restore(const std::string& path);
  void open_waves(const std::string& path);
  void close_waves();

 private:
  struct Waves;
#if !TM_REGISTERED
  uint64_t departure(uint32_t port, pkg::Part part) const;
#endif
  void dump();

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vtruemark> top_;
  std::unique_ptr<Waves> waves_;
  uint64_t cycles_ = 0;
  uint64_t first_cycle_ = 0;
};

}  // namespace truemark
