// SPDX-License-Identifier: BSD-3-Clause
#include "pause_levels.h"

#include <algorithm>
#include <stdexcept>

namespace truemark {

size_t PauseLevels::add(const PauseSource& source) {
  if (held_ != 0) throw std::logic_error("pause levels: a source comes after the first frame");
  sources_.push_back({.how = {}});
  set(sources_.size() - 1, source);
  return sources_.size() - 1;
}

void PauseLevels::set(const PauseRule& rule) {
  rule_ = rule;
  look();
}

void PauseLevels::set(size_t number, const PauseSource& how) {
  const auto kept = [](const PauseSource& source) { return source.lossless ? source.headroom : 0; };
  headroom_ += kept(how) - kept(sources_.at(number).how);
  sources_[number].how = how;
  look();
}

uint64_t PauseLevels::threshold() const {
  const uint64_t taken = held_ + headroom_;
  return rule_.above.of(cells_ > taken ? cells_ - taken : 0);
}

uint64_t PauseLevels::xon() const {
  const uint64_t most = threshold(), offset = rule_.xon_offset.value_or(most);
  return std::min(most, std::max(rule_.xon, most > offset ? most - offset : 0));
}

// The threshold of all may have moved.
void PauseLevels::look(size_t changed, uint64_t before) {
  const uint64_t above = threshold(), below = xon();
  for (size_t number = 0; number < sources_.size(); ++number) {
    Source& source = sources_[number];
    if (!source.xoff && source.how.lossless && source.held > above) {
      source.xoff = true;
      source.mark = number == changed ? before : source.held;
    } else if (source.xoff && (source.held <= below || !source.how.lossless)) {
      source.xoff = false;
    }
  }
}

void PauseLevels::store(size_t number, uint64_t cells) {
  Source& source = sources_.at(number);
  const uint64_t before = source.held;
  // The cell that it has to pause for came before it could.
  const uint64_t unasked = source.xoff ? 0 : 1;
  source.held += cells;
  held_ += cells;
  source.watermark = std::max(source.watermark, source.held);
  look(number, before);
  const uint64_t most = source.mark + source.how.headroom;
  if (source.xoff && source.held > most) overruns_ += std::min(cells - unasked, source.held - most);
}

void PauseLevels::release(size_t number, uint64_t cells) {
  Source& source = sources_.at(number);
  if (cells > source.held) throw std::logic_error("pause levels: a frame leaves that its source does not hold");
  const uint64_t before = source.held;
  source.held -= cells;
  held_ -= cells;
  look(number, before);
}

}  // namespace truemark
