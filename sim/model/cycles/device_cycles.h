// SPDX-License-Identifier: BSD-3-Clause
// The golden model cycle by cycle: all ports behind one parser, advanced by what the pins show.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "../counters.h"
#include "../shadow.h"
#include "arrivals.h"
#include "line_cycles.h"
#include "port_cycles.h"

namespace truemark {

// The pins of one cycle that the model is told.
struct PinCycle {
  uint64_t cycle = 0;
  uint64_t time = 0;
  const Beat* beat = nullptr;  // taken in this cycle
  PortMask tx_enable;
  uint32_t ready = 0;                            // of the lines
  std::array<PoolCycle, pkg::kMaxPorts> pool{};  // of the ports
  std::array<uint8_t, pkg::kMaxLines> pause{};   // of the lines: classes that their link partners have paused
};

class DeviceCycles {
 public:
  // `origin`: the first cycle after the device's reset, since when its time has been `time`.
  DeviceCycles(const Build& build, uint64_t origin, uint64_t time);

  // Before the pins are compared, then after.
  void open(const PinCycle& pins);
  void close(const PinCycle& pins);
  void reset(uint64_t origin, uint64_t time);

  const BusCycle& bus() const { return *bus_; }
  const PortCycles& port(uint32_t index) const { return ports_[index]->cycles; }
  // What stands on the output of a line, and the frame that it is of.
  ExpectedRow output(uint32_t line) const { return lines_.empty() ? port(line).output() : lines_[line].output(); }
  uint64_t sends(uint32_t line) const { return lines_.empty() ? port(line).sends() : lines_[line].sends(); }
  bool empty() const;
  bool resting() const;

  // ---- commands, with the cycle they act in
  void commit(uint32_t port, const Shadow& shadow, uint64_t first_verdict_cycle);
  void flush(uint32_t port, uint64_t cycle);
  void clear_watermarks(uint32_t port, uint64_t cycle);
  void soft_reset(uint32_t port, uint64_t cycle);
  // The generators draw from the seed from this cycle on.
  void seed(uint32_t value, uint64_t cycle);
  // What is in force at all ports but one.
  OtherPorts all_but(uint32_t port) const {
    OtherPorts others;
    for (uint32_t other = 0; other < ports_.size(); ++other)
      if (other != port) others.add(other, ports_[other]->shadow.meaning());
    return others;
  }
  Shadow active(uint32_t port) const {
    Shadow active = ports_[port]->shadow;
    active.take_queue_map(queue_shadow_);
    return active;
  }
  const PortConfig& config(uint32_t port) const { return ports_[port]->config; }

  // ---- snapshot: what was true in a cycle that is only known afterwards
  void begin_history();
  struct Past {
    Counters counters;
    uint64_t bytes = 0;
    uint64_t packets = 0;
  };
  // By the time of the cycle; fails if no cycle since begin_history had it.
  std::vector<Past> past(uint64_t time, uint64_t* cycle);
  bool keeps_history() const { return history_; }

  uint32_t bad(Bad kind) const { return arrivals_.bad(kind); }
  uint64_t bad_ever(Bad kind) const { return arrivals_.bad_ever(kind); }
  uint64_t frames() const { return arrivals_.frames(); }
  const Framed& last_frame() const { return arrivals_.last(); }
  const Edges& edges() const { return edges_; }
  uint64_t tallied(unsigned code, unsigned class_ece) const;
  uint64_t watermark_sojourn(uint32_t port) const { return ports_[port]->watermark_sojourn; }
  uint32_t cut_short(uint32_t port) const { return ports_[port]->cycles.cut_short(); }

 private:
  struct Lane {
    Lane(const Build& build, uint32_t index, uint64_t origin, uint64_t time, Edges& edges)
        : cycles(build, index, origin, time, edges) {}
    PortCycles cycles;
    Bucket bucket;            // where it is a line of its own
    bool fresh = true;        // the next row on the output is the first of a frame
    PortConfig config;        // of the verdict
    PortConfig shown_config;  // of everything else, which follows a commit one cycle earlier
    Shadow shadow;
    Shadow next;
    uint64_t next_cycle = 0;        // 0: no commit under way
    uint64_t flush_cycle = 0;       // 0: no flush under way
    uint64_t clear_cycle = 0;       // 0: watermarks are not being cleared
    uint64_t soft_reset_cycle = 0;  // 0: no soft reset has begun
    std::array<bool, 2> cleared{};  // watermarks of what is held were, one cycle ago and two
    bool laws_reset = false;        // with that commit
    uint64_t seed_cycle = 0;        // 0: the generator's seed is not being loaded
    uint64_t clear_until = 0;       // a soft reset clears watermarks up to this cycle
    Counters counters;
    uint64_t watermark_sojourn = 0;
  };
  struct Moment {
    uint64_t cycle, time;
  };

  void apply_config(Lane& lane, uint64_t cycle);
  void choose_queue() const;
  // What passes from the ports to the lines in this cycle: the ports whose row is taken, if one stands there, and those
  // that may take their next frame.
  struct Passing {
    PortMask taken;
    PortMask may_send;
  };
  Passing pass(const PinCycle& pins);
  void pause(const PinCycle& pins);
  bool shape(Lane& lane, uint64_t cycle, bool ready);
  void select(uint64_t cycle);
  bool lines_resting() const;
  void count(Lane& lane, uint32_t index, uint64_t now);
  static void apply(Counters& counters, const Tally& tally);

  Build build_;
  uint32_t seed_ = reg::kSeedReset;
  Arrivals arrivals_;
  CodelEngine engine_;
  Shadow queue_shadow_;  // of the last commit, for what is of all ports
  QueueMap queue_map_;
  const BusCycle* bus_ = nullptr;  // of this cycle
  std::vector<std::unique_ptr<Lane>> ports_;
  std::vector<LineCycles> lines_;              // where they have several queues
  std::vector<QueueOutput> outputs_;           // of one line, as it is looked at
  std::vector<std::optional<uint32_t>> soon_;  // of one line's queues: PortCycles::offers_soon
  PortMask paused_;                            // the queues that begin no frame in this cycle
  Edges edges_;                                // since the first reset
  std::array<uint64_t, Counters::kCodes * 16> tallied_{};
  bool history_ = false;
  std::vector<Counters> base_;
  std::vector<std::pair<uint32_t, Tally>> tallies_since_;
  std::vector<Moment> moments_;                           // each cycle of the history
  std::vector<std::pair<uint64_t, uint64_t>> occupancy_;  // bytes and packets of each port after it
};

}  // namespace truemark
