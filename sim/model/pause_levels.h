// SPDX-License-Identifier: BSD-3-Clause
// PauseLevels: which sources of a switch must pause, by the cells of its memory that each holds.
//
// The rule of SAI's buffer profiles (inc/saibuffer.h): a source must pause above its threshold, a number of cells or
// those that nobody has times 2^n, and may send at or below the higher of xon and the threshold less xon_offset, never
// above the threshold. What is free leaves the headroom of every source alone. Headroom begins at what a source held
// before the frame for which it had to pause: each cell beyond is an overrun, except for the first of that frame. Cells
// that are stored together are a frame, whatever its copies.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "threshold.h"

namespace truemark {

// When a source must pause, in cells.
struct PauseRule {
  Threshold above = {};
  uint64_t xon = 0;
  std::optional<uint64_t> xon_offset;  // none: xon alone counts
};
// Nothing else has headroom.
struct PauseSource {
  uint64_t headroom = 0;  // cells
  bool lossless = true;   // else it need never pause
};

class PauseLevels {
 public:
  PauseLevels(uint64_t cells, const PauseRule& rule) : cells_(cells), rule_(rule) {}
  // The number of a new source. All of them come before the first frame.
  size_t add(const PauseSource& source);
  // From now on, whatever is held.
  void set(const PauseRule& rule);
  void set(size_t source, const PauseSource& how);
  // A frame of so many cells was stored, or its last copy has left: std::logic_error if the source has fewer.
  void store(size_t source, uint64_t cells);
  void release(size_t source, uint64_t cells);

  bool xoff(size_t source) const { return sources_[source].xoff; }
  uint64_t held(size_t source) const { return sources_[source].held; }
  uint64_t watermark(size_t source) const { return sources_[source].watermark; }
  uint64_t overruns() const { return overruns_; }
  // Above this a source must pause, and at or below this it may send, as things are.
  uint64_t threshold() const;
  uint64_t xon() const;

 private:
  struct Source {
    PauseSource how;
    uint64_t held = 0, watermark = 0;
    bool xoff = false;
    uint64_t mark = 0;  // what it held before the frame that raised xoff
  };
  void look() { look(sources_.size(), 0); }
  void look(size_t changed, uint64_t before);

  uint64_t cells_;
  PauseRule rule_;
  uint64_t held_ = 0, headroom_ = 0, overruns_ = 0;
  std::vector<Source> sources_;
};

}  // namespace truemark
