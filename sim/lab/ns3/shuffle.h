// SPDX-License-Identifier: GPL-2.0-only
// The shuffle of a MapReduce job: every reducer fetches a part of every mapper's output, a few at a time.
#pragma once

#include "workload.h"

namespace lab {

class Shuffle : public Workload {
 public:
  Shuffle(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done);
  void start() override;

 private:
  // One reducer's fetches: flows whose map output is there, and how many fetches may still begin.
  struct Reducer {
    std::vector<size_t> ready;
    uint32_t free = 0;
  };
  void place();
  void map_done(size_t mapper);
  void fetch_next(size_t reducer);
  void completed(size_t flow) override;

  std::vector<uint32_t> mappers_;                         // hosts
  std::vector<uint32_t> reducer_hosts_;                   // hosts
  std::vector<int64_t> map_ends_;                         // by mapper
  std::vector<size_t> mapper_of_flow_, reducer_of_flow_;  // indices into the lists above
  std::vector<Reducer> reducers_;
};

}  // namespace lab
