// SPDX-License-Identifier: GPL-2.0-only
// Short flows between random hosts, at random times, so that they load each host's link to a given share.
#include "workload.h"

namespace lab {
namespace {

class ShortFlows : public Workload {
 public:
  explicit ShortFlows(const Setup& setup) : Workload(setup) {
    const auto hosts = static_cast<uint32_t>(transfers_.hosts());
    const auto bytes = own_["flow_bytes"].natural();
    const auto rate = static_cast<double>(setup.input["scenario"]["topology"]["host_rate"].natural());
    // Goodput over the sum of all links from hosts.
    const double mean_ns = 8e9 * static_cast<double>(bytes) / (own_["load"].number() * rate * hosts);
    const bool equal = own_["flow_sizes"].text() == "equal";
    double time = 0;
    for (uint64_t number = 0; number < own_["flows"].natural(); ++number) {
      time += exponential(mean_ns);
      begins_ns_.push_back(static_cast<int64_t>(time));
      Flow flow;
      flow.sender = static_cast<uint32_t>(below(hosts));
      flow.receiver = other_than(flow.sender, hosts);
      flow.bytes = equal ? bytes : 1 + static_cast<uint64_t>(exponential(static_cast<double>(bytes)));
      transfers_.add(flow);
    }
  }

  void start() override {
    for (size_t flow = 0; flow < begins_ns_.size(); ++flow) begin_at(begins_ns_[flow], flow);
  }

  void write(JsonWriter& out) const override { out.pair("completed_in_time", in_time_); }

 private:
  void completed(size_t flow) override {
    in_time_ += transfers_.flows()[flow].end_ns <= begins_ns_.back();
    Workload::completed(flow);
  }

  std::vector<int64_t> begins_ns_;
  uint64_t in_time_ = 0;  // complete when the last one begins
};

}  // namespace

std::unique_ptr<Workload> make_short_flows(const Setup& setup) { return std::make_unique<ShortFlows>(setup); }

}  // namespace lab
