// SPDX-License-Identifier: BSD-3-Clause
#include "rtl_engine.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "../model/average.h"
#include "../model/registers.h"

namespace truemark {

// A queue of a line that has several shows a frame before the line takes it.
static_assert(TM_QUEUES == 1, "an engine over the RTL has one queue a line");
// A rate is in cycles, and those of an engine are not its time.
static_assert(!reg::capabilities::kShaping.get(TM_SWITCHES), "an engine over the RTL is held to no rate");

namespace {

// Cycles until all follows from what a pool holds: thresholds, and a visit to every class of every source.
constexpr unsigned kVisits = reg::capabilities::kPfc.get(TM_SWITCHES) ? 8 * (TM_PORTS + 1) : 0;
constexpr unsigned kPoolSettles = reg::capabilities::kPool.get(TM_SWITCHES) ? 12 + kVisits : 0;

}  // namespace

RtlEngine::RtlEngine(const tm_build& asked, uint32_t seed)
    : pins_((check_rtl_build(asked), seed)), axil_(pins_.top()), left_(kRtlBuild.ports) {
  settle(Settled::Laws);
}

// RED's visits must see each idle time before it has wrapped: none of a clock's is missed, but a leap of the time is.
void RtlEngine::set_time(uint64_t time) {
  if (time > seen_ && time - seen_ > average::kForever) {
    now_ = std::max(now_, seen_ + average::kForever);
    pins_.set_time(now_);
    settle(Settled::Laws);
  }
  now_ = time;
  pins_.set_time(time);
}

bool RtlEngine::cycle() {
  axil_.drive();
  pins_.settle();
  collect_events();
  collect_departures();
  const bool answered = axil_.observe();
  pins_.tick();
  return answered;
}

void RtlEngine::settle(Settled what) {
  pins_.wait_until_settled(what, [this] { cycle(); });
  if (what == Settled::Laws) seen_ = now_;
  for (unsigned i = 0; i < kPoolSettles; ++i) cycle();
}

void RtlEngine::collect_events() {
  const PortMask valid = pins_.events_valid();
  for (uint32_t port = 0; port < TM_PORTS; ++port) {
    if (!valid[port]) continue;
    const PinEvent event = pins_.event(port);
    const uint64_t time = (now_ & ~PinEvent::kStampMask) | event.stamp;
    events_.push_back({time, port, event.length, event.class_id, event.ece, event.ecn, event.outcome, event.bytes});
  }
}

void RtlEngine::collect_departures() {
  const PortMask valid = pins_.departures_valid();
  for (uint32_t port = 0; port < TM_PORTS; ++port) {
    if (valid[port]) left_[port] = {pins_.departure_kind(port), pins_.departure_sojourn(port)};
  }
}

void RtlEngine::offer(uint64_t time, const tm_frame& frame) {
  set_time(time);
  settle(Settled::Laws);
  constexpr uint32_t width = RtlPins::kBeatBytes;
  std::array<uint8_t, width> data;
  for (uint32_t start = 0; start < frame.length; start += width) {
    const uint32_t count = std::min(width, frame.length - start);
    data.fill(0);
    std::memcpy(data.data(), frame.data + start, count);
    auto keep = kKeeps[count];
    if (frame.hole == start / width + 1) keep[0] &= 0xFE;
    const bool last = start + width >= frame.length;
    pins_.set_source(data, keep, last, frame.ports, frame.promised_length, last && frame.error != 0, frame.source);
    cycle();
  }
  pins_.clear_source();
  settle(Settled::Frames);
}

bool RtlEngine::take(uint32_t port, uint64_t time, std::span<uint8_t> buffer, tm_departure& departure) {
  set_time(time);
  settle(Settled::Frames);
  // The enable is taken back in the cycle in which the frame shows, so that it lets one frame out.
  pins_.set_tx_enable(PortMask().set(port));
  bool begun = false;
  for (unsigned i = 0; !begun && (i <= RtlPins::kSettledLag || !pins_.settled(Settled::Frames)); ++i) {
    if (i == RtlPins::kPatience)
      throw std::runtime_error("port " + std::to_string(port) + " holds frames and sends none");
    cycle();
    pins_.settle();
    begun = pins_.sinks_valid() >> port & 1;
  }
  pins_.set_tx_enable(0);
  if (!begun) return false;
  departure = {time, 0, port, 0, 0, 0};
  for (bool last = false; !last;) {
    pins_.settle();
    if (pins_.sinks_valid() >> port & 1) {
      const SinkBeat beat = pins_.sink(port);
      const uint32_t count = beat.bytes();
      if (departure.length + count > buffer.size()) throw std::runtime_error("a frame longer than max_frame leaves");
      std::memcpy(buffer.data() + departure.length, beat.data.data(), count);
      departure.length += count;
      departure.error = beat.last && beat.error;
      last = beat.last;
    }
    cycle();
  }
  settle(Settled::Frames);
  departure.kind = left_[port].kind;
  departure.sojourn_ns = left_[port].sojourn;
  return true;
}

void RtlEngine::advance(uint64_t time) {
  set_time(time);
  cycle();
}

std::optional<tm_event> RtlEngine::next_event() {
  if (events_.empty()) return std::nullopt;
  const tm_event event = events_.front();
  events_.pop_front();
  return event;
}

std::optional<uint32_t> RtlEngine::read(uint32_t address) {
  settle(address >= reg::kAverage0 && address <= reg::kMaxp1 ? Settled::Laws : Settled::Frames);
  return axil_.read(address, [this] { return cycle(); });
}

bool RtlEngine::write(uint32_t address, uint32_t value) {
  const bool done = axil_.write(address, value, [this] { return cycle(); });
  settle(Settled::Frames);  // a command has been carried out
  return done;
}

}  // namespace truemark
