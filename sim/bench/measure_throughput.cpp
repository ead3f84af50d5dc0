// SPDX-License-Identifier: BSD-3-Clause
// Beats per cycle in and frames per cycle out, by frame size and policy.
#include <algorithm>
#include <string>

#include "measure.h"

namespace truemark::bench {
namespace {

constexpr uint32_t kLongest = 9216;  // bytes

// What happens to every frame while its beats are counted.
enum class Fate { Droptail, TrueMark, MarkAll, DropAll, DropFull };

struct Mode {
  Fate fate;
  const char* name;
  Policy policy;
};

// Frames of one size to port 0 without a pause; 0 stands for sizes from a runt's neighbour to the longest.
Station::Traffic stream(uint32_t size) {
  return [size, random = Random(size)](uint64_t) mutable {
    return FrameSpec{.size = size ? size : random.between(14, kLongest)};
  };
}

void bring_about(Station& station, Fate fate) {
  if (fate == Fate::MarkAll) {  // one on the output, one held: from then on no frame meets an empty queue
    station.set_ready(kAllPorts & ~1u);
    station.run_until([&] { return station.stored(0) >= 2; });
    station.set_ready(kAllPorts);
  }
  if (fate == Fate::DropFull) {
    station.set_ready(kAllPorts & ~1u);
    station.run_until([&] { return station.outcomes(0, Outcome::NoRoom) > 0; });
  }
}

void check_fate(Report& report, Station& station, const Mode& mode, uint32_t size, const std::string& where) {
  const uint64_t offered = station.offered().size();
  const auto& departed = station.departed(0);
  expect_intact(report, station, where);
  report.expect(station.judged(0) == offered, where + ": not one verdict for each frame");
  report.expect(station.stored(0) == departed.size(), where + ": a stored frame did not leave");
  if (mode.fate == Fate::DropAll)
    report.expect(station.outcomes(0, Outcome::TailBytes) == offered, where + ": not every frame was dropped");
  else if (mode.fate != Fate::DropFull)
    report.expect(departed.size() == offered, where + ": frames were lost");
  if (mode.fate == Fate::MarkAll && size != 0) {
    // The first frame goes straight to the output and the second may meet an empty queue.
    const auto unmarked = std::count_if(departed.begin(), departed.end(), [](const Departure& departure) {
      return departure.sequence >= 2 && !departure.marked;
    });
    report.expect(!has_ecn({.size = size}) || unmarked == 0, where + ": not every frame was marked");
  }
}

void measure_input_of(Report& report, Effort effort, const Mode& mode, uint32_t size) {
  const std::string figure = std::string("input_beats_per_cycle.") + mode.name;
  const std::string label = size ? std::to_string(size) + "B" : "mixed";
  Station station(mode.policy);
  station.set_traffic(stream(size));
  bring_about(station, mode.fate);
  const uint64_t first_cycle = station.cycle(), first_beat = station.accepted_beats();
  const uint64_t frames = size && size <= 128 ? effort.of(5000, 500) : effort.of(200, 20);
  station.offer(frames);
  const double rate =
      static_cast<double>(station.accepted_beats() - first_beat) / static_cast<double>(station.cycle() - first_cycle);
  station.set_ready(kAllPorts);
  station.drain();
  report.figure(figure + "." + label, rate);
  report.at_least(figure, rate);
  check_fate(report, station, mode, size, figure + "." + label);
}

}  // namespace

void measure_pattern(Report& report, Effort effort, const Pattern& pattern, uint32_t size, const Policy& policy,
                     const std::string& name, bool may_overflow) {
  using Spread = Pattern::Spread;
  const std::string key = "frames_per_cycle." + std::to_string(size) + "B." + name + pattern.name;
  Station station(policy);
  station.set_traffic([&](uint64_t) {
    const auto number = static_cast<uint32_t>(station.offered().size()), lines = build().lines();
    return FrameSpec{.size = size,
                     .ports = pattern.spread == Spread::AllPorts    ? 1u << number % lines
                              : pattern.spread == Spread::Broadcast ? all_lines()
                                                                    : 1,
                     .dscp = static_cast<uint8_t>(number / lines * 5 % build().queues)};
  });
  if (pattern.spread == Spread::Backlog) {  // frames from the queue, not past it
    const uint64_t held = std::min(64u, build().rows * 3 / 4 / build().rows_of(size));
    station.set_ready(0);
    station.run_until([&] { return station.stored(0) >= held; });
    station.set_ready(kAllPorts);
  }
  station.offer(size == 1500 ? effort.of(pattern.frames, 200) : pattern.frames);
  station.drain();
  uint64_t out = 0, first = ~uint64_t{0}, last = 0;
  for (unsigned line = 0; line < build().lines(); line++) {
    const auto& departed = station.departed(line);
    report.expect(departed.size() == station.copies(line) || may_overflow,
                  key + ": frames were lost on port " + std::to_string(line));
    if (departed.empty()) continue;
    out += departed.size();
    first = std::min(first, departed.front().first_cycle);
    last = std::max(last, departed.back().last_cycle);
  }
  expect_intact(report, station, key);
  const double copies = pattern.spread == Spread::Broadcast ? build().lines() : 1;
  report.figure(key, static_cast<double>(out) / copies / static_cast<double>(last - first + 1));
}

void measure_input(Report& report, Effort effort) {
  const uint32_t half = build().storage() / 2;
  const Mode modes[] = {{Fate::Droptail, "droptail", {}},
                        {Fate::TrueMark, "true-mark", {.k_ect = half}},
                        {Fate::MarkAll, "true-mark.mark_all", {.k_ect = 0}},
                        {Fate::DropAll, "droptail.drop_all", {.limit_bytes = 13}},
                        {Fate::DropFull, "true-mark.drop_full", {.k_ect = half}}};
  for (const Mode& mode : modes)
    for (const uint32_t size : {14u, 60u, 64u, 65u, 128u, 1500u, 9000u, 9216u, 0u}) {
      // To mark a long frame, two others must fit next to it.
      if (mode.fate == Fate::MarkAll && 3 * build().rows_of(size ? size : kLongest) > build().rows) continue;
      measure_input_of(report, effort, mode, size);
    }
}

void measure_output(Report& report, Effort effort) {
  const std::pair<const char*, Policy> policies[] = {{"droptail", {}}, {"true-mark", {.k_ect = 0}}};
  for (const auto& [name, policy] : policies) {
    for (const uint32_t size : {64u, 65u, 1500u})
      for (const Pattern& pattern : kPatterns) measure_pattern(report, effort, pattern, size, policy, name);
    if (!effort.quick) measure_pattern(report, effort, {Pattern::Spread::OnePort, ".long", 100'000}, 64, policy, name);
  }
}

// Frames of all queues of a line in turn: all queues share, some are strict, all are. A backlog that strict queues do
// not let go grows in the others.
void measure_queues(Report& report, Effort effort) {
  const std::string name = std::to_string(build().queues) + "-queues";
  const std::pair<uint32_t, const char*> schedules[] = {{0, ""}, {0b10010001, ".mixed"}, {0xFF, ".strict"}};
  for (const auto& [strict, kind] : schedules) {
    for (const uint32_t size : {64u, 65u, 1500u})
      for (const Pattern& pattern : kPatterns)
        measure_pattern(report, effort, pattern, size, {.strict = strict}, name + kind,
                        strict != 0 && pattern.spread == Pattern::Spread::Backlog);
  }
}

}  // namespace truemark::bench
