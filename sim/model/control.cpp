// SPDX-License-Identifier: BSD-3-Clause
#include "control.h"

namespace truemark {
namespace {

uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

}  // namespace

Control::Control(const Build& build, PortAccess& access)
    : build_(build), access_(access), active_(build.ports), snapshots_(build.ports) {}

std::optional<uint32_t> Control::read(uint32_t address, uint64_t now) {
  if (address < reg::kNetfpgaEnd) return reg::kNetfpgaValue;
  if (const auto value = read_identity(address)) return value;
  if (const auto value = read_control(address, now)) return value;
  if (Shadow::has(build_, address)) return shadow_.read(address);
  if (const auto value = read_port(address)) return value;
  if (const auto value = read_pool(address)) return value;
  if (const auto value = read_pauses(address)) return value;
  if (const auto value = read_snapshot(address)) return value;
  return read_bad(address);
}

std::optional<uint32_t> Control::read_identity(uint32_t address) const {
  switch (address) {
    case reg::kId:
      return reg::kIdReset;
    case reg::kVersion:
      return reg::kVersionReset;
    case reg::kBuild:
      return build_.shape();
    case reg::kRows:
      return build_.rows;
    case reg::kDescriptors:
      return build_.descriptors;
    case reg::kStorage:
      return low(build_.storage());
    case reg::kMaxFrame:
      return build_.max_frame;
    case reg::kCapabilities:
      return build_.switches() | reg::capabilities::kStep.mask() | reg::capabilities::kEvents.mask();
    default:
      return std::nullopt;
  }
}

std::optional<uint32_t> Control::read_control(uint32_t address, uint64_t now) {
  switch (address) {
    case reg::kTimeLow:
      time_high_ = high(now);
      return low(now);
    case reg::kTimeHigh:
      return time_high_;
    case reg::kTimeStep:
      return time_step_;
    case reg::kSeed:
      return seed_;
    case reg::kLock:
      return lock_;
    case reg::kPage:
      return page_;
    case reg::kCommand:
      return 0;
    case reg::kStatus:
      return reg::status::kRefused.put(refused_) | reg::status::kFault.put(static_cast<uint32_t>(fault_));
    case reg::kQuery:
      return query_;
    default:
      return std::nullopt;
  }
}

std::optional<uint32_t> Control::read_port(uint32_t address) const {
  if (address < reg::kOccupancyBytes || address > reg::kMaxp1) return std::nullopt;
  const PortView view = page_exists() ? access_.view(page_) : PortView{};
  switch (address) {
    case reg::kOccupancyBytes:
      return low(view.bytes);
    case reg::kOccupancyPackets:
      return low(view.packets);
    case reg::kWatermarkBytes:
      return low(view.watermark_bytes);
    case reg::kWatermarkPackets:
      return low(view.watermark_packets);
    case reg::kWatermarkSojournLow:
      return low(view.watermark_sojourn);
    case reg::kWatermarkSojournHigh:
      return high(view.watermark_sojourn);
    case reg::kCutShort:
      return view.cut_short;
    case reg::kAverage0:
      return view.average[0];
    case reg::kAverage1:
      return view.average[1];
    case reg::kMaxp0:
      return view.maxp[0];
    case reg::kMaxp1:
      return view.maxp[1];
    default:
      return std::nullopt;
  }
}

std::optional<uint32_t> Control::read_pool(uint32_t address) const {
  const DevicePool* pool = access_.pool();
  if (pool == nullptr) return std::nullopt;
  switch (address) {
    case reg::kPoolFree:
      return low(pool->free());
    case reg::kPoolHeld:
      return low(pool->held());
    case reg::kPoolWalking:
    case reg::kPoolFaults:
      return 0;
    case reg::kPoolWatermark:
      return low(pool->watermark());
    case reg::kPoolCells:
      return page_exists() ? low(pool->held(page_)) : 0;
    case reg::kPoolRefused:
      return page_exists() ? pool->refused(page_) : 0;
    case reg::kWatermarkCells:
      return page_exists() ? low(pool->watermark(page_)) : 0;
    default:
      return std::nullopt;
  }
}

std::optional<uint32_t> Control::read_pauses(uint32_t address) const {
  if (!build_.pfc || (address != reg::kPfcXoff && address != reg::kPfcOverruns)) return std::nullopt;
  if (address == reg::kPfcOverruns) return access_.pool()->overruns();
  return page_exists() ? access_.pool()->xoff(page_) : 0;
}

std::optional<uint32_t> Control::read_snapshot(uint32_t address) const {
  switch (address) {
    case reg::kSnapshotBytes:
      return page_exists() ? low(snapshots_[page_].bytes) : 0;
    case reg::kSnapshotPackets:
      return page_exists() ? low(snapshots_[page_].packets) : 0;
    case reg::kSnapshotTimeLow:
      return low(snapshot_time_);
    case reg::kSnapshotTimeHigh:
      return high(snapshot_time_);
    case reg::kSumPacketsLow:
      return low(sum_.packets);
    case reg::kSumPacketsHigh:
      return high(sum_.packets);
    case reg::kSumBytesLow:
      return low(sum_.bytes);
    case reg::kSumBytesHigh:
      return high(sum_.bytes);
    default:
      return std::nullopt;
  }
}

std::optional<uint32_t> Control::read_bad(uint32_t address) const {
  if (address < reg::kBadNoDestination || address >= reg::kBadNoDestination + 4 * kBadKinds || address % 4 != 0)
    return std::nullopt;
  return access_.bad(static_cast<Bad>((address - reg::kBadNoDestination) / 4));
}

bool Control::write(uint32_t address, uint32_t value, uint64_t now) {
  if (address < reg::kNetfpgaEnd) return true;
  if (Shadow::has(build_, address)) return shadow_.write(address, value);
  switch (address) {
    case reg::kTimeStep:
      time_step_ = value;
      access_.set_time_step(value);
      return true;
    case reg::kSeed:
      seed_ = value;
      for (uint32_t port = 0; port < build_.ports; ++port) access_.seed(port, seed_);
      return true;
    case reg::kLock:
      write_lock(value);
      return true;
    case reg::kPage:
      page_ = value & 15;
      return true;
    case reg::kQuery:
      query_ = value & (Counters::has_high(build_) ? 0x3FFFF : 0xFFFF);
      return true;
    case reg::kCommand:
      command(value, now);
      return true;
    case reg::kTimeLow:  // read-only, too: but a read keeps the high word
      return true;
    default:
      return read(address, now).has_value();  // read-only: ignored
  }
}

void Control::write_lock(uint32_t value) {
  const uint32_t owner = value & 0xFFFF;
  if (value & reg::lock::kRelease.mask()) {
    if (owner == lock_) lock_ = 0;
  } else if (lock_ == 0) {
    lock_ = owner;
  }
}

void Control::command(uint32_t bits, uint64_t now) {
  if (bits & reg::command::kCommit.mask()) commit();
  if (bits & reg::command::kSnapshot.mask()) take_snapshot(now);
  if (bits & reg::command::kQuery.mask()) run_query();
  if (!page_exists()) return;
  if (bits & reg::command::kLoad.mask()) shadow_ = active_[page_];
  // A flush takes longer than that: what it is about to drop is where the watermarks restart.
  if (bits & reg::command::kClearWatermarks.mask()) access_.clear_watermarks(page_);
  if (bits & (reg::command::kFlush.mask() | reg::command::kSoftReset.mask())) access_.flush(page_);
  if (bits & reg::command::kSoftReset.mask()) {
    reset_laws();
    access_.clear_watermarks(page_);
  }
}

void Control::commit() {
  OtherPorts others;
  for (uint32_t port = 0; port < active_.size(); ++port)
    if (port != page_) others.add(port, active_[port].meaning());
  fault_ = page_exists() ? shadow_.fault(build_, page_, others) : reg::Fault::Port;
  refused_ = fault_ != reg::Fault::None;
  if (refused_) return;
  const PortConfig before = active_[page_].meaning(), after = shadow_.meaning();
  active_[page_] = shadow_;
  for (Shadow& active : active_) active.take_queue_map(shadow_);
  access_.set_queue_map(shadow_.queue_map());
  access_.set_config(page_, after, LawChanges::between(before, after));
}

void Control::reset_laws() {
  access_.set_config(page_, active_[page_].meaning(), LawChanges::all());
  access_.seed(page_, seed_);
}

void Control::take_snapshot(uint64_t now) {
  snapshot_time_ = now;
  for (uint32_t port = 0; port < build_.ports; ++port) {
    const PortView view = access_.view(port);
    snapshots_[port] = {view.bytes, view.packets, access_.counters(port)};
  }
}

void Control::run_query() {
  if (!page_exists()) {
    sum_ = Total{};
    return;
  }
  using namespace reg::query;
  const unsigned code = kCode.get(query_) | kCodeHigh.get(query_) << kCode.width;
  const unsigned code_mask = kCodeMask.get(query_) | kCodeMaskHigh.get(query_) << kCodeMask.width;
  sum_ = snapshots_[page_].counters.query(code, code_mask, kClassEce.get(query_), kClassEceMask.get(query_));
}

}  // namespace truemark
