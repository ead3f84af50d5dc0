// SPDX-License-Identifier: BSD-3-Clause
// DevicePool: the memory that all ports of a device share, frame by frame, and which sources must pause for it.
//
// What rtl/pool and rtl/pfc do when each frame comes alone and everything has settled before the next one. A copy takes
// a cell as soon as a row of it is there, before its verdict, so one that is refused has had some. A frame that is
// judged more than six rows after its first (with STORE_AND_FORWARD) finds its own cells in what the RTL's thresholds
// follow; here it does not.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "pause_levels.h"
#include "pool.h"
#include "types.h"

namespace truemark {

class DevicePool {
 public:
  explicit DevicePool(const Build& build);
  void configure(uint32_t port, const PortConfig& config);

  // For the verdict: whether the pool has cells for a frame at a port, and whether the port would have more than it
  // may. Only one that is alone, for one line, may take from its port's reserve.
  bool has_room(uint32_t port, uint32_t length, bool alone) const;
  bool crowds(uint32_t port, uint32_t length, bool alone) const;
  void refuse_crowded(uint32_t port) { ++refused_[port]; }

  struct Copy {
    uint32_t port = 0;
    uint32_t rows = 0;  // that it has when it is let go of; or all
    bool stored = false;
  };
  // The name of the frame that arrives next.
  uint64_t next() const { return oldest_ + frames_.size(); }
  // It came by a source, and was judged.
  void arrive(uint32_t source, unsigned priority, uint32_t rows, bool alone, std::span<const Copy> copies);
  // A copy has left, one way or another.
  void leave(uint32_t port, uint64_t frame);

  // ---- for the registers
  uint64_t free() const { return build_.cells() - pool_.held(); }
  uint64_t held() const { return pool_.held(); }
  uint64_t watermark() const { return pool_.watermark(); }
  uint64_t held(uint32_t port) const { return pool_.held(port); }
  uint64_t watermark(uint32_t port) const { return pool_.watermark(port); }
  uint32_t refused(uint32_t port) const { return refused_[port]; }
  uint8_t xoff(uint32_t source) const;
  uint32_t overruns() const { return static_cast<uint32_t>(levels_.overruns()); }
  // Of a port; port 0's is the pool's, too.
  void clear_watermarks(uint32_t port);

 private:
  struct Frame {
    uint64_t cells = 0;
    size_t group = 0;  // its source and class
    uint32_t copies = 0;
    bool alone = true;
  };
  uint64_t cells_of_rows(uint32_t rows) const { return (rows + rows_of_cell_ - 1) / rows_of_cell_; }

  Build build_;
  uint32_t rows_of_cell_;
  uint64_t spare_;  // cells that no verdict gives away
  Pool pool_;
  PauseLevels levels_;  // of each class of each source
  std::vector<PortConfig> configs_;
  std::vector<uint32_t> refused_;
  std::deque<Frame> frames_;  // from the oldest that is held
  uint64_t oldest_ = 0;       // its name
};

}  // namespace truemark
