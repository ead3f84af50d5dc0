// SPDX-License-Identifier: GPL-2.0-only
// ns-3's DCTCP with what RFC 8257 asks for and 3.44 lacks, and with the modifications of the DCTCP-in-the-Internet
// paper as attributes.
//
// Always: the window is never set below two segments (RFC 8257 section 3.3, Linux), where ns-3 3.44 may set it below
// one, after which nothing is sent any more. The receiver acknowledges what waits for its ACK when the marks change
// (RFC 8257 section 3.2): ns-3 3.44 acknowledges one segment less there, so that with delayed ACKs a single mark is
// heard as none or as two, and the sender's alpha was 0.6 of the share of marked segments at one mark in six.
#pragma once

#include "ns3/tcp-dctcp.h"

namespace lab {

class TcpDctcp : public ns3::TcpDctcp {
 public:
  static ns3::TypeId GetTypeId();
  TcpDctcp() = default;
  TcpDctcp(const TcpDctcp& other) = default;
  std::string GetName() const override { return "LabDctcp"; }
  ns3::Ptr<ns3::TcpCongestionOps> Fork() override { return ns3::CopyObject<TcpDctcp>(this); }

  uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> state, uint32_t bytes_in_flight) override;
  void CongestionAvoidance(ns3::Ptr<ns3::TcpSocketState> state, uint32_t segments) override;
  void PktsAcked(ns3::Ptr<ns3::TcpSocketState> state, uint32_t segments, const ns3::Time& rtt) override;
  void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> state, const ns3::TcpSocketState::TcpCongState_t next) override;
  void CwndEvent(ns3::Ptr<ns3::TcpSocketState> state, const ns3::TcpSocketState::TcpCAEvent_t event) override;

  // Around a retransmission timeout: the threshold that is asked for meanwhile is that of a loss.
  void timeout(bool now) { timeout_ = now; }

  // Where to count segments whose acknowledgement said that they were marked.
  void count_marked(uint64_t* segments) { marked_segments_ = segments; }

 private:
  void estimate(double marked_share);
  void answer(ns3::TcpSocketState& state, bool marked);

  bool continuous_ = false;          // alpha moves with every ACK instead of once a window
  double gain_ = 0.0625;             // g
  uint32_t alpha_bits_ = 0;          // alpha is a multiple of 2^-this, rounded down; 0: as fine as a double
  bool slow_start_follows_ = false;  // after a reduction, for one segment, as where slow start is cwnd <= ssthresh
  bool grow_in_cwr_ = false;         // the window grows by a segment a window also while it is being reduced
  bool halve_on_loss_ = true;        // RFC 8257 section 3.5; ns-3 3.44 reduces by alpha then too
  bool grow_by_ack_ = false;         // an ACK counts once for the window, however many segments it is of (Linux 3.2)
  bool progressive_ = false;         // a mark reduces further while the window is reduced, if alpha has grown

  double alpha_ = 1;  // RFC 8257 section 4.2, and ns-3
  bool loss_ = false, timeout_ = false;
  uint64_t acked_ = 0, marked_ = 0;  // segments in this window
  uint64_t grown_ = 0;               // segments acknowledged in CWR
  uint32_t cwr_start_ = 0;           // the window when it was last reduced
  bool window_open_ = false;
  ns3::SequenceNumber32 window_end_;
  uint64_t* marked_segments_ = nullptr;

  // The receiver's part.
  bool came_marked_ = false;
  bool ack_waits_ = false;             // the last segment is not acknowledged yet
  ns3::SequenceNumber32 waiting_for_;  // what was received in order when an ACK was last put off
};

}  // namespace lab
