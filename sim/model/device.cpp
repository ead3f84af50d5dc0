// SPDX-License-Identifier: BSD-3-Clause
#include "device.h"

#include <algorithm>

#include "parse.h"
#include "rewrite.h"

namespace truemark {

Device::Device(const Build& build) : build_(build), control_(build, *this) {
  for (uint32_t port = 0; port < build.ports; ++port) lanes_.push_back(std::make_unique<Lane>(build));
}

// The first thing, in the order of the contract, that is wrong with a frame.
std::optional<Bad> Device::wrong(const Offer& frame) const {
  const uint32_t length = static_cast<uint32_t>(frame.bytes.size());
  const uint32_t judged = build_.store_and_forward ? length : frame.promised;
  if ((frame.ports & ((1u << build_.ports) - 1)) == 0) return Bad::NoDestination;
  if (judged < kMinFrame) return Bad::Runt;
  if (judged > build_.max_frame) return Bad::Oversize;
  if (frame.hole != 0 && frame.hole <= build_.rows_of(std::min(judged, length))) return Bad::KeepHole;
  if (judged != length) return Bad::LengthMismatch;
  if (frame.error) return Bad::ErrorBit;
  return std::nullopt;
}

void Device::offer(uint64_t now, const Offer& frame) {
  now_ = now;
  const auto fault = wrong(frame);
  if (fault) ++bad_[static_cast<size_t>(*fault)];
  if (fault == Bad::NoDestination) return;
  // A promise made on the first beat is refused there; a counted length only once the frame has been judged.
  const bool at_the_door = fault == Bad::Runt || fault == Bad::Oversize;
  if (at_the_door && !build_.store_and_forward) return;
  const uint32_t length = build_.store_and_forward ? static_cast<uint32_t>(frame.bytes.size()) : frame.promised;
  const Meta meta = parse(frame.bytes, length);
  for (uint32_t port = 0; port < build_.ports; ++port) {
    if (frame.ports >> port & 1) arrive(port, frame, meta, length, fault.has_value());
  }
}

void Device::arrive(uint32_t index, const Offer& frame, const Meta& meta, uint32_t length, bool bad) {
  Lane& lane = *lanes_[index];
  Port& port = lane.port;
  // A wrong frame is held from its verdict to its end, unless both fall in one cycle.
  const uint32_t stored = std::min(static_cast<uint32_t>(frame.bytes.size()), length);
  const uint32_t last_beat = (stored - 1) / build_.beat_bytes();
  const uint32_t verdict_byte = port.waits_for_flags() ? meta.flags_byte : meta.ecn_byte;
  const bool verdict_at_end = build_.store_and_forward || verdict_byte / build_.beat_bytes() >= last_beat;

  const uint64_t held = port.admit().bytes();
  Outcome outcome = port.arrive(meta, length, now_, bad && verdict_at_end, port.has_room(length));
  port.settle();
  if (is_stored(outcome)) {
    if (bad) {
      port.abort();
      outcome = Outcome::Aborted;
    } else {
      port.buffer().write(port.queue().back().first_row, frame.bytes);
    }
  }
  lane.counters.arrived(outcome, meta, length);
  events_.push_back({now_, index, length, meta, outcome, static_cast<uint32_t>(held)});
}

std::optional<Taken> Device::take(uint32_t index, uint64_t now, std::span<uint8_t> buffer) {
  now_ = now;
  Lane& lane = *lanes_[index];
  if (lane.port.queue().empty()) return std::nullopt;
  const Held held = lane.port.depart();
  const uint64_t sojourn = lane.port.sojourn(held, now);
  const std::span<uint8_t> frame = buffer.first(held.length);
  lane.port.buffer().read(held.first_row, frame);
  lane.port.buffer().release(held.rows);
  if (held.marked()) mark_ce(frame, held.meta);
  lane.counters.departed(held.meta, held.length, sojourn);
  lane.port.settle();
  return Taken{held.length, sojourn};
}

std::optional<VerdictEvent> Device::next_event() {
  if (events_.empty()) return std::nullopt;
  const VerdictEvent event = events_.front();
  events_.pop_front();
  return event;
}

void Device::flush(uint32_t index) {
  Lane& lane = *lanes_[index];
  while (!lane.port.queue().empty()) {
    const Held held = lane.port.depart();
    lane.port.buffer().release(held.rows);
    lane.counters.head_dropped(held.meta, held.length);
  }
}

PortView Device::view(uint32_t index) const {
  const Port& port = lanes_[index]->port;
  return {port.admit().bytes(),
          port.admit().packets(),
          port.admit().watermark_bytes(),
          port.admit().watermark_packets(),
          port.watermark_sojourn(),
          port.cut_short};
}

}  // namespace truemark
