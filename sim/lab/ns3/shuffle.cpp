// SPDX-License-Identifier: GPL-2.0-only
// The shuffle of a MapReduce job: every reducer fetches a part of every mapper's output, a few at a time.
#include <numeric>
#include <utility>

#include "fetches.h"
#include "ns3/simulator.h"
#include "workload.h"

namespace lab {
namespace {

class Shuffle : public Workload {
 public:
  explicit Shuffle(const Setup& setup)
      : Workload(setup),
        fetches_(
            own_["reducers"].natural(), static_cast<uint32_t>(own_["parallel_fetches"].natural()),
            [this](uint64_t limit) { return below(limit); }, [this](size_t flow) { transfers_.begin(flow); }) {
    const auto mappers = static_cast<uint32_t>(own_["mappers"].natural());
    const auto reducers = static_cast<uint32_t>(own_["reducers"].natural());
    const auto each = static_cast<uint32_t>(own_["processes_per_host"].natural());
    const uint64_t map_ns = own_["map_time_ns"].natural(), jitter_ns = own_["map_jitter_ns"].natural();
    const std::string& placement = own_["mapper_placement"].text();
    // Reducers take the last hosts, so that with one host fewer than there are the first is the master's.
    std::vector<uint32_t> workers(transfers_.hosts());
    std::iota(workers.begin(), workers.end(), 0u);
    const std::vector<uint32_t> reducing(workers.end() - (reducers + each - 1) / each, workers.end());
    for (uint32_t index = 0; index < reducers; ++index) reducer_hosts_.push_back(reducing[index / each]);
    std::vector<uint32_t> candidates = mappers <= reducing.size() && placement != "apart" ? reducing : workers;
    // By hand, for compilers differ in std::shuffle, and a seed should not.
    for (size_t left = placement == "random" ? candidates.size() : 0; left > 1; --left)
      std::swap(candidates[left - 1], candidates[below(left)]);
    if (placement == "spread") {
      // Every n-th worker: as even over the racks as the numbers allow.
      for (uint32_t index = 0; index < mappers; ++index)
        mappers_.push_back(candidates[index * candidates.size() / mappers]);
    } else {
      mappers_.assign(candidates.begin(), candidates.begin() + mappers);
    }
    // Tasks of a mapper are mappers of their own on its host.
    const auto tasks = static_cast<uint32_t>(own_["map_tasks"].natural());
    for (uint32_t index = mappers; index < mappers * tasks; ++index) mappers_.push_back(mappers_[index % mappers]);
    for (size_t index = 0; index < mappers_.size(); ++index)
      map_ends_.push_back(static_cast<int64_t>(map_ns + below(jitter_ns)));
    Flow flow;
    flow.bytes = own_["flow_bytes"].natural();
    flow.receiver_opens = own_["opened_by"].text() == "reducer";
    const bool apart = own_.has("quiet_priority");
    for (size_t mapper = 0; mapper < mappers_.size(); ++mapper) {
      for (size_t reducer = 0; reducer < reducer_hosts_.size(); ++reducer) {
        if (mappers_[mapper] == reducer_hosts_[reducer]) continue;  // read from the local disk
        flow.sender = mappers_[mapper];
        flow.receiver = reducer_hosts_[reducer];
        // The last host has the fewest reducers.
        if (apart && flow.receiver == reducer_hosts_.back())
          flow.priority = static_cast<uint32_t>(own_["quiet_priority"].natural());
        else
          flow.priority.reset();
        transfers_.add(flow);
        mapper_of_flow_.push_back(mapper);
        reducer_of_flow_.push_back(reducer);
      }
    }
  }

  void start() override {
    for (size_t mapper = 0; mapper < mappers_.size(); ++mapper)
      ns3::Simulator::Schedule(ns3::NanoSeconds(map_ends_[mapper]), [this, mapper] { map_done(mapper); });
  }

 private:
  void map_done(size_t mapper) {
    for (size_t flow = 0; flow < mapper_of_flow_.size(); ++flow)
      if (mapper_of_flow_[flow] == mapper) fetches_.ready(reducer_of_flow_[flow], flow);
    // Mappers that end in the same instant are all there before the first fetch begins.
    ns3::Simulator::ScheduleNow([this] { fetches_.begin(); });
  }

  void completed(size_t flow) override {
    fetches_.completed(reducer_of_flow_[flow]);
    Workload::completed(flow);
  }

  std::vector<uint32_t> mappers_;                         // hosts
  std::vector<uint32_t> reducer_hosts_;                   // hosts, by reducer
  std::vector<int64_t> map_ends_;                         // by mapper
  std::vector<size_t> mapper_of_flow_, reducer_of_flow_;  // indices into the lists above
  Fetches fetches_;
};

}  // namespace

std::unique_ptr<Workload> make_shuffle(const Setup& setup) { return std::make_unique<Shuffle>(setup); }

}  // namespace lab
