// SPDX-License-Identifier: GPL-2.0-only
// Reducers that fetch their parts of map outputs, a few at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace lab {

class Fetches {
 public:
  // `below(n)` draws one of 0 to n - 1; `begin(flow)` begins a fetch.
  Fetches(size_t reducers, uint32_t parallel, std::function<uint64_t(uint64_t)> below,
          std::function<void(size_t)> begin)
      : reducers_(reducers, {{}, parallel}), below_(std::move(below)), begin_(std::move(begin)) {}

  // The map output of a reducer's flow is there. Reducers ask in an order of their own, as Hadoop's fetchers do, or all
  // would begin at the same mapper.
  void ready(size_t reducer, size_t flow) {
    auto& ready = reducers_[reducer].ready;
    ready.insert(ready.begin() + static_cast<std::ptrdiff_t>(below_(ready.size() + 1)), flow);
  }

  // Every reducer begins what it may.
  void begin() {
    for (Reducer& reducer : reducers_) begin(reducer);
  }

  void completed(size_t reducer) {
    ++reducers_[reducer].free;
    begin(reducers_[reducer]);
  }

 private:
  // Flows whose map output is there, the next one last, and how many fetches may still begin.
  struct Reducer {
    std::vector<size_t> ready;
    uint32_t free = 0;
  };

  void begin(Reducer& reducer) {
    while (reducer.free > 0 && !reducer.ready.empty()) {
      const size_t flow = reducer.ready.back();
      reducer.ready.pop_back();
      --reducer.free;
      begin_(flow);
    }
  }

  std::vector<Reducer> reducers_;
  std::function<uint64_t(uint64_t)> below_;
  std::function<void(size_t)> begin_;
};

}  // namespace lab
