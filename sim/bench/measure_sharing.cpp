// SPDX-License-Identifier: BSD-3-Clause
// What a blocked port does to the others of a pool: with a threshold nothing may be lost there, without one it is.
#include <string>

#include "../model/registers.h"
#include "measure.h"

namespace truemark::bench {
namespace {

// Port 0 never sends; every frame is for one port, so that the others could send all that is theirs.
void measure_stuck(Report& report, uint64_t cycles, uint32_t threshold, const std::string& key) {
  Station station({.k_ect = build().storage() / 2, .pool_threshold = threshold});
  station.set_ready(kAllPorts & ~1u);
  station.set_traffic([random = Random(3)](uint64_t) mutable {
    const uint32_t size = random.between(60, 1518);
    return FrameSpec{.size = size, .ports = 1u << random.between(0, build().ports - 1)};
  });
  station.run(cycles);
  station.set_traffic(nullptr);
  station.drain(10'000);
  uint64_t offered = 0, lost = 0;
  for (unsigned port = 1; port < build().ports; port++) {
    offered += station.copies(port);
    lost += station.copies(port) - station.departed(port).size();
  }
  report.expect(station.departed(0).empty(), key + ": a port that is never ready sent a frame");
  report.expect(station.dropped(0) > 0, key + ": port 0 was not full");
  station.set_ready(kAllPorts);
  station.drain();
  report.expect(station.departed(0).size() == station.stored(0), key + ": held frames were lost");
  expect_intact(report, station, key);
  report.figure(key + ".offered", static_cast<double>(offered));
  report.figure(key + ".other_ports_lost", static_cast<double>(lost));
}

}  // namespace

void measure_sharing(Report& report, Effort effort) {
  const uint64_t cycles = effort.of(1'000'000, 100'000);
  measure_stuck(report, cycles, 0, "sharing.no_threshold");
  measure_stuck(report, cycles, reg::pool_threshold::kDynamic.put(1), "sharing.alpha_1");
}

}  // namespace truemark::bench
