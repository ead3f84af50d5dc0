// SPDX-License-Identifier: BSD-3-Clause
#include "line_cycles.h"

#include <algorithm>

namespace truemark {

ExpectedRow LineCycles::output() const {
  ExpectedRow row = row_;
  row.bytes = bytes_;
  return row;
}

uint32_t LineCycles::look(uint64_t now, const std::vector<QueueOutput>& queues, const Shape& line, bool ready) {
  bucket_.configure(line, now);
  for (unsigned q = 0; q < queues.size(); ++q) {
    const QueueOutput& queue = queues[q];
    buckets_[q].configure(queue.shape, now);
    open_[q] = buckets_[q].open(now) && !queue.paused;
    // A queue that begins to wait has the quantum of the cycle before. If that holds any frame it may be selected at
    // once; if not, from the next cycle on.
    const bool waited = heads_[q] && queues_[q].shares && sending_ != q;
    heads_[q].reset();
    if (open_[q] && queue.row.valid && sending_ != q) heads_[q] = queue.row.length;
    begun_[q] = !waited && sending_ != q && queues_[q].quantum < max_frame_;
    ets_.configure(q, !queue.shares, queues_[q].quantum);
  }
  queues_ = queues;
  if (row_.valid && !ready) return 0;
  row_ = {};
  if (!sending_) return 0;
  if (queues[*sending_].row.valid) {
    row_ = queues[*sending_].row;
    bytes_.assign(row_.bytes.begin(), row_.bytes.end());
    frame_ = queues[*sending_].frame;
  }
  return 1u << *sending_;
}

void LineCycles::select(uint64_t now, bool gone, std::optional<uint32_t> behind,
                        const std::vector<std::optional<uint32_t>>& soon) {
  if (sending_) {
    std::optional<uint32_t>& head = heads_[*sending_];
    head = !gone ? 1 : open_[*sending_] ? behind : std::nullopt;  // its place is kept
  }
  for (unsigned q = 0; q < queues_.size(); ++q) {
    late_[q] = !heads_[q] && open_[q] && soon[q];
    if (late_[q]) heads_[q] = soon[q];
  }
  ets_.see(heads_);
  for (unsigned q = 0; q < queues_.size(); ++q) ets_.configure(q, !queues_[q].shares, queues_[q].quantum);
  if (sending_ && !gone) return;
  sending_.reset();
  if (!bucket_.open(now)) {
    ++(*edges_)[Edge::ShapedLine];
    return;
  }
  sending_ = ets_.visit(heads_, begun_, late_, max_frame_);
  note(sending_);
  if (!sending_) return;
  for (Bucket* bucket : {&bucket_, &buckets_[*sending_]}) bucket->charge(*heads_[*sending_], now);
}

void LineCycles::note(std::optional<unsigned> selected) {
  const auto waiting = std::count_if(heads_.begin(), heads_.end(), [](const auto& head) { return head.has_value(); });
  const bool reads = std::find(late_.begin(), late_.end(), true) != late_.end();
  if (!selected && waiting > 0) ++(*edges_)[reads ? Edge::PoolTurn : Edge::ManyQuanta];
  if (!selected || waiting < 2) return;
  ++(*edges_)[queues_[*selected].shares ? Edge::Turn : Edge::StrictFirst];
}

}  // namespace truemark
