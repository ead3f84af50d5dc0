// SPDX-License-Identifier: GPL-2.0-only
#include "workload.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "background.h"
#include "incast.h"
#include "long_flows.h"
#include "ns3/simulator.h"
#include "partition_aggregate.h"
#include "short_flows.h"
#include "shuffle.h"
#include "two_bottlenecks.h"

namespace lab {

Workload::Workload(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done)
    : own_(input["scenario"]["workload"]),
      network_(network),
      random_(input["scenario"]["seed"].natural()),
      transfers_(
          network.hosts, std::move(groups), [&network] { return network.counting(); },
          [this](size_t flow) { completed(flow); }),
      done_(std::move(done)) {}

void Workload::completed(size_t) {
  if (transfers_.completed() == transfers_.flows().size()) finish();
}

void Workload::finish() {
  if (finished_) return;
  finished_ = true;
  done_();
}

void Workload::open_window() {
  network_.open_window();
  transfers_.open_window();
}

void Workload::begin_at(int64_t time_ns, size_t flow) {
  ns3::Simulator::Schedule(ns3::NanoSeconds(time_ns), [this, flow] { transfers_.begin(flow); });
}

// By hand: the library's distributions differ between compilers, and a seed should not.
double Workload::exponential(double mean) {
  const double uniform = static_cast<double>((random_() >> 11) + 1) * 0x1p-53;  // (0, 1]
  return -mean * std::log(uniform);
}

uint32_t Workload::other_than(uint32_t host, uint32_t count) {
  const auto chosen = static_cast<uint32_t>(below(count - 1));
  return chosen < host ? chosen : chosen + 1;
}

std::unique_ptr<Workload> make_workload(const Json& input, Network& network, std::vector<Group> groups,
                                        std::function<void()> done) {
  const std::string& kind = input["scenario"]["workload"]["kind"].text();
  const auto make = [&]<typename Kind>() {
    return std::make_unique<Kind>(input, network, std::move(groups), std::move(done));
  };
  if (kind == "shuffle") return make.operator()<Shuffle>();
  if (kind == "long-flows") return make.operator()<LongFlows>();
  if (kind == "two-bottlenecks") return make.operator()<TwoBottlenecks>();
  if (kind == "background") return make.operator()<Background>();
  if (kind == "incast") return make.operator()<Incast>();
  if (kind == "partition-aggregate") return make.operator()<PartitionAggregate>();
  if (kind == "short-flows") return make.operator()<ShortFlows>();
  throw std::runtime_error("scenario.workload.kind: there is no '" + kind + "'");
}

}  // namespace lab
