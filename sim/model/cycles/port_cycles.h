// SPDX-License-Identifier: BSD-3-Clause
// One port of the golden model, cycle by cycle: predicts what stands on its pins in every cycle.
//
// In each cycle: compare `output` and `event` with the pins, then step with that cycle's inputs.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "../admit.h"
#include "../counters.h"
#include "arrivals.h"
#include "codel_cycles.h"
#include "red_cycles.h"

namespace truemark {

// What a pool shows of itself in a cycle: when it has read a row, and how full it is, depends on all ports at once. The
// model takes it from the RTL, where assertions watch over it.
struct PoolCycle {
  bool at_hand = true;     // the row that the output takes next
  bool overflow = false;   // a row of the arriving frame was lost
  uint32_t used = 0;       // rows, for the verdict of the next cycle
  int64_t had = 0;         // cells that frames of this port before the next one to be judged have
  uint64_t available = 0;  // cells that nobody has, nor a reserve
  uint64_t reserved = 0;   // what is left of this port's reserve
};

struct PortInputs {
  uint64_t time = 0;
  bool tx_enable = false;
  bool ready = false;
  bool flush = false;  // the flush command acts in this cycle
  PoolCycle pool;      // with a pool
};

// The row that stands on the output.
struct ExpectedRow {
  bool valid = false;
  bool last = false;
  bool error = false;
  uint32_t length = 0;  // of the frame, as promised or counted
  uint32_t count = 0;   // bytes of the row that tkeep says are there
  std::span<const uint8_t> bytes;
};

struct ExpectedEvent {
  uint64_t time = 0;
  uint32_t length = 0;
  Meta meta;
  Outcome outcome = Outcome::Pass;
  uint64_t bytes = 0;
};

// A counter that moves in a known cycle.
struct Tally {
  uint64_t cycle = 0;
  unsigned code = 0;  // of Counters
  Meta meta;
  uint32_t length = 0;
  uint64_t sojourn = 0;
  std::optional<Departure> departure;  // nothing: an arrival
};

class PortCycles {
 public:
  // `origin`: the first cycle after the reset; `time`: from then until the first cycle that is told. What is met is
  // counted in `edges`.
  PortCycles(const Build& build, uint32_t port, uint64_t origin, uint64_t time, Edges& edges)
      : build_(build), port_(port), red_(port, build.ports, origin, time, edges), codel_(edges), edges_(&edges) {}

  // What came in the cycle before the next step.
  void commit(const PortConfig& config, const LawChanges& changes) {
    red_config_ = config;
    red_.commit(config, changes);
    codel_.commit(changes);
  }
  void seed(uint32_t value) { red_.seed(value); }

  ExpectedRow output() const;
  std::optional<ExpectedEvent> event(const BusCycle& bus) const;
  // `config` is that of the verdict, `shown` that of everything else: it follows a commit two cycles earlier.
  void step(uint64_t now, const BusCycle& bus, const PortConfig& config, const PortConfig& shown, const PortInputs& in);

  // The length of the frame of which a row stands on the output, if the frame waited in the cycle before.
  std::optional<uint32_t> offers_next(uint64_t cycle) const {
    const bool offered = standing_ && !discard_ && copy_.verdict_cycle + 1 < cycle;
    return offered ? std::optional(copy_.length) : std::nullopt;
  }
  // The length of the frame that waited in this cycle, and goes to the output once the pool has read its first row.
  std::optional<uint32_t> offers_soon() const { return soon_; }
  // In the step of this cycle the frame on the output ended.
  bool gone(uint64_t cycle) const { return gone_cycle_ == cycle; }

  // The frame whose row stands on the output, counted from 1.
  uint64_t sends() const { return standing_ ? copy_.frame->id : 0; }

  // What the model believes is going on, for messages.
  std::string describe() const;

  const Admit& admit() const { return admit_; }
  Admit& admit() { return admit_; }
  const RedCycles& red() const { return red_; }
  CodelCycles& codel() { return codel_; }
  const CodelCycles& codel() const { return codel_; }
  bool empty() const { return queue_.empty() && !standing_ && !open_ && !codel_.pending(); }
  bool flushing() const { return !queue_.empty() && queue_.front().flushed; }
  // Nothing leaves, nor is being dropped.
  bool resting() const { return !standing_ && !open_ && !flushing() && !codel_.pending(); }
  void clear_watermarks() { admit_.clear_watermarks(); }
  uint32_t cut_short() const { return cut_short_; }
  uint32_t pool_refused() const { return pool_refused_; }
  std::deque<Tally>& tallies() { return tallies_; }
  const std::deque<Tally>& tallies() const { return tallies_; }
  int64_t rows() const { return unread_; }  // of frames that have ended

 private:
  struct Patch {
    uint32_t at;
    uint8_t value;
  };

