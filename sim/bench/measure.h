// SPDX-License-Identifier: BSD-3-Clause
// The groups of measurements, and what a run found: figures by key, and in words whatever went wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "station.h"

namespace truemark::bench {

// Keys do not name the build: who started the program knows it.
class Report {
 public:
  void figure(const std::string& key, double value) { figures_[key] = value; }
  // Keep the worst of all figures given under the key.
  void at_most(const std::string& key, double value) { figure(key, std::max(value, known(key, value))); }
  void at_least(const std::string& key, double value) { figure(key, std::min(value, known(key, value))); }
  void expect(bool fulfilled, const std::string& what) {
    if (!fulfilled) failure(what);
  }
  void failure(const std::string& what) { failures_.push_back(what); }

  // A line for each figure, its key and value, and one for each failure behind a `!`.
  void print() const {
    for (const auto& [key, value] : figures_) std::printf("%s %.9g\n", key.c_str(), value);
    for (const std::string& what : failures_) std::printf("! %s\n", what.c_str());
  }

 private:
  double known(const std::string& key, double otherwise) const {
    const auto found = figures_.find(key);
    return found == figures_.end() ? otherwise : found->second;
  }

  std::map<std::string, double> figures_;
  std::vector<std::string> failures_;
};

// How much is run: `quick` is what `make test` has time for. The figures are exact in both.
struct Effort {
  bool quick = false;
  uint64_t of(uint64_t full, uint64_t quick_count) const { return quick ? quick_count : full; }
};

void measure_input(Report& report, Effort effort);      // accepted beats per cycle
void measure_output(Report& report, Effort effort);     // frames per cycle
void measure_latency(Report& report, Effort effort);    // first beat in to first beat out
void measure_flags(Report& report, Effort effort);      // the same from the beat that holds the TCP flags
void measure_aqm(Report& report, Effort effort);        // RED and CoDel, against true-mark in the same build
void measure_queues(Report& report, Effort effort);     // frames per cycle of lines with several queues
void measure_isolation(Report& report, Effort effort);  // what a blocked port does to the others
void measure_sharing(Report& report, Effort effort);    // the same, where they share a pool
void measure_integrity(Report& report, Effort effort);  // frames that leave other than they came, under overload

// ---- what several groups use

// Every frame that left was one that was sent, whole.
inline void expect_intact(Report& report, const Station& station, const std::string& where) {
  report.expect(station.corrupt() == 0, where + ": frames left other than they came");
}

// Frames per cycle of four patterns, by size: of each, `frames` frames.
struct Pattern {
  enum class Spread { OnePort, AllPorts, Broadcast, Backlog } spread;
  const char* name;
  uint64_t frames = 2000;
};
inline constexpr Pattern kPatterns[] = {{Pattern::Spread::OnePort, ""},
                                        {Pattern::Spread::AllPorts, ".spread"},
                                        {Pattern::Spread::Broadcast, ".broadcast"},
                                        {Pattern::Spread::Backlog, ".backlog"}};
void measure_pattern(Report& report, Effort effort, const Pattern& pattern, uint32_t size, const Policy& policy,
                     const std::string& name, bool may_overflow = false);

// The longest way of any frame that finds an empty queue, by kind and size: `longest` returns it of one specification.
template <typename Longest>
void measure_ways(Report& report, const std::string& figure, Longest longest) {
  for (const L3 l3 : {L3::Ipv4, L3::Ipv6})
    for (const uint32_t size : {60u, 64u, 65u, 256u, 1500u}) {
      const std::string key = figure + (l3 == L3::Ipv4 ? ".ipv4." : ".ipv6.") + std::to_string(size) + "B";
      const auto cycles = static_cast<double>(longest(FrameSpec{.size = size, .l3 = l3}, key));
      report.figure(key, cycles);
      // A store-and-forward build waits for the end, so only frames of one size can be compared.
      if (!build().store_and_forward || size == 64) report.at_most(figure, cycles);
    }
}

}  // namespace truemark::bench
