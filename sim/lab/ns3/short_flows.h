// SPDX-License-Identifier: GPL-2.0-only
// Short flows between hosts chosen by chance, at times by chance, so that they load each host's link to a given share.
#pragma once

#include "workload.h"

namespace lab {

class ShortFlows : public Workload {
 public:
  ShortFlows(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done);
  void start() override;

 private:
  std::vector<int64_t> begins_ns_;
};

}  // namespace lab
