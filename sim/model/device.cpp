// SPDX-License-Identifier: BSD-3-Clause
#include "device.h"

#include <algorithm>

#include "parse.h"
#include "rewrite.h"

namespace truemark {

namespace {

// Rows that a port keeps which it has read from a pool: AHEAD of rtl/pool/tm_pool_port.sv.
constexpr uint32_t kReadAhead = 8;
// Rows from the one with the verdict until a frame that is next is open (rtl/pool/tm_pool_queue.sv).
constexpr uint32_t kOpened = 2;

}  // namespace

Device::Device(const Build& build) : build_(build), control_(build, *this) {
  if (build.pool) pool_ = std::make_unique<DevicePool>(build);
  for (uint32_t port = 0; port < build.ports; ++port) lanes_.push_back(std::make_unique<Lane>(build, port));
  if (build.queues == 1) return;
  lines_.assign(build.lines(), Ets(build.queues));
  buckets_.resize(build.lines());
  for (Ets& line : lines_) {
    for (unsigned queue = 0; queue < build.queues; ++queue) line.configure(queue, true, 0);
  }
}

// Good frames need no beats to be looked at.
bool Device::looks_good(const Offer& frame) const {
  const uint32_t length = static_cast<uint32_t>(frame.bytes.size());
  return frame.lines != 0 && length >= kMinFrame && length <= build_.max_frame && frame.hole == 0 && !frame.error &&
         (build_.store_and_forward || frame.promised == length);
}

void Device::offer(uint64_t now, const Offer& frame) {
  now_ = now;
  if (looks_good(frame)) {
    const uint32_t length = static_cast<uint32_t>(frame.bytes.size());
    const Meta meta = parse(frame.bytes, length);
    arrive({build_.there(frame.lines), frame.source, frame.bytes, length, meta, meta, false});
    return;
  }
  const Framed framed = assemble(frame);
  if (framed.bad) ++bad_[static_cast<size_t>(*framed.bad)];
  if (!framed.offered) return;
  const Meta meta = parse(framed.raw, framed.length);
  const std::span<const uint8_t> bytes = std::span(framed.raw).first(framed.stored_bytes);
  arrive({framed.lines, frame.source, bytes, framed.length, meta, framed.misshaped ? Meta{} : meta,
          framed.bad.has_value()});
}

Framed Device::assemble(const Offer& frame) const {
  const uint32_t width = build_.beat_bytes();
  Framer framer(build_);
  std::vector<uint8_t> padded(build_.rows_of(static_cast<uint32_t>(frame.bytes.size())) * width);
  std::copy(frame.bytes.begin(), frame.bytes.end(), padded.begin());
  for (uint32_t start = 0; start < padded.size(); start += width) {
    Beat beat;
    beat.data = std::span(padded).subspan(start, width);
    for (uint32_t i = 0; i < width; ++i) beat.keep[i] = start + i < frame.bytes.size();
    if (frame.hole == start / width + 1) beat.keep[0] = false;
    beat.last = start + width == padded.size();
    beat.lines = frame.lines;
    beat.promised = frame.promised;
    beat.error = frame.error;
    if (framer.push(beat).ended) break;
  }
  return framer.frame();
}

void Device::arrive(const Arrival& frame) {
  const unsigned queue = queue_map_.queue(frame.meta);
  std::vector<DevicePool::Copy> copies;
  for (uint32_t index = 0; index < build_.ports; ++index) {
    if (!(frame.lines >> build_.line_of(index) & 1) || build_.queue_of(index) != queue) continue;
    const DevicePool::Copy copy = arrive(index, frame);
    if (pool_) copies.push_back(copy);
  }
  if (!pool_) return;
  const uint32_t rows = build_.rows_of(static_cast<uint32_t>(frame.bytes.size()));
  pool_->arrive(frame.source, frame.meta.pcp.value_or(0), rows, std::has_single_bit(frame.lines), copies);
  for (const DevicePool::Copy& copy : copies) read_ahead(copy.port);
}

DevicePool::Copy Device::arrive(uint32_t index, const Arrival& frame) {
  const uint32_t last_beat = (static_cast<uint32_t>(frame.bytes.size()) - 1) / build_.beat_bytes();
  Lane& lane = *lanes_[index];
  Port& port = lane.port;
  // A wrong frame is held from its verdict to its end, unless both fall in one cycle.
  const bool at_flags = port.waits_for_flags() || queue_map_.by_class();
  const uint32_t verdict_byte = at_flags ? frame.meta.flags_byte : frame.meta.ecn_byte;
  const uint32_t verdict_beat =
      build_.store_and_forward ? last_beat : std::min(last_beat, verdict_byte / build_.beat_bytes());
  const uint64_t held = port.admit().bytes();
  const bool opens = port.queue().empty();
  const uint64_t name = pool_ ? pool_->next() : 0;
  Outcome outcome =
      port.arrive(frame.meta, frame.length, now_, frame.bad && verdict_beat == last_beat, has_room(index, frame), name);
  port.settle();
  DevicePool::Copy copy{index, verdict_beat, is_stored(outcome)};
  if (outcome == Outcome::NoRoom && pool_ && pool_->crowds(index, frame.length, std::has_single_bit(frame.lines)))
    pool_->refuse_crowded(index);
  if (copy.stored) {
    if (frame.bad) {
      port.abort();
      outcome = Outcome::Aborted;
      // One that is being read when it turns out wrong stays, and is read to its end.
      const bool stays = opens && last_beat >= verdict_beat + kOpened;
      copy = {index, stays ? last_beat + 1 : last_beat, false};
    } else {
      port.buffer().write(port.queue().back().first_row, frame.bytes);
    }
  }
  if (!lines_.empty()) see(build_.line_of(index));
  lane.counters.arrived(outcome, frame.tally, frame.length);
  events_.push_back({now_, index, frame.length, frame.tally, outcome, static_cast<uint32_t>(held)});
  return copy;
}

bool Device::has_room(uint32_t index, const Arrival& frame) const {
  const Port& port = lanes_[index]->port;
  if (!pool_) return port.has_room(frame.length);
  return port.has_descriptor() && pool_->has_room(index, frame.length, std::has_single_bit(frame.lines)) &&
         !pool_->crowds(index, frame.length, std::has_single_bit(frame.lines));
}

std::optional<Taken> Device::take(uint32_t line, uint64_t now, std::span<uint8_t> buffer) {
  now_ = now;
  if (!lines_.empty()) return take_turn(line, buffer);
  if (!may_send(*lanes_[line]) || !decide(line)) return std::nullopt;
  return send(line, buffer);
}

// As Linux's ets peeks: CoDel has decided of a queue before its turn comes to that frame, which stays the next.
std::optional<Taken> Device::take_turn(uint32_t line, std::span<uint8_t> buffer) {
  const uint32_t first = line * build_.queues;
  for (uint32_t q = 0; q < build_.queues; ++q) {
    if (lanes_[first + q]->port.queue().empty()) lanes_[first + q]->port.ran_out();
  }
  for (;;) {
    const auto next = lines_[line].next(see(line));
    if (!next || !buckets_[line].open(cycle())) return std::nullopt;
    const uint32_t index = first + *next;
    if (!decide(index) || !lines_[line].sends(*next, lanes_[index]->port.queue().front().length)) continue;
    const Taken taken = send(index, buffer);
    buckets_[line].charge(taken.length, cycle());
    return taken;
  }
}

void Device::pause(uint32_t line, uint32_t queues) {
  for (uint32_t q = 0; q < build_.queues; ++q) lanes_[line * build_.queues + q]->paused = (queues >> q & 1) != 0;
}

// What waits in the queues of a line and may be sent, of which its scheduler takes notice.
Device::Heads Device::see(uint32_t line) {
  Heads heads(build_.queues);
  for (uint32_t q = 0; q < build_.queues; ++q) {
    const Lane& lane = *lanes_[line * build_.queues + q];
    if (!lane.port.queue().empty() && may_send(lane)) heads[q] = lane.port.queue().front().length;
  }
  lines_[line].see(heads);
  return heads;
}

bool Device::decide(uint32_t index) {
  Lane& lane = *lanes_[index];
  while (!lane.decided) {
    if (lane.port.queue().empty()) {
      lane.port.ran_out();
      return false;
    }
    const Leaving leaving = lane.port.ask_codel(now_);
    if (leaving.kind == Departure::HeadDropped)
      drop_head(index);
    else
      lane.decided = leaving;
  }
  return true;
}

Taken Device::send(uint32_t index, std::span<uint8_t> buffer) {
  Lane& lane = *lanes_[index];
  const Leaving leaving = lane.port.meet_head(*lane.decided, now_);
  const Held held = lane.port.depart(now_);
  const uint64_t sojourn = lane.port.sojourn(held, now_);
  const std::span<uint8_t> frame = buffer.first(held.length);
  lane.port.buffer().read(held.first_row, frame);
  release(index, held);
  if (held.marked() || leaving.marked) mark_ce(frame, held.meta);
  lane.counters.departed(leaving.kind, held.meta, held.length, sojourn);
  lane.port.settle();
  lane.bucket.charge(held.length, cycle());
  return Taken{index, held.length, sojourn, leaving.kind};
}

std::optional<VerdictEvent> Device::next_event() {
  if (events_.empty()) return std::nullopt;
  return events_.pop_front();
}

void Device::flush(uint32_t index) {
  const Lane& lane = *lanes_[index];
  while (!lane.port.queue().empty()) drop_head(index);
}

void Device::drop_head(uint32_t index) {
  Lane& lane = *lanes_[index];
  const Held held = lane.port.depart(now_);
  release(index, held);
  lane.counters.departed(Departure::HeadDropped, held.meta, held.length, 0);
}

void Device::release(uint32_t index, const Held& held) {
  Lane& lane = *lanes_[index];
  lane.port.buffer().release(held.rows);
  lane.decided.reset();
  if (!pool_) return;
  if (!lane.read_ahead) pool_->leave(index, held.id);
  lane.read_ahead = false;
  read_ahead(index);
}

void Device::read_ahead(uint32_t index) {
  Lane& lane = *lanes_[index];
  if (lane.read_ahead || lane.port.queue().empty() || lane.port.queue().front().rows > kReadAhead) return;
  lane.read_ahead = true;
  pool_->leave(index, lane.port.queue().front().id);
}

PortView Device::view(uint32_t index) const {
  const Port& port = lanes_[index]->port;
  PortView view{port.admit().bytes(),
                port.admit().packets(),
                port.admit().watermark_bytes(),
                port.admit().watermark_packets(),
                port.watermark_sojourn(),
                port.cut_short,
                {},
                {}};
  for (unsigned slot = 0; build_.red && slot < kSlots; ++slot) {
    const uint64_t average = port.red().average(slot, port.config(), port.admit().packets() == 0, now_);
    view.average[slot] = static_cast<uint32_t>(average / average::kOne);
    view.maxp[slot] = port.red().slot(slot).maxp();
  }
  return view;
}

}  // namespace truemark
