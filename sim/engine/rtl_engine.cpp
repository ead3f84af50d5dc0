// SPDX-License-Identifier: BSD-3-Clause
#include "rtl_engine.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "../model/cycles/latencies.h"
#include "../model/registers.h"
#include "../model/types.h"

namespace truemark {
namespace {

// Cycles from a frame's last beat until its event has been seen, and with RED until the next verdict sees its bytes.
constexpr unsigned kAfterFrame = TM_RED ? 16 : 6;
constexpr unsigned kAfterDeparture = TM_RED ? 16 : 4;  // likewise of a departure, until it is counted
constexpr unsigned kUntilDeparture = 24;  // cycles in which an enabled port that holds a frame begins to send it
constexpr unsigned kHeadDrop = 80;        // cycles more for each frame that CoDel may drop on the way to it
constexpr unsigned kCodelClock = 4;       // cycles in which CoDel takes note of the time
// Cycles in which RED's shared unit has seen the time, its results show, and a verdict finds them in its evaluation.
constexpr unsigned kRedRound = latency::kRedRound + latency::kRedVisible + latency::kRedLag + 1;
constexpr unsigned kRedShown = 2 * kRedRound;  // and the registers show them
constexpr unsigned kAnswer = 1000;             // cycles in which a register access is answered
constexpr unsigned kCommand = 1'000'000;       // polls in which a command completes

// tkeep of a beat of which `count` bytes are meant.
std::array<uint8_t, RtlPins::kBeatBytes / 8> keep_of(uint32_t count) {
  std::array<uint8_t, RtlPins::kBeatBytes / 8> keep{};
  for (uint32_t i = 0; i < count; ++i) keep[i / 8] |= static_cast<uint8_t>(1u << i % 8);
  return keep;
}

uint32_t count_of(std::span<const uint8_t> keep) {
  uint32_t count = 0;
  for (const uint8_t byte : keep) count += static_cast<uint32_t>(std::popcount(byte));
  return count;
}

}  // namespace

RtlEngine::RtlEngine(const tm_build& asked, uint32_t seed)
    : pins_((check_rtl_build(asked), seed)),
      axil_(pins_.top()),
      configs_(kRtlBuild.ports),
      departures_(kRtlBuild.ports),
      verdict_times_(kRtlBuild.ports) {}

void RtlEngine::set_time(uint64_t time) {
  time_moved_ = time_moved_ || time != now_;
  shows_moved_ = true;
  now_ = time;
  pins_.set_time(time);
}

bool RtlEngine::adapts() const {
  return std::any_of(configs_.begin(), configs_.end(),
                     [](const PortConfig& config) { return config.red[0].adaptive || config.red[1].adaptive; });
}

// A verdict sees an average that has faded, and whether ARED is due, as of now.
void RtlEngine::settle_before_verdict() {
  if (!TM_RED || !time_moved_) return;
  time_moved_ = false;
  bool waits = adapts();
  for (uint32_t port = 0; port < configs_.size() && !waits; ++port) {
    const auto& law = configs_[port].law;
    waits = (law[0] == Law::Red || law[1] == Law::Red) && verdict_times_[port].empty();
  }
  if (waits) idle(kRedRound);
}

void RtlEngine::cycle() {
  axil_.drive();
  pins_.settle();
  collect_events();
  if (TM_CODEL) collect_departures();
  answered_ = axil_.observe();
  pins_.tick();
}

void RtlEngine::idle(unsigned cycles) {
  for (unsigned i = 0; i < cycles; ++i) cycle();
}

void RtlEngine::collect_events() {
  const uint32_t valid = pins_.events_valid();
  for (uint32_t port = 0; valid >> port != 0; ++port) {
    if (!(valid >> port & 1)) continue;
    const PinEvent event = pins_.event(port);
    const uint64_t time = (now_ & ~kStampMask) | event.stamp;
    events_.push_back({time, port, event.length, event.class_id, event.ece, event.ecn, event.outcome, event.bytes});
    if (is_stored(static_cast<Outcome>(event.outcome))) verdict_times_[port].push_back(event.stamp);
  }
}

void RtlEngine::collect_departures() {
  const uint32_t valid = pins_.departures_valid();
  for (uint32_t port = 0; valid >> port != 0; ++port) {
    if (valid >> port & 1) departures_[port].push_back(static_cast<Departure>(pins_.departure_kind(port)));
  }
}

void RtlEngine::offer(uint64_t time, const tm_frame& frame) {
  set_time(time);
  settle_before_verdict();
  constexpr uint32_t width = RtlPins::kBeatBytes;
  std::array<uint8_t, width> data;
  for (uint32_t start = 0; start < frame.length; start += width) {
    const uint32_t count = std::min(width, frame.length - start);
    data.fill(0);
    std::memcpy(data.data(), frame.data + start, count);
    auto keep = keep_of(count);
    if (frame.hole == start / width + 1) keep[0] &= 0xFE;
    const bool last = start + width >= frame.length;
    pins_.set_source(data, keep, last, frame.ports, frame.promised_length, last && frame.error != 0);
    cycle();
  }
  pins_.clear_source();
  idle(kAfterFrame);
  if (TM_RED && adapts()) idle(kRedRound);  // the arrival may have asked for a step of ARED
}

unsigned RtlEngine::patience(uint32_t port) const {
  const size_t held = verdict_times_[port].size();
  if (held == 0) return 3;
  return kUntilDeparture + (configs_[port].codel.on ? kHeadDrop * static_cast<unsigned>(held) : 0);
}

bool RtlEngine::take(uint32_t port, uint64_t time, std::span<uint8_t> buffer, tm_departure& departure) {
  const bool moved = time != now_;
  set_time(time);
  if (TM_CODEL && moved) idle(kCodelClock);
  departures_[port].clear();
  // The enable is taken back in the cycle in which the frame shows, so that it lets one frame out.
  pins_.set_tx_enable(1u << port);
  bool begun = false;
  const unsigned cycles = patience(port);
  for (unsigned i = 0; i < cycles && !begun; ++i) {
    cycle();
    pins_.settle();
    begun = pins_.sinks_valid() >> port & 1;
  }
  pins_.set_tx_enable(0);
  if (!begun) {
    if (verdict_times_[port].empty()) return false;
    throw std::runtime_error("port " + std::to_string(port) + " holds " + std::to_string(verdict_times_[port].size()) +
                             " frames and sends none");
  }
  departure = {time, 0, port, 0, 0, 0};
  for (bool last = false; !last;) {
    pins_.settle();
    if (pins_.sinks_valid() >> port & 1) {
      const SinkBeat beat = pins_.sink(port);
      const uint32_t count = count_of(beat.keep);
      if (departure.length + count > buffer.size()) throw std::runtime_error("a frame longer than max_frame leaves");
      std::memcpy(buffer.data() + departure.length, beat.data.data(), count);
      departure.length += count;
      departure.error = beat.last && beat.error;
      last = beat.last;
    }
    cycle();
  }
  idle(kAfterDeparture);
  for (const Departure kind : departures_[port]) {
    if (kind == Departure::HeadDropped && !verdict_times_[port].empty()) verdict_times_[port].pop_front();
    departure.kind = static_cast<uint32_t>(kind);
  }
  if (verdict_times_[port].empty())
    throw std::runtime_error("port " + std::to_string(port) + " sent what it never held");
  departure.sojourn_ns = (time - verdict_times_[port].front()) & kStampMask;
  verdict_times_[port].pop_front();
  return true;
}

void RtlEngine::advance(uint64_t time) {
  set_time(time);
  idle(1);
}

std::optional<tm_event> RtlEngine::next_event() {
  if (events_.empty()) return std::nullopt;
  const tm_event event = events_.front();
  events_.pop_front();
  return event;
}

std::optional<uint32_t> RtlEngine::read(uint32_t address) {
  if (TM_RED && shows_moved_ && address >= reg::kAverage0 && address <= reg::kMaxp1) {
    idle(kRedShown);
    shows_moved_ = false;
  }
  axil_.start_read(address);
  answered_ = false;
  for (unsigned i = 0; i < kAnswer && !answered_; ++i) cycle();
  if (!answered_) throw std::runtime_error("a read of address " + std::to_string(address) + " is never answered");
  if (axil_.error()) return std::nullopt;
  return axil_.data();
}

bool RtlEngine::write(uint32_t address, uint32_t value) {
  axil_.start_write(address, value);
  answered_ = false;
  for (unsigned i = 0; i < kAnswer && !answered_; ++i) cycle();
  if (!answered_) throw std::runtime_error("a write to address " + std::to_string(address) + " is never answered");
  if (axil_.error()) return false;
  shadow_.write(address, value);
  if (address == reg::kPage) page_ = value & 15;
  if (address == reg::kCommand) finish_command(value);
  return true;
}

void RtlEngine::finish_command(uint32_t bits) {
  idle(4);
  for (unsigned i = 0; i < kCommand; ++i) {
    if (!(read(reg::kStatus).value_or(0) & reg::kBusy)) {
      if (bits & (reg::kFlush | reg::kSoftReset) && page_ < verdict_times_.size()) verdict_times_[page_].clear();
      follow_command(bits);
      return;
    }
  }
  throw std::runtime_error("a command never completes: " + std::to_string(bits));
}

void RtlEngine::follow_command(uint32_t bits) {
  constexpr uint32_t kRefused = 2;
  if (page_ >= configs_.size()) return;
  const bool refused = (read(reg::kStatus).value_or(kRefused) & kRefused) != 0;
  if (bits & reg::kCommit && !refused) configs_[page_] = shadow_.meaning();
  if (bits & reg::kLoad) {
    for (const uint32_t address : Shadow::addresses()) shadow_.write(address, read(address).value_or(0));
  }
  // What the laws begin with is known to the shared unit, too.
  if (TM_RED && bits & (reg::kCommit | reg::kSoftReset)) idle(kRedShown);
}

}  // namespace truemark
