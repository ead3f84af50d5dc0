// SPDX-License-Identifier: GPL-2.0-only
// Incast: one host asks many for their parts of a block, all at once, and asks again when it has the whole block.
#pragma once

#include "workload.h"

namespace lab {

class Incast : public Workload {
 public:
  Incast(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done);
  void start() override;
  void write(JsonWriter& out) const override;

 private:
  void ask();
  void completed(size_t flow) override;
  uint32_t senders_;
  uint64_t jitter_ns_;
  size_t asked_ = 0;  // rounds
  int64_t round_begin_ns_ = 0;
  std::vector<int64_t> round_ns_;  // time of each round
};

}  // namespace lab
