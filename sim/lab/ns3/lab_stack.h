// SPDX-License-Identifier: GPL-2.0-only
// What the lab changes of ns-3's network stack on a node: frames that count Ethernet bytes, and hosts whose packets
// carry the ECN field that the standards ask for.
#pragma once

#include <unordered_map>

#include "frame.h"
#include "ns3/tag.h"
#include "ns3/traffic-control-layer.h"
#include "window_translator.h"

namespace lab {

// When a host handed a packet to its network interface, and when its own queue let it go to the link.
class SentTag : public ns3::Tag {
 public:
  static ns3::TypeId GetTypeId();
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  uint32_t GetSerializedSize() const override { return 16; }
  void Serialize(ns3::TagBuffer buffer) const override { buffer.WriteU64(time), buffer.WriteU64(left); }
  void Deserialize(ns3::TagBuffer buffer) override { time = buffer.ReadU64(), left = buffer.ReadU64(); }
  void Print(std::ostream& out) const override { out << time; }
  uint64_t time = 0;
  uint64_t left = 0;
};

// What leaves the hosts, of all of them together.
struct EgressCounts {
  std::array<Count, kClasses> sent{};
  uint64_t sent_ect_control = 0;  // after the rewrite; must stay 0
  uint64_t pinned_control = 0;    // control packets that came ECN-capable from ns-3
  uint64_t pinned_retransmissions = 0;
  uint64_t retransmissions = 0;
};

// A host's last say over the IP header: control packets are Not-ECT (RFC 3168), retransmissions as the scenario says,
// and the DSCP is the priority's of its socket.
class HostEgress {
 public:
  enum class RetransmitEct { kNs2, kRfc3168 };
  // `pin_control` off: a fault that a test puts in, which the checks of the run must find.
  HostEgress(RetransmitEct rule, bool pin_control, EgressCounts* counts)
      : rule_(rule), pin_control_(pin_control), counts_(counts) {}
  void pass(ns3::Packet& packet, ns3::Ipv4Header& header);

 private:
  RetransmitEct rule_;
  bool pin_control_;
  EgressCounts* counts_;
  struct Sent {
    uint32_t up_to;
    bool ecn;  // whether its first data were ECN-capable
  };
  std::unordered_map<uint64_t, Sent> sent_;  // by peer and ports
};

// Every packet that a node sends goes through here, as an item that counts frame bytes.
class LabTrafficControlLayer : public ns3::TrafficControlLayer {
 public:
  static ns3::TypeId GetTypeId();
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  void setup(const FrameRules& rules, std::shared_ptr<HostEgress> egress);  // none on a switch
  void translate(std::shared_ptr<WindowTranslator> translator) { translator_ = std::move(translator); }
  bool of_host() const { return egress_ != nullptr; }
  void lose_one_packet() { lose_ = 1; }  // a fault for a test
  void Send(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<ns3::QueueDiscItem> item) override;
  void Receive(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<const ns3::Packet> packet, uint16_t protocol,
               const ns3::Address& from, const ns3::Address& to, ns3::NetDevice::PacketType type) override;

 private:
  FrameRules rules_;
  std::shared_ptr<HostEgress> egress_;
  std::shared_ptr<WindowTranslator> translator_;  // of a host whose guests have one below them
  unsigned lose_ = 0;
};

}  // namespace lab
