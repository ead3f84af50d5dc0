// SPDX-License-Identifier: BSD-3-Clause
// Measures a whole pipeline with NetFPGA's streams at both ends: small frames per cycle, latency, and random traffic
// compared byte by byte. Prints one JSON object of figures; ends with 1 if a frame was lost, altered or misplaced.
//
// usage: pipeline [frames]     (of random traffic, 20000 unless told otherwise)
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#include "pipeline_bench.h"

namespace {

using namespace pipeline;

void introduce(Bench& bench, Stations& stations) {
  for (unsigned station = 0; station < kStations; station++) {
    bench.put(stations.hello(station));
    bench.run();
  }
  for (auto& frames : bench.out) frames.clear();
  for (auto& cycles : bench.began) cycles.clear();
}

double rate(const std::vector<uint64_t>& firsts, size_t begin, size_t end) {
  return static_cast<double>(end - begin - 1) / static_cast<double>(firsts[end - 1] - firsts[begin]);
}

// 64-byte frames per cycle, from one input and from all of them.
double small_frames(bool all) {
  Bench bench;
  Stations stations(3);
  introduce(bench, stations);
  constexpr unsigned kFrames = 4000;
  for (unsigned i = 0; i < kFrames; i++)
    for (unsigned p = 0; p < (all ? kPorts : 1); p++) bench.put(stations.frame(p, (p + 1) % kPorts, 64));
  bench.run();
  std::vector<uint64_t> firsts;
  for (const auto& frames : bench.out)
    for (const Out& frame : frames) firsts.push_back(frame.first);
  std::sort(firsts.begin(), firsts.end());
  // The middle: every input is busy there.
  const size_t count = firsts.size();
  return count < 100 ? 0.0 : all ? rate(firsts, count / 8, count / 2) : rate(firsts, 0, count);
}

double empty_latency() {
  Bench bench;
  Stations stations(4);
  introduce(bench, stations);
  uint64_t most = 0;
  for (const size_t length : {60, 64, 65, 256, 1500}) {
    bench.put(stations.frame(0, 1, length));
    bench.run();
    most = std::max(most, bench.out[1].back().first - bench.began[0].back());
  }
  return static_cast<double>(most);
}

// Random traffic, half of what the pipeline carries: every frame comes out where it should, whole, once, in order.
unsigned traffic(unsigned frames, double& intact) {
  Bench bench;
  Stations stations(5);
  introduce(bench, stations);
  bench.set_gaps(256 - 256 / (2 * kPorts));
  bench.set_ready(240);
  std::array<std::array<std::deque<Bytes>, kPorts>, kPorts> expected;  // by output, then by input
  constexpr size_t kLengths[] = {60, 64, 65, 128, 300, 577, 1000, 1500, 1514, 1518};
  unsigned wrong = 0, sent = 0;
  intact = 0;
  const auto settle = [&] {
    bench.run();
    for (unsigned p = 0; p < kPorts; p++) {
      for (const Out& frame : bench.out[p]) {
        const auto from = static_cast<uint8_t>(frame.user >> 16), to = static_cast<uint8_t>(frame.user >> 24);
        unsigned input = 0;
        while (input < kPorts && source_bits(input) != from) input++;
        const bool named = input < kPorts && (to & source_bits(p)) != 0 && (frame.user & 0xFFFF) == frame.data.size();
        // A frame that an input had no room for is missing whole; the next of that input is further back.
        auto& waiting = expected[p][named ? input : 0];
        size_t at = 0;
        while (named && at < waiting.size() && waiting[at] != frame.data) at++;
        if (named && at < waiting.size()) {
          waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(at) + 1);
          intact++;
        } else {
          wrong++;
        }
      }
      bench.out[p].clear();
    }
  };
  while (sent < frames) {
    for (unsigned i = 0; i < 200 && sent < frames; i++, sent++) {
      const unsigned from = stations.number(kStations);
      unsigned to = stations.number(kStations);
      while (Stations::home(to) == Stations::home(from)) to = stations.number(kStations);
      Frame frame = stations.frame(from, to, kLengths[stations.number(std::size(kLengths))]);
      expected[Stations::home(to)][frame.from].push_back(frame.data);
      bench.put(std::move(frame));
    }
    settle();
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned frames = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 20000;
  double intact = 0;
  const double one = small_frames(false), all = small_frames(true), latency = empty_latency();
  const unsigned wrong = traffic(frames, intact);
  std::printf(
      "{\"one_input\": %.4f, \"all_inputs\": %.4f, \"latency\": %.0f, \"offered\": %u, \"intact\": %.0f, \"wrong\": "
      "%u}\n",
      one, all, latency, frames, intact, wrong);
  return wrong == 0 && intact == frames ? 0 : 1;
}
