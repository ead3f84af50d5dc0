// SPDX-License-Identifier: BSD-3-Clause
#include "registers_watch.h"

#include <stdexcept>

#include "../engine/describe.h"
#include "../model/cycles/latencies.h"
#include "../model/registers.h"

namespace truemark {
namespace {

constexpr uint64_t kStill = 200;          // cycles until all that happened is counted and shown
constexpr uint64_t kForgotten = 200'000;  // cycles after which nobody will ask for a snapshot's time

constexpr uint32_t kBusy = 1u | 7u << 16;

uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

uint32_t merged(uint32_t old, uint32_t value, uint32_t strobe) {
  uint32_t mask = 0;
  for (unsigned i = 0; i < 4; ++i) mask |= strobe >> i & 1 ? 0xFFu << 8 * i : 0;
  return (old & ~mask) | (value & mask);
}

bool drops(unsigned code) {
  return code >= static_cast<unsigned>(Outcome::EarlyProbability) && code <= static_cast<unsigned>(Outcome::Aborted);
}

unsigned code_of(uint32_t query) {
  using namespace reg::query;
  return kCode.get(query) | kCodeHigh.get(query) << kCode.width;
}

unsigned mask_of(uint32_t query) {
  using namespace reg::query;
  return kCodeMask.get(query) | kCodeMaskHigh.get(query) << kCodeMask.width;
}

}  // namespace

void RegistersWatch::forget(uint64_t cycle) {
  shadow_ = Shadow{};
  page_ = query_ = 0;
  seed_ = reg::kSeedReset;
  commit_until_ = 0;
  counting_from_ = cycle + Counters::count(build_) * build_.ports + pkg::kClearingRest;
  quiet_from_ = counting_from_;
  known_base_ = false;
  fault_ = reg::Fault::None;
  history_from_ = 0;
  snapshot_low_.reset();
  past_.clear();
  sum_.reset();
  read_.reset();
  due_.reset();
}

void RegistersWatch::counted(uint32_t port, Outcome outcome, const Known& frame) {
  last_[port][static_cast<unsigned>(outcome)] = frame;
}

std::optional<Difference> RegistersWatch::step(uint64_t cycle, const BusPins& pins, bool moves) {
  cycle_ = cycle;
  if (moves) {
    moved_ = cycle;
    if (cycle < counting_from_) quiet_from_ = 0;
  }
  if (history_from_ != 0 && cycle > history_from_ + kForgotten) end_history();
  std::optional<Difference> found;
  if (pins.answer && read_) {
    // What became of a commit is known when nothing is busy any more.
    if (*read_ == reg::kStatus && pins.read_data & kBusy) due_.reset();
    if (due_) {
      ++compared_;
      if (*due_ != pins.read_data) found = difference(*read_, *due_, pins.read_data);
    }
    note_snapshot(*read_, pins.read_data);
    read_.reset();
  }
  if (pins.write) write(cycle, pins.write_address & ~3u, pins.write_data, pins.write_strobe);
  if (pins.read) {
    read_ = pins.read_address & ~3u;
    due_ = expected(*read_);
  }
  return found;
}

void RegistersWatch::write(uint64_t cycle, uint32_t address, uint32_t value, uint32_t strobe) {
  switch (address) {
    case reg::kPage:
      page_ = merged(page_, value, strobe) & 0xFF;
      return;
    case reg::kQuery:
      query_ = merged(query_, value, strobe);
      return;
    case reg::kSeed:
      seed_ = merged(seed_, value, strobe);
      model_.seed(seed_, cycle + latency::kSeed);
      return;
    case reg::kCommand:
      return command(cycle, merged(0, value, strobe));
    default:
      if (Shadow::has(build_, address)) shadow_.write(address, merged(*shadow_.read(address), value, strobe));
  }
}

void RegistersWatch::command(uint64_t cycle, uint32_t bits) {
  load_or_commit(cycle, bits);
  if (bits & reg::command::kSnapshot.mask()) {
    model_.begin_history();
    history_from_ = cycle;
    past_.clear();
    sum_.reset();
    snapshot_low_.reset();
  }
  if (bits & reg::command::kQuery.mask()) query();
  if (page_ >= build_.ports) return;
  if (bits & (reg::command::kFlush.mask() | reg::command::kSoftReset.mask())) {
    model_.flush(page_, cycle + latency::kFlush);
  }
  if (bits & reg::command::kSoftReset.mask()) model_.soft_reset(page_, cycle + latency::kFlush);
  if (bits & reg::command::kClearWatermarks.mask()) model_.clear_watermarks(page_, cycle + latency::kClear);
}

void RegistersWatch::load_or_commit(uint64_t cycle, uint32_t bits) {
  if (bits & reg::command::kCommit.mask() && cycle >= commit_until_) {
    fault_ = page_ < build_.ports ? shadow_.fault(build_, page_, model_.all_but(page_)) : reg::Fault::Port;
    commit_until_ = cycle + latency::commit(build_.red, build_.codel);
    if (fault_ == reg::Fault::None) model_.commit(page_, shadow_, commit_until_);
  } else if (bits & reg::command::kLoad.mask() && page_ < build_.ports) {
    shadow_ = model_.active(page_);
    fault_.reset();
  }
}

// The model stops to remember when it is asked for a time, and says so of one that there was not.
void RegistersWatch::end_history() {
  try {
    uint64_t cycle = 0;
    model_.past(~uint64_t{0}, &cycle);
  } catch (const std::runtime_error&) {
  }
  history_from_ = 0;
}

void RegistersWatch::query() {
  sum_.reset();
  if (page_ >= past_.size() || !counts()) return;
  using namespace reg::query;
  const unsigned codes = Counters::has_high(build_) ? 31 : 15;  // else nothing looks at the highest bit
  sum_ = past_[page_].counters.query(code_of(query_) & codes, mask_of(query_) & codes, kClassEce.get(query_),
                                     kClassEceMask.get(query_));
}

void RegistersWatch::note_snapshot(uint32_t address, uint32_t value) {
  if (address == reg::kSnapshotTimeLow) snapshot_low_ = value;
  if (address != reg::kSnapshotTimeHigh || !snapshot_low_ || history_from_ == 0) return;
  uint64_t cycle = 0;
  past_ = model_.past(uint64_t{value} << 32 | *snapshot_low_, &cycle);
  history_from_ = 0;
}

std::optional<uint32_t> RegistersWatch::expected(uint32_t address) {
  if (const auto value = shadow_.read(address)) return value;
  if (const auto value = expected_of_device(address)) return value;
  if (const auto value = expected_sum(address)) return value;
  const bool still = cycle_ > moved_ + kStill && cycle_ > commit_until_ + kStill;
  return still ? expected_of_port(address) : std::nullopt;
}

std::optional<uint32_t> RegistersWatch::expected_of_device(uint32_t address) const {
  switch (address) {
    case reg::kBuild:
      return build_.shape();
    case reg::kRows:
      return build_.rows;
    case reg::kDescriptors:
      return build_.descriptors;
    case reg::kMaxFrame:
      return build_.max_frame;
    case reg::kPage:
      return page_;
    case reg::kSeed:
      return seed_;
    case reg::kStatus:
      if (!fault_) return std::nullopt;
      return (*fault_ != reg::Fault::None ? 2u : 0u) | static_cast<uint32_t>(*fault_) << 8;
    default:
      return std::nullopt;
  }
}

std::optional<uint32_t> RegistersWatch::expected_sum(uint32_t address) const {
  if (page_ < past_.size() && address == reg::kSnapshotBytes) return low(past_[page_].bytes);
  if (page_ < past_.size() && address == reg::kSnapshotPackets) return low(past_[page_].packets);
  if (!sum_) return std::nullopt;
  switch (address) {
    case reg::kSumPacketsLow:
      return low(sum_->packets);
    case reg::kSumPacketsHigh:
      return high(sum_->packets);
    case reg::kSumBytesLow:
      return low(sum_->bytes);
    case reg::kSumBytesHigh:
      return high(sum_->bytes);
    default:
      return std::nullopt;
  }
}

std::optional<uint32_t> RegistersWatch::expected_of_port(uint32_t address) const {
  if (address >= reg::kBadNoDestination && address < reg::kBadReset) {
    return model_.bad(static_cast<Bad>((address - reg::kBadNoDestination) / 4));
  }
  if (page_ >= build_.ports) return std::nullopt;
  const Admit& admit = model_.port(page_).admit();
  switch (address) {
    case reg::kOccupancyBytes:
      return low(admit.bytes());
    case reg::kOccupancyPackets:
      return low(admit.packets());
    case reg::kWatermarkBytes:
      return low(admit.watermark_bytes());
    case reg::kWatermarkPackets:
      return low(admit.watermark_packets());
    case reg::kWatermarkSojournLow:
      return low(model_.watermark_sojourn(page_));
    case reg::kWatermarkSojournHigh:
      return high(model_.watermark_sojourn(page_));
    case reg::kCutShort:
      return model_.cut_short(page_);
    default:
      return std::nullopt;
  }
}

Difference RegistersWatch::difference(uint32_t address, uint32_t expected, uint32_t value) const {
  Difference found;
  found.kind = "register";
  found.port = page_;
  found.cycle = cycle_;
  found.what =
      "register " + hex(address) + " reads " + std::to_string(value) + ", expected " + std::to_string(expected);
  if (page_ < build_.ports) found.state = model_.port(page_).describe();
  const unsigned code = code_of(query_);
  const bool sum = address >= reg::kSumPacketsLow && address <= reg::kSumBytesHigh;
  const bool bad = address >= reg::kBadNoDestination && address <= reg::kBadReset;
  if (bad || sum || address == reg::kCutShort) found.kind = "counter";
  if (!sum) return found;
  found.what += ": " + std::string(address < reg::kSumBytesLow ? "packets" : "bytes") + " of code " +
                std::to_string(code) + (code < 12 ? std::string(" (") + outcome_name(code) + ")" : "");
  if (drops(code) && address == reg::kSumPacketsLow) found.kind = "drop reason";
  if (page_ >= build_.ports) return found;
  const auto last = last_[page_].find(code);
  if (last != last_[page_].end()) {
    found.frame = last->second.id;
    found.bytes = last->second.bytes;
  }
  return found;
}

}  // namespace truemark
