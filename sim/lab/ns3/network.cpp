// SPDX-License-Identifier: GPL-2.0-only
#include "network.h"

#include <map>
#include <stdexcept>

#include "lab_device.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/node-list.h"
#include "ns3/simulator.h"

namespace lab {
namespace {

uint64_t now_ns() { return static_cast<uint64_t>(ns3::Simulator::Now().GetNanoSeconds()); }

uint64_t sum(const std::array<Count, kClasses>& counts) {
  uint64_t packets = 0;
  for (const Count& count : counts) packets += count.packets;
  return packets;
}

}  // namespace

uint64_t Network::sent_packets() const { return sum(sent.sent); }
uint64_t Network::delivered_packets() const { return sum(delivered); }

uint64_t Network::dropped_packets() const {
  uint64_t packets = ip_drops + device_drops;
  for (const auto& disc : discs) packets += disc->GetStats().nTotalDroppedPackets;
  return packets;
}

void Network::open_window() {
  counting_ = true;
  window_begin_ns_ = now_ns();
  latency = latency_network = latency_data = latency_probe = Histogram();
  for (const auto& port : ports) port->open_window(now_ns());
  for (const auto& pool : pools) pool->clear_watermarks();
}

void Network::close_window() {
  if (!counting_) return;
  counting_ = false;
  window_ns_ = now_ns() - window_begin_ns_;
  for (const auto& port : ports) port->close_window(now_ns());
}

void watch(Network* network) {
  for (const auto& host : network->hosts) {
    auto ipv4 = host->GetObject<ns3::Ipv4L3Protocol>();
    ipv4->TraceConnectWithoutContext(
        "LocalDeliver", ns3::Callback<void, const ns3::Ipv4Header&, ns3::Ptr<const ns3::Packet>, uint32_t>(
                            [network](const ns3::Ipv4Header& header, ns3::Ptr<const ns3::Packet> packet, uint32_t) {
                              const Segment segment(header, *packet);
                              network->delivered[segment.class_id].add(packet->GetSize() + header.GetSerializedSize());
                              SentTag tag;
                              if (!packet->PeekPacketTag(tag)) throw std::logic_error("a packet without SentTag");
                              const uint64_t span = now_ns() - tag.time;
                              if (!network->counting()) return;
                              if (segment.class_id == TM_OTHER_IP) {
                                network->latency_probe.add(span);
                                return;
                              }
                              network->latency.add(span);
                              network->latency_network.add(now_ns() - tag.left);
                              if (segment.class_id == TM_DATA) network->latency_data.add(span);
                            }));
  }
  for (uint32_t node = 0; node < ns3::NodeList::GetNNodes(); ++node) {
    auto ipv4 = ns3::NodeList::GetNode(node)->GetObject<ns3::Ipv4L3Protocol>();
    ipv4->TraceConnectWithoutContext(
        "Drop", ns3::Callback<void, const ns3::Ipv4Header&, ns3::Ptr<const ns3::Packet>,
                              ns3::Ipv4L3Protocol::DropReason, ns3::Ptr<ns3::Ipv4>, uint32_t>(
                    [network](const ns3::Ipv4Header&, ns3::Ptr<const ns3::Packet>, ns3::Ipv4L3Protocol::DropReason,
                              ns3::Ptr<ns3::Ipv4>, uint32_t) { ++network->ip_drops; }));
  }
}

std::map<std::string, uint64_t> check_queue_discs(const Network& network, const Json& input) {
  const bool truemark = input["scenario"]["queue"]["implementation"].text() == "truemark";
  const std::string chosen = truemark ? "lab::TruemarkQueueDisc" : "ns3::RedQueueDisc";
  const std::string hosts = input["quanta"].items().size() > 1 ? "lab::HostQueueDisc" : "ns3::FifoQueueDisc";
  std::map<std::string, uint64_t> found;
  for (uint32_t number = 0; number < ns3::NodeList::GetNNodes(); ++number) {
    auto node = ns3::NodeList::GetNode(number);
    auto layer = node->GetObject<ns3::TrafficControlLayer>();
    for (uint32_t device = 0; device < node->GetNDevices(); ++device) {
      auto disc = layer->GetRootQueueDiscOnDevice(node->GetDevice(device));
      const std::string type = disc ? disc->GetInstanceTypeId().GetName() : "none";
      const bool link = ns3::DynamicCast<LabNetDevice>(node->GetDevice(device)) != nullptr;  // not the loopback
      if (link || disc) ++found[type];
      if (link && type != chosen && type != hosts)
        throw std::runtime_error("node " + std::to_string(number) + " has a queue disc of type " + type);
    }
  }
  const size_t own = input["scenario"]["queue"]["at_hosts"].flag() ? 0 : network.hosts.size();
  if (found[chosen] != network.ports.size() || found[hosts] != own)
    throw std::runtime_error("not every switch port has the queue under test, or not every host its own");
  return found;
}

}  // namespace lab
