// SPDX-License-Identifier: BSD-3-Clause
// One port's queue: admit, buffer and depart wired together. Order within a cycle: arrive, depart or abort, settle.
#pragma once

#include "admit.h"
#include "buffer.h"
#include "depart.h"
#include "types.h"

namespace truemark {

class Port {
 public:
  explicit Port(const Build& build) : build_(build), buffer_(build) {}

  PortConfig config;
  uint32_t cut_short = 0;

  const Admit& admit() const { return admit_; }
  Buffer& buffer() { return buffer_; }
  const Depart& queue() const { return depart_; }

  // The verdict. `bad_now`: the frame is already known to be wrong, so that what would be stored is aborted at once.
  // `room`: storage has rows and a descriptor for it (see has_room).
  Outcome arrive(const Meta& meta, uint32_t length, uint64_t now, bool bad_now, bool room, uint64_t id = 0) {
    const Outcome outcome = admit_.judge(config, meta, length, room);
    if (!is_stored(outcome)) return outcome;
    if (bad_now) return Outcome::Aborted;
    Held held{meta, length, build_.rows_of(length), 0, now, outcome, id};
    held.first_row = buffer_.reserve(held.rows);
    admit_.store(length);
    depart_.push(held);
    return outcome;
  }

  // The verdict needs the class, so it waits for the flags half of the walk.
  bool waits_for_flags() const {
    const unsigned slot = config.slot_of[static_cast<size_t>(Ecn::NotEct)];
    return build_.flags_verdict && config.law[slot] == Law::Step && config.protect != 0;
  }

  bool has_room(uint32_t length) const {
    return buffer_.has_room(build_.rows_of(length)) && depart_.size() < build_.descriptors;
  }

  // The youngest frame turned out wrong before it began to leave.
  void abort() {
    admit_.remove(depart_.back().length);
    buffer_.undo(depart_.back().rows);
    depart_.drop_back();
  }

  // The head leaves (or is dropped); its rows stay taken until the caller releases them.
  Held depart() {
    Held held = depart_.pop();
    admit_.remove(held.length);
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
  Build build_;
  Admit admit_;
  Buffer buffer_;
  Depart depart_;
};

}  // namespace truemark
