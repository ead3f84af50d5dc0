// SPDX-License-Identifier: BSD-3-Clause
// What a blocked port does to the others: nothing may be lost there, and no departure may move by a cycle.
#include <algorithm>
#include <string>

#include "measure.h"

namespace truemark::bench {
namespace {

constexpr unsigned kFrames = 2000;  // to port 0 and port 1 in turn

// First and last cycle of each frame of port 1, from the start of the run.
using Times = std::vector<std::pair<uint64_t, uint64_t>>;

// Frames in fixed slots, to port 0 and port 1 in turn; without the ones to port 0 their slots stay empty.
Times alternate(Report& report, uint32_t size, unsigned percent_ready, bool with_port_0, const std::string& where) {
  const uint64_t slot = build().rows_of(size);
  Station station({.k_ect = build().storage() / 2});
  const uint64_t start = station.cycle();
  Random random(size);
  std::vector<bool> ready(kFrames * slot + 100'000);
  for (size_t i = 0; i < ready.size(); i++) ready[i] = random.chance(percent_ready);
  station.set_ready([&](uint64_t cycle) {
    return cycle - start < ready.size() && !ready[cycle - start] ? kAllPorts & ~3u : kAllPorts & ~1u;
  });
  station.set_traffic([&](uint64_t cycle) -> std::optional<FrameSpec> {
    const uint64_t number = (cycle - start) / slot;
    if ((cycle - start) % slot != 0 || number >= kFrames || (number % 2 == 0 && !with_port_0)) return std::nullopt;
    return FrameSpec{.size = size, .ports = number % 2 ? 2u : 1u};
  });
  station.run(kFrames * slot);
  station.set_traffic(nullptr);
  for (unsigned i = 0; i < 100'000 && station.departed(1).size() < station.copies(1); i++) station.run(1);
  expect_intact(report, station, where);
  Times times;
  for (const Departure& departure : station.departed(1))
    times.emplace_back(departure.first_cycle - start, departure.last_cycle - start);
  return times;
}

void measure_blocked(Report& report, uint32_t size, unsigned percent_ready) {
  const std::string key = "blocked_port." + std::to_string(size) + "B" + (percent_ready < 100 ? ".slow_sink" : "");
  const Times busy = alternate(report, size, percent_ready, true, key);
  const Times quiet = alternate(report, size, percent_ready, false, key);
  uint64_t disturbed = quiet.size() - std::min(quiet.size(), busy.size());
  for (size_t i = 0; i < std::min(quiet.size(), busy.size()); i++) disturbed += quiet[i] != busy[i];
  report.expect(quiet.size() == kFrames / 2, key + ": frames were lost without anything in their way");
  report.figure(key + ".offered", kFrames / 2);
  report.figure(key + ".delivered", static_cast<double>(busy.size()));
  report.figure(key + ".disturbed_frames", static_cast<double>(disturbed));
  report.at_most("blocked_port.disturbed_frames", static_cast<double>(disturbed));
}

// Port 0 is filled until it refuses a frame, then each frame goes to both.
void measure_multicast(Report& report, uint32_t size) {
  constexpr unsigned kCopies = 200;
  const std::string key = "multicast_beside_full_port." + std::to_string(size) + "B";
  Station station({});
  station.set_ready(kAllPorts & ~1u);
  station.set_traffic(FrameSpec{.size = size});
  station.run_until([&] { return station.dropped(0) > 0; });
  station.offer(1);
  station.set_traffic({.size = size, .ports = 3});
  station.offer(kCopies);
  station.idle(100);
  const uint64_t copies = station.copies(0), delivered = station.departed(1).size();
  report.figure(key + ".offered", kCopies);
  report.figure(key + ".delivered", static_cast<double>(delivered));
  report.at_most("multicast_beside_full_port.lost", static_cast<double>(kCopies - delivered));
  report.expect(station.judged(0) == copies, key + ": not one verdict for each copy of port 0");
  report.expect(station.dropped(0) >= kCopies, key + ": port 0 was not full");
  station.set_ready(kAllPorts);
  station.drain();
  report.expect(station.departed(0).size() == station.stored(0), key + ": held copies were lost");
  expect_intact(report, station, key);
}

void measure_stuck(Report& report, Effort effort) {
  const std::string key = "stuck_port";
  const uint64_t cycles = effort.of(1'000'000, 100'000);
  Station station({.k_ect = build().storage() / 2});
  station.set_ready(kAllPorts & ~1u);
  station.set_traffic([random = Random(3)](uint64_t) mutable {
    const uint32_t size = random.between(60, 1518);
    return FrameSpec{.size = size, .ports = random.between(1, all_lines())};
  });
  station.run(cycles);
  station.drain(10'000);
  uint64_t lost = 0;
  for (unsigned port = 1; port < build().ports; port++) lost += station.copies(port) - station.departed(port).size();
  report.expect(station.departed(0).empty(), key + ": a port that is never ready sent a frame");
  station.set_ready(kAllPorts);
  station.drain();
  const uint64_t before = station.departed(0).size();
  report.expect(before == station.stored(0) && before > 0, key + ": held frames were lost");
  constexpr unsigned kFresh = 20;
  station.set_traffic(FrameSpec{});
  station.offer(kFresh);
  station.drain();
  report.expect(station.departed(0).size() == before + kFresh, key + ": the port did not recover");
  report.figure(key + ".cycles", static_cast<double>(cycles));
  report.figure(key + ".other_ports_lost", static_cast<double>(lost));
  report.figure(key + ".corrupt_frames", static_cast<double>(station.corrupt()));
}

}  // namespace

void measure_isolation(Report& report, Effort effort) {
  for (const uint32_t size : {64u, 1500u}) {
    if (size == 1500 && effort.quick && build().data_w < 256) continue;
    measure_blocked(report, size, 100);
    measure_blocked(report, size, 70);
    measure_multicast(report, size);
  }
  measure_stuck(report, effort);
}

}  // namespace truemark::bench
