// SPDX-License-Identifier: BSD-3-Clause
// Coverage: what a run met, by name, and the floors below which it fails.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

namespace truemark {

class Coverage {
 public:
  void add(const std::string& name, uint64_t times = 1) { met_[name].times += times; }
  bool met(const std::string& name) const {
    const auto found = met_.find(name);
    return found != met_.end() && found->second.times > 0;
  }
  // The run must meet `name` at least so often.
  void require(const std::string& name, uint64_t floor) { met_[name].floor = floor; }

  // Nothing is below its floor.
  bool good() const {
    return std::ranges::none_of(met_, [](const auto& entry) { return entry.second.times < entry.second.floor; });
  }

  // Prints everything; false if something is below its floor.
  bool report() const {
    int column = 0;
    for (const auto& [name, entry] : met_) {
      const bool low = entry.times < entry.floor;
      std::printf("  %-26s %9llu%s", name.c_str(), static_cast<unsigned long long>(entry.times), low ? " LOW" : "    ");
      if (++column % 3 == 0) std::printf("\n");
    }
    if (column % 3 != 0) std::printf("\n");
    for (const auto& [name, entry] : met_) {
      if (entry.times >= entry.floor) continue;
      std::printf("  %s: met %llu times, floor %llu\n", name.c_str(), static_cast<unsigned long long>(entry.times),
                  static_cast<unsigned long long>(entry.floor));
    }
    return good();
  }

 private:
  struct Entry {
    uint64_t times = 0;
    uint64_t floor = 0;
  };
  std::map<std::string, Entry> met_;
};

}  // namespace truemark
