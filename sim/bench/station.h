// SPDX-License-Identifier: BSD-3-Clause
// A device between a source and its sinks: plays frames in, takes them out, compares each byte for byte, notes cycles.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "frames.h"

namespace truemark {

class AxilMaster;
class RtlPins;

}  // namespace truemark

namespace truemark::bench {

// The build that is measured.
const Build& build();

// All ports or lines, as a bitmap: bits that a build has not are ignored.
inline constexpr uint32_t kAllPorts = ~0u;
inline uint32_t all_lines() { return (1u << build().lines()) - 1; }

// Where a line has several queues, a frame goes to that of its DSCP, modulo their number.
inline unsigned queue_of(const FrameSpec& spec) { return spec.dscp % build().queues; }

// RED in both law slots, with uniform spacing (docs/red-rules.md).
struct Red {
  uint32_t min, max;  // bytes
  uint32_t maxp;      // 2^-24
  uint32_t weight;
};

// CoDel as Linux does it (docs/codel-rules.md); times in units of 1024 ns.
struct Codel {
  uint32_t target, interval;
  uint32_t exempt_bytes = 0;
  bool ecn = true;
};

// The settings of a port that the benchmarks use; the names of the policies are those of docs/verdict.md.
struct Policy {
  std::optional<uint32_t> k_ect{};      // step threshold for ECT and CE, bytes
  std::optional<uint32_t> k_not_ect{};  // for Not-ECT
  uint32_t protect = 0;                 // bit 2*class + ece
  std::optional<uint32_t> limit_bytes{};
  std::optional<Red> red{};
  std::optional<Codel> codel{};
  uint32_t strict = 0;          // queues of each line, as a bitmap; the others share in turns of the longest frame
  uint32_t pool_threshold = 0;  // the register's word
};

struct Offered {
  FrameSpec spec;
  uint64_t first_cycle;  // of its first beat
};

struct Departure {
  uint32_t sequence;
  uint64_t first_cycle;
  uint64_t last_cycle;
  bool marked;
};

class Station {
 public:
  using Traffic = std::function<std::optional<FrameSpec>(uint64_t cycle)>;  // asked whenever a frame could begin
  using Ready = std::function<uint32_t(uint64_t cycle)>;                    // bitmap of sinks that take a beat

  // The policy is committed on every port; throws with the field at fault if the device refuses it.
  explicit Station(const Policy& policy);
  ~Station();

  // Whose frames go in and which sinks are ready from now on; sinks are all ready unless told otherwise.
  void set_traffic(Traffic traffic) { traffic_ = std::move(traffic); }
  void set_traffic(const FrameSpec& spec) {
    traffic_ = [spec](uint64_t) { return spec; };
  }
  void set_ready(Ready ready) { ready_ = std::move(ready); }
  void set_ready(uint32_t ports) {
    ready_ = [ports](uint64_t) { return ports; };
  }
  // Which ports may begin a frame.
  void set_tx_enable(const PortMask& ports);

  void run(uint64_t cycles);
  // Runs until something has happened; throws if it does not within `patience` cycles.
  void run_until(const std::function<bool()>& happened, uint64_t patience = 1'000'000);
  // Runs until the traffic has offered `frames` more frames whole, then offers nothing more.
  void offer(uint64_t frames);
  // Offers nothing for some cycles.
  void idle(uint64_t cycles);
  // Offers nothing and runs until every stored copy has left, or for `patience` cycles.
  void drain(uint64_t patience = 1'000'000);

  uint64_t cycle() const;
  uint32_t valid() const;  // bitmap of sinks that a beat stands before

  const std::vector<Offered>& offered() const { return offered_; }
  const std::vector<Departure>& departed(unsigned line) const { return sinks_[line].departed; }
  // Verdict events so far.
  uint64_t outcomes(unsigned port, Outcome first, Outcome last) const;
  uint64_t outcomes(unsigned port, Outcome one) const { return outcomes(port, one, one); }
  uint64_t stored(unsigned port) const { return outcomes(port, Outcome::Pass, Outcome::Protected); }
  uint64_t dropped(unsigned port) const { return outcomes(port, Outcome::EarlyProbability, Outcome::Aborted); }
  uint64_t judged(unsigned port) const { return stored(port) + dropped(port); }
  uint64_t corrupt() const { return corrupt_; }  // frames that left and were not the next one sent, whole
  uint64_t accepted_beats() const { return accepted_; }
  // Copies that were offered to a line in all.
  uint64_t copies(unsigned line) const;
  // Sums a port's packet counters of the outcomes `first` to `last` in a snapshot, through the registers.
  uint64_t counted(unsigned port, Outcome first, Outcome last);

 private:
  // What came out of a line, and of the port of the same number the verdicts.
  struct Sink {
    std::vector<uint8_t> bytes;
    uint64_t first_cycle = 0;
    bool open = false, wrong = false;
    uint32_t length = 0;                            // as the latest beat says
    std::array<std::optional<uint32_t>, 8> newest;  // by queue
    uint64_t left = 0;                              // frames, intact or not
    std::vector<Departure> departed;
    std::array<uint64_t, 16> outcomes{};
  };

  void configure(const Policy& policy);
  void configure_red(const Red& red);
  void configure_codel(const Codel& codel);
  void configure_queues();
  // Accesses to registers; no frame is offered.
  void write(uint32_t address, uint32_t value);
  uint32_t read(uint32_t address);
  uint32_t wait_while(uint32_t busy);
  bool access_cycle();

  void step();
  void drive();
  void take(unsigned line);
  void close(unsigned line, Sink& sink);
  bool stored_all_gone() const;

  std::unique_ptr<RtlPins> pins_;
  std::unique_ptr<AxilMaster> axil_;
  Traffic traffic_;
  Ready ready_;
  std::vector<Offered> offered_;
  std::vector<uint8_t> frame_;  // the one going in
  size_t sent_ = 0;             // bytes of it
  size_t sending_ = 0;          // bytes of the beat that stands at the input
  bool may_begin_ = false;
  std::vector<Sink> sinks_;
  uint64_t corrupt_ = 0, accepted_ = 0, refused_in_a_row_ = 0;
};

}  // namespace truemark::bench
