// SPDX-License-Identifier: GPL-2.0-only
// Partition / aggregate: a host asks others with a small request, each answers, and the query is done with the last
// answer. Queries come at random at every host. Connections are opened with the query, or some time ahead of it.
#include <algorithm>
#include <numeric>

#include "ns3/simulator.h"
#include "workload.h"

namespace lab {
namespace {

class PartitionAggregate : public Workload {
 public:
  explicit PartitionAggregate(const Setup& setup)
      : Workload(setup), workers_(static_cast<uint32_t>(own_["workers"].natural())) {
    const auto hosts = static_cast<uint32_t>(transfers_.hosts());
    const uint64_t queries = own_["queries"].natural();
    const auto ahead_ns = static_cast<int64_t>(own_["open_ahead_ns"].natural());
    const auto mean_ns = static_cast<double>(own_["interval_ns"].natural());
    std::vector<double> next(hosts);
    for (double& time : next) time = exponential(mean_ns);
    std::vector<uint32_t> others(hosts);
    for (uint64_t number = 0; number < queries; ++number) {
      const auto first = std::min_element(next.begin(), next.end());
      const auto asker = static_cast<uint32_t>(first - next.begin());
      open_ns_.push_back(static_cast<int64_t>(*first));
      queries_.push_back({open_ns_.back() + ahead_ns, -1, workers_});
      *first += exponential(mean_ns);
      std::iota(others.begin(), others.end(), 0u);
      std::swap(others[asker], others.back());
      for (uint32_t worker = 0; worker < workers_; ++worker) {
        // The first of a shuffle of all but the asker.
        std::swap(others[worker], others[worker + below(hosts - 1 - worker)]);
        transfers_.add({.sender = others[worker],
                        .receiver = asker,
                        .bytes = own_["answer_bytes"].natural(),
                        .request = own_["request_bytes"].natural(),
                        .request_ns = ahead_ns ? queries_.back().begin_ns : -1,
                        .receiver_opens = true});
      }
    }
  }

  void start() override {
    for (size_t flow = 0; flow < transfers_.flows().size(); ++flow) begin_at(open_ns_[flow / workers_], flow);
  }

  void write(JsonWriter& out) const override {
    Histogram times;
    for (const Query& query : queries_)
      if (query.end_ns >= 0) times.add(static_cast<uint64_t>(query.end_ns - query.begin_ns));
    times.write(out, "query_ns");
  }

 private:
  struct Query {
    int64_t begin_ns, end_ns;
    uint32_t open;  // answers still to come
  };

  void completed(size_t flow) override {
    Query& query = queries_[flow / workers_];
    if (--query.open == 0) query.end_ns = ns3::Simulator::Now().GetNanoSeconds();
    Workload::completed(flow);
  }

  uint32_t workers_;
  std::vector<int64_t> open_ns_;  // by query: when its connections are opened
  std::vector<Query> queries_;    // query q has the flows from q * workers on
};

}  // namespace

std::unique_ptr<Workload> make_partition_aggregate(const Setup& setup) {
  return std::make_unique<PartitionAggregate>(setup);
}

}  // namespace lab
