// SPDX-License-Identifier: GPL-2.0-only
#include "rack_routing.h"

#include <array>
#include <stdexcept>

#include "mixed.h"
#include "ns3/ipv4.h"

namespace lab {

NS_OBJECT_ENSURE_REGISTERED(RackRouting);

ns3::TypeId RackRouting::GetTypeId() {
  static ns3::TypeId type =
      ns3::TypeId("lab::RackRouting").SetParent<ns3::Ipv4RoutingProtocol>().AddConstructor<RackRouting>();
  return type;
}

RackRouting::Routes RackRouting::routes_to(const Ports& ports) {
  Routes routes;
  for (const auto& port : ports) {
    auto route = ns3::Create<ns3::Ipv4Route>();
    route->SetOutputDevice(port);
    route->SetGateway(ns3::Ipv4Address::GetZero());  // the other end of a point-to-point link
    routes.push_back(route);
  }
  return routes;
}

void RackRouting::be_host(uint32_t address, ns3::Ptr<ns3::NetDevice> uplink) {
  role_ = Role::kHost;
  own_ = address;
  up_ = routes_to({uplink});
  up_.front()->SetSource(ns3::Ipv4Address(address));
}

void RackRouting::choose_among(const Ports& uplinks, Ecmp ecmp, uint64_t seed) {
  up_ = routes_to(uplinks);
  ecmp_ = ecmp;
  seed_ = seed;
}

void RackRouting::be_leaf(uint32_t rack, Ports hosts, Ports uplinks, Ecmp ecmp, uint64_t seed) {
  role_ = Role::kLeaf;
  own_ = rack;
  down_ = routes_to(hosts);
  choose_among(uplinks, ecmp, mixed(seed * 256 + rack));
}

void RackRouting::be_aggregation(uint32_t number, uint32_t first, Ports racks, Ports uplinks, Ecmp ecmp,
                                 uint64_t seed) {
  role_ = Role::kAggregation;
  own_ = first;
  down_ = routes_to(racks);
  // Not the seed of the leaf of its number, or flows that this leaf sends one way would all go on one way.
  choose_among(uplinks, ecmp, mixed(~mixed(seed * 256 + number)));
}

void RackRouting::be_spine(Ports ports, uint32_t racks) {
  role_ = Role::kSpine;
  racks_each_ = racks;
  down_ = routes_to(ports);
}

ns3::Ptr<ns3::Ipv4Route> RackRouting::choose_uplink(const ns3::Ipv4Header& header, const ns3::Packet& packet) {
  if (ecmp_ == Ecmp::kPacketRoundRobin) return up_[next_++ % up_.size()];
  std::array<uint8_t, 4> ports{};
  packet.CopyData(ports.data(), ports.size());
  uint64_t flow = mixed(seed_ ^ (uint64_t{header.GetSource().Get()} << 32 | header.GetDestination().Get()));
  for (const uint8_t byte : ports) flow = mixed(flow ^ byte);
  return up_[flow % up_.size()];
}

ns3::Ptr<ns3::Ipv4Route> RackRouting::route(const ns3::Ipv4Header& header, const ns3::Packet& packet) {
  const uint32_t to = header.GetDestination().Get();
  if (role_ == Role::kHost) return up_.front();
  if (role_ == Role::kSpine) return down_.at(rack_of(to) / racks_each_);
  if (role_ == Role::kLeaf) return rack_of(to) == own_ ? down_.at(host_of(to)) : choose_uplink(header, packet);
  if (role_ == Role::kAggregation) {
    const uint32_t below = rack_of(to) - own_;  // large where the rack comes before
    return below < down_.size() ? down_[below] : choose_uplink(header, packet);
  }
  throw std::logic_error("a node without a role routes");
}

ns3::Ptr<ns3::Ipv4Route> RackRouting::RouteOutput(ns3::Ptr<ns3::Packet>, const ns3::Ipv4Header&,
                                                  ns3::Ptr<ns3::NetDevice>, ns3::Socket::SocketErrno& error) {
  error = ns3::Socket::ERROR_NOTERROR;
  if (role_ != Role::kHost) throw std::logic_error("a switch has nothing to say of its own");
  return up_.front();
}

bool RackRouting::RouteInput(ns3::Ptr<const ns3::Packet> packet, const ns3::Ipv4Header& header,
                             ns3::Ptr<const ns3::NetDevice> device, const UnicastForwardCallback& forward,
                             const MulticastForwardCallback&, const LocalDeliverCallback& local, const ErrorCallback&) {
  if (role_ == Role::kHost) {
    if (header.GetDestination().Get() != own_) return false;
    local(packet, header, static_cast<uint32_t>(ipv4_->GetInterfaceForDevice(device)));
    return true;
  }
  forward(route(header, *packet), packet, header);
  return true;
}

}  // namespace lab
