// SPDX-License-Identifier: BSD-3-Clause
// RED of one port, cycle by cycle: which evaluation a verdict sees, and when the shared unit's results show
// (docs/red.md, "Cycles"). What RED computes is sim/model's; here is only when.
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

namespace truemark {

class RedCycles {
 public:
  // `time`: while the device was reset and until the first cycle that is told. What is met is counted in `edges`.
  RedCycles(uint32_t port, uint64_t origin, uint64_t time, Edges& edges);

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

  // As the registers show it once all is at rest.
  uint64_t average(unsigned slot) const { return lanes_[slot].seen(); }
  uint32_t maxp(unsigned slot) const { return lanes_[slot].red.maxp(); }

 private:
  struct Probability {
    uint32_t maxp, slope;
  };

  struct Lane {
    RedSlot red;
    std::optional<uint64_t> shown;    // the decayed average, once it is visible
    std::optional<uint64_t> decayed;  // on its way
    bool shown_long = false, decayed_long = false;
    std::optional<Probability> adapted;  // on its way
    std::optional<bool> due_next;        // on its way
    uint64_t ready = 0;                  // when what is on its way shows
    std::optional<Probability> before;   // what the last adaptation replaced
    bool fresh = false, due = false, pending = false;
    uint64_t drawn = 0;  // as Linux counts: in which cycle, at the latest, a threshold was drawn

    uint64_t seen() const { return shown.value_or(red.average()); }
  };

  // What an evaluation in a cycle sees.
  struct Sight {
    std::array<uint64_t, kSlots> average{};
    std::array<uint32_t, kSlots> slope{};
    std::array<uint64_t, kSlots> count{};  // Linux's, of the next frame
    uint64_t bytes = 0;
    bool idle = true;
  };

  Edges& edges() { return *edges_; }
  void show(Lane& lane);
  void show_adapted(Lane& lane);
  void visit(unsigned slot, const PortConfig& config, uint64_t time);
  uint64_t evaluated(unsigned slot) const;

  uint32_t port_;
  uint64_t origin_;
  uint64_t now_ = 0;           // cycles since the reset
  uint64_t settle_until_ = 0;  // verdicts up to here find both slots below
  std::array<Lane, kSlots> lanes_;
  std::array<Sight, 16> sights_;
  Generator generator_;
  uint64_t since_ = 0;
  bool stepped_ = false;
  uint64_t last_signal_ = 0;
  Edges* edges_;
};

}  // namespace truemark
