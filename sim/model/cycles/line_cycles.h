// SPDX-License-Identifier: BSD-3-Clause
// One line that several queues share, cycle by cycle: whose frame is being sent.
//
// In each cycle: look at what stands on the queues' outputs, let the queues step with what `sending` says of who is
// taken from, then select with what came of it.
#pragma once

#include <optional>
#include <vector>

#include "../bucket.h"
#include "../ets.h"
#include "edges.h"

namespace truemark {

// What a queue offers, and when it may send.
struct QueueOutput {
  std::optional<uint32_t> length;  // of the frame of which a row stands on its output
  bool shares = false;
  uint32_t quantum = 0;
  Shape shape;
};

class LineCycles {
 public:
  LineCycles(const Build& build, Edges& edges)
      : max_frame_(build.max_frame),
        ets_(build.queues),
        queues_(build.queues),
        heads_(build.queues),
        begun_(build.queues),
        buckets_(build.queues),
        open_(build.queues),
        edges_(&edges) {}

  // The queue whose rows the line takes in this cycle.
  std::optional<unsigned> sending() const { return sending_; }
  void look(uint64_t now, const std::vector<QueueOutput>& queues, const Shape& line);
  // In the cycle that was looked at: the queue may take its next frame.
  bool may_send(unsigned queue) const { return open_[queue]; }
  // `gone`: the frame that is being sent ends in this cycle; `behind`: the length of the next one, if its first row
  // stands there in the cycle after.
  void select(uint64_t now, bool gone, std::optional<uint32_t> behind);

 private:
  void note(std::optional<unsigned> selected);

  uint32_t max_frame_;
  Ets ets_;
  std::vector<QueueOutput> queues_;
  std::vector<std::optional<uint32_t>> heads_;
  std::vector<bool> begun_;  // in this cycle: its deficit is not known to cover its frame
  std::vector<Bucket> buckets_;
  Bucket bucket_;  // of the line
  std::vector<bool> open_;
  std::optional<unsigned> sending_;
  Edges* edges_;
};

}  // namespace truemark
