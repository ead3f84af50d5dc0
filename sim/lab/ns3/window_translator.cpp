// SPDX-License-Identifier: GPL-2.0-only
#include "window_translator.h"

#include <algorithm>
#include <cmath>

#include "ns3/node.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-option-winscale.h"

namespace lab {
namespace {

using ns3::Ipv4Header;
using ns3::TcpHeader;

constexpr unsigned kInitialWindow = 10;  // segments; RFC 6928
constexpr unsigned kDuplicates = 3;      // RFC 5681

bool before(uint32_t left, uint32_t right) { return static_cast<int32_t>(left - right) < 0; }

bool has(const TcpHeader& tcp, unsigned flags) { return (tcp.GetFlags() & flags) == flags; }
void set(TcpHeader& tcp, unsigned flags) { tcp.SetFlags(static_cast<uint8_t>(tcp.GetFlags() | flags)); }
void clear(TcpHeader& tcp, unsigned flags) { tcp.SetFlags(static_cast<uint8_t>(tcp.GetFlags() & ~flags)); }

unsigned window_shift(const TcpHeader& tcp) {
  const auto option = ns3::DynamicCast<const ns3::TcpOptionWinScale>(tcp.GetOption(ns3::TcpOption::WINSCALE));
  return option ? option->GetScale() : 0;
}

void put(ns3::Packet& packet, TcpHeader& tcp, const Ipv4Header& header) {
  if (ns3::Node::ChecksumEnabled()) tcp.EnableChecksums();
  tcp.InitializeChecksum(header.GetSource(), header.GetDestination(), header.GetProtocol());
  packet.AddHeader(tcp);
}

}  // namespace

WindowTranslator::Connection& WindowTranslator::connection(const ns3::Ipv4Address& peer, uint16_t own_port,
                                                           uint16_t peer_port) {
  const uint64_t key = uint64_t{peer.Get()} << 32 | uint32_t{own_port} << 16 | peer_port;
  const auto [place, fresh] = connections_.try_emplace(key);
  if (fresh) place->second.window = kInitialWindow * segment_;
  return place->second;
}

void WindowTranslator::out(ns3::Packet& packet, Ipv4Header& header) {
  if (header.GetProtocol() != ns3::TcpL4Protocol::PROT_NUMBER) return;
  TcpHeader tcp;
  packet.RemoveHeader(tcp);
  sends(connection(header.GetDestination(), tcp.GetSourcePort(), tcp.GetDestinationPort()), tcp, header,
        packet.GetSize());
  put(packet, tcp, header);
}

ns3::Ptr<const ns3::Packet> WindowTranslator::in(ns3::Ptr<const ns3::Packet> packet) {
  auto copy = packet->Copy();
  Ipv4Header header;
  copy->RemoveHeader(header);
  if (header.GetProtocol() != ns3::TcpL4Protocol::PROT_NUMBER) return packet;
  copy->RemoveAtEnd(copy->GetSize() - header.GetPayloadSize());  // the frame's padding is in no checksum
  TcpHeader tcp;
  copy->RemoveHeader(tcp);
  receives(connection(header.GetSource(), tcp.GetDestinationPort(), tcp.GetSourcePort()), tcp, header, copy->GetSize());
  put(*copy, tcp, header);
  if (ns3::Node::ChecksumEnabled()) header.EnableChecksum();
  copy->AddHeader(header);
  return copy;
}

void WindowTranslator::sends(Connection& at, TcpHeader& tcp, Ipv4Header& header, uint32_t payload) {
  const uint32_t sequence = tcp.GetSequenceNumber().GetValue();
  if (has(tcp, TcpHeader::SYN)) {
    at.sent = at.acked = sequence + 1;
    if (has(tcp, TcpHeader::ACK)) {
      at.translated = at.was_asked && !has(tcp, TcpHeader::ECE);
      if (at.translated) set(tcp, TcpHeader::ECE);
    } else if (!has(tcp, TcpHeader::ECE)) {
      at.asked = true;
      set(tcp, TcpHeader::ECE | TcpHeader::CWR);
    }
    return;
  }
  if (!at.translated) return;
  if (payload > 0 && before(sequence, at.sent)) {  // sent again: Not-ECT, as the guest made it
    if (at.again.count(sequence)) {                // twice: a timeout, after which all that is under way goes out again
      reduce(at);
      at.window = segment_;
      at.again.clear();
    }
    at.again.insert(sequence);
  } else if (payload > 0) {
    header.SetEcn(Ipv4Header::ECN_ECT0);
    if (at.tell_reduced) set(tcp, TcpHeader::CWR);
    at.tell_reduced = false;
  }
  if (before(at.sent, sequence + payload)) at.sent = sequence + payload;
  if (at.echo) set(tcp, TcpHeader::ECE);
}

void WindowTranslator::receives(Connection& at, TcpHeader& tcp, Ipv4Header& header, uint32_t payload) {
  if (has(tcp, TcpHeader::SYN)) {
    at.shift = window_shift(tcp);
    if (!has(tcp, TcpHeader::ACK)) {
      // Handed on as it is: a guest that knows ECN answers for itself, another one does not look.
      at.was_asked = has(tcp, TcpHeader::ECE | TcpHeader::CWR);
    } else if (at.asked && has(tcp, TcpHeader::ECE)) {
      if (!at.translated) ++counts_->connections;
      at.translated = true;
      clear(tcp, TcpHeader::ECE);
    }
    return;
  }
  if (!at.translated) return;
  const bool marked = header.GetEcn() == Ipv4Header::ECN_CE;
  if (marked && !at.echo) ++counts_->echoes;
  if (has(tcp, TcpHeader::CWR)) at.echo = false;
  at.echo = at.echo || marked;
  clear(tcp, TcpHeader::CWR);
  header.SetEcn(Ipv4Header::ECN_NotECT);
  if (has(tcp, TcpHeader::ACK)) acknowledged(at, tcp, payload);
}

void WindowTranslator::acknowledged(Connection& at, TcpHeader& tcp, uint32_t payload) {
  const uint32_t number = tcp.GetAckNumber().GetValue();
  if (at.reducing && !before(number, at.round_end)) at.reducing = false;
  if (before(at.acked, number)) {
    const uint32_t bytes = number - at.acked;
    at.window += at.window < at.threshold ? bytes : double{segment_} * segment_ / at.window;
    at.acked = number;
    std::erase_if(at.again, [&](uint32_t sequence) { return before(sequence, number); });
    at.duplicates = 0;
  } else if (number == at.acked && payload == 0 && before(at.acked, at.sent)) {
    ++at.duplicates;
  }
  const bool echoed = has(tcp, TcpHeader::ECE);
  if (echoed) ++counts_->stripped;
  clear(tcp, TcpHeader::ECE);
  if (!at.reducing && (echoed || at.duplicates == kDuplicates)) at.window = reduce(at);
  // Rounded up: a window of one segment must let one go.
  const auto shown = static_cast<uint32_t>(std::ceil(std::ldexp(at.window, -static_cast<int>(at.shift))));
  if (shown >= tcp.GetWindowSize()) return;
  tcp.SetWindowSize(static_cast<uint16_t>(shown));
  ++counts_->rewritten;
}

double WindowTranslator::reduce(Connection& at) {
  ++counts_->reductions;
  at.threshold = std::max(at.window / 2, 2.0 * segment_);
  at.round_end = at.sent;
  at.reducing = at.tell_reduced = true;
  return at.threshold;
}

}  // namespace lab
