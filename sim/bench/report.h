// SPDX-License-Identifier: BSD-3-Clause
// What a run found: figures by key, and in words whatever went wrong beside them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace truemark::bench {

class Report {
 public:
  // `key` gets the tag of the build behind its first word: "latency_cycles.droptail" is "latency_cycles.256.droptail".
  void figure(const std::string& key, double value);
  // Keeps the worst of all figures given under the key.
  void at_most(const std::string& key, double value);
  void at_least(const std::string& key, double value);
  void expect(bool fulfilled, const std::string& what);
  void failure(const std::string& what) { failures_.push_back(what); }

  std::string json() const;

 private:
  std::map<std::string, double> figures_;
  std::vector<std::string> failures_;
};

// The build as it stands in keys: "256", "256.flags", "512.ultra", "64.store_and_forward"; "256" the full one, too.
std::string build_tag();

// How much is run: `quick` is what `make test` has time for. The figures are exact in both.
struct Effort {
  bool quick = false;
  uint64_t of(uint64_t full, uint64_t quick_count) const { return quick ? quick_count : full; }
};

void measure_input(Report& report, Effort effort);      // accepted beats per cycle
void measure_output(Report& report, Effort effort);     // frames per cycle
void measure_latency(Report& report, Effort effort);    // first beat in to first beat out
void measure_flags(Report& report, Effort effort);      // the same from the beat that holds the TCP flags
void measure_aqm(Report& report, Effort effort);        // RED and CoDel, beside true-mark in the same build
void measure_isolation(Report& report, Effort effort);  // what a blocked port does to the others
void measure_integrity(Report& report, Effort effort);  // frames that leave other than they came, under overload

}  // namespace truemark::bench
