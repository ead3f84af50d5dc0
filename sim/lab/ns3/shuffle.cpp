// SPDX-License-Identifier: GPL-2.0-only
// The shuffle of a MapReduce job: every reducer fetches a part of every mapper's output, a few at a time.
#include <algorithm>
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
      map_ends_.push_back(computing_ns(map_ns) + static_cast<int64_t>(below(jitter_ns)));
    if (own_.has("reduce_time_ns"))
      for (uint32_t index = 0; index < reducers; ++index)
        reducing_ns_.push_back(computing_ns(own_["reduce_time_ns"].natural()));
    reducing_ns_.resize(reducers);
    have_all_ns_.resize(reducers);
    Flow flow;
    flow.bytes = own_["flow_bytes"].natural();
    flow.receiver_opens = own_["opened_by"].text() == "reducer";
    const bool apart = own_.has("quiet_priority");
    for (size_t mapper = 0; mapper < mappers_.size(); ++mapper) {
      for (size_t reducer = 0; reducer < reducer_hosts_.size(); ++reducer) {
        have_all_ns_[reducer] = std::max(have_all_ns_[reducer], map_ends_[mapper]);
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

  void write(JsonWriter& out) const override {
    if (!own_.has("map_times") && !own_.has("reduce_time_ns")) return;
    out.key("reduced_s").open('[');
    for (size_t reducer = 0; reducer < have_all_ns_.size(); ++reducer)
      out.value(1e-9 * static_cast<double>(have_all_ns_[reducer] + reducing_ns_[reducer]));
    out.close(']');
  }

 private:
  // Of a task: the mean for all, or drawn about it.
  int64_t computing_ns(uint64_t mean_ns) {
    if (!own_.has("map_times")) return static_cast<int64_t>(mean_ns);
    if (own_["map_times"].text() == "uniform") return static_cast<int64_t>(below(2 * mean_ns + 1));
    return static_cast<int64_t>(exponential(static_cast<double>(mean_ns)));
  }

  void map_done(size_t mapper) {
    for (size_t flow = 0; flow < mapper_of_flow_.size(); ++flow)
      if (mapper_of_flow_[flow] == mapper) fetches_.ready(reducer_of_flow_[flow], flow);
    // Mappers that end in the same instant are all there before the first fetch begins.
    ns3::Simulator::ScheduleNow([this] { fetches_.begin(); });
  }

  void completed(size_t flow) override {
    // Its own host's tasks, which it reads from the disk, may end later.
    auto& have_all = have_all_ns_[reducer_of_flow_[flow]];
    have_all = std::max(have_all, ns3::Simulator::Now().GetNanoSeconds());
    fetches_.completed(reducer_of_flow_[flow]);
    Workload::completed(flow);
  }

  std::vector<uint32_t> mappers_;                         // hosts
  std::vector<uint32_t> reducer_hosts_;                   // hosts, by reducer
  std::vector<int64_t> map_ends_;                         // by mapper
  std::vector<int64_t> have_all_ns_, reducing_ns_;        // by reducer: when it has every map output, and what follows
  std::vector<size_t> mapper_of_flow_, reducer_of_flow_;  // indices into the lists above
  Fetches fetches_;
};

}  // namespace

std::unique_ptr<Workload> make_shuffle(const Setup& setup) { return std::make_unique<Shuffle>(setup); }

}  // namespace lab
