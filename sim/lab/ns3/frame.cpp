// SPDX-License-Identifier: GPL-2.0-only
#include "frame.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/object-factory.h"
#include "ns3/tcp-l4-protocol.h"

namespace lab {

Segment::Segment(const ns3::Ipv4Header& ip, const ns3::Packet& packet) : class_id(TM_OTHER_IP) {
  std::array<uint8_t, 20> head{};
  if (ip.GetProtocol() != ns3::TcpL4Protocol::PROT_NUMBER || packet.CopyData(head.data(), head.size()) < head.size())
    return;
  const auto word = [&](unsigned at) { return static_cast<uint16_t>(head[at] << 8 | head[at + 1]); };
  constexpr uint8_t fin = 1, syn = 2, rst = 4, ack = 16, echo = 64;
  source = word(0);
  destination = word(2);
  sequence = uint32_t{word(4)} << 16 | word(6);
  payload = packet.GetSize() - (head[12] >> 4) * 4u;
  const uint8_t flags = head[13];
  ece = flags & echo ? 1 : 0;
  if (flags & syn)
    class_id = flags & ack ? TM_SYN_ACK : TM_SYN;
  else if (flags & rst || (flags & fin && payload == 0))
    class_id = TM_TCP_CTRL;
  else if (payload > 0)
    class_id = TM_DATA;
  else
    class_id = flags & ack ? TM_ACK : TM_TCP_CTRL;
}

uint64_t identity_of(const ns3::Ipv4Header& ip) {
  const uint64_t source = ip.GetSource().Get(), destination = ip.GetDestination().Get();
  return (source & 0xFFFFFF) << 40 | (destination & 0xFFFFFF) << 16 | ip.GetIdentification();
}

FrameItem::FrameItem(ns3::Ptr<ns3::Packet> packet, const ns3::Address& address, uint16_t protocol,
                     const ns3::Ipv4Header& header, const FrameRules& rules)
    : Ipv4QueueDiscItem(packet, address, protocol, header),
      length_(rules.length(packet->GetSize() + header.GetSerializedSize())) {
  verdict.ecn = static_cast<uint32_t>(header.GetEcn());  // as it came, whatever a queue disc makes of it
}

Verdict FrameItem::judged(uint32_t outcome) const {
  const Segment segment(GetHeader(), *GetPacket());
  return {segment.class_id, segment.ece, verdict.ecn, outcome, length_, identity_of(GetHeader())};
}

ns3::Ptr<ns3::Queue<ns3::QueueDiscItem>> endless_queue() {
  return ns3::CreateObjectWithAttributes<ns3::DropTailQueue<ns3::QueueDiscItem>>(
      "MaxSize", ns3::QueueSizeValue(ns3::QueueSize("4294967295p")));
}

}  // namespace lab
