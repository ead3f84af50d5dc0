// SPDX-License-Identifier: GPL-2.0-only
#include "two_bottlenecks.h"

#include <utility>

#include "ns3/simulator.h"

namespace lab {

TwoBottlenecks::TwoBottlenecks(const Json& input, Network& network, std::vector<Group> groups,
                               std::function<void()> done)
    : Workload(input, network, std::move(groups), std::move(done)),
      warmup_ns_(static_cast<int64_t>(own_["warmup_ns"].natural())),
      end_ns_(static_cast<int64_t>(own_["duration_ns"].natural())) {
  const auto count = [this](const char* name) { return static_cast<uint32_t>(own_[name].natural()); };
  const uint32_t s1 = count("s1"), s2 = count("s2"), s3 = count("s3");
  // Hosts of the second switch: R1, the receivers of S2, S3.
  const uint32_t shared = static_cast<uint32_t>(transfers_.hosts()) / 2;
  const auto add = [this](const char* name, uint32_t number, auto sender, auto receiver) {
    senders_.push_back({name, transfers_.flows().size(), number});
    for (uint32_t each = 0; each < number; ++each) {
      Flow flow;
      flow.bytes = kEndless;
      flow.sender = sender(each);
      flow.receiver = receiver(each);
      transfers_.add(flow);
    }
  };
  const auto to_shared = [shared](uint32_t) { return shared; };
  add("S1", s1, [](uint32_t each) { return each; }, to_shared);
  add("S2", s2, [s1](uint32_t each) { return s1 + each; }, [shared](uint32_t each) { return shared + 1 + each; });
  add("S3", s3, [shared, s2](uint32_t each) { return shared + 1 + s2 + each; }, to_shared);
}

void TwoBottlenecks::start() {
  const auto startup = static_cast<uint64_t>(own_["startup_ns"].natural());
  for (const Senders& group : senders_) {
    const uint64_t step = startup / group.count;  // each flow begins within its own
    for (size_t each = 0; each < group.count; ++each)
      begin_at(static_cast<int64_t>(each * step + below(step)), group.first + each);
  }
  ns3::Simulator::Schedule(ns3::NanoSeconds(warmup_ns_), [this] { open_window(); });
  ns3::Simulator::Schedule(ns3::NanoSeconds(end_ns_), [this] {
    network_.close_window();
    transfers_.end_early();
  });
}

void TwoBottlenecks::write(JsonWriter& out) const {
  const double seconds = 1e-9 * static_cast<double>(end_ns_ - warmup_ns_);
  out.key("goodput_bit_s").open('{');
  for (const Senders& group : senders_) {
    out.key(group.name).open('[');
    for (size_t each = 0; each < group.count; ++each)
      out.value(8.0 * static_cast<double>(transfers_.flows()[group.first + each].in_window) / seconds);
    out.close(']');
  }
  out.close('}');
}

}  // namespace lab
