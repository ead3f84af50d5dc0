// SPDX-License-Identifier: GPL-2.0-only
// The results of a run as files.
#pragma once

#include <map>
#include <string>

#include "network.h"
#include "workload.h"

namespace lab {

struct RunFigures {
  bool finished = false;
  uint64_t stop_ns = 0, simulated_ns = 0, events = 0, sample_ns = 0;
  double cpu_s = 0, wall_s = 0;
};

void write_results(const std::string& path, const Network& network, const Workload& job, const TcpCounts& tcp,
                   const std::map<std::string, uint64_t>& discs, const RunFigures& figures);
void write_flows(const std::string& path, const Workload& job);

}  // namespace lab
