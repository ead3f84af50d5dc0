// SPDX-License-Identifier: BSD-3-Clause
// One line that several queues share, cycle by cycle: whose row is taken, and what stands on the line's output.
//
// In each cycle: compare `output` with the pins, then step with what stands on the queues' outputs in that cycle.
#pragma once

#include <optional>
#include <vector>

#include "../bucket.h"
#include "../ets.h"
#include "port_cycles.h"

namespace truemark {

// What stands on the output of a queue, and when the queue may send.
struct QueueOutput {
  ExpectedRow row;
  uint64_t frame = 0;  // counted from 1
  bool shares = false;
  uint32_t quantum = 0;
  Shape shape;
};

class LineCycles {
 public:
  LineCycles(const Build& build, Edges& edges)
      : max_frame_(build.max_frame),
        ets_(build.queues),
        quanta_(build.queues),
        heads_(build.queues),
        buckets_(build.queues),
        open_(build.queues),
        edges_(&edges) {}

  ExpectedRow output() const;
  uint64_t sends() const { return row_.valid ? frame_ : 0; }
  // Nothing of a frame stands here, or is to come.
  bool resting() const { return !row_.valid && !sending_; }
  // The queues whose row is taken if one stands there, by bits.
  uint32_t step(uint64_t now, const std::vector<QueueOutput>& queues, const Shape& line, bool ready);
  // In that step: the queue may take its next frame.
  bool may_send(unsigned queue) const { return open_[queue]; }

 private:
  void note(const std::vector<QueueOutput>& queues, std::optional<unsigned> selected);

  uint32_t max_frame_;
  Ets ets_;
  std::vector<uint32_t> quanta_;  // of the cycle before
  std::vector<std::optional<uint32_t>> heads_;
  std::vector<Bucket> buckets_;
  Bucket bucket_;  // of the line
  std::vector<bool> open_;
  std::optional<unsigned> sending_;  // the queue whose frame has begun
  ExpectedRow row_;
  std::vector<uint8_t> bytes_;
  uint64_t frame_ = 0;
  Edges* edges_;
};

}  // namespace truemark
