// SPDX-License-Identifier: BSD-3-Clause
// The pins of one Verilated `truemark`, cycle by cycle. device.cpp is compiled once for each build; all else is shared.
//
// A cycle is: set the inputs, settle(), look at the outputs, clock(). Both sides of a handshake are seen in the cycle
// that settle() shows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace truemark::bench {

inline constexpr unsigned kMaxPorts = 16;
inline constexpr unsigned kMaxBeat = 128;  // bytes

struct Build {
  unsigned ports;
  unsigned data_bits;
  unsigned rows;
  unsigned descriptors;
  bool store_and_forward;
  bool flags_verdict;
  bool ultra;
  bool red;
  bool codel;

  constexpr unsigned beat_bytes() const { return data_bits / 8; }
  constexpr bool full() const { return red && codel; }
  constexpr unsigned storage() const { return rows * beat_bytes(); }
};

// The build of the device that is linked in.
const Build& build();

// A beat on either side; `bytes` counts those that `keep` names, or kHole if it is not contiguous from byte 0.
struct Beat {
  static constexpr unsigned kHole = ~0u;

  std::array<uint8_t, kMaxBeat> data{};
  unsigned bytes = 0;
  bool last = false;
  uint32_t ports = 0;   // input only
  uint32_t length = 0;  // input: on the first beat
  bool error = false;
};

// One copy's verdict event (tm_pkg::event_t), as far as the benchmarks need it.
struct Event {
  unsigned outcome;
  uint32_t length;
};

class Device {
 public:
  explicit Device(uint32_t seed);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void settle();
  void clock();
  uint64_t cycle() const { return cycle_; }

  void reset(bool active);
  void offer(const Beat& beat);
  void offer_nothing();
  void set_ready(uint32_t ports);
  void set_tx_enable(uint32_t ports);

  bool input_ready() const;
  uint32_t valid() const;
  void output(unsigned port, Beat& beat) const;
  bool event(unsigned port, Event& event) const;

  // AXI4-Lite, one access at a time; these run the clock with no beat offered. They throw when the answer is an error.
  void write(uint32_t address, uint32_t value);
  uint32_t read(uint32_t address);

 private:
  struct Pins;
  std::unique_ptr<Pins> pins_;
  uint64_t cycle_ = 0;
};

}  // namespace truemark::bench
