// SPDX-License-Identifier: BSD-3-Clause
// RED of one port, cycle by cycle: which evaluation a verdict sees, and when the shared unit's results show
// (docs/red-rules.md, "Cycles"). What RED computes is sim/model's; here is only when.
//
// In each cycle: open, then step if there is a verdict, then close. Cycles count from the reset.
#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "../generator.h"
#include "../red.h"
#include "../types.h"
#include "edges.h"
#include "latencies.h"

namespace truemark {

class RedCycles {
 public:
  // `time`: while the device was reset and until the first cycle that is told. What is met is counted in `edges`.
  RedCycles(uint32_t port, uint32_t ports, uint64_t origin, uint64_t time, Edges& edges);

  // The configuration of this cycle's verdict came with a commit in the cycle before. Call before open.
  void commit(const PortConfig& config, const LawChanges& changes);
  // Loaded in the cycle before. Call before open.
  void seed(uint32_t value) { generator_.seed(value, port_); }

  void open(uint64_t cycle, uint64_t bytes, uint64_t packets);
  // What the slot of the copy that is judged says.
  Signal step(const PortConfig& config, unsigned speaking, uint64_t time);
  void close(const PortConfig& config, uint64_t time);

  // What a verdict of this cycle is told of a slot's average, and which of Linux's counts it sees; the exact one.
  Chance chance(const PortConfig& config, unsigned slot) const;
  CountSeen count(unsigned slot) const;
  uint64_t number(unsigned slot) const { return lanes_[slot].red.next_count(); }
  // The average before and after an idle time, in the cycle in which what has faded shows.
  std::optional<std::pair<uint64_t, uint64_t>> faded(unsigned slot) const;
  // ARED's latest move, unless a commit voided it: the cycle at whose end it stands, maxp before and after.
  std::optional<std::tuple<uint64_t, uint32_t, uint32_t>> move(unsigned slot) const;
  void count_in(Edges& edges) { edges_ = &edges; }

  // As the scan has kept it for those who ask in this cycle.
  uint64_t kept(unsigned slot) const {
    const Lane& lane = lanes_[slot];
    return now_ - lane.turn >= latency::kRedKept ? lane.kept : lane.kept_before;
  }
  // As the registers show it once all is at rest.
  uint64_t average(unsigned slot) const { return lanes_[slot].seen(); }
  uint32_t maxp(unsigned slot) const { return lanes_[slot].red.maxp(); }

 private:
  struct Probability {
    uint32_t maxp, slope;
  };

  struct Lane {
    RedSlot red;
    uint64_t kept = 0, kept_before = 0;  // the average of the slot's last turns in the scan
    uint64_t turn = 0;                   // and when the last was
    std::optional<uint64_t> shown;       // the decayed average, once it is visible
    std::optional<uint64_t> decayed;     // on its way
    bool shown_long = false, decayed_long = false, decayed_gone = false;
    std::optional<Probability> adapted;  // on its way
    std::optional<bool> due_next;        // on its way
    uint64_t ready = 0;                  // when what is on its way shows
    std::optional<Probability> before;   // what the last adaptation replaced
    bool fresh = false, due = false;
    bool pending = false, asks = false;  // a step has found ARED due; and a visit has noted it
    uint64_t drawn = 0;                  // as Linux counts: in which cycle, at the latest, a threshold was drawn

    uint64_t seen() const { return shown.value_or(red.average()); }
  };

  // What an evaluation in a cycle sees.
  struct Sight {
    std::array<uint64_t, kSlots> average{};  // that a turn in this cycle makes, before one more step
    std::array<uint32_t, kSlots> slope{};
    std::array<uint64_t, kSlots> count{};  // Linux's, of the next frame
    uint64_t bytes = 0, packets = 0;
  };

  Edges& edges() { return *edges_; }
  void learn(Lane& lane);
  void fade(Lane& lane);
  void show_adapted(Lane& lane);
  void visit(unsigned slot, const PortConfig& config, uint64_t time);
  uint64_t evaluated(unsigned slot) const;
  void turn();

  // The steps that slot 0's turn takes, and slot 1's after it.
  struct Steps {
    uint32_t power = 0;
    bool any = false;
    uint64_t bytes = 0, packets = 0;
  };

  uint32_t port_;
  uint64_t round_, place_;  // of the scan: its cycles, and slot 0's place among them
  uint32_t waiting_ = 0;    // steps that no turn has taken
  bool waited_ = false;     // some did at the start of this cycle
  Steps newest_, taken_;
  PortConfig config_;  // as the scan knows it
  uint64_t origin_;
  uint64_t now_ = 0;           // cycles since the reset
  uint64_t settle_until_ = 0;  // verdicts up to here find both slots below
  std::array<Lane, kSlots> lanes_;
  std::array<Sight, 64> sights_;
  Generator generator_;
  uint64_t since_ = 0;
  bool stepped_ = false;
  uint64_t last_signal_ = 0;
  Edges* edges_;
};

}  // namespace truemark
