// SPDX-License-Identifier: GPL-2.0-only
// Partition / aggregate: a host asks others with a small request, each answers, and the query is done with the last
// answer. Queries come by chance at every host.
#pragma once

#include "workload.h"

namespace lab {

class PartitionAggregate : public Workload {
 public:
  PartitionAggregate(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done);
  void start() override;
  void write(JsonWriter& out) const override;

 private:
  struct Query {
    int64_t begin_ns, end_ns;
    uint32_t open;  // answers still to come
  };
  void completed(size_t flow) override;
  uint32_t workers_;
  std::vector<Query> queries_;  // query q has the flows from q * workers on
};

}  // namespace lab
