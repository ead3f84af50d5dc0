// SPDX-License-Identifier: GPL-2.0-only
// Long flows of three groups over two switches, as in figure 17 of the DCTCP paper: S1 passes the link between the
// switches and the port to R1, S2 the link alone, S3 the port to R1 alone.
#pragma once

#include "workload.h"

namespace lab {

class TwoBottlenecks : public Workload {
 public:
  TwoBottlenecks(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done);
  void start() override;
  void write(JsonWriter& out) const override;

 private:
  struct Senders {
    const char* name;
    size_t first, count;  // flows
  };
  std::vector<Senders> senders_;
  int64_t warmup_ns_, end_ns_;
};

}  // namespace lab
