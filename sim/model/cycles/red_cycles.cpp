// SPDX-License-Identifier: BSD-3-Clause
#include "red_cycles.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "latencies.h"

namespace truemark {
namespace {

constexpr uint64_t kLong = 1'000'000'000;  // ns
constexpr uint64_t kTogether = 3;          // cycles between the verdicts of neighbouring frames

}  // namespace

RedCycles::RedCycles(uint32_t port, uint32_t ports, uint64_t origin, uint64_t time, Edges& edges)
    : port_(port), origin_(origin), edges_(&edges) {
  constexpr uint64_t most = latency::kRedUnitPorts;
  round_ = latency::red_scan(std::min<uint64_t>(most, ports - port / most * most));
  place_ = port % most * kSlots;
  settle_until_ = round_ + latency::kRedSettle - 1;
  generator_.seed(1, port);
  const PortConfig reset;
  for (unsigned i = 0; i < kSlots; ++i) lanes_[i].red.reset(reset.red[i], time);
}

void RedCycles::commit(const PortConfig& config, const LawChanges& changes) {
  settle_until_ = now_ + round_ + latency::kRedSettle;  // now_ is still the cycle of the commit
  config_ = config;
  if (changes.law_reset[0] || changes.law_reset[1]) {
    waiting_ = 0;
    taken_.any = false;
  }
  for (unsigned i = 0; i < kSlots; ++i) {
    Lane& lane = lanes_[i];
    if (lane.before && now_ <= lane.ready) lane.red.set_probability(lane.before->maxp, lane.before->slope);
    edges()[Edge::AredLost] += (lane.before && now_ <= lane.ready) || lane.adapted;
    lane.before.reset();
    lane.adapted.reset();
    lane.decayed.reset();
    lane.red.commit();
    if (lane.due_next) lane.due_next = false;
    if (changes.law_reset[i]) {
      lane.due_next.reset();
      lane.red.reset(config.red[i], 0);
      lane.shown.reset();
      lane.fresh = true;
      lane.due = lane.pending = lane.asks = false;
    } else if (changes.red_load[i]) {
      lane.red.load(config.red[i]);
    }
  }
}

void RedCycles::open(uint64_t cycle, uint64_t bytes, uint64_t packets) {
  now_ = cycle - origin_;
  stepped_ = false;
  Sight& sight = sights_[now_ % sights_.size()];
  for (unsigned i = 0; i < kSlots; ++i) {
    Lane& lane = lanes_[i];
    if (lane.adapted && lane.ready + 1 == now_) show_adapted(lane);
    if (lane.decayed && lane.ready + 1 == now_) fade(lane);
    if (lane.ready == now_) learn(lane);
    sight.slope[i] = lane.red.slope();
    sight.count[i] = lane.red.next_count();
  }
  sight.bytes = bytes;
  sight.packets = packets;
  turn();
}

// A step of weight W - k for 2^k steps; slot 1's comes a cycle after slot 0's, and takes as many.
void RedCycles::turn() {
  const uint64_t place = now_ % round_;
  waited_ = waiting_ != 0;
  if (place == place_) {
    taken_ = newest_;
    taken_.any = waiting_ != 0;
    taken_.power = waiting_ == 0 ? 0 : static_cast<uint32_t>(std::bit_width(waiting_) - 1);
    if (taken_.any) waiting_ -= uint32_t{1} << taken_.power;
  }
  for (unsigned i = 0; i < kSlots; ++i) {
    if (place != place_ + i) continue;
    Lane& lane = lanes_[i];
    if (taken_.any) {
      RedConfig law = config_.red[i];
      law.weight -= std::min(law.weight, taken_.power);
      lane.red.set_average(
          average::step(law, lane.seen(), law.queue(taken_.bytes, taken_.packets), taken_.packets == 0));
      lane.shown.reset();
    }
    lane.kept_before = std::exchange(lane.kept, lane.seen());
    lane.turn = now_;
    sights_[now_ % sights_.size()].average[i] = lane.kept;
  }
}

void RedCycles::learn(Lane& lane) {
  if (lane.due_next) lane.due = *lane.due_next;
  lane.due_next.reset();
}

void RedCycles::fade(Lane& lane) {
  if (lane.decayed_gone) lane.red.set_average(0);
  lane.shown = lane.decayed;
  lane.shown_long = lane.decayed_long;
  lane.decayed.reset();
}

void RedCycles::show_adapted(Lane& lane) {
  lane.before = Probability{lane.red.maxp(), lane.red.slope()};
  edges()[Edge::AredRaised] += lane.adapted->maxp > lane.before->maxp;
  edges()[Edge::AredLowered] += lane.adapted->maxp < lane.before->maxp;
  lane.red.set_probability(lane.adapted->maxp, lane.adapted->slope);
  lane.adapted.reset();
}

std::optional<std::pair<uint64_t, uint64_t>> RedCycles::faded(unsigned slot) const {
  const Lane& lane = lanes_[slot];
  if (!lane.shown || lane.ready + 1 != now_) return std::nullopt;
  return std::pair(lane.red.average(), *lane.shown);
}

std::optional<std::tuple<uint64_t, uint32_t, uint32_t>> RedCycles::move(unsigned slot) const {
  const Lane& lane = lanes_[slot];
  if (lane.before) return std::tuple(lane.ready, lane.before->maxp, lane.red.maxp());
  if (lane.adapted) return std::tuple(lane.ready, lane.red.maxp(), lane.adapted->maxp);
  return std::nullopt;
}

// The cycle of the evaluation that counts now.
uint64_t RedCycles::evaluated(unsigned slot) const {
  const uint64_t latest = now_ - latency::kRedLag;
  return latest - (latest + round_ - place_ - slot) % round_;
}

// What is known of Linux's count by then; nothing until that is the count since the last threshold.
CountSeen RedCycles::count(unsigned slot) const {
  if (now_ <= lanes_[slot].drawn + round_ + latency::kRedCountWaits) return std::nullopt;
  return sights_[(evaluated(slot) + latency::kRedCount) % sights_.size()].count[slot];
}

Chance RedCycles::chance(const PortConfig& config, unsigned slot) const {
  if (now_ <= settle_until_) return {};
  const uint64_t began = evaluated(slot);
  const auto sight = [&](uint64_t later) -> const Sight& { return sights_[(began + later) % sights_.size()]; };
  const RedConfig& law = config.red[slot];
  const Sight& held = sight(latency::kRedSees - slot);
  const uint64_t average =
      average::step(law, sight(0).average[slot], law.queue(held.bytes, held.packets), held.packets == 0);
  return RedSlot::chance(law, sight(latency::kRedSlope).slope[slot], average);
}

Signal RedCycles::step(const PortConfig& config, unsigned speaking, uint64_t time) {
  const Chance said = chance(config, speaking);
  const Sight& now = sights_[now_ % sights_.size()];
  stepped_ = true;
  since_ = time;
  Lane& speaker = lanes_[speaking];
  const CountSeen counted = count(speaking);
  const uint64_t exact_count = speaker.red.next_count();
  const Signal signal = speaker.red.space(config.red[speaking], said, generator_.word(), counted);
  if (speaker.red.next_count() == 1) speaker.drawn = now_;
  generator_.advance();

  const bool is_red = config.law[speaking] == Law::Red;
  if (is_red) {
    const bool gentle = config.red[speaking].gentle;
    edges()[Edge::RedSettledBelow] += now_ <= settle_until_;
    edges()[Edge::RedProbabilistic] += signal == Signal::Probabilistic;
    edges()[Edge::RedInPackets] += signal == Signal::Probabilistic && config.red[speaking].packets;
    edges()[Edge::RedForced] += signal == Signal::Forced;
    edges()[Edge::RedForcedGentle] += signal == Signal::Forced && gentle;
    edges()[Edge::RedGentle] += gentle && said.region == Chance::Region::Between &&
                                said.above_min + config.red[speaking].min >= config.red[speaking].max;
    if (config.red[speaking].spacing == Spacing::Linux) {
      const bool counts = said.region == Chance::Region::Between && exact_count != 0;
      edges()[Edge::LinuxSignals] += signal == Signal::Probabilistic;
      edges()[Edge::LinuxWaited] += counts && !counted;
      edges()[Edge::LinuxLate] += counts && counted && *counted != exact_count;
      edges()[Edge::LinuxFaded] += speaker.shown && *speaker.shown != 0 && *speaker.shown != speaker.red.average();
      edges()[Edge::LinuxGone] += speaker.shown && *speaker.shown == 0 && speaker.red.average() != 0;
    }
    if (signal != Signal::None) {
      edges()[Edge::RedSignalsTogether] += last_signal_ != 0 && now_ - last_signal_ <= kTogether;
      last_signal_ = now_;
    }
  }
  for (unsigned i = 0; i < kSlots; ++i) {
    Lane& lane = lanes_[i];
    edges()[Edge::RedFadedUsed] += is_red && lane.shown && *lane.shown != lane.red.average();
    edges()[Edge::RedFadedLong] += is_red && lane.shown && lane.shown_long && lane.red.average() != 0;
    if (now_ < lane.ready) lane.decayed.reset();
  }
  newest_.bytes = now.bytes;
  newest_.packets = now.packets;
  waiting_ = std::min(waiting_ + 1, latency::kRedMostSteps);
  return signal;
}

void RedCycles::close(const PortConfig& config, uint64_t time) {
  const Sight& sight = sights_[now_ % sights_.size()];
  std::array<bool, kSlots> adapts{};
  const uint64_t place = now_ % latency::kRedRound;
  for (unsigned i = 0; i < kSlots; ++i) {
    if (place != latency::kRedPlace * (port_ % latency::kRedUnitPorts) + latency::kRedSlot * i) continue;
    adapts[i] = lanes_[i].asks && !lanes_[i].fresh;
    visit(i, config, time);
  }
  for (unsigned i = 0; stepped_ && i < kSlots; ++i) {
    Lane& lane = lanes_[i];
    if (adapts[i]) continue;
    lane.pending = lane.pending || lane.due;
    lane.due = false;
  }
  if (sight.packets != 0) since_ = time;
}

void RedCycles::visit(unsigned slot, const PortConfig& config, uint64_t time) {
  const RedConfig& law = config.red[slot];
  const Sight& sight = sights_[now_ % sights_.size()];
  Lane& lane = lanes_[slot];
  lane.ready = now_ + latency::kRedVisible;
  lane.decayed.reset();
  lane.before.reset();
  if (sight.packets == 0 && !stepped_ && !waited_) {
    const uint64_t elapsed = (time - since_) & kStampMask;
    const bool gone = elapsed >= average::kForever;
    lane.decayed = gone ? 0 : average::faded(law, config.clock, lane.red.average(), elapsed);
    lane.decayed_long = elapsed > kLong;
    lane.decayed_gone = gone;
  }
  if (lane.fresh) {
    lane.red.set_adapted(time);
    lane.fresh = false;
  } else if (lane.asks) {
    lane.asks = lane.pending = lane.due = false;
    lane.red.set_adapted(time);
    if (!law.adaptive) return;
    RedSlot moved = lane.red;
    moved.adapt(law, kept(slot));
    lane.adapted = Probability{moved.maxp(), moved.slope()};
  } else {
    lane.asks = lane.pending;
    lane.due_next = config.law[slot] == Law::Red && lane.red.is_due(law, config.clock, time);
  }
}

}  // namespace truemark
