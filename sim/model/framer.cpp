// SPDX-License-Identifier: BSD-3-Clause
#include "framer.h"

#include <algorithm>

namespace truemark {

Framer::Step Framer::push(const Beat& beat) {
  Step step;
  step.first = !in_frame_;
  if (step.first) {
    begin(beat);
    step.found_bad = frame_.bad.has_value();
  }
  in_frame_ = !beat.last;
  if (!storing_) return step;
  store(beat);
  step.stored = true;
  step.ended = frame_.ended;
  step.found_bad = frame_.bad.has_value();
  return step;
}

bool Framer::reset() {
  const bool cut = in_frame_ && storing_;
  in_frame_ = storing_ = false;
  return cut;
}

void Framer::begin(const Beat& beat) {
  static_cast<FrameFacts&>(frame_) = {};
  frame_.raw.clear();
  frame_.lines = build_.there(beat.lines);
  frame_.length = build_.store_and_forward ? 0 : beat.promised;
  if (frame_.lines == 0) {
    frame_.bad = Bad::NoDestination;
  } else if (!build_.store_and_forward && beat.promised < kMinFrame) {
    frame_.bad = Bad::Runt;
  } else if (!build_.store_and_forward && beat.promised > build_.max_frame) {
    frame_.bad = Bad::Oversize;
  }
  frame_.offered = storing_ = !frame_.bad;
  hole_ = false;
  row_ = 0;
}

void Framer::store(const Beat& beat) {
  const uint32_t width = build_.beat_bytes();
  uint32_t count = width;
  bool contiguous = true;
  if (beat.keep != full_) {  // the usual beat is full
    count = 0;
    while (count < width && beat.keep[count]) ++count;
    contiguous = count > 0 && beat.keep.count() == count;
  }
  if (!contiguous || (!beat.last && count < width)) hole_ = true;

  const uint32_t most = build_.store_and_forward ? build_.max_frame : frame_.length;
  const bool last_row = row_ + 1 == build_.rows_of(most);
  frame_.raw.insert(frame_.raw.end(), beat.data.begin(), beat.data.begin() + width);
  frame_.stored_bytes = row_ * width + kept_bytes(beat, contiguous, count, last_row);
  if (build_.store_and_forward) frame_.length = frame_.stored_bytes;
  ++row_;
  if (!beat.last && !last_row) return;
  frame_.ended = true;
  storing_ = false;
  const uint32_t arrived = (row_ - 1) * width + count;
  const bool wrong_length = !build_.store_and_forward && (!beat.last || !last_row || arrived != frame_.length);
  frame_.misshaped = hole_ || wrong_length;
  frame_.bad = finding(beat, wrong_length, last_row);
}

// Bytes of this row that leave if the frame does: contiguous, and never beyond the promise.
uint32_t Framer::kept_bytes(const Beat& beat, bool contiguous, uint32_t count, bool last_row) const {
  const uint32_t width = build_.beat_bytes();
  if (build_.store_and_forward || !last_row) return !beat.last ? width : contiguous ? count : 1;
  const uint32_t promised_here = frame_.length - row_ * width;
  return beat.last && contiguous ? std::min(count, promised_here) : promised_here;
}

std::optional<Bad> Framer::finding(const Beat& beat, bool wrong_length, bool last_row) const {
  if (build_.store_and_forward) {
    if (frame_.length < kMinFrame) return Bad::Runt;
    if ((last_row && !beat.last) || frame_.length > build_.max_frame) return Bad::Oversize;
  }
  if (hole_) return Bad::KeepHole;
  if (wrong_length) return Bad::LengthMismatch;
  if (beat.error) return Bad::ErrorBit;
  return std::nullopt;
}

}  // namespace truemark
