// SPDX-License-Identifier: BSD-3-Clause
#include "pause_levels.h"

#include <algorithm>
#include <stdexcept>

namespace truemark {

size_t PauseLevels::add() {
  if (held_ != 0) throw std::logic_error("pause levels: a source comes after the first frame");
  sources_.emplace_back();
  return sources_.size() - 1;
}

uint64_t PauseLevels::threshold() const {
  const uint64_t taken = held_ + rule_.headroom * sources_.size();
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
    if (!source.xoff && source.held > above) {
      source.xoff = true;
      source.mark = number == changed ? before : source.held;
    } else if (source.xoff && source.held <= below) {
      source.xoff = false;
    }
  }
}

void PauseLevels::store(size_t number, uint64_t cells) {
  Source& source = sources_.at(number);
  const uint64_t before = source.held;
  source.held += cells;
  held_ += cells;
  source.watermark = std::max(source.watermark, source.held);
  look(number, before);
  const uint64_t most = source.mark + rule_.headroom;
  if (source.xoff && source.held > most) overruns_ += std::min(cells, source.held - most);
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
