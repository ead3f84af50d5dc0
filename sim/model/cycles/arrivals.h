// SPDX-License-Identifier: BSD-3-Clause
// Arrivals: from the input's pins to what each port is told in which cycle (rows, strobes, tallies).
//
// The cycles are the contract's: a row is with the ports two cycles after the pins, four where verdicts may wait for
// the class, and with it everything that it tells; the tally of a frame follows by two cycles.
#pragma once

#include <array>
#include <memory>

#include "../framer.h"
#include "../types.h"

namespace truemark {

struct Arriving {
  uint64_t id = 0;
  Framed framed;    // as far as it has come
  Meta ecn_meta;    // as the ECN strobe says
  Meta flags_meta;  // as the flags strobe says
  Meta tally;       // as the frame is counted
  bool ecn_told = false;
  bool flags_told = false;
  bool by_class = false;            // the queue follows from the class
  std::optional<unsigned> queue;    // the one of its line that takes it, once that is known
  std::vector<uint64_t> row_cycle;  // in which each row is with the ports
};

using Frame = std::shared_ptr<Arriving>;

// What the ports are told in one cycle.
struct BusCycle {
  Frame row;  // a row of this frame is written
  bool first = false;
  Frame ecn;
  Frame flags;
  Frame end;
  Frame tally;

  void clear() {
    for (Frame* frame : {&row, &ecn, &flags, &end, &tally}) {
      if (*frame) frame->reset();
    }
    first = false;
  }
};

class Arrivals {
 public:
  explicit Arrivals(const Build& build) : build_(build), framer_(build) {}

  // The beat taken in cycle `now`. Every cycle with a beat is told once, in order.
  void push(uint64_t now, const Beat& beat);
  // What the ports are told in cycle `now`, which must be asked for once, after push; it stands until the next.
  const BusCycle& bus(uint64_t now);
  // Clears the counters of wrong frames, but not that of resets in mid-frame.
  void reset();

  uint32_t bad(Bad kind) const { return bad_[static_cast<size_t>(kind)]; }
  uint64_t bad_ever(Bad kind) const { return bad_before_[static_cast<size_t>(kind)] + bad(kind); }
  uint64_t frames() const { return frames_; }
  const Framed& last() const { return framer_.frame(); }

 private:
  BusCycle& slot(uint64_t cycle) { return slots_[cycle % slots_.size()]; }
  void take(const Framed& framed);
  void tell(uint64_t bus_cycle);

  Build build_;
  Framer framer_;
  Frame frame_;
  std::array<BusCycle, 16> slots_;
  std::array<uint32_t, kBadKinds> bad_{};
  std::array<uint64_t, kBadKinds> bad_before_{};  // before the last reset
  uint64_t frames_ = 0;
};

}  // namespace truemark
