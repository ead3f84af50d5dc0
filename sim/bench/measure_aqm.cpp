// SPDX-License-Identifier: BSD-3-Clause
// What RED and CoDel cost in cycles: frames per cycle, the way through an empty queue, and how fast CoDel drops at the
// head. True-mark in the same build is measured with them.
#include <algorithm>
#include <string>

#include "measure.h"

namespace truemark::bench {
namespace {

const std::string kSignalling = "codel_signalling";

struct Named {
  std::string name;
  Policy policy;
};

// RED that is above its minimum as soon as two frames wait; CoDel at 500 us and 20 ms, and one that signals as soon as
// it may, each of its signals a pause: a backlog of short frames then leaves more slowly than frames come, and
// overflows.
std::vector<Named> policies() {
  const uint32_t half = build().storage() / 2;
  return {{"full.true-mark", {.k_ect = 0}},
          {"red", {.red = Red{.min = 64, .max = half, .maxp = 1u << 20, .weight = 2}}},
          {"codel", {.codel = Codel{.target = 488, .interval = 19531}}},
          {kSignalling, {.codel = Codel{.target = 0, .interval = 1}}}};
}

// Frames that find an empty queue, from the cycle after it emptied to long after: the longest way of any, in cycles.
uint64_t latency(Report& report, Effort effort, const Policy& policy, const FrameSpec& spec, const std::string& where) {
  Station station(policy);
  station.set_traffic(spec);
  Random random(spec.size);
  uint64_t cycles = 0;
  for (uint64_t i = effort.of(300, 60); i > 0; i--) {
    if (i % 8 == 0) {  // a backlog first, so that the laws have a past
      station.set_tx_enable(0);
      station.offer(3);
      station.idle(random.between(1, 3000));
      station.set_tx_enable(PortMask().set());
      station.drain();
    }
    station.idle(random.between(0, i % 4 == 0 ? 300 : 12));
    station.offer(1);
    station.drain();
    const auto& departed = station.departed(0);
    if (departed.size() != station.offered().size()) {
      report.failure(where + ": a frame was lost");
      break;
    }
    cycles = std::max(cycles, departed.back().first_cycle - station.offered().back().first_cycle);
  }
  expect_intact(report, station, where);
  return cycles;
}

// A backlog left standing far beyond CoDel's next drop times: it drops many frames in one departure.
void measure_head_drops(Report& report, Effort effort) {
  constexpr uint64_t kLong = 60'000;  // cycles: many intervals, and many drop times
  for (const uint32_t size : {64u, 1500u}) {
    const std::string key = "head_drop_cycles." + std::to_string(size) + "B";
    const uint64_t held = std::min<uint64_t>(200, build().storage() * 3 / 4 / ((size + 127) / 128 * 128));
    double worst = 0;
    uint64_t dropped = 0;
    Station station({.codel = Codel{.target = 1, .interval = 16, .ecn = false}});
    station.set_traffic(FrameSpec{.size = size});
    for (uint64_t round = effort.of(10, 4); round > 0; round--) {
      station.set_tx_enable(0);
      station.offer(held);
      // Above the target for the first time, above it for long enough, and then far behind the next drop times.
      for (int departure = 0; departure < 4; departure++) {
        station.idle(kLong);
        const size_t before = station.departed(0).size();
        const uint64_t begun = station.cycle();
        station.set_tx_enable(1);
        station.idle(1);
        for (uint64_t i = 0; i < kLong && station.departed(0).size() == before; i++) station.idle(1);
        station.set_tx_enable(0);
        station.idle(100);
        const auto& all = station.departed(0);
        if (before == 0 || all.size() == before) continue;
        const uint64_t skipped = all[before].sequence - all[before - 1].sequence - 1;
        if (skipped == 0) continue;
        dropped += skipped;
        worst =
            std::max(worst, static_cast<double>(all[before].first_cycle - begun) / static_cast<double>(skipped + 1));
      }
      station.set_tx_enable(PortMask().set());
      station.idle(kLong);
    }
    expect_intact(report, station, key);
    report.expect(dropped >= 8, key + ": CoDel dropped " + std::to_string(dropped));
    report.figure(key, worst);
    report.at_most("head_drop_cycles", worst);
    report.figure("head_drops." + std::to_string(size) + "B", static_cast<double>(dropped));
  }
}

}  // namespace

void measure_aqm(Report& report, Effort effort) {
  if (!build().red || !build().codel) return report.failure("this build has not both RED and CoDel");
  for (const auto& each : policies()) {
    const auto& name = each.name;
    const Policy& policy = each.policy;  // clang before 16 lets no lambda take a structured binding
    // All frames are ECT: a signal marks, and nothing is dropped early.
    for (const uint32_t size : {64u, 65u, 1500u})
      for (const Pattern& pattern : kPatterns) {
        const bool may_overflow = pattern.spread == Pattern::Spread::Backlog && name == kSignalling;
        measure_pattern(report, effort, pattern, size, policy, name, may_overflow);
      }
    measure_ways(report, "latency_cycles." + name, [&](const FrameSpec& spec, const std::string& key) {
      return latency(report, effort, policy, spec, key);
    });
  }
  measure_head_drops(report, effort);
}

}  // namespace truemark::bench
