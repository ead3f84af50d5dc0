// SPDX-License-Identifier: GPL-2.0-only
#include "lab_device.h"

#include <stdexcept>
#include <utility>

#include "lab_stack.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/mac48-address.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "switch_pause.h"

namespace lab {

NS_OBJECT_ENSURE_REGISTERED(LabNetDevice);

ns3::TypeId LabNetDevice::GetTypeId() {
  static ns3::TypeId type = ns3::TypeId("lab::LabNetDevice").SetParent<ns3::NetDevice>().AddConstructor<LabNetDevice>();
  return type;
}

void LabNetDevice::setup(const DeviceRules& rules, bool of_host, uint64_t rate, ns3::TypeId queue_type) {
  rules_ = rules;
  of_host_ = of_host;
  rate_ = ns3::DataRate(rate);
  address_ = ns3::Mac48Address::Allocate();
  auto flow_control =
      ns3::CreateObjectWithAttributes<ns3::NetDeviceQueueInterface>("TxQueuesType", ns3::TypeIdValue(queue_type));
  queue_ = flow_control->GetTxQueue(0);
  AggregateObject(flow_control);
}

void LabNetDevice::link(ns3::Ptr<LabNetDevice> far_end, ns3::Time delay) {
  far_end_ = far_end;
  delay_ = delay;
}

bool LabNetDevice::SetMtu(const uint16_t mtu) { return mtu == kMtu; }

ns3::Address LabNetDevice::GetBroadcast() const { return ns3::Mac48Address::GetBroadcast(); }

void LabNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback) {
  throw std::logic_error("a device of the lab shows no packet to a second reader");
}

std::function<uint64_t()> LabNetDevice::wire() const {
  return [this] {
    const ns3::Time left = sent_ - ns3::Simulator::Now();
    return left.IsStrictlyPositive() ? static_cast<uint64_t>(left.GetNanoSeconds()) : 0;
  };
}

ns3::Time LabNetDevice::time_of(uint32_t bytes) {
  if (bytes == timed_.first) return timed_.second;
  const auto [place, fresh] = times_.try_emplace(bytes);
  if (fresh) place->second = rate_.CalculateBytesTxTime(bytes);
  timed_ = *place;
  return timed_.second;
}

bool LabNetDevice::Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address&, uint16_t protocol) {
  if (protocol != ns3::Ipv4L3Protocol::PROT_NUMBER) throw std::runtime_error("the lab's networks carry IPv4 only");
  SentTag tag;
  if (of_host_ && packet->PeekPacketTag(tag)) {
    tag.left = static_cast<uint64_t>(ns3::Simulator::Now().GetNanoSeconds());
    packet->ReplacePacketTag(tag);
  }
  if (source_) {
    SourceTag source;
    source.source = *source_;
    packet->ReplacePacketTag(source);
  }
  packet->AddPaddingAtEnd(rules_.frames.length(packet->GetSize()) + rules_.frames.overhead - packet->GetSize());
  if (!busy_) {
    queue_->Stop();
    start(packet);
    return true;
  }
  if (held_ || !rules_.holds_one) {
    ++*rules_.drops;
    return false;
  }
  held_ = packet;
  queue_->Stop();
  return true;
}

void LabNetDevice::start(ns3::Ptr<ns3::Packet> packet) {
  busy_ = true;
  if (rules_.holds_one)
    ns3::Simulator::ScheduleNow([this] {
      if (!held_) queue_->Wake();
    });
  const ns3::Time time = time_of(packet->GetSize());
  sent_ = ns3::Simulator::Now() + time;
  ns3::Simulator::Schedule(time, &LabNetDevice::complete, this);
  ns3::Simulator::ScheduleWithContext(far_end_->GetNode()->GetId(), time + delay_, &LabNetDevice::receive,
                                      ns3::PeekPointer(far_end_), packet);
}

void LabNetDevice::complete() {
  busy_ = false;
  if (!rules_.holds_one)
    queue_->Wake();
  else if (held_)
    start(std::exchange(held_, nullptr));
}

void LabNetDevice::receive(ns3::Ptr<ns3::Packet> packet) {
  above_(this, packet, ns3::Ipv4L3Protocol::PROT_NUMBER, far_end_->GetAddress());
}

}  // namespace lab
