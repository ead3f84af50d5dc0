// SPDX-License-Identifier: GPL-2.0-only
// A MapReduce job in rounds against background load: the flows of a round begin together, and the next round begins
// when they are complete. The background goes from hosts of the second switch to hosts of the first, for as long as the
// job.
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
    for (size_t number = 0; number < rounds_ * flows_per_round_; ++number) {
      Flow flow;
      flow.group = kJob;
      flow.sender = static_cast<uint32_t>(below(hosts));
      flow.receiver = other_than(flow.sender, hosts);
      flow.bytes = job_flow_bytes();
      transfers_.add(flow);
    }
  }

  void start() override {
    for (size_t pair = 0; pair < pairs_; ++pair)
      begin_at(static_cast<int64_t>(below(own_["start_jitter_ns"].natural())), pair);
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
    for (size_t number = 0; number < flows_per_round_; ++number)
      begin_at(static_cast<int64_t>(below(own_["start_jitter_ns"].natural())),
               pairs_ + begun_ * flows_per_round_ + number);
    ++begun_;
  }

  void completed(size_t flow) override {
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

  // HiBench-like: three quarters between the least and the usual size, the rest up to the largest, each uniformly.
  uint64_t job_flow_bytes() {
    const uint64_t least = own_["least_bytes"].natural(), usual = own_["usual_bytes"].natural();
    const uint64_t largest = own_["largest_bytes"].natural();
    if (below(4) < 3) return least + below(usual - least + 1);
    return usual + below(largest - usual + 1);
  }

  size_t pairs_, flows_per_round_, rounds_;
  size_t begun_ = 0, ended_ = 0, left_ = 0;  // rounds; job flows of this round that are open
  int64_t round_begin_ns_ = 0;
  std::vector<int64_t> round_ns_;
};

}  // namespace

std::unique_ptr<Workload> make_background(const Setup& setup) { return std::make_unique<Background>(setup); }

}  // namespace lab
