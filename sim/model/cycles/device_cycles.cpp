// SPDX-License-Identifier: BSD-3-Clause
#include "device_cycles.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "latencies.h"

namespace truemark {
namespace {

constexpr uint64_t kGivenBack = 4;  // cycles from the end of a flush until nothing of it is held any more

}  // namespace

DeviceCycles::DeviceCycles(const Build& build, uint64_t origin, uint64_t time)
    : build_(build), arrivals_(build), engine_(build.ports) {
  reset(origin, time);
}

void DeviceCycles::reset(uint64_t origin, uint64_t time) {
  seed_ = reg::kSeedReset;
  ports_.clear();
  for (uint32_t index = 0; index < build_.ports; ++index)
    ports_.push_back(std::make_unique<Lane>(build_, index, origin, time, edges_));
  lines_.clear();
  if (build_.queues > 1) lines_.assign(build_.lines(), LineCycles(build_, edges_));
  outputs_.resize(build_.queues);
  soon_.resize(build_.queues);
  paused_.reset();
  arrivals_.reset();
  queue_shadow_ = Shadow{};
  queue_map_ = queue_shadow_.queue_map();
  engine_ = CodelEngine(build_.ports);
  history_ = false;
}

void DeviceCycles::open(const PinCycle& pins) {
  if (pins.beat != nullptr) arrivals_.push(pins.cycle, *pins.beat);
  bus_ = &arrivals_.bus(pins.cycle);
}

// What a commit, a soft reset or a seed brings to this cycle.
void DeviceCycles::apply_config(Lane& lane, uint64_t cycle) {
  if (lane.next_cycle != 0 && cycle + 2 >= lane.next_cycle) lane.shown_config = lane.next.meaning();
  if (lane.next_cycle != 0 && cycle + 1 == lane.next_cycle) {
    const PortConfig next = lane.next.meaning();
    lane.cycles.commit(next, lane.laws_reset ? LawChanges::all() : LawChanges::between(lane.config, next));
  }
  if (lane.next_cycle != 0 && cycle >= lane.next_cycle) {
    if (!lane.laws_reset) {
      queue_shadow_ = lane.next;
      queue_map_ = queue_shadow_.queue_map();
    }
    lane.shadow = lane.next;
    lane.config = lane.shadow.meaning();
    lane.next_cycle = 0;
    lane.laws_reset = false;
  }
  if (lane.seed_cycle != 0 && cycle >= lane.seed_cycle) {
    lane.cycles.seed(seed_);
    lane.seed_cycle = 0;
  }
}

// What the frame's strobes of this cycle tell of its queue, for all ports.
void DeviceCycles::choose_queue() const {
  if (bus_->ecn) {
    bus_->ecn->by_class = queue_map_.by_class();
    if (!queue_map_.by_class()) bus_->ecn->queue = queue_map_.by_ecn_half(bus_->ecn->ecn_meta);
  }
  if (bus_->flags && bus_->flags->by_class) bus_->flags->queue = queue_map_.by_flags_half(bus_->flags->flags_meta);
}

DeviceCycles::Passing DeviceCycles::pass(const PinCycle& pins) {
  Passing all;
  if (lines_.empty()) {
    all.taken = pins.ready;
    for (uint32_t index = 0; index < ports_.size(); ++index) {
      all.may_send[index] = shape(*ports_[index], pins.cycle, (pins.ready >> index & 1) != 0);
    }
    all.may_send &= ~paused_;
    return all;
  }
  for (uint32_t line = 0; line < lines_.size(); ++line) {
    const uint32_t first = line * build_.queues;
    for (uint32_t q = 0; q < build_.queues; ++q) {
      const PortConfig& config = ports_[first + q]->shown_config;
      const PortCycles& queue = port(first + q);
      const bool paused = paused_[first + q];
      outputs_[q] = {queue.output(), queue.sends(), config.shares, config.quantum, config.shape, paused};
    }
    const Shape& shape = ports_[first]->shown_config.line_shape;
    all.taken |= PortMask(lines_[line].look(pins.cycle, outputs_, shape, (pins.ready >> line & 1) != 0)) << first;
    for (uint32_t q = 0; q < build_.queues; ++q) {
      const bool may_send = lines_[line].may_send(q);
      all.may_send[first + q] = may_send;
      edges_[Edge::ShapedQueue] += !may_send && !outputs_[q].paused && !ports_[first + q]->cycles.empty();
    }
  }
  return all;
}

// Whose queues are paused in the next cycle.
void DeviceCycles::pause(const PinCycle& pins) {
  paused_.reset();
  for (uint32_t index = 0; build_.pfc && index < ports_.size(); ++index) {
    const bool paused = (pins.pause[build_.line_of(index)] & ports_[index]->shown_config.pfc.paused_by) != 0;
    paused_[index] = paused;
    edges_[Edge::Paused] += paused && !ports_[index]->cycles.empty();
  }
}

// Who sends next, once the queues have stepped.
void DeviceCycles::select(uint64_t cycle) {
  for (uint32_t line = 0; line < lines_.size(); ++line) {
    const auto sending = lines_[line].sending();
    const PortCycles* queue = sending ? &port(line * build_.queues + *sending) : nullptr;
    for (uint32_t q = 0; q < build_.queues; ++q) soon_[q] = port(line * build_.queues + q).offers_soon();
    lines_[line].select(cycle, queue != nullptr && queue->gone(cycle),
                        queue != nullptr ? queue->offers_next(cycle) : std::nullopt, soon_);
  }
}

// Whether a port that is a line of its own may take its next frame. One that shows in this cycle is charged first.
bool DeviceCycles::shape(Lane& lane, uint64_t cycle, bool ready) {
  lane.bucket.configure(lane.shown_config.shape, cycle);
  if (const ExpectedRow row = lane.cycles.output(); row.valid) {
    if (lane.fresh) lane.bucket.charge(row.length, cycle);
    lane.fresh = ready && row.last;
  }
  const bool open = lane.bucket.open(cycle + 1);
  edges_[Edge::ShapedLine] += !open && !lane.cycles.empty();
  return open;
}

void DeviceCycles::close(const PinCycle& pins) {
  for (const auto& lane : ports_) apply_config(*lane, pins.cycle);
  choose_queue();
  if (build_.codel) {
    engine_.step(pins.cycle, [this](size_t i) -> CodelCycles& { return ports_[i]->cycles.codel(); });
  }
  const Passing passing = pass(pins);
  for (uint32_t index = 0; index < ports_.size(); ++index) {
    Lane& lane = *ports_[index];
    // A soft reset keeps watermarks clear until its flush is over and what it drops has been given back.
    if (lane.soft_reset_cycle != 0 && pins.cycle > lane.soft_reset_cycle) {
      lane.clear_until = pins.cycle + kGivenBack;
      if (!lane.cycles.flushing()) lane.soft_reset_cycle = 0;
    }
    const bool clear = pins.cycle != 0 && (lane.clear_cycle == pins.cycle || pins.cycle <= lane.clear_until);
    if (clear) lane.cycles.clear_watermarks();
    const bool flush = lane.flush_cycle == pins.cycle && pins.cycle != 0;
    lane.cycles.step(
        pins.cycle, *bus_, lane.config, lane.shown_config,
        {pins.time, pins.tx_enable[index] && passing.may_send[index], passing.taken[index], flush, pins.pool[index]});
    count(lane, index, pins.cycle);
    if (lane.cleared[1]) lane.watermark_sojourn = 0;
    lane.cleared = {clear, lane.cleared[0]};
  }
  select(pins.cycle);
  pause(pins);
  if (!history_) return;
  moments_.push_back({pins.cycle, pins.time});
  for (const auto& lane : ports_) occupancy_.emplace_back(lane->cycles.admit().bytes(), lane->cycles.admit().packets());
}

void DeviceCycles::apply(Counters& counters, const Tally& tally) {
  if (tally.departure) {
    counters.departed(*tally.departure, tally.meta, tally.length, tally.sojourn);
  } else {
    counters.arrived(static_cast<Outcome>(tally.code), tally.meta, tally.length);
  }
}

void DeviceCycles::count(Lane& lane, uint32_t index, uint64_t now) {
  auto& waiting = lane.cycles.tallies();
  for (auto tally = waiting.begin(); tally != waiting.end();) {
    if (tally->cycle > now) {
      ++tally;
      continue;
    }
    apply(lane.counters, *tally);
    const bool sent = tally->departure && *tally->departure != Departure::HeadDropped;
    if (sent) lane.watermark_sojourn = std::max(lane.watermark_sojourn, tally->sojourn);
    ++tallied_[tally->code * 16 + 2 * static_cast<unsigned>(tally->meta.class_id) + (tally->meta.ece ? 1 : 0)];
    if (history_) tallies_since_.emplace_back(index, *tally);
    tally = waiting.erase(tally);
  }
}

void DeviceCycles::commit(uint32_t port, const Shadow& shadow, uint64_t first_verdict_cycle) {
  ports_[port]->next = shadow;
  ports_[port]->next_cycle = first_verdict_cycle;
}

void DeviceCycles::flush(uint32_t port, uint64_t cycle) { ports_[port]->flush_cycle = cycle; }

void DeviceCycles::clear_watermarks(uint32_t port, uint64_t cycle) { ports_[port]->clear_cycle = cycle; }

void DeviceCycles::soft_reset(uint32_t port, uint64_t cycle) {
  Lane& lane = *ports_[port];
  lane.soft_reset_cycle = cycle;
  lane.next = lane.shadow;
  lane.next_cycle = cycle + latency::kLawReset;
  lane.seed_cycle = cycle + latency::kReseed;
  lane.laws_reset = true;
}

void DeviceCycles::seed(uint32_t value, uint64_t cycle) {
  seed_ = value;
  for (const auto& lane : ports_) lane->seed_cycle = cycle;
}

bool DeviceCycles::empty() const {
  for (const auto& lane : ports_) {
    if (!lane->cycles.empty()) return false;
  }
  return lines_resting();
}

bool DeviceCycles::resting() const {
  for (const auto& lane : ports_) {
    if (!lane->cycles.resting()) return false;
  }
  return lines_resting();
}

bool DeviceCycles::lines_resting() const {
  return std::all_of(lines_.begin(), lines_.end(), [](const LineCycles& line) { return line.resting(); });
}

void DeviceCycles::begin_history() {
  history_ = true;
  base_.clear();
  for (const auto& lane : ports_) base_.push_back(lane->counters);
  tallies_since_.clear();
  moments_.clear();
  occupancy_.clear();
}

std::vector<DeviceCycles::Past> DeviceCycles::past(uint64_t time, uint64_t* cycle) {
  history_ = false;
  for (size_t i = 1; i < moments_.size(); ++i) {
    if (moments_[i].time != time) continue;
    *cycle = moments_[i].cycle;
    std::vector<Past> past;
    // What was held at the beginning of that cycle is what the cycle before left.
    for (uint32_t port = 0; port < ports_.size(); ++port) {
      const auto& [bytes, packets] = occupancy_[(i - 1) * ports_.size() + port];
      past.push_back({base_[port], bytes, packets});
    }
    for (const auto& [port, tally] : tallies_since_) {
      if (tally.cycle <= *cycle) apply(past[port].counters, tally);
    }
    return past;
  }
  throw std::runtime_error("the snapshot's time " + std::to_string(time) + " was that of no cycle since the command");
}

uint64_t DeviceCycles::tallied(unsigned code, unsigned class_ece) const { return tallied_[code * 16 + class_ece]; }

}  // namespace truemark
