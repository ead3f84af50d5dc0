// SPDX-License-Identifier: GPL-2.0-only
#include "switch_pool.h"

#include <utility>

#include "measures.h"

namespace lab {
namespace {

truemark::PoolShare share_of(const Json& plan) {
  return {.reserve = plan["reserve"].natural(), .beyond = threshold_of(plan)};
}

}  // namespace

std::optional<uint32_t> PoolQueue::refused(uint32_t bytes) {
  const auto why = pool_.pool_.ask(queue_, bytes);
  if (why == truemark::PoolRefusal::None) return std::nullopt;
  if (!first_refusal_) first_refusal_ = pool_.pool_.held(queue_);
  if (why == truemark::PoolRefusal::Threshold) {
    ++threshold_;
    return kPoolThreshold;
  }
  ++cells_;
  return kPoolCells;
}

bool PoolQueue::pauses() const { return pool_.pause_ != nullptr; }

void PoolQueue::store(uint32_t bytes, uint32_t source) {
  pool_.pool_.store(queue_, bytes);
  if (pool_.pause_) pool_.pause_->store(source, priority_, pool_.pool_.cells_of(bytes));
}

void PoolQueue::release(uint32_t bytes, uint32_t source) {
  if (pool_.leaks_) return;
  pool_.pool_.release(queue_, bytes);
  if (pool_.pause_) pool_.pause_->release(source, priority_, pool_.pool_.cells_of(bytes));
}

void PoolQueue::write(JsonWriter& out) const {
  out.open('{').pair("name", port_);
  if (pool_.priorities_ > 1) out.pair("priority", uint64_t{priority_});
  out.pair("watermark", pool_.pool_.watermark(queue_));
  if (first_refusal_) out.pair("first_refusal", *first_refusal_);
  out.pair("refused_threshold", threshold_).pair("refused_cells", cells_).close('}');
}

SwitchPool::SwitchPool(std::string name, const Json& plan, bool leaks)
    : name_(std::move(name)),
      cells_(plan["cells"].natural()),
      cell_bytes_(static_cast<uint32_t>(plan["cell_bytes"].natural())),
      share_(share_of(plan)),
      priorities_(static_cast<uint32_t>(plan["priorities"].natural())),
      leaks_(leaks),
      pool_(cells_, cell_bytes_, 0) {
  if (plan.has("pfc")) pause_ = std::make_unique<SwitchPause>(cells_, priorities_, plan["pfc"]);
}

// What loses nothing may have all that there is: its links are paused before.
PoolQueue* SwitchPool::add(std::string port, uint32_t priority) {
  truemark::PoolShare share = share_;
  if (pause_ && pause_->lossless(priority)) share.beyond = {.fixed = cells_};
  return &queues_.emplace_back(*this, std::move(port), priority, pool_.add(share));
}

uint32_t SwitchPool::add(PausedLink link) {
  const uint32_t number = pause_->add(std::move(link));
  pool_.set_headroom(pause_->headroom());  // which the thresholds of others leave alone
  return number;
}

void SwitchPool::write(JsonWriter& out) const {
  out.open('{').pair("name", name_).pair("cells", cells_).pair("cell_bytes", uint64_t{cell_bytes_});
  out.pair("watermark", pool_.watermark()).key("ports").open('[');
  for (const PoolQueue& queue : queues_) queue.write(out);
  out.close(']');
  if (pause_) {
    out.key("pfc");
    pause_->write(out);
  }
  out.close('}');
}

}  // namespace lab
