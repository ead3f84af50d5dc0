// SPDX-License-Identifier: GPL-2.0-only
// ns-3's TCP socket with guards where ns-3 3.44 stops under load, counting each use and each timeout.
//
// The wheel is built with assertions. Two states that real traffic reaches end a stock run:
//  - "From OPEN->DISORDER but with n dup ACKs" (DupAck): duplicates are counted in state CWR too, and an ACK
//    that ends CWR and carries SACK blocks leaves the count as it is. Guard: in OPEN counting starts again.
//  - TcpTxBuffer::Update looks at the head of its list of sent segments, also when that is empty: an ACK with SACK
//    blocks that was overtaken by the one that acknowledged everything, the FIN included. Guard: the blocks, which
//    speak of nothing any more, are taken out.
#pragma once

#include <cstdint>
#include <optional>

#include "lab_connections.h"
#include "ns3/node.h"
#include "ns3/tcp-socket-base.h"

namespace lab {

struct TcpCounts {
  uint64_t open_dupacks = 0;
  uint64_t sack_after_end = 0;
  uint64_t data_timeouts = 0;
  uint64_t syn_timeouts = 0;  // SYN and SYN-ACK sent again
  uint64_t fin_timeouts = 0;
  uint64_t marked_segments = 0;  // that DCTCP's senders heard of
};

struct TcpKind {
  ns3::TypeId congestion;
  ns3::TypeId recovery;
  bool ecn;
  uint32_t delayed_ack;  // segments
  TcpCounts* counts;
  bool guards = true;  // off only to show that ns-3 stops without them
};

class LabTcpSocket : public ns3::TcpSocketBase {
 public:
  static ns3::TypeId GetTypeId();
  static ns3::Ptr<LabTcpSocket> make(ns3::Ptr<ns3::Node> node, const TcpKind& kind);
  uint32_t window() const { return m_tcb->m_cWnd; }            // of congestion, bytes
  ns3::Ipv4EndPoint* end_point() const { return m_endPoint; }  // none when it was given back
  LabTcpSocket() = default;
  LabTcpSocket(const LabTcpSocket& other)
      : TcpSocketBase(other), counts_(other.counts_), guards_(other.guards_), syn_sent_(other.syn_sent_) {}
  ~LabTcpSocket() override;

 protected:
  ns3::Ptr<ns3::TcpSocketBase> Fork() override;
  void ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header) override;
  void ProcessAck(const ns3::SequenceNumber32& number, bool scoreboard_updated, uint32_t delivered,
                  const ns3::SequenceNumber32& old_head, bool received_data) override;
  void DoForwardUp(ns3::Ptr<ns3::Packet> packet, const ns3::Address& from, const ns3::Address& to) override;
  void ReTxTimeout() override;
  void SendEmptyPacket(uint8_t flags) override;

 private:
  LabConnections* connections() const;  // of its host; none where a test has ns-3's own
  TcpCounts* counts_ = nullptr;
  bool guards_ = true;
  bool syn_sent_ = false;
  std::optional<uint64_t> connection_;  // once the host's LabConnections know it
};

}  // namespace lab
