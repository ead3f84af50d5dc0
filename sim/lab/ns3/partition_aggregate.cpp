// SPDX-License-Identifier: GPL-2.0-only
#include "partition_aggregate.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ns3/simulator.h"

namespace lab {

PartitionAggregate::PartitionAggregate(const Json& input, Network& network, std::vector<Group> groups,
                                       std::function<void()> done)
    : Workload(input, network, std::move(groups), std::move(done)),
      workers_(static_cast<uint32_t>(own_["workers"].natural())) {
  const auto hosts = static_cast<uint32_t>(transfers_.hosts());
  const uint64_t queries = own_["queries"].natural();
  const auto mean_ns = static_cast<double>(own_["interval_ns"].natural());
  std::vector<double> next(hosts);
  for (double& time : next) time = exponential(mean_ns);
  std::vector<uint32_t> others(hosts);
  for (uint64_t number = 0; number < queries; ++number) {
    const auto first = std::min_element(next.begin(), next.end());
    const auto asker = static_cast<uint32_t>(first - next.begin());
    queries_.push_back({static_cast<int64_t>(*first), -1, workers_});
    *first += exponential(mean_ns);
    std::iota(others.begin(), others.end(), 0u);
    std::swap(others[asker], others.back());
    for (uint32_t worker = 0; worker < workers_; ++worker) {
      // The first of a shuffle of all but the asker.
      std::swap(others[worker], others[worker + below(hosts - 1 - worker)]);
      Flow flow;
      flow.sender = others[worker];
      flow.receiver = asker;
      flow.receiver_opens = true;
      flow.request = own_["request_bytes"].natural();
      flow.bytes = own_["answer_bytes"].natural();
      transfers_.add(flow);
    }
  }
}

void PartitionAggregate::start() {
  for (size_t flow = 0; flow < transfers_.flows().size(); ++flow) begin_at(queries_[flow / workers_].begin_ns, flow);
}

void PartitionAggregate::completed(size_t flow) {
  Query& query = queries_[flow / workers_];
  if (--query.open == 0) query.end_ns = ns3::Simulator::Now().GetNanoSeconds();
  Workload::completed(flow);
}

void PartitionAggregate::write(JsonWriter& out) const {
  Histogram times;
  for (const Query& query : queries_)
    if (query.end_ns >= 0) times.add(static_cast<uint64_t>(query.end_ns - query.begin_ns));
  times.write(out, "query_ns");
}

}  // namespace lab