  struct Copy {
    Frame frame;
    uint32_t length = 0;
    Meta meta;              // as the verdict saw it
    Ecn ecn = Ecn::NotEct;  // CE once it is marked
    uint64_t verdict_cycle = 0;
    uint64_t verdict_time = 0;
    bool deferred = false;  // the step law judges it as it leaves
    bool flushed = false;
    std::vector<Patch> patches;  // what marking changes
  };

  // What the waiting time of a frame pulled in this cycle is judged by: as in the cycle before.
  struct Tcn {
    uint32_t threshold = 0;
    uint64_t now = 0;
  };

  // The copy that arrives.
  struct Incoming {
    Frame frame;
    bool judged = false;
    bool held = false;      // stored, not aborted
    bool leaving = false;   // its departure has been selected
    bool overflow = false;  // a row found no place
    uint32_t rows = 0;
    uint32_t first_row = 0;
    Outcome outcome = Outcome::Pass;
    uint64_t verdict_time = 0;
    uint64_t bytes = 0;  // B as the verdict saw it
  };

  Edges& edges() { return *edges_; }
  void judge(uint64_t now, const BusCycle& bus, const PortConfig& config, const PortInputs& in);
  void note_edges(const PortConfig& config, uint32_t length, bool room);
  void finish(uint64_t now);
  void write_row(uint64_t now, const BusCycle& bus);
  void send(uint64_t now, const PortConfig& config, const PortInputs& in);
  std::optional<uint32_t> soon(uint64_t now, const PortConfig& config, const PortInputs& in) const;
  bool select(uint64_t now, const PortConfig& config, const PortInputs& in);
  bool resolve(uint64_t now, const PortConfig& config, const PoolCycle& pool);
  void take_head(uint64_t now);
  CodelCycles::Pulled pulled() const;
  void note_wait();
  void note_behind(int64_t bytes);
  void leave_as(Departure kind);
  bool still_arrives(const Copy& copy, uint64_t now) const;
  bool row_available(uint64_t now, uint32_t row) const;
  void follow_pool(const PortConfig& config, const PoolCycle& pool);
  bool crowded(uint32_t length, bool alone) const;
  void fill_row();
  static std::vector<Patch> patches(const Framed& framed, const Meta& meta);

  Build build_;
  uint32_t port_;
  Admit admit_;
  RedCycles red_;
  PortConfig red_config_;  // one cycle before the verdict's
  CodelCycles codel_;
  std::deque<Copy> queue_;
  Incoming incoming_;
  Incoming ended_;         // the copy that ended last
  Incoming ended_before_;  // the one before it, which may not have been counted
  uint64_t ended_cycle_ = 0;
  uint64_t taken_back_cycle_ = 0;  // in which the last frame that was held and turned out wrong went
  bool marked_last_ = false;       // the frame judged before
  bool cut_ = false;
  uint64_t cut_cycle_ = 0;
  uint64_t opens_cycle_ = 0;  // in which the next frame may be selected after one that was cut

  // The output: the copy that is open or stands, and its row.
  Copy copy_;
  bool standing_ = false;
  bool open_ = false;
  bool departing_ = false;              // this is its departure cycle
  std::array<uint32_t, 2> departed_{};  // lengths that B and P lose two cycles after it; 0: none
  Departure kind_ = Departure::Plain;
  bool discard_ = false;
  bool waited_ = false;  // too long
  Tcn tcn_;
  bool signalled_ = false;  // by the step law, as it leaves
  PortConfig step_config_;  // one cycle before
  bool arriving_when_pulled_ = false;
  uint32_t row_ = 0;
  uint64_t departed_time_ = 0;
  std::optional<uint64_t> gone_cycle_;
  std::optional<uint32_t> soon_;
  std::vector<uint8_t> row_bytes_;

  // Rows not read at the beginning of a cycle: of frames that have ended, and of the arriving one as well.
  struct Level {
    int64_t ended = 0;
    int64_t all = 0;
  };
  std::array<Level, 4> levels_{};  // of the last cycles

  // What the pool said in the cycle before, and what the port may have of it: as it comes out of its registers.
  PoolCycle pool_;
  std::array<Share, 2> pool_share_{};
  uint64_t pool_threshold_ = 0;
  std::array<uint64_t, 3> pool_limits_{};
  std::array<bool, 5> pool_limited_{};
  uint32_t pool_refused_ = 0;

  std::array<int64_t, 4> stored_{};  // bytes stored and not taken back, up to the last cycles
  int64_t pulled_ = 0;               // bytes of frames that were selected

  int64_t unread_ = 0;     // rows of ended frames less rows freed
  uint32_t skipped_ = 0;   // of these, rows of head drops that are yet to be freed, one in each cycle
  uint32_t next_row_ = 0;  // of the ring, for the next frame
  uint32_t cut_short_ = 0;
  std::deque<Tally> tallies_;
  Edges* edges_;
};

}  // namespace truemark
