// SPDX-License-Identifier: GPL-2.0-only
// Long flows that share one port, of one transport or of two, and UDP probes that measure what else waits there.
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"
#include "workload.h"

namespace lab {
namespace {

constexpr uint16_t kProbePort = 9;  // discard

class LongFlows : public Workload {
 public:
  explicit LongFlows(const Setup& setup)
      : Workload(setup),
        warmup_ns_(static_cast<int64_t>(own_["warmup_ns"].natural())),
        end_ns_(static_cast<int64_t>(own_["duration_ns"].natural())),
        probe_interval_ns_(own_["probe_interval_ns"].natural()),
        probe_bytes_(static_cast<uint32_t>(own_["probe_bytes"].natural())),
        start_gap_ns_(static_cast<int64_t>(own_["start_gap_ns"].natural())) {
    const auto flows = static_cast<uint32_t>(own_["flows"].natural());
    const auto rivals = static_cast<uint32_t>(own_["rivals"].natural());
    const bool shared = own_["receivers"].text() == "one";
    const uint32_t per_rack = static_cast<uint32_t>(setup.input["scenario"]["topology"]["hosts_per_rack"].natural());
    const bool dumbbell = setup.input["scenario"]["topology"]["kind"].text() == "dumbbell";
    for (uint32_t number = 0; number < flows + rivals; ++number) {
      // On a dumbbell from one side to the other; elsewhere the receivers are the first hosts.
      const uint32_t receivers = shared ? 1 : flows + rivals;
      transfers_.add({.group = number < flows ? 0u : 1u,
                      .sender = dumbbell ? number : receivers + number,
                      .receiver = (dumbbell ? per_rack : 0) + (shared ? 0 : number),
                      .bytes = kEndless});
    }
  }

  void start() override {
    const uint64_t jitter = own_["start_jitter_ns"].natural();
    for (size_t flow = 0; flow < transfers_.flows().size(); ++flow)
      begin_at(static_cast<int64_t>(below(jitter)) + static_cast<int64_t>(flow) * start_gap_ns_, flow);
    windows_.resize(transfers_.flows().size());
    measure_between(warmup_ns_, end_ns_);
    if (probe_interval_ns_ == 0) return;
    for (size_t flow = 0; flow < transfers_.flows().size(); ++flow) {
      const auto udp = ns3::UdpSocketFactory::GetTypeId();
      const auto [sender, receiver] = std::pair(transfers_.flows()[flow].sender, transfers_.flows()[flow].receiver);
      if (!sink_ || own_["receivers"].text() != "one") {
        sink_ = ns3::Socket::CreateSocket(transfers_.host(receiver), udp);
        sink_->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), kProbePort));
        sink_->SetRecvCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>>([](ns3::Ptr<ns3::Socket> socket) {
          while (socket->Recv()) continue;
        }));
      }
      auto socket = ns3::Socket::CreateSocket(transfers_.host(sender), udp);
      socket->Connect(ns3::InetSocketAddress(address_of(transfers_.host(receiver)), kProbePort));
      if (own_.has("probe_priority")) socket->SetPriority(static_cast<uint8_t>(own_["probe_priority"].natural()));
      probes_.push_back(socket);
      // Spread over the interval, so that probes of several senders do not come together.
      const auto first = static_cast<int64_t>(below(probe_interval_ns_));
      ns3::Simulator::Schedule(ns3::NanoSeconds(first), [this, flow] { probe(flow); });
    }
  }

  void write(JsonWriter& out) const override {
    const double seconds = 1e-9 * static_cast<double>(end_ns_ - warmup_ns_);
    out.key("goodput_bit_s").open('{');
    for (size_t group = 0; group < transfers_.groups().size(); ++group) {
      out.key(transfers_.groups()[group].name).open('[');
      for (const Flow& flow : transfers_.flows())
        if (flow.group == group) out.value(8.0 * static_cast<double>(flow.in_window) / seconds);
      out.close(']');
    }
    out.close('}').key("windows").open('[');
    for (const auto& windows : windows_) {
      out.open('[');
      for (const uint32_t bytes : windows) out.value(uint64_t{bytes});
      out.close(']');
    }
    out.close(']');
  }

  void sample() override {
    for (size_t flow = 0; flow < windows_.size(); ++flow) windows_[flow].push_back(transfers_.window_of(flow));
  }

 private:
  void probe(size_t sender) {
    const auto next = static_cast<int64_t>(probe_interval_ns_ / 2 + below(probe_interval_ns_));
    if (ns3::Simulator::Now().GetNanoSeconds() + next >= end_ns_) return;
    probes_[sender]->Send(ns3::Create<ns3::Packet>(probe_bytes_));
    ns3::Simulator::Schedule(ns3::NanoSeconds(next), [this, sender] { probe(sender); });
  }

  int64_t warmup_ns_, end_ns_;
  uint64_t probe_interval_ns_;
  uint32_t probe_bytes_;
  int64_t start_gap_ns_;
  std::vector<std::vector<uint32_t>> windows_;  // by flow: at each step of the run's series
  std::vector<ns3::Ptr<ns3::Socket>> probes_;   // by flow
  ns3::Ptr<ns3::Socket> sink_;
};

}  // namespace

std::unique_ptr<Workload> make_long_flows(const Setup& setup) { return std::make_unique<LongFlows>(setup); }

}  // namespace lab
