// SPDX-License-Identifier: GPL-2.0-only
#include "lab_connections.h"

#include "lab_tcp.h"
#include "ns3/tcp-header.h"

namespace lab {

NS_OBJECT_ENSURE_REGISTERED(LabConnections);

ns3::TypeId LabConnections::GetTypeId() {
  static ns3::TypeId type =
      ns3::TypeId("lab::LabConnections").SetParent<ns3::TcpL4Protocol>().AddConstructor<LabConnections>();
  return type;
}

ns3::IpL4Protocol::RxStatus LabConnections::Receive(ns3::Ptr<ns3::Packet> packet, const ns3::Ipv4Header& header,
                                                    ns3::Ptr<ns3::Ipv4Interface> interface) {
  ns3::TcpHeader segment;
  if (const auto status = PacketReceived(packet, segment, header.GetSource(), header.GetDestination());
      status != ns3::IpL4Protocol::RX_OK)
    return status;
  const auto known = sockets_.find(key(header.GetSource(), segment.GetSourcePort(), segment.GetDestinationPort()));
  ns3::Ipv4EndPoint* end = known == sockets_.end() ? nullptr : known->second->end_point();
  // An endpoint that was given back, or whose socket has another connection by now, is not this one.
  if (end == nullptr || end->GetPeerAddress() != header.GetSource() || end->GetPeerPort() != segment.GetSourcePort() ||
      end->GetLocalAddress() != header.GetDestination() || end->GetLocalPort() != segment.GetDestinationPort() ||
      !end->IsRxEnabled())
    return TcpL4Protocol::Receive(packet, header, interface);
  end->ForwardUp(packet, header, segment.GetSourcePort(), interface);
  return ns3::IpL4Protocol::RX_OK;
}

void LabConnections::forget(uint64_t connection, const LabTcpSocket& socket) {
  if (const auto known = sockets_.find(connection); known != sockets_.end() && known->second == &socket)
    sockets_.erase(known);
}

}  // namespace lab
