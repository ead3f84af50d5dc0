// SPDX-License-Identifier: BSD-3-Clause
// Beats per cycle in and frames per cycle out, by frame size and policy.
#include <algorithm>
#include <string>

#include "report.h"
#include "station.h"

namespace truemark::bench {
namespace {

constexpr unsigned kTailBytes = 7, kNoRoom = 9, kLastOutcome = 11, kLastStored = 4;
constexpr uint32_t kAllPorts = ~0u;
constexpr uint32_t kLongest = 9216;  // bytes

uint32_t all_ports() { return (1u << build().ports) - 1; }

uint64_t beats(uint32_t size) { return (size + build().beat_bytes() - 1) / build().beat_bytes(); }

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
    FrameSpec spec;
    spec.size = size ? size : random.between(14, kLongest);
    return std::optional(spec);
  };
}

void bring_about(Station& station, Fate fate) {
  if (fate == Fate::MarkAll) {  // one on the output, one held: from then on no frame meets an empty queue
    station.set_ready([](uint64_t) { return kAllPorts & ~1u; });
    station.run_until([&] { return station.outcomes(0, 0, kLastStored) >= 2; });
    station.set_ready([](uint64_t) { return kAllPorts; });
  }
  if (fate == Fate::DropFull) {
    station.set_ready([](uint64_t) { return kAllPorts & ~1u; });
    station.run_until([&] { return station.outcomes(0, kNoRoom, kNoRoom) > 0; });
  }
}

void check_fate(Report& report, Station& station, const Mode& mode, uint32_t size, const std::string& where) {
  const uint64_t offered = station.offered().size();
  const auto& departed = station.departed(0);
  report.expect(station.corrupt() == 0, where + ": frames left other than they came");
  report.expect(station.outcomes(0, 0, kLastOutcome) == offered, where + ": not one verdict for each frame");
  report.expect(station.outcomes(0, 0, kLastStored) == departed.size(), where + ": a stored frame did not leave");
  FrameSpec spec;
  spec.size = size;
  if (mode.fate == Fate::DropAll)
    report.expect(station.outcomes(0, kTailBytes, kTailBytes) == offered, where + ": not every frame was dropped");
  else if (mode.fate != Fate::DropFull)
    report.expect(departed.size() == offered, where + ": frames were lost");
  if (mode.fate == Fate::MarkAll && size != 0) {
    // The first frame goes straight to the output and the second may meet an empty queue.
    const auto unmarked = std::count_if(departed.begin(), departed.end(), [](const Departure& departure) {
      return departure.sequence >= 2 && !departure.marked;
    });
    report.expect(!has_ecn(spec) || unmarked == 0, where + ": not every frame was marked");
  }
}

void measure_input_of(Report& report, Effort effort, const Mode& mode, uint32_t size) {
  const std::string figure = std::string("input_beats_per_cycle.") + mode.name;
  const std::string label = size ? std::to_string(size) + "B" : "mixed";
  Station station;
  station.configure(mode.policy);
  station.set_traffic(stream(size));
  bring_about(station, mode.fate);
  const uint64_t first_cycle = station.cycle(), first_beat = station.accepted_beats();
  const uint64_t frames = size && size <= 128 ? effort.of(5000, 500) : effort.of(200, 20);
  station.offer(frames);
  const double rate =
      static_cast<double>(station.accepted_beats() - first_beat) / static_cast<double>(station.cycle() - first_cycle);
  station.set_ready([](uint64_t) { return kAllPorts; });
  station.drain();
  report.figure(figure + "." + label, rate);
  report.at_least(figure, rate);
  check_fate(report, station, mode, size, figure + "." + label);
}

enum class Spread { OnePort, AllPorts, Broadcast, Backlog };

double frames_per_cycle(Report& report, const Policy& policy, uint32_t size, uint64_t frames, Spread spread,
                        const std::string& where) {
  Station station;
  station.configure(policy);
  station.set_traffic([&station, size, spread](uint64_t) {
    FrameSpec spec;
    spec.size = size;
    if (spread == Spread::AllPorts) spec.ports = 1u << (station.offered().size() % build().ports);
    if (spread == Spread::Broadcast) spec.ports = all_ports();
    return std::optional(spec);
  });
  if (spread == Spread::Backlog) {  // frames from the queue, not past it
    const uint64_t held = std::min<uint64_t>(64, build().rows * 3 / 4 / beats(size));
    station.set_ready([](uint64_t) { return 0u; });
    station.run_until([&] { return station.outcomes(0, 0, kLastStored) >= held; });
    station.set_ready([](uint64_t) { return kAllPorts; });
  }
  station.offer(frames);
  station.drain();
  uint64_t out = 0, first = ~uint64_t{0}, last = 0;
  for (unsigned port = 0; port < build().ports; port++) {
    const auto& departed = station.departed(port);
    report.expect(departed.size() == station.copies(port),
                  where + ": frames were lost on port " + std::to_string(port));
    if (departed.empty()) continue;
    out += departed.size();
    first = std::min(first, departed.front().first_cycle);
    last = std::max(last, departed.back().last_cycle);
  }
  report.expect(station.corrupt() == 0, where + ": frames left other than they came");
  const double copies = spread == Spread::Broadcast ? build().ports : 1;
  return static_cast<double>(out) / copies / static_cast<double>(last - first + 1);
}

}  // namespace

void measure_input(Report& report, Effort effort) {
  const uint32_t half = build().storage() / 2;
  const Mode modes[] = {{Fate::Droptail, "droptail", {}},
                        {Fate::TrueMark, "true-mark", {.k_ect = half}},
                        {Fate::MarkAll, "true-mark.mark_all", {.k_ect = 0}},
                        {Fate::DropAll, "droptail.drop_all", {.limit_bytes = 13}},
                        {Fate::DropFull, "true-mark.drop_full", {.k_ect = half}}};
  for (const Mode& mode : modes)
    for (const uint32_t size : {14u, 60u, 64u, 65u, 128u, 1500u, 9000u, 9216u, 0u}) {
      // To mark a long frame, two others must fit beside it.
      if (mode.fate == Fate::MarkAll && 3 * beats(size ? size : kLongest) > build().rows) continue;
      measure_input_of(report, effort, mode, size);
    }
}

void measure_output(Report& report, Effort effort) {
  struct Run {
    Spread spread;
    const char* name;
    uint64_t frames;
  };
  const Run runs[] = {{Spread::OnePort, "", 2000},
                      {Spread::AllPorts, ".spread", 2000},
                      {Spread::Broadcast, ".broadcast", 2000},
                      {Spread::Backlog, ".backlog", 2000},
                      {Spread::OnePort, ".long", 100'000}};
  const std::pair<const char*, Policy> policies[] = {{"droptail", {}}, {"true-mark", {.k_ect = 0}}};
  for (const auto& [name, policy] : policies)
    for (const uint32_t size : {64u, 65u, 1500u})
      for (const Run& run : runs) {
        if (run.frames > 2000 && (size != 64 || effort.quick)) continue;
        const uint64_t frames = size == 1500 ? effort.of(run.frames, 200) : run.frames;
        const std::string key = "frames_per_cycle." + std::to_string(size) + "B." + name + run.name;
        report.figure(key, frames_per_cycle(report, policy, size, frames, run.spread, key));
      }
}

}  // namespace truemark::bench
