// SPDX-License-Identifier: BSD-3-Clause
// Overload and uneven sinks: every frame that leaves must be one that came, whole, and what is missing must be counted.
#include <algorithm>
#include <string>

#include "measure.h"

namespace truemark::bench {
namespace {

constexpr unsigned kFresh = 20;

// Bytes per cycle offered by two links and drained by one, as in the peers' measurement (256 bit at 200 MHz, two 10G).
struct Load {
  double offered;
  double drained;
};

Load load() {
  if (build().data_w == 1024) return {73.5, 36.76};
  if (build().data_w == 512) return {64, 50};
  if (build().data_w == 256) return {12.5, 6.25};
  return {build().beat_bytes() * 0.8, build().beat_bytes() * 0.4};
}

// Lets `rate` bytes through each cycle on average and saves up `most` of them.
class Credit {
 public:
  Credit(double rate, double most, uint64_t start) : rate_(rate), most_(most), cycle_(start) {}
  bool covers(uint64_t cycle, double bytes) {
    saved_ = std::min(saved_ + rate_ * static_cast<double>(cycle - cycle_), most_);
    cycle_ = cycle;
    return saved_ >= bytes;
  }
  void spend(double bytes) { saved_ -= bytes; }

 private:
  double rate_, most_, saved_ = 0;
  uint64_t cycle_;
};

struct Balance {
  uint64_t offered, intact, dropped, corrupt;
};

// Lets everything out, sends some fresh frames to each port, and compares what left with what the registers counted.
void settle_up(Report& report, Station& station, const std::string& key) {
  station.set_ready(kAllPorts);
  station.drain();
  Balance sum{0, 0, 0, station.corrupt()};
  for (unsigned port = 0; port < build().ports; port++) {
    sum.offered += station.copies(port);
    sum.intact += station.departed(port).size();
    sum.dropped += station.counted(port, Outcome::EarlyProbability, Outcome::Aborted);
    report.expect(station.counted(port, Outcome::Pass, Outcome::Aborted) == station.copies(port),
                  key + ": a copy was not counted once");
    report.expect(station.counted(port, Outcome::Departed, Outcome::Departed) == station.departed(port).size(),
                  key + ": departures miscounted");
  }
  report.figure("overload." + key + ".offered", static_cast<double>(sum.offered));
  report.figure("overload." + key + ".intact", static_cast<double>(sum.intact));
  report.figure("overload." + key + ".dropped", static_cast<double>(sum.dropped));
  report.figure("corrupt_frames." + key, static_cast<double>(sum.corrupt));
  report.at_most("corrupt_frames", static_cast<double>(sum.corrupt));
  const auto missing = static_cast<double>(sum.offered) - static_cast<double>(sum.intact + sum.dropped);
  report.figure("unaccounted_frames." + key, missing);
  report.at_most("unaccounted_frames", missing < 0 ? -missing : missing);

  station.set_traffic({.ports = all_lines()});
  const uint64_t before = station.departed(0).size();
  station.offer(kFresh);
  station.drain();
  report.expect(station.departed(0).size() == before + kFresh, key + ": frames after the overload were lost");
  report.expect(station.corrupt() == sum.corrupt, key + ": frames after the overload were corrupt");
}

// Two links into port 0. A burst of 8 goes at the full offered rate, then a pause brings the mean to what one link
// drains.
void overload(Report& report, Effort effort, uint32_t low, uint32_t high, bool bursts, const std::string& key) {
  const uint64_t frames = effort.of(20'000, 1500);
  Station station({.k_ect = build().storage() / 2});
  const double beat = build().beat_bytes();
  Credit in(load().offered, 2.0 * high, station.cycle()), out(load().drained, 2 * beat, station.cycle());
  station.set_ready([&](uint64_t cycle) {
    const bool ready = out.covers(cycle, beat);
    if (ready && (station.valid() & 1)) out.spend(beat);
    return ready ? kAllPorts : kAllPorts & ~1u;
  });
  Random random(low + high);
  uint32_t size = random.between(low, high);
  uint64_t burst_bytes = 0, resume = 0;
  station.set_traffic([&](uint64_t cycle) -> std::optional<FrameSpec> {
    if (!in.covers(cycle, size) || cycle < resume) return std::nullopt;
    in.spend(size);
    FrameSpec spec;
    spec.size = size;
    spec.ecn = random.chance(80) ? Ecn::Ect0 : Ecn::NotEct;
    burst_bytes += size;
    size = random.between(low, high);
    if (bursts && station.offered().size() % 8 == 7) {
      const double excess = static_cast<double>(burst_bytes) * (1 / load().drained - 1 / load().offered);
      resume = cycle + static_cast<uint64_t>(excess);
      burst_bytes = 0;
    }
    return spec;
  });
  station.offer(frames);
  settle_up(report, station, key);
}

// Every port slow in its own pattern, multicast, any size, any kind of frame.
void uneven_sinks(Report& report, Effort effort, uint32_t low, uint32_t high, unsigned percent,
                  const std::string& key) {
  Station station({.k_ect = build().storage() / 4});
  station.set_ready([percent, random = Random(11)](uint64_t) mutable {
    uint32_t ready = 0;
    for (unsigned port = 0; port < build().ports; port++) ready |= uint32_t{random.chance(percent)} << port;
    return ready;
  });
  station.set_traffic([low, high, random = Random(high), pause = 0u](uint64_t) mutable -> std::optional<FrameSpec> {
    if (pause > 0) {
      pause--;
      return std::nullopt;
    }
    if (random.chance(20)) pause = random.between(1, 100);
    FrameSpec spec;
    spec.size = random.chance(50) ? random.between(low, std::min(high, 300u)) : random.between(low, high);
    spec.ports = random.between(1, all_lines());
    spec.l3 = random.chance(50) ? L3::Ipv4 : random.chance(80) ? L3::Ipv6 : L3::None;
    spec.tags = static_cast<uint8_t>(random.between(0, 3));
    spec.ipv4_options = static_cast<uint8_t>(random.chance(20) ? random.between(1, 10) : 0);
    spec.ecn = static_cast<Ecn>(random.between(0, 3));
    return spec;
  });
  station.offer(effort.of(6000, 400));
  settle_up(report, station, key);
}

}  // namespace

void measure_integrity(Report& report, Effort effort) {
  overload(report, effort, 64, 64, false, "64B");
  overload(report, effort, 1500, 1500, false, "1500B");
  overload(report, effort, 60, 1518, false, "60to1518B");
  overload(report, effort, 60, 1518, true, "60to1518B.bursts_of_8");
  uneven_sinks(report, effort, 14, 9216, 30, "14to9216B.ready30.multicast");
  uneven_sinks(report, effort, 14, 9216, 100, "14to9216B.ready100.multicast");
}

}  // namespace truemark::bench
