// SPDX-License-Identifier: GPL-2.0-only
// Routing by arithmetic: host h of rack r has the address 10.r.x.y with x.y = h + 1, so that a switch computes the way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4-routing-protocol.h"

namespace lab {

constexpr uint32_t host_address(uint32_t rack, uint32_t host) { return 10u << 24 | rack << 16 | (host + 1); }
constexpr uint32_t rack_of(uint32_t address) { return address >> 16 & 0xFF; }
constexpr uint32_t host_of(uint32_t address) { return (address & 0xFFFF) - 1; }

enum class Ecmp { kFlow, kPacketRoundRobin };

class RackRouting : public ns3::Ipv4RoutingProtocol {
 public:
  static ns3::TypeId GetTypeId();

  using Ports = std::vector<ns3::Ptr<ns3::NetDevice>>;
  void be_host(uint32_t address, ns3::Ptr<ns3::NetDevice> uplink);
  void be_leaf(uint32_t rack, Ports hosts, Ports uplinks, Ecmp ecmp, uint64_t seed);
  // A fat tree's second level: `racks` lead to the racks from `first` on. `number` tells it from others.
  void be_aggregation(uint32_t number, uint32_t first, Ports racks, Ports uplinks, Ecmp ecmp, uint64_t seed);
  // Each port leads to so many racks.
  void be_spine(Ports ports, uint32_t racks = 1);

  ns3::Ptr<ns3::Ipv4Route> RouteOutput(ns3::Ptr<ns3::Packet> packet, const ns3::Ipv4Header& header,
                                       ns3::Ptr<ns3::NetDevice> device, ns3::Socket::SocketErrno& error) override;
  bool RouteInput(ns3::Ptr<const ns3::Packet> packet, const ns3::Ipv4Header& header,
                  ns3::Ptr<const ns3::NetDevice> device, const UnicastForwardCallback& forward,
                  const MulticastForwardCallback& multicast, const LocalDeliverCallback& local,
                  const ErrorCallback& failed) override;
  void NotifyInterfaceUp(uint32_t) override {}
  void NotifyInterfaceDown(uint32_t) override {}
  void NotifyAddAddress(uint32_t, ns3::Ipv4InterfaceAddress) override {}
  void NotifyRemoveAddress(uint32_t, ns3::Ipv4InterfaceAddress) override {}
  void SetIpv4(ns3::Ptr<ns3::Ipv4> ipv4) override { ipv4_ = ipv4; }
  void PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper>, ns3::Time::Unit) const override {}

 private:
  enum class Role { kNone, kHost, kLeaf, kAggregation, kSpine };
  using Routes = std::vector<ns3::Ptr<ns3::Ipv4Route>>;
  static Routes routes_to(const Ports& ports);
  void choose_among(const Ports& uplinks, Ecmp ecmp, uint64_t seed);
  ns3::Ptr<ns3::Ipv4Route> route(const ns3::Ipv4Header& header, const ns3::Packet& packet);
  ns3::Ptr<ns3::Ipv4Route> choose_uplink(const ns3::Ipv4Header& header, const ns3::Packet& packet);

  Role role_ = Role::kNone;
  uint32_t own_ = 0;         // a host's address, a leaf's rack, the first rack below an aggregation switch
  uint32_t racks_each_ = 1;  // below a spine's port
  Routes down_, up_;
  Ecmp ecmp_ = Ecmp::kFlow;
  uint64_t seed_ = 0;
  size_t next_ = 0;
  ns3::Ptr<ns3::Ipv4> ipv4_;
};

class RackRoutingHelper : public ns3::Ipv4RoutingHelper {
 public:
  RackRoutingHelper* Copy() const override { return new RackRoutingHelper(*this); }
  ns3::Ptr<ns3::Ipv4RoutingProtocol> Create(ns3::Ptr<ns3::Node>) const override {
    return ns3::CreateObject<RackRouting>();
  }
};

}  // namespace lab
