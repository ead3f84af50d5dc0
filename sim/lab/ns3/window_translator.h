// SPDX-License-Identifier: GPL-2.0-only
// Virtualized congestion control: below the TCP of a guest that knows no ECN, at both of its hosts. To the network the
// connection is ECN-capable; the guest's window obeys marks through the receive window that it is shown.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <unordered_map>

#include "ns3/ipv4-header.h"
#include "ns3/packet.h"
#include "ns3/tcp-header.h"

namespace lab {

// Of all hosts together.
struct TranslatorCounts {
  uint64_t connections = 0;  // whose sender's host found the other end able
  uint64_t reductions = 0;   // of a window: by an echo, by three duplicates, by a segment that is sent a third time
  uint64_t rewritten = 0;    // ACKs that show a smaller window than the receiver gave
  uint64_t stripped = 0;     // ACKs whose echo was kept from the guest
  uint64_t echoes = 0;       // marks that began an echo
};

class WindowTranslator {
 public:
  WindowTranslator(uint32_t segment, TranslatorCounts* counts) : segment_(segment), counts_(counts) {}
  // What a guest sends: its packet, which begins with the TCP header, and the IP header that will be put before it.
  void out(ns3::Packet& packet, ns3::Ipv4Header& header);
  // What a guest would receive, IP header included, as it may see it.
  ns3::Ptr<const ns3::Packet> in(ns3::Ptr<const ns3::Packet> packet);

 private:
  struct Connection {
    bool asked = false;       // this host made the guest's SYN ask for ECN
    bool was_asked = false;   // the other end's SYN asked
    bool translated = false;  // both ends are able, and the guest is not
    bool echo = false;        // a mark came, and no CWR yet
    // The sender's side: a window as Reno's, from the ACKs that pass.
    double window = 0, threshold = std::numeric_limits<double>::infinity();
    uint32_t acked = 0, sent = 0;  // sequences: up to here
    uint32_t round_end = 0;        // of the last reduction: until this is acknowledged there is no other
    bool reducing = false, tell_reduced = false;
    unsigned duplicates = 0, shift = 0;  // of the window that the other end gives
    std::set<uint32_t> again;  // sequences sent a second time since the last timeout, none of them acknowledged
  };

  Connection& connection(const ns3::Ipv4Address& peer, uint16_t own_port, uint16_t peer_port);
  void sends(Connection& at, ns3::TcpHeader& tcp, ns3::Ipv4Header& header, uint32_t payload);
  void receives(Connection& at, ns3::TcpHeader& tcp, ns3::Ipv4Header& header, uint32_t payload);
  void acknowledged(Connection& at, ns3::TcpHeader& tcp, uint32_t payload);
  double reduce(Connection& at);  // begins a round; returns half of the window

  uint32_t segment_;
  TranslatorCounts* counts_;
  std::unordered_map<uint64_t, Connection> connections_;  // by peer and ports
};

}  // namespace lab
