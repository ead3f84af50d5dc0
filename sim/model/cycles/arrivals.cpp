// SPDX-License-Identifier: BSD-3-Clause
#include "arrivals.h"

#include "../parse.h"

namespace truemark {
namespace {

constexpr uint64_t kToPort = 2;  // cycles from the pins to a port's own register

}  // namespace

void Arrivals::push(uint64_t now, const Beat& beat) {
  const Framer::Step step = framer_.push(beat);
  if (step.first) ++frames_;
  if (step.found_bad) ++bad_[static_cast<size_t>(*framer_.frame().bad)];
  if (!step.stored) return;

  const uint64_t bus_cycle = now + kToPort + (build_.flags_verdict ? pkg::kClassWait : 0);
  if (step.first) {
    frame_ = std::make_shared<Arriving>();
    frame_->id = frames_;
    const uint32_t rows = build_.store_and_forward ? 1 : build_.rows_of(framer_.frame().length);
    frame_->framed.raw.reserve(size_t{rows} * build_.beat_bytes());
    frame_->row_cycle.reserve(rows);
  }
  take(framer_.frame());
  frame_->row_cycle.push_back(bus_cycle);
  slot(bus_cycle).row = frame_;
  slot(bus_cycle).first = step.first;
  tell(bus_cycle);
}

// Takes over what came with the last beat; the rows before it are there.
void Arrivals::take(const Framed& framed) {
  Framed& ours = frame_->framed;
  static_cast<FrameFacts&>(ours) = framed;
  ours.raw.insert(ours.raw.end(), framed.raw.begin() + static_cast<std::ptrdiff_t>(ours.raw.size()), framed.raw.end());
}

// What becomes known with the row of this cycle is told in it.
void Arrivals::tell(uint64_t bus_cycle) {
  const Framed& framed = frame_->framed;
  const auto seen = [&](uint32_t byte) {
    return framed.ended || (!build_.store_and_forward && byte < framed.raw.size());
  };
  if (!frame_->ecn_told || !frame_->flags_told) {
    const Meta meta = parse(framed.raw, framed.length);
    if (!frame_->ecn_told && seen(meta.ecn_byte)) {
      frame_->ecn_told = true;
      frame_->ecn_meta = meta;
      slot(bus_cycle).ecn = frame_;
    }
    if (!frame_->flags_told && seen(meta.flags_byte)) {
      frame_->flags_told = true;
      frame_->flags_meta = meta;
      if (build_.flags_verdict) slot(bus_cycle).flags = frame_;
    }
  }
  if (!framed.ended) return;
  frame_->tally = framed.misshaped ? Meta{} : frame_->flags_meta;
  slot(bus_cycle).end = frame_;
  slot(bus_cycle + 2).tally = frame_;
}

const BusCycle& Arrivals::bus(uint64_t now) {
  slot(now - 1).clear();
  return slot(now);
}

void Arrivals::reset() {
  slots_ = {};
  const uint32_t resets = bad_[static_cast<size_t>(Bad::Reset)] + (framer_.reset() ? 1 : 0);
  for (unsigned kind = 0; kind < kBadKinds; ++kind) bad_before_[kind] += bad_[kind];
  bad_before_[static_cast<size_t>(Bad::Reset)] = 0;
  bad_ = {};
  bad_[static_cast<size_t>(Bad::Reset)] = resets;
}

}  // namespace truemark
