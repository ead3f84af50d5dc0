// SPDX-License-Identifier: BSD-3-Clause
// One line that several queues share, cycle by cycle: whose frame is being sent.
//
// In each cycle: compare `output` with the pins, look at what stands on the queues' outputs, let the queues step with
// what `look` returns, then select with what came of it.
#pragma once

#include <optional>
#include <vector>

#include "../bucket.h"
#include "../ets.h"
#include "port_cycles.h"

namespace truemark {

// What a queue offers, and when it may send.
struct QueueOutput {
  ExpectedRow row;
  uint64_t frame = 0;  // counted from 1
  bool shares = false;
  uint32_t quantum = 0;
  Shape shape;
  bool paused = false;  // it begins no frame
};

class LineCycles {
 public:
  LineCycles(const Build& build, Edges& edges)
      : max_frame_(build.max_frame),
        ets_(build.queues),
        queues_(build.queues),
        heads_(build.queues),
        begun_(build.queues),
        late_(build.queues),
        buckets_(build.queues),
        open_(build.queues),
        edges_(&edges) {}

  ExpectedRow output() const;
  uint64_t sends() const { return row_.valid ? frame_ : 0; }
  // Nothing of a frame stands here, or is to come.
  bool resting() const { return !row_.valid && !sending_; }
  // The queue whose frame is being sent.
  std::optional<unsigned> sending() const { return sending_; }
  // Returns the queue whose row is taken if one stands there, by bits.
  uint32_t look(uint64_t now, const std::vector<QueueOutput>& queues, const Shape& line, bool ready);
  // In the cycle that was looked at: the queue may take its next frame.
  bool may_send(unsigned queue) const { return open_[queue]; }
  // `gone`: the frame that is being sent ends in this cycle; `behind`: the length of the next one, if its first row
  // stands there in the cycle after; `soon`: the lengths of frames that wait, by queue, also if theirs does not yet.
  void select(uint64_t now, bool gone, std::optional<uint32_t> behind,
              const std::vector<std::optional<uint32_t>>& soon);

 private:
  void note(std::optional<unsigned> selected);

  uint32_t max_frame_;
  Ets ets_;
  std::vector<QueueOutput> queues_;
  std::vector<std::optional<uint32_t>> heads_;
  std::vector<bool> begun_;  // in this cycle, if it has a frame: its deficit is not known to cover it
  std::vector<bool> late_;   // its frame waits, and its first row is not there
  std::vector<Bucket> buckets_;
  Bucket bucket_;  // of the line
  std::vector<bool> open_;
  std::optional<unsigned> sending_;
  ExpectedRow row_;  // on the line's output, its bytes next to it
  std::vector<uint8_t> bytes_;
  uint64_t frame_ = 0;
  Edges* edges_;
};

}  // namespace truemark
