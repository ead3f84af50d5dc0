// SPDX-License-Identifier: GPL-2.0-only
#include "lab_tcp.h"

#include "lab_dctcp.h"
#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-option.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-tx-buffer.h"

namespace lab {

using ns3::TcpOption;
using ns3::TcpSocketState;

NS_OBJECT_ENSURE_REGISTERED(LabTcpSocket);

ns3::TypeId LabTcpSocket::GetTypeId() {
  static ns3::TypeId type =
      ns3::TypeId("lab::LabTcpSocket").SetParent<ns3::TcpSocketBase>().AddConstructor<LabTcpSocket>();
  return type;
}

ns3::Ptr<LabTcpSocket> LabTcpSocket::make(ns3::Ptr<ns3::Node> node, const TcpKind& kind) {
  const auto create = [](ns3::TypeId type) {
    ns3::ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create();
  };
  auto tcp = node->GetObject<ns3::TcpL4Protocol>();
  auto socket = ns3::CreateObject<LabTcpSocket>();
  socket->counts_ = kind.counts;
  socket->guards_ = kind.guards;
  socket->SetNode(node);
  socket->SetTcp(tcp);
  socket->SetRtt(ns3::CreateObject<ns3::RttMeanDeviation>());
  socket->SetUseEcn(kind.ecn ? TcpSocketState::On : TcpSocketState::Off);
  socket->SetDelAckMaxCount(kind.delayed_ack);
  auto congestion = create(kind.congestion)->GetObject<ns3::TcpCongestionOps>();
  if (auto dctcp = ns3::DynamicCast<TcpDctcp>(congestion)) dctcp->count_marked(&kind.counts->marked_segments);
  socket->SetCongestionControlAlgorithm(congestion);
  socket->SetRecoveryAlgorithm(create(kind.recovery)->GetObject<ns3::TcpRecoveryOps>());
  tcp->AddSocket(socket);
  return socket;
}

ns3::Ptr<ns3::TcpSocketBase> LabTcpSocket::Fork() { return ns3::CopyObject<LabTcpSocket>(this); }

void LabTcpSocket::ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header) {
  const bool nothing_sent = m_txBuffer->HeadSequence() >= m_tcb->m_highTxMark;
  if (!guards_ || !nothing_sent || !header.HasOption(TcpOption::SACK)) {
    TcpSocketBase::ReceivedAck(packet, header);
    return;
  }
  ++counts_->sack_after_end;
  ns3::TcpHeader without;
  without.SetSourcePort(header.GetSourcePort());
  without.SetDestinationPort(header.GetDestinationPort());
  without.SetSequenceNumber(header.GetSequenceNumber());
  without.SetAckNumber(header.GetAckNumber());
  without.SetFlags(header.GetFlags());
  without.SetWindowSize(header.GetWindowSize());
  for (const auto& option : header.GetOptionList())
    if (option->GetKind() != TcpOption::SACK && option->GetKind() != TcpOption::NOP &&
        option->GetKind() != TcpOption::END)
      without.AppendOption(option);
  TcpSocketBase::ReceivedAck(packet, without);
}

void LabTcpSocket::ProcessAck(const ns3::SequenceNumber32& number, bool scoreboard_updated, uint32_t delivered,
                              const ns3::SequenceNumber32& old_head, bool received_data) {
  const bool duplicate =
      m_sackEnabled ? scoreboard_updated : number == old_head && number < m_tcb->m_highTxMark && !received_data;
  if (guards_ && duplicate && m_tcb->m_congState == TcpSocketState::CA_OPEN && m_dupAckCount != 0) {
    ++counts_->open_dupacks;
    m_dupAckCount = 0;
  }
  TcpSocketBase::ProcessAck(number, scoreboard_updated, delivered, old_head, received_data);
}

LabConnections* LabTcpSocket::connections() const { return dynamic_cast<LabConnections*>(ns3::PeekPointer(m_tcp)); }

LabTcpSocket::~LabTcpSocket() {
  if (connection_) connections()->forget(*connection_, *this);
}

void LabTcpSocket::DoForwardUp(ns3::Ptr<ns3::Packet> packet, const ns3::Address& from, const ns3::Address& to) {
  // An endpoint without a peer listens.
  if (!connection_ && m_endPoint != nullptr && m_endPoint->GetPeerPort() != 0 && connections() != nullptr) {
    connection_ =
        LabConnections::key(m_endPoint->GetPeerAddress(), m_endPoint->GetPeerPort(), m_endPoint->GetLocalPort());
    connections()->know(*connection_, *this);
  }
  TcpSocketBase::DoForwardUp(packet, from, to);
}

void LabTcpSocket::ReTxTimeout() {
  if (m_txBuffer->Size() != 0 && m_state != CLOSED && m_state != TIME_WAIT)
    ++counts_->data_timeouts;
  else if (m_state == FIN_WAIT_1 || m_state == CLOSING)
    ++counts_->fin_timeouts;
  const auto dctcp = ns3::DynamicCast<TcpDctcp>(m_congestionControl);
  if (dctcp) dctcp->timeout(true);
  TcpSocketBase::ReTxTimeout();
  if (dctcp) dctcp->timeout(false);
}

void LabTcpSocket::SendEmptyPacket(uint8_t flags) {
  if (flags & ns3::TcpHeader::SYN) {
    if (syn_sent_) ++counts_->syn_timeouts;
    syn_sent_ = true;
  }
  TcpSocketBase::SendEmptyPacket(flags);
}

}  // namespace lab
