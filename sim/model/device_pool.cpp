// SPDX-License-Identifier: BSD-3-Clause
#include "device_pool.h"

#include <algorithm>

namespace truemark {
namespace {

constexpr unsigned kSources = 16;  // those that are no port's never pause
constexpr unsigned kClasses = 8;
constexpr uint32_t kNoOffset = 0xFFFF;  // PFC_XON: xon alone counts

Threshold threshold_of(bool limited, bool dynamic, uint64_t cells, int exponent, uint64_t all) {
  if (!limited) return {.fixed = all};
  if (dynamic) return {.exponent = exponent};
  return {.fixed = cells};
}

PoolShare share_of(const Share& share, uint64_t all) {
  return {share.reserve, threshold_of(share.limited(), share.dynamic, share.cells, share.exponent, all)};
}

PauseRule rule_of(const PauseConfig& pause) {
  const std::optional offset = pause.xon_offset == kNoOffset ? std::nullopt : std::optional<uint64_t>(pause.xon_offset);
  return {threshold_of(true, pause.dynamic, pause.cells, pause.exponent, 0), pause.xon, offset};
}

}  // namespace

DevicePool::DevicePool(const Build& build)
    : build_(build),
      rows_of_cell_(build.rows / build.cells()),
      spare_(rows_of_cell_ == 1 ? 1 : 6 - (pkg::kSpareRows - 1) / rows_of_cell_),
      pool_(build.cells(), build.beat_bytes() * rows_of_cell_, spare_),
      levels_(build.cells(), rule_of({})),
      configs_(build.ports),
      refused_(build.ports) {
  for (uint32_t port = 0; port < build.ports; ++port) pool_.add(share_of({}, build.cells()));
  for (size_t group = 0; group < kSources * kClasses; ++group) levels_.add({.lossless = false});
}

void DevicePool::configure(uint32_t port, const PortConfig& config) {
  configs_[port] = config;
  pool_.set_share(port, share_of(config.pool_share, build_.cells()));
  uint64_t headroom = 0;
  for (const PortConfig& each : configs_) headroom += each.pfc.kept();
  pool_.set_headroom(spare_ + headroom);
  if (port == 0) levels_.set(rule_of(config.pfc));
  for (unsigned priority = 0; priority < kClasses; ++priority) {
    const bool lossless = (config.pfc.lossless >> priority & 1) != 0;
    levels_.set(port * kClasses + priority, {config.pfc.headroom, lossless});
  }
}

bool DevicePool::has_room(uint32_t port, uint32_t length, bool alone) const {
  const uint64_t kept = spare_ + cells_of_rows(pkg::kSpareRows - 1);
  if (!alone && pool_.cells_of(length) + kept > pool_.room_for_copies()) return false;
  const uint64_t room = pool_.room(port);
  const uint64_t rows = room > spare_ ? (room - spare_) * rows_of_cell_ : 0;
  return build_.rows_of(length) + pkg::kSpareRows - 1 <= rows;
}

bool DevicePool::crowds(uint32_t port, uint32_t length, bool alone) const {
  return configs_[port].pool_share.limited() && pool_.ask(port, length, alone) == PoolRefusal::Threshold;
}

void DevicePool::arrive(uint32_t source, unsigned priority, uint32_t rows, bool alone, std::span<const Copy> copies) {
  Frame frame{0, source * kClasses + priority, 0, alone};
  for (const Copy& copy : copies) {
    const uint64_t cells = cells_of_rows(copy.stored ? rows : std::min(rows, copy.rows));
    frame.cells = std::max(frame.cells, cells);
    frame.copies += copy.stored;
    pool_.take(copy.port, cells, alone);
    if (!copy.stored) pool_.give_back(copy.port, cells, alone);
  }
  pool_.take(frame.cells);
  for (uint64_t cell = 0; cell < frame.cells; ++cell) levels_.store(frame.group, 1);
  if (frame.copies != 0) {
    frames_.push_back(frame);
  } else {
    pool_.give_back(frame.cells);
    levels_.release(frame.group, frame.cells);
  }
}

void DevicePool::leave(uint32_t port, uint64_t name) {
  Frame& frame = frames_.at(name - oldest_);
  pool_.give_back(port, frame.cells, frame.alone);
  if (--frame.copies != 0) return;
  pool_.give_back(frame.cells);
  levels_.release(frame.group, frame.cells);
  for (; !frames_.empty() && frames_.front().copies == 0; ++oldest_) frames_.pop_front();
}

uint8_t DevicePool::xoff(uint32_t source) const {
  uint8_t classes = 0;
  for (unsigned priority = 0; priority < kClasses; ++priority) {
    classes = static_cast<uint8_t>(classes | unsigned{levels_.xoff(source * kClasses + priority)} << priority);
  }
  return classes;
}

void DevicePool::clear_watermarks(uint32_t port) {
  pool_.clear_watermark(port);
  if (port == 0) pool_.clear_watermark();
}

}  // namespace truemark
