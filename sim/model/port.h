// SPDX-License-Identifier: BSD-3-Clause
// One port's queue: admit, buffer and depart wired together. Order within a cycle: arrive, depart or abort, settle.
#pragma once

#include "admit.h"
#include "buffer.h"
#include "codel.h"
#include "depart.h"
#include "port_red.h"
#include "types.h"

namespace truemark {

class Port {
 public:
  Port(const Build& build, uint32_t index) : build_(build), index_(index), buffer_(build) { seed(1); }

  uint32_t cut_short = 0;

  const PortConfig& config() const { return config_; }

  const Admit& admit() const { return admit_; }
  Buffer& buffer() { return buffer_; }
  const Depart& queue() const { return depart_; }
  const PortRed& red() const { return red_; }

  // A commit, with what it does to the laws.
  void set_config(const PortConfig& config, const LawChanges& changes, uint64_t now) {
    config_ = config;
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      red_.commit(slot);
      if (changes.law_reset[slot]) {
        red_.reset_law(slot, config_, now);
      } else if (changes.red_load[slot]) {
        red_.load(slot, config_);
      }
    }
    if (changes.codel_reset) codel_.reset();
  }

  void seed(uint32_t seed) { red_.seed(seed, index_); }

  // The verdict. `bad_now`: the frame is already known to be wrong, so that what would be stored is aborted at once.
  // `room`: storage has rows and a descriptor for it (see has_room).
  Outcome arrive(const Meta& meta, uint32_t length, uint64_t now, bool bad_now, bool room, uint64_t id = 0) {
    Signal red = Signal::None;
    if (build_.red) red = red_.step(config_, config_.slot(meta.ecn), admit_.bytes(), admit_.packets(), now);
    const Outcome outcome = admit_.judge(config_, meta, length, room, red);
    if (!is_stored(outcome)) return outcome;
    if (bad_now) return Outcome::Aborted;
    Held held{meta, length, build_.rows_of(length), 0, now, outcome, id};
    held.class_known = waits_for_flags();
    held.deferred = config_.defers(meta.ecn);
    held.first_row = buffer_.reserve(held.rows);
    admit_.store(length);
    codel_.stored(length);
    depart_.push(held);
    return outcome;
  }

  // The verdict needs the class, so it waits for the flags half of the walk.
  bool waits_for_flags() const { return build_.flags_verdict && config_.waits_for_flags(); }

  bool has_room(uint32_t length) const { return buffer_.has_room(build_.rows_of(length)) && has_descriptor(); }
  bool has_descriptor() const { return depart_.size() < build_.descriptors; }

  // The youngest frame turned out wrong before it began to leave.
  void abort() {
    admit_.remove(depart_.back().length);
    buffer_.undo(depart_.back().rows);
    depart_.drop_back();
  }

  // What CoDel does with the head: it is sent one way or another, or dropped, and then its successor is asked about.
  Leaving ask_codel(uint64_t now) {
    if (!config_.codel.on) return {};
    const Held& head = depart_.front();
    return codel_.meet(config_.codel, codel_time(now),
                       {codel_time(head.verdict_time), head.ecn(),
                        config_.protects(head.known_class(), head.known_ece()), admit_.bytes() - head.length});
  }

  // How the head departs now, of which CoDel says this.
  Leaving meet_head(Leaving leaving, uint64_t now) const {
    const Held& head = depart_.front();
    const int64_t behind = static_cast<int64_t>(admit_.bytes()) - head.length;
    if (head.deferred && config_.marks_before(behind)) leaving.mark_signalled();
    if (waited_too_long(config_.tcn_threshold, head.ecn(), head.verdict_time, now)) leaving.mark_waited();
    return leaving;
  }

  // A frame was wanted and there is none (left).
  void ran_out() {
    if (config_.codel.on) codel_.ran_out(config_.codel);
  }

  // The head leaves (or is dropped); its rows stay taken until the caller releases them.
  Held depart(uint64_t now) {
    Held held = depart_.pop();
    admit_.remove(held.length);
    red_.busy_until(now);
    return held;
  }

  uint64_t sojourn(const Held& held, uint64_t now) { return depart_.sojourn(held, now); }

  void settle() { admit_.settle(); }

  uint64_t watermark_sojourn() const { return depart_.watermark(); }
  void clear_watermarks() {
    admit_.clear_watermarks();
    depart_.clear_watermark();
  }

 private:
  static uint32_t codel_time(uint64_t nanoseconds) { return static_cast<uint32_t>(nanoseconds / 1024); }

  Build build_;
  uint32_t index_;
  PortConfig config_;
  Admit admit_;
  Buffer buffer_;
  Depart depart_;
  PortRed red_;
  Codel codel_;
};

}  // namespace truemark
