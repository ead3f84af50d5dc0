// SPDX-License-Identifier: BSD-3-Clause
// What RED and CoDel cost in cycles: frames per cycle, the way through an empty queue, and how fast CoDel drops at the
// head. True-mark in the same build stands beside them.
#include <algorithm>
#include <string>

#include "report.h"
#include "station.h"

namespace truemark::bench {
namespace {

constexpr unsigned kLastStored = 4, kLastOutcome = 11;  // outcomes
constexpr uint32_t kAllPorts = ~0u;

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

enum class Spread { OnePort, AllPorts, Broadcast, Backlog };

// Frames per cycle, all of them ECT: a signal marks and nothing is dropped early.
double frames_per_cycle(Report& report, const Policy& policy, uint32_t size, uint64_t frames, Spread spread,
                        const std::string& where) {
  Station station;
  station.configure(policy);
  station.set_traffic([&station, size, spread](uint64_t) {
    FrameSpec spec;
    spec.size = size;
    if (spread == Spread::AllPorts) spec.ports = 1u << (station.offered().size() % build().ports);
    if (spread == Spread::Broadcast) spec.ports = (1u << build().ports) - 1;
    return std::optional(spec);
  });
  if (spread == Spread::Backlog) {
    const uint64_t held = std::min<uint64_t>(64, build().storage() * 3 / 4 / ((size + 127) / 128 * 128));
    station.set_ready([](uint64_t) { return 0u; });
    station.run_until([&] { return station.outcomes(0, 0, kLastStored) >= held; });
    station.set_ready([](uint64_t) { return kAllPorts; });
  }
  station.offer(frames);
  station.drain();
  uint64_t out = 0, first = ~uint64_t{0}, last = 0;
  for (unsigned port = 0; port < build().ports; port++) {
    const auto& departed = station.departed(port);
    const bool may_overflow = spread == Spread::Backlog && where.find(kSignalling) != std::string::npos;
    report.expect(departed.size() == station.copies(port) || may_overflow, where + ": frames were lost");
    if (departed.empty()) continue;
    out += departed.size();
    first = std::min(first, departed.front().first_cycle);
    last = std::max(last, departed.back().last_cycle);
  }
  report.expect(station.corrupt() == 0, where + ": frames left other than they came");
  const double copies = spread == Spread::Broadcast ? build().ports : 1;
  return static_cast<double>(out) / copies / static_cast<double>(last - first + 1);
}

// Frames that find an empty queue, from the cycle after it emptied to long after: the longest way of any, in cycles.
uint64_t latency(Report& report, Effort effort, const Policy& policy, const FrameSpec& spec, const std::string& where) {
  Station station;
  station.configure(policy);
  station.set_traffic([&](uint64_t) { return std::optional(spec); });
  Random random(spec.size);
  uint64_t cycles = 0;
  for (uint64_t i = effort.of(300, 60); i > 0; i--) {
    if (i % 8 == 0) {  // a backlog first, so that the laws have a past
      station.device().set_tx_enable(0);
      station.offer(3);
      station.idle(random.between(1, 3000));
      station.device().set_tx_enable(kAllPorts);
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
  report.expect(station.corrupt() == 0, where + ": frames left other than they came");
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
    Station station;
    station.configure({.codel = Codel{.target = 1, .interval = 16, .ecn = false}});
    station.set_traffic([size](uint64_t) {
      FrameSpec spec;
      spec.size = size;
      return std::optional(spec);
    });
    for (uint64_t round = effort.of(10, 4); round > 0; round--) {
      station.device().set_tx_enable(0);
      station.offer(held);
      // Above the target for the first time, above it for long enough, and then far behind the next drop times.
      for (int departure = 0; departure < 4; departure++) {
        station.idle(kLong);
        const size_t before = station.departed(0).size();
        const uint64_t begun = station.cycle();
        station.device().set_tx_enable(1);
        station.idle(1);
        for (uint64_t i = 0; i < kLong && station.departed(0).size() == before; i++) station.idle(1);
        station.device().set_tx_enable(0);
        station.idle(100);
        const auto& all = station.departed(0);
        if (before == 0 || all.size() == before) continue;
        const uint64_t skipped = all[before].sequence - all[before - 1].sequence - 1;
        if (skipped == 0) continue;
        dropped += skipped;
        worst =
            std::max(worst, static_cast<double>(all[before].first_cycle - begun) / static_cast<double>(skipped + 1));
      }
      station.device().set_tx_enable(kAllPorts);
      station.idle(kLong);
    }
    report.expect(station.corrupt() == 0, key + ": frames left other than they came");
    report.expect(dropped >= 8, key + ": CoDel dropped " + std::to_string(dropped));
    report.figure(key, worst);
    report.at_most("head_drop_cycles", worst);
    report.figure("head_drops." + std::to_string(size) + "B", static_cast<double>(dropped));
  }
}

}  // namespace

void measure_aqm(Report& report, Effort effort) {
  if (!build().full()) return report.failure(build_tag() + ": this build has neither RED nor CoDel");
  struct Run {
    Spread spread;
    const char* name;
  };
  const Run runs[] = {{Spread::OnePort, ""},
                      {Spread::AllPorts, ".spread"},
                      {Spread::Broadcast, ".broadcast"},
                      {Spread::Backlog, ".backlog"}};
  for (const auto& [name, policy] : policies()) {
    for (const uint32_t size : {64u, 65u, 1500u}) {
      for (const Run& run : runs) {
        const std::string key = "frames_per_cycle." + std::to_string(size) + "B." + name + run.name;
        const uint64_t frames = size == 1500 ? effort.of(2000, 200) : 2000;
        report.figure(key, frames_per_cycle(report, policy, size, frames, run.spread, key));
      }
    }
    const std::string figure = "latency_cycles." + name;
    for (const L3 l3 : {L3::Ipv4, L3::Ipv6}) {
      for (const uint32_t size : {60u, 64u, 65u, 256u, 1500u}) {
        FrameSpec spec;
        spec.size = size;
        spec.l3 = l3;
        const std::string key = figure + (l3 == L3::Ipv4 ? ".ipv4." : ".ipv6.") + std::to_string(size) + "B";
        const auto cycles = static_cast<double>(latency(report, effort, policy, spec, key));
        report.figure(key, cycles);
        report.at_most(figure, cycles);
      }
    }
  }
  measure_head_drops(report, effort);
}

}  // namespace truemark::bench
