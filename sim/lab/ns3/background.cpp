// SPDX-License-Identifier: GPL-2.0-only
// A MapReduce job in rounds against background load: the next round begins when the flows of one are complete. A
// round's flows begin together, between any two hosts, or are a shuffle of all hosts' map outputs. The background goes
// from hosts of the second switch to hosts of the first, for as long as the job.
#include <numeric>
#include <optional>
#include <utility>

#include "fetches.h"
#include "ns3/simulator.h"
#include "workload.h"

namespace lab {
namespace {

constexpr uint32_t kJob = 0, kBackground = 1;  // groups

int64_t now_ns() { return ns3::Simulator::Now().GetNanoSeconds(); }

class Background : public Workload {
 public:
  explicit Background(const Setup& setup)
      : Workload(setup),
        pairs_(own_["pairs"].natural()),
        flows_per_round_(own_["flows_per_round"].natural()),
        rounds_(own_["rounds"].natural()) {
    const auto hosts = static_cast<uint32_t>(transfers_.hosts());
    for (size_t pair = 0; pair < pairs_; ++pair) {
      const uint64_t bytes = own_["background_bytes"].natural();
      transfers_.add({.group = kBackground,
                      .sender = hosts / 2 + static_cast<uint32_t>(pair),
                      .receiver = static_cast<uint32_t>(pair),
                      .bytes = bytes ? bytes : kEndless});
    }
    const auto reducers = static_cast<uint32_t>(own_["reducers"].natural());
    for (size_t round = 0; round < rounds_; ++round) reducers ? add_shuffle(hosts, reducers) : add_flows(hosts);
  }

  void start() override {
    for (size_t pair = 0; pair < pairs_; ++pair) begin_at(jitter_ns(), pair);
    ns3::Simulator::Schedule(ns3::NanoSeconds(static_cast<int64_t>(own_["job_begin_ns"].natural())),
                             [this] { begin_round(); });
  }

  void write(JsonWriter& out) const override {
    double background = 0;
    for (const Flow& flow : transfers_.flows())
      if (flow.group == kBackground) background += static_cast<double>(flow.in_window);
    const auto span = static_cast<double>(network_.window_ns());
    write_rounds(out, round_ns_);
    out.pair("background_bit_s", span > 0 ? 8e9 * background / span : 0.0);
  }

 private:
  void begin_round() {
    if (begun_ == 0) open_window();
    round_begin_ns_ = now_ns();
    left_ = flows_per_round_;
    const size_t first = pairs_ + begun_ * flows_per_round_;
    ++begun_;
    if (reducer_of_flow_.empty()) {
      for (size_t number = 0; number < flows_per_round_; ++number) begin_at(jitter_ns(), first + number);
      return;
    }
    fetches_.emplace(
        own_["reducers"].natural(), static_cast<uint32_t>(own_["parallel_fetches"].natural()),
        [this](uint64_t limit) { return below(limit); }, [this](size_t flow) { transfers_.begin(flow); });
    for (size_t flow = first; flow < first + flows_per_round_; ++flow)
      fetches_->ready(reducer_of_flow_[flow - pairs_], flow);
    ns3::Simulator::Schedule(ns3::NanoSeconds(jitter_ns()), [this] { fetches_->begin(); });
  }

  int64_t jitter_ns() { return static_cast<int64_t>(below(own_["start_jitter_ns"].natural())); }

  void completed(size_t flow) override {
    if (flow >= pairs_ && fetches_) fetches_->completed(reducer_of_flow_[flow - pairs_]);
    if (flow >= pairs_ && --left_ == 0) {
      round_ns_.push_back(now_ns() - round_begin_ns_);
      if (++ended_ < rounds_) {
        begin_round();
        return;
      }
      end_measuring();
    }
    Workload::completed(flow);
  }

  void add_flows(uint32_t hosts) {
    for (size_t number = 0; number < flows_per_round_; ++number) {
      Flow flow;
      flow.group = kJob;
      flow.sender = static_cast<uint32_t>(below(hosts));
      flow.receiver = other_than(flow.sender, hosts);
      flow.bytes = job_flow_bytes();
      transfers_.add(flow);
    }
  }

  // As MRemu's traces of HiBench: reducers on hosts drawn each time, a flow from every other host to each, all of one
  // size to three quarters of them, and of another to the rest.
  void add_shuffle(uint32_t hosts, uint32_t reducers) {
    std::vector<uint32_t> order(hosts);
    std::iota(order.begin(), order.end(), 0u);
    for (uint32_t reducer = 0; reducer < reducers; ++reducer) {
      std::swap(order[reducer], order[reducer + below(hosts - reducer)]);
      for (uint32_t host = 0; host < hosts; ++host) {
        if (host == order[reducer]) continue;  // read from the local disk
        transfers_.add({.group = kJob,
                        .sender = host,
                        .receiver = order[reducer],
                        .bytes = own_[4 * reducer < 3 * reducers ? "usual_bytes" : "largest_bytes"].natural()});
        reducer_of_flow_.push_back(reducer);
      }
    }
  }

  // HiBench-like: three quarters between the least and the usual size, the rest up to the largest, each uniformly.
  uint64_t job_flow_bytes() {
    const uint64_t least = own_["least_bytes"].natural(), usual = own_["usual_bytes"].natural();
    const uint64_t largest = own_["largest_bytes"].natural();
    if (below(4) < 3) return least + below(usual - least + 1);
    return usual + below(largest - usual + 1);
  }

  size_t pairs_, flows_per_round_, rounds_;
  std::vector<size_t> reducer_of_flow_;      // of the job's flows; none without reducers
  std::optional<Fetches> fetches_;           // of this round
  size_t begun_ = 0, ended_ = 0, left_ = 0;  // rounds; job flows of this round that are open
  int64_t round_begin_ns_ = 0;
  std::vector<int64_t> round_ns_;
};

}  // namespace

std::unique_ptr<Workload> make_background(const Setup& setup) { return std::make_unique<Background>(setup); }

}  // namespace lab
