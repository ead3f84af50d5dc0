// SPDX-License-Identifier: GPL-2.0-only
#include "incast.h"

#include <utility>

#include "ns3/simulator.h"

namespace lab {

Incast::Incast(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done)
    : Workload(input, network, std::move(groups), std::move(done)),
      senders_(static_cast<uint32_t>(own_["senders"].natural())),
      jitter_ns_(own_["start_jitter_ns"].natural()) {
  const uint64_t block = own_["block_bytes"].natural(), rounds = own_["rounds"].natural();
  for (uint64_t round = 0; round < rounds; ++round) {
    for (uint32_t sender = 0; sender < senders_; ++sender) {
      Flow flow;
      flow.sender = sender + 1;
      flow.receiver_opens = true;
      flow.request = own_["request_bytes"].natural();
      flow.bytes = block / senders_ + (sender < block % senders_);
      transfers_.add(flow);
    }
  }
}

void Incast::start() { ask(); }

void Incast::ask() {
  round_begin_ns_ = ns3::Simulator::Now().GetNanoSeconds();
  for (uint32_t sender = 0; sender < senders_; ++sender)
    begin_at(static_cast<int64_t>(below(jitter_ns_)), asked_ * senders_ + sender);
  ++asked_;
}

void Incast::completed(size_t flow) {
  if (transfers_.completed() % senders_ == 0) {
    round_ns_.push_back(ns3::Simulator::Now().GetNanoSeconds() - round_begin_ns_);
    if (asked_ * senders_ < transfers_.flows().size()) ask();
  }
  Workload::completed(flow);
}

void Incast::write(JsonWriter& out) const {
  out.key("round_s").open('[');
  for (const int64_t span : round_ns_) out.value(1e-9 * static_cast<double>(span));
  out.close(']');
}

}  // namespace lab
