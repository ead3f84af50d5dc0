// SPDX-License-Identifier: GPL-2.0-only
#include "lab_stack.h"

#include <stdexcept>

#include "ns3/simulator.h"
#include "ns3/socket.h"

namespace lab {
namespace {

bool before(uint32_t left, uint32_t right) { return static_cast<int32_t>(left - right) < 0; }

}  // namespace

NS_OBJECT_ENSURE_REGISTERED(LabTrafficControlLayer);

ns3::TypeId SentTag::GetTypeId() {
  static ns3::TypeId type = ns3::TypeId("lab::SentTag").SetParent<ns3::Tag>().AddConstructor<SentTag>();
  return type;
}

void HostEgress::pass(ns3::Packet& packet, ns3::Ipv4Header& header) {
  // By its socket's priority: a socket of ns-3 3.44 whose type of service is not 0 sends nothing ECN-capable.
  if (ns3::SocketPriorityTag priority; packet.RemovePacketTag(priority)) set_priority(header, priority.GetPriority());
  const Segment segment(header, packet);
  const bool capable = header.GetEcn() != ns3::Ipv4Header::ECN_NotECT;
  if (is_control(segment.class_id) && pin_control_) {
    if (capable) ++counts_->pinned_control;
    header.SetEcn(ns3::Ipv4Header::ECN_NotECT);
  } else if (segment.class_id == TM_DATA) {
    const uint64_t flow =
        uint64_t{header.GetDestination().Get()} << 32 | uint32_t{segment.source} << 16 | uint32_t{segment.destination};
    const uint32_t end = segment.sequence + segment.payload;
    const auto [place, fresh] = sent_.try_emplace(flow, Sent{end, capable});
    if (!fresh && before(segment.sequence, place->second.up_to)) {
      ++counts_->retransmissions;
      const bool wanted = place->second.ecn && rule_ == RetransmitEct::kNs2;
      if (wanted != capable) ++counts_->pinned_retransmissions;
      header.SetEcn(wanted ? ns3::Ipv4Header::ECN_ECT0 : ns3::Ipv4Header::ECN_NotECT);
    }
    if (before(place->second.up_to, end)) place->second.up_to = end;
  }
  counts_->sent[segment.class_id].add(packet.GetSize() + header.GetSerializedSize());
  if (is_control(segment.class_id) && header.GetEcn() != ns3::Ipv4Header::ECN_NotECT) ++counts_->sent_ect_control;
  SentTag tag;
  tag.time = static_cast<uint64_t>(ns3::Simulator::Now().GetNanoSeconds());
  packet.AddPacketTag(tag);
}

ns3::TypeId LabTrafficControlLayer::GetTypeId() {
  static ns3::TypeId type = ns3::TypeId("lab::LabTrafficControlLayer")
                                .SetParent<ns3::TrafficControlLayer>()
                                .AddConstructor<LabTrafficControlLayer>();
  return type;
}

void LabTrafficControlLayer::setup(const FrameRules& rules, std::shared_ptr<HostEgress> egress) {
  rules_ = rules;
  egress_ = std::move(egress);
}

void LabTrafficControlLayer::Send(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<ns3::QueueDiscItem> item) {
  auto* ip = dynamic_cast<ns3::Ipv4QueueDiscItem*>(ns3::PeekPointer(item));
  if (!ip) throw std::runtime_error("the lab's networks carry IPv4 only");
  ns3::Ipv4Header header = ip->GetHeader();
  if (translator_) translator_->out(*item->GetPacket(), header);
  if (egress_) egress_->pass(*item->GetPacket(), header);
  if (lose_ > 0 && lose_-- == 1) return;
  TrafficControlLayer::Send(
      device, ns3::Create<FrameItem>(item->GetPacket(), item->GetAddress(), item->GetProtocol(), header, rules_));
}

void LabTrafficControlLayer::Receive(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<const ns3::Packet> packet,
                                     uint16_t protocol, const ns3::Address& from, const ns3::Address& to,
                                     ns3::NetDevice::PacketType type) {
  if (translator_) packet = translator_->in(packet);
  TrafficControlLayer::Receive(device, packet, protocol, from, to, type);
}

}  // namespace lab
