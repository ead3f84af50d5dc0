// SPDX-License-Identifier: BSD-3-Clause
#include "line_cycles.h"

#include <algorithm>

namespace truemark {

ExpectedRow LineCycles::output() const {
  ExpectedRow row = row_;
  row.bytes = bytes_;
  return row;
}

uint32_t LineCycles::step(uint64_t now, const std::vector<QueueOutput>& queues, const Shape& line, bool ready) {
  bucket_.configure(line, now);
  for (unsigned q = 0; q < queues.size(); ++q) {
    buckets_[q].configure(queues[q].shape, now);
    open_[q] = buckets_[q].open(now);
  }
  // A queue that begins to wait has the quantum of the cycle before.
  for (unsigned q = 0; q < queues.size(); ++q) {
    heads_[q].reset();
    if ((queues[q].row.valid && open_[q]) || sending_ == q) heads_[q] = queues[q].row.length;
    ets_.configure(q, !queues[q].shares, quanta_[q]);
  }
  ets_.see(heads_);
  for (unsigned q = 0; q < queues.size(); ++q) {
    quanta_[q] = queues[q].quantum;
    ets_.configure(q, !queues[q].shares, quanta_[q]);
  }
  if (row_.valid && !ready) return 0;
  const bool begins = !sending_ && bucket_.open(now);
  const std::optional<unsigned> from = begins ? ets_.visit(heads_, max_frame_) : sending_;
  if (begins) {
    note(queues, from);
  } else if (!sending_) {
    ++(*edges_)[Edge::ShapedLine];
  }
  if (begins && from) {
    for (Bucket* bucket : {&bucket_, &buckets_[*from]}) bucket->charge(*heads_[*from], now);
  }
  row_ = {};
  if (!from) return 0;
  if (queues[*from].row.valid) {
    row_ = queues[*from].row;
    bytes_.assign(row_.bytes.begin(), row_.bytes.end());
    frame_ = queues[*from].frame;
    sending_ = row_.last ? std::nullopt : from;
  }
  return 1u << *from;
}

void LineCycles::note(const std::vector<QueueOutput>& queues, std::optional<unsigned> selected) {
  const auto waiting = std::count_if(heads_.begin(), heads_.end(), [](const auto& head) { return head.has_value(); });
  if (!selected && waiting > 0) ++(*edges_)[Edge::ManyQuanta];
  if (!selected || waiting < 2) return;
  ++(*edges_)[queues[*selected].shares ? Edge::Turn : Edge::StrictFirst];
}

}  // namespace truemark
