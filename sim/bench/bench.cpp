// SPDX-License-Identifier: BSD-3-Clause
// Measures one build: `bench [--quick] GROUP...` prints its figures, and what went wrong.
#include <iostream>
#include <map>
#include <string>

#include "measure.h"

using namespace truemark::bench;

int main(int argc, char** argv) {
  const std::map<std::string, void (*)(Report&, Effort)> groups{
      {"input", measure_input}, {"output", measure_output},       {"latency", measure_latency},
      {"flags", measure_flags}, {"isolation", measure_isolation}, {"integrity", measure_integrity},
      {"aqm", measure_aqm},     {"queues", measure_queues},       {"sharing", measure_sharing}};
  Effort effort;
  Report report;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "--quick") {
      effort.quick = true;
      continue;
    }
    const auto group = groups.find(word);
    if (group == groups.end()) {
      std::cerr << "bench: no group '" << word << "'; there are:";
      for (const auto& [name, measure] : groups) std::cerr << ' ' << name;
      std::cerr << '\n';
      return 2;
    }
    try {
      group->second(report, effort);
    } catch (const std::exception& error) {
      report.failure(word + ": " + error.what());
    }
  }
  report.print();
  return 0;
}
