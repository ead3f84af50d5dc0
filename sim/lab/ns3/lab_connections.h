// SPDX-License-Identifier: GPL-2.0-only
// ns-3's TCP that finds the socket of a segment at once. ns-3 3.44 asks every endpoint of a host, in the order in which
// they were made, and keeps one for 240 s after its connection has ended: at the 160 hosts of a shuffle, whose mappers
// have 159 connections each, that was more than a quarter of all CPU time. What is not known here goes ns-3's way.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "ns3/ipv4-end-point.h"
#include "ns3/tcp-l4-protocol.h"

namespace lab {

class LabTcpSocket;

class LabConnections : public ns3::TcpL4Protocol {
 public:
  static ns3::TypeId GetTypeId();
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  using TcpL4Protocol::Receive;
  ns3::IpL4Protocol::RxStatus Receive(ns3::Ptr<ns3::Packet> packet, const ns3::Ipv4Header& header,
                                      ns3::Ptr<ns3::Ipv4Interface> interface) override;
  // A connection: peer and ports.
  static uint64_t key(ns3::Ipv4Address peer, uint16_t peer_port, uint16_t port) {
    return uint64_t{peer.Get()} << 32 | uint32_t{peer_port} << 16 | port;
  }
  void know(uint64_t connection, const LabTcpSocket& socket) { sockets_.insert_or_assign(connection, &socket); }
  void forget(uint64_t connection, const LabTcpSocket& socket);

 private:
  std::unordered_map<uint64_t, const LabTcpSocket*> sockets_;
};

}  // namespace lab
