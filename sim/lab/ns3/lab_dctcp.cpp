// SPDX-License-Identifier: GPL-2.0-only
#include "lab_dctcp.h"

#include <algorithm>
#include <cmath>

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/uinteger.h"

namespace lab {

using ns3::TcpSocketState;

NS_OBJECT_ENSURE_REGISTERED(TcpDctcp);

ns3::TypeId TcpDctcp::GetTypeId() {
  const auto flag = [](bool TcpDctcp::* member) { return ns3::MakeBooleanAccessor(member); };
  static ns3::TypeId type =
      ns3::TypeId("lab::TcpDctcp")
          .SetParent<ns3::TcpDctcp>()
          .AddConstructor<TcpDctcp>()
          .AddAttribute("Continuous", "alpha moves with every ACK", ns3::BooleanValue(false),
                        flag(&TcpDctcp::continuous_), ns3::MakeBooleanChecker())
          .AddAttribute("Gain", "g", ns3::DoubleValue(0.0625), ns3::MakeDoubleAccessor(&TcpDctcp::gain_),
                        ns3::MakeDoubleChecker<double>(0, 1))
          .AddAttribute("AlphaBits", "alpha is a multiple of 2^-this; 0: a double", ns3::UintegerValue(0),
                        ns3::MakeUintegerAccessor(&TcpDctcp::alpha_bits_), ns3::MakeUintegerChecker<uint32_t>(0, 30))
          .AddAttribute("SlowStartFollows", "one segment of slow start follows a reduction", ns3::BooleanValue(false),
                        flag(&TcpDctcp::slow_start_follows_), ns3::MakeBooleanChecker())
          .AddAttribute("GrowInCwr", "the window grows in CWR", ns3::BooleanValue(false), flag(&TcpDctcp::grow_in_cwr_),
                        ns3::MakeBooleanChecker())
          .AddAttribute("HalveOnLoss", "RFC 8257 section 3.5", ns3::BooleanValue(true), flag(&TcpDctcp::halve_on_loss_),
                        ns3::MakeBooleanChecker())
          .AddAttribute("GrowByAck", "an ACK counts once", ns3::BooleanValue(false), flag(&TcpDctcp::grow_by_ack_),
                        ns3::MakeBooleanChecker())
          .AddAttribute("Progressive", "every mark in CWR may reduce", ns3::BooleanValue(false),
                        flag(&TcpDctcp::progressive_), ns3::MakeBooleanChecker());
  return type;
}

void TcpDctcp::CongestionStateSet(ns3::Ptr<TcpSocketState> state, const TcpSocketState::TcpCongState_t next) {
  // Told just before the socket asks for the new threshold, but after a timeout, which says so itself.
  loss_ = next == TcpSocketState::CA_RECOVERY;
  ns3::TcpDctcp::CongestionStateSet(state, next);
}

uint32_t TcpDctcp::GetSsThresh(ns3::Ptr<const TcpSocketState> state, uint32_t bytes_in_flight) {
  const uint32_t least = 2 * state->m_segmentSize;
  const bool loss = loss_ || timeout_;
  loss_ = false;
  grown_ = 0;
  cwr_start_ = state->m_cWnd;
  if (loss && halve_on_loss_) return std::max(bytes_in_flight / 2, least);
  return std::max(static_cast<uint32_t>((1 - alpha_ / 2) * state->m_cWnd), least);
}

void TcpDctcp::CongestionAvoidance(ns3::Ptr<TcpSocketState> state, uint32_t segments) {
  ns3::TcpDctcp::CongestionAvoidance(state, grow_by_ack_ ? std::min(segments, 1u) : segments);
}

void TcpDctcp::estimate(double marked_share) {
  alpha_ += gain_ * (marked_share - alpha_);
  if (alpha_bits_ > 0) {
    const double steps = std::ldexp(1.0, static_cast<int>(alpha_bits_));
    alpha_ = std::floor(alpha_ * steps) / steps;
  }
}

void TcpDctcp::PktsAcked(ns3::Ptr<TcpSocketState> state, uint32_t segments, const ns3::Time&) {
  const bool marked = state->m_ecnState == TcpSocketState::ECN_ECE_RCVD;
  if (marked && marked_segments_) *marked_segments_ += segments;
  if (grow_in_cwr_ && state->m_congState == TcpSocketState::CA_CWR) {
    // On leaving CWR the window becomes ssthresh: that is where growth must go.
    grown_ += grow_by_ack_ ? std::min(segments, 1u) : segments;
    const uint32_t window = std::max<uint32_t>(state->m_ssThresh.Get() / state->m_segmentSize, 1);
    if (grown_ >= window) grown_ -= window, state->m_ssThresh = state->m_ssThresh.Get() + state->m_segmentSize;
  }
  if (continuous_) {
    for (uint32_t segment = 0; segment < segments; ++segment) estimate(marked ? 1 : 0);
    if (progressive_ && marked && state->m_congState == TcpSocketState::CA_CWR) {
      const auto window = std::max(static_cast<uint32_t>((1 - alpha_ / 2) * cwr_start_), 2 * state->m_segmentSize);
      state->m_ssThresh = std::min(state->m_ssThresh.Get(), window);
      state->m_cWnd = std::min(state->m_cWnd.Get(), window);
    }
    return;
  }
  acked_ += segments;
  if (marked) marked_ += segments;
  if (!window_open_) {
    window_open_ = true;
    window_end_ = state->m_nextTxSequence;
  }
  if (state->m_lastAckedSeq < window_end_) return;
  estimate(acked_ ? static_cast<double>(marked_) / static_cast<double>(acked_) : 0);
  acked_ = marked_ = 0;
  window_end_ = state->m_nextTxSequence;
}

void TcpDctcp::CwndEvent(ns3::Ptr<TcpSocketState> state, const TcpSocketState::TcpCAEvent_t event) {
  // The base class has nothing but the receiver's part, which answer() replaces.
  switch (event) {
    case TcpSocketState::CA_EVENT_ECN_IS_CE:
      answer(*state, true);
      break;
    case TcpSocketState::CA_EVENT_ECN_NO_CE:
      answer(*state, false);
      break;
    case TcpSocketState::CA_EVENT_DELAYED_ACK: {
      // Also told when a delayed ACK's time is up; nothing new has come then, and nothing waits afterwards.
      const auto received = state->m_rxBuffer->NextRxSequence();
      ack_waits_ = received != waiting_for_;
      waiting_for_ = received;
      break;
    }
    case TcpSocketState::CA_EVENT_NON_DELAYED_ACK:
      ack_waits_ = false;
      break;
    case TcpSocketState::CA_EVENT_COMPLETE_CWR:
      if (slow_start_follows_) state->m_ssThresh = state->m_cWnd.Get() + state->m_segmentSize;
      break;
    default:
      break;
  }
}

void TcpDctcp::answer(TcpSocketState& state, bool marked) {
  // The segment that has just come is not in the buffer yet: the ACK is of those before it, and says how they came.
  if (marked != came_marked_ && ack_waits_) {
    using Flags = ns3::TcpHeader;
    state.m_sendEmptyPacketCallback(came_marked_ ? Flags::ACK | Flags::ECE : Flags::ACK);
    ack_waits_ = false;
  }
  came_marked_ = marked;
  const auto now = state.m_ecnState.Get();
  if (marked)
    state.m_ecnState = TcpSocketState::ECN_CE_RCVD;
  else if (now == TcpSocketState::ECN_CE_RCVD || now == TcpSocketState::ECN_SENDING_ECE)
    state.m_ecnState = TcpSocketState::ECN_IDLE;
}

}  // namespace lab
