// SPDX-License-Identifier: GPL-2.0-only
// Long flows that share one port, of one transport or of two, and UDP probes that measure what else waits there.
#pragma once

#include "ns3/socket.h"
#include "workload.h"

namespace lab {

class LongFlows : public Workload {
 public:
  LongFlows(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done);
  void start() override;
  void write(JsonWriter& out) const override;

 private:
  void probe(size_t sender);
  int64_t warmup_ns_, end_ns_;
  uint64_t probe_interval_ns_;
  uint32_t probe_bytes_;
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;  // sender and receiver of each flow
  std::vector<ns3::Ptr<ns3::Socket>> probes_;         // by flow
  ns3::Ptr<ns3::Socket> sink_;
};

}  // namespace lab
