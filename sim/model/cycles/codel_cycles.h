// SPDX-License-Identifier: BSD-3-Clause
// CoDel of one port, cycle by cycle, and the engine that the ports share: in which cycle a frame is looked at, paused,
// sent or dropped (docs/codel-rules.md, "Cycles"). What CoDel computes is sim/model's; here is only when.
//
// In each cycle: the engine steps, then each port may pull or fail to, decide, and closes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "../codel_law.h"
#include "../types.h"
#include "edges.h"
#include "latencies.h"

namespace truemark {

class CodelCycles {
 public:
  // A frame as it is pulled.
  struct Pulled {
    uint32_t stamp = 0;
    Ecn ecn = Ecn::NotEct;
    uint64_t verdict_cycle = 0;
    bool arriving = false;
  };

  // What is met is counted in `edges`.
  explicit CodelCycles(Edges& edges) : edges_(&edges) {}

  void commit(const LawChanges& changes);
  void stored(uint32_t length) { largest_now_ = std::max(largest_now_, length); }

  // ---- between the beginning of a cycle and its close

  // In a cycle of its own each: a frame may not be pulled while another one is pending, nor right after holding.
  bool may_pull() const { return !held_before_ && !pending_; }
  bool pending() const { return pending_.has_value(); }
  // Whether the frame would pause if it were pulled now.
  bool pauses(const CodelConfig& config, uint64_t now, const Pulled& frame) const {
    return config.on && frame.verdict_cycle + latency::kCodelLook <= now && !frame.arriving && armed_;
  }
  // The kind in which the frame leaves at once, or nothing: it pauses.
  std::optional<Departure> pull(const CodelConfig& config, uint64_t now, const Pulled& frame);
  void fail_to_pull(const CodelConfig& config, uint64_t now);
  // The fate of the frame that is pending, once it is known; of one that is sent, once its row is there. Where rows
  // come late it is not decided before the first one was there in the cycle before (`may_decide`).
  std::optional<Departure> decide(const CodelConfig& config, uint64_t now, bool is_protected, bool row_there,
                                  bool may_decide);
  // After a drop: the next frame is pulled in the same cycle, or there is none.
  void pull_next(const CodelConfig& config, uint64_t now, const Pulled& frame);
  void run_out(uint64_t now);

  void close(const CodelConfig& config, uint64_t now, uint64_t bytes, uint64_t time);

  // ---- for the engine
  bool wants_engine(uint64_t now) const { return request_ && !request_->started && request_->cycle < now; }
  // The program starts in this cycle.
  void start_program(uint64_t now);
  bool has_engine(uint64_t now) const { return now < engine_free_; }

 private:
  struct Move {
    uint64_t cycle = 0;  // at the end of which the state moves
    bool failed = false;
    bool always_clears = false;   // a failed pull that clears first_above whatever keep_first_above says
    bool after_entering = false;  // dropping stays as it is
    bool above = false;
    bool small = false;
  };

  struct Pending {
    Pulled frame;
    uint64_t cycle = 0;  // in which it was pulled
    bool over = false;
    bool after_entering = false;
    bool in_loop = false;           // frames were dropped before it in this departure
    bool ok = false;                // to drop
    std::optional<Departure> fate;  // once it is decided
    // What a signal would make of it, as configured in the cycle before and in the one before that.
    Departure signalled = Departure::Plain, signalled_before = Departure::Plain;
  };

  struct Request {
    uint64_t cycle = 0;
    bool entering = false;
    bool may_be_again = false;  // there was an entering since the last reset
    bool reentry_past = false;  // as it was configured then
    bool from_now = false;      // drop_next counts from now
    bool moves = true;          // drop_next does, or will if the next frame is ok to drop
    bool waits_for_ok = false;
    bool started = false;
    bool takes_up = false;
    uint64_t start = 0;
    uint64_t hold_until = 0;
    uint64_t law_cycle = 0;  // cycle 0 of *next*
    uint32_t gap = 0;
    uint32_t from = 0;
  };

  Edges& edges() { return *edges_; }
  bool busy(uint64_t now) const;
  bool holds(uint64_t now) const;
  bool above(const CodelConfig& config, uint64_t now, const Pulled& frame, bool* over);
  void schedule(const Move& move) { moves_[move.cycle % moves_.size()] = move; }
  void step_program(const CodelConfig& config, uint64_t now);
  void look_behind(const CodelConfig& config, uint64_t now, uint64_t bytes);
  void move(const CodelConfig& config, uint64_t now);
  std::optional<Departure> fate(const CodelConfig& config, uint64_t now);
  void request(const CodelConfig& config, uint64_t now, Departure kind);

  // Registers, as a cycle sees them.
  uint32_t now_ = 0;           // the unit of the cycle before, or of the one that is held
  uint32_t ce_threshold_ = 0;  // as it was configured when now moved
  uint32_t first_above_ = 0;
  bool first_above_set_ = false;
  bool late_ = false;
  bool due_ = false;
  bool dropping_ = false;
  bool first_above_void_ = true;  // it was 0 a cycle before, which says that it does not count
  bool armed_ = false;            // a signal was due a cycle before
  bool may_decide_ = false;       // the engine was free a cycle before
  bool meets_ = false;            // and the signal due: it meets whoever is pending
  bool held_before_ = false;
  uint32_t drop_next_ = 0;
  uint32_t largest_ = 0, largest_now_ = 0;
  uint64_t exempt_ = 0;   // of the cycle before
  bool entered_ = false;  // since the last reset

  std::array<Move, 4> moves_{};
  std::optional<Pending> pending_;
  std::optional<Request> request_;
  bool holding_ = false;      // by the frame that is pulled or pending in this cycle
  bool enters_ = false;       // dropping from the next cycle on
  uint64_t engine_free_ = 0;  // the first cycle in which it is
  unsigned drops_now_ = 0;
  CodelLaw law_;
  Edges* edges_;
};

// Serves one port's program at a time, in batches.
class CodelEngine {
 public:
  explicit CodelEngine(uint32_t ports) : waits_in_batch_(ports) {}

  // `port(index)` of every port; at the beginning of a cycle.
  template <typename Port>
  void step(uint64_t now, Port port) {
    if (port(served_).has_engine(now)) return;
    const size_t ports = waits_in_batch_.size();
    bool any = false;
    for (size_t i = 0; i < ports; ++i) any = any || waits_in_batch_[i];
    for (size_t i = 0; !any && i < ports; ++i) waits_in_batch_[i] = port(i).wants_engine(now);
    for (size_t i = 0; i < ports; ++i) {
      if (!waits_in_batch_[i] || !port(i).wants_engine(now)) continue;
      waits_in_batch_[i] = false;
      port(i).start_program(now);
      served_ = i;
      return;
    }
  }

 private:
  std::vector<bool> waits_in_batch_;
  size_t served_ = 0;
};

}  // namespace truemark
