// SPDX-License-Identifier: GPL-2.0-only
#include "background.h"

#include <utility>

#include "ns3/simulator.h"

namespace lab {
namespace {

constexpr uint32_t kJob = 0, kBackground = 1;  // groups

int64_t now_ns() { return ns3::Simulator::Now().GetNanoSeconds(); }

}  // namespace

Background::Background(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done)
    : Workload(input, network, std::move(groups), std::move(done)),
      pairs_(own_["pairs"].natural()),
      flows_per_round_(own_["flows_per_round"].natural()),
      rounds_(own_["rounds"].natural()) {
  const auto hosts = static_cast<uint32_t>(transfers_.hosts());
  for (size_t pair = 0; pair < pairs_; ++pair) {
    Flow flow;
    flow.group = kBackground;
    flow.sender = hosts / 2 + static_cast<uint32_t>(pair);
    flow.receiver = static_cast<uint32_t>(pair);
    flow.bytes = own_["background_bytes"].natural() ? own_["background_bytes"].natural() : kEndless;
    transfers_.add(flow);
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

// HiBench-like: three quarters between the least and the usual size, the rest up to the largest, each uniformly.
uint64_t Background::job_flow_bytes() {
  const uint64_t least = own_["least_bytes"].natural(), usual = own_["usual_bytes"].natural();
  const uint64_t largest = own_["largest_bytes"].natural();
  if (below(4) < 3) return least + below(usual - least + 1);
  return usual + below(largest - usual + 1);
}

void Background::start() {
  for (size_t pair = 0; pair < pairs_; ++pair)
    begin_at(static_cast<int64_t>(below(own_["start_jitter_ns"].natural())), pair);
  ns3::Simulator::Schedule(ns3::NanoSeconds(static_cast<int64_t>(own_["job_begin_ns"].natural())),
                           [this] { begin_round(); });
}

void Background::begin_round() {
  if (begun_ == 0) open_window();
  round_begin_ns_ = now_ns();
  left_ = flows_per_round_;
  for (size_t number = 0; number < flows_per_round_; ++number)
    begin_at(static_cast<int64_t>(below(own_["start_jitter_ns"].natural())),
             pairs_ + begun_ * flows_per_round_ + number);
  ++begun_;
}

void Background::completed(size_t flow) {
  if (flow >= pairs_ && --left_ == 0) {
    round_ns_.push_back(now_ns() - round_begin_ns_);
    if (++ended_ < rounds_) {
      begin_round();
      return;
    }
    network_.close_window();
    transfers_.end_early();
  }
  Workload::completed(flow);
}

void Background::write(JsonWriter& out) const {
  double background = 0;
  for (const Flow& flow : transfers_.flows())
    if (flow.group == kBackground) background += static_cast<double>(flow.in_window);
  const auto span = static_cast<double>(network_.window_ns());
  out.key("round_s").open('[');
  for (const int64_t round : round_ns_) out.value(1e-9 * static_cast<double>(round));
  out.close(']').pair("background_bit_s", span > 0 ? 8e9 * background / span : 0.0);
}

}  // namespace lab
