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

std::optional<uint32_t> PoolPort::refused(uint32_t bytes) {
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

bool PoolPort::pauses() const { return pool_.pause_ != nullptr; }

void PoolPort::store(uint32_t bytes, uint32_t source) {
  pool_.pool_.store(queue_, bytes);
  if (pool_.pause_) pool_.pause_->store(source, pool_.pool_.cells_of(bytes));
}

void PoolPort::release(uint32_t bytes, uint32_t source) {
  if (pool_.leaks_) return;
  pool_.pool_.release(queue_, bytes);
  if (pool_.pause_) pool_.pause_->release(source, pool_.pool_.cells_of(bytes));
}

void PoolPort::write(JsonWriter& out) const {
  out.open('{').pair("name", name_).pair("watermark", pool_.pool_.watermark(queue_));
  if (first_refusal_) out.pair("first_refusal", *first_refusal_);
  out.pair("refused_threshold", threshold_).pair("refused_cells", cells_).close('}');
}

SwitchPool::SwitchPool(std::string name, const Json& plan, bool leaks)
    : name_(std::move(name)),
      cells_(plan["cells"].natural()),
      cell_bytes_(static_cast<uint32_t>(plan["cell_bytes"].natural())),
      share_(share_of(plan)),
      leaks_(leaks),
      pool_(cells_, cell_bytes_, 0) {
  if (plan.has("pfc")) pause_ = std::make_unique<SwitchPause>(cells_, plan["pfc"]);
}

PoolPort* SwitchPool::add(std::string port) { return &ports_.emplace_back(*this, std::move(port), pool_.add(share_)); }

void SwitchPool::write(JsonWriter& out) const {
  out.open('{').pair("name", name_).pair("cells", cells_).pair("cell_bytes", uint64_t{cell_bytes_});
  out.pair("watermark", pool_.watermark()).key("ports").open('[');
  for (const PoolPort& port : ports_) port.write(out);
  out.close(']');
  if (pause_) {
    out.key("pfc");
    pause_->write(out);
  }
  out.close('}');
}

}  // namespace lab
