// SPDX-License-Identifier: GPL-2.0-only
// A MapReduce job in rounds beside background load: the flows of a round begin together, and the next round begins when
// they are complete. The background goes from hosts of the second switch to hosts of the first, for as long as the job.
#pragma once

#include "workload.h"

namespace lab {

class Background : public Workload {
 public:
  Background(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done);
  void start() override;
  void write(JsonWriter& out) const override;

 private:
  void begin_round();
  void completed(size_t flow) override;
  uint64_t job_flow_bytes();
  size_t pairs_, flows_per_round_, rounds_;
  size_t begun_ = 0, ended_ = 0, left_ = 0;  // rounds; job flows of this round that are open
  int64_t round_begin_ns_ = 0;
  std::vector<int64_t> round_ns_;
};

}  // namespace lab
