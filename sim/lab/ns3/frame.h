// SPDX-License-Identifier: GPL-2.0-only
// A packet of ns-3 as an Ethernet frame: its length on a link, what it is to TCP, and an item that counts as it does.
#pragma once

#include <array>
#include <cstdint>

#include "measures.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/packet.h"
#include "ns3/queue.h"

namespace lab {

inline constexpr uint32_t kEthernetHeader = 14;
inline constexpr uint32_t kEthernetMinimum = 60;  // without FCS

// Lengths of frames, the same for queues and for links.
struct FrameRules {
  uint32_t shortest = kEthernetMinimum;  // shorter frames are padded to this
  uint32_t overhead = 24;                // preamble, FCS and gap: time on the wire, no bytes in a queue

  uint32_t length(uint32_t ip_bytes) const {
    return ip_bytes + kEthernetHeader < shortest ? shortest : ip_bytes + kEthernetHeader;
  }
};

// What the first 20 bytes of a TCP segment say. `class_id` follows the rules of docs/verdict.md.
struct Segment {
  Segment(const ns3::Ipv4Header& ip, const ns3::Packet& packet);
  uint32_t class_id;
  uint32_t ece = 0;
  uint16_t source = 0, destination = 0;
  uint32_t sequence = 0;
  uint32_t payload = 0;
};

// Equal for the same packet in two runs: addresses and IP identification, ports of the flow not needed.
uint64_t identity_of(const ns3::Ipv4Header& ip);

// The priority of a packet: the class selector of its DSCP (RFC 2474).
inline uint32_t priority_of(const ns3::Ipv4Header& ip) { return ip.GetTos() >> 5; }
inline void set_priority(ns3::Ipv4Header& ip, uint32_t priority) {
  ip.SetTos(static_cast<uint8_t>(priority << 5 | (ip.GetTos() & 3u)));
}

// Counts frame bytes, where ns-3's own item counts IP bytes: limits and thresholds of every queue disc mean the same.
class FrameItem : public ns3::Ipv4QueueDiscItem {
 public:
  FrameItem(ns3::Ptr<ns3::Packet> packet, const ns3::Address& address, uint16_t protocol, const ns3::Ipv4Header& header,
            const FrameRules& rules);
  uint32_t GetSize() const override { return length_; }

  // The verdict of who gives an outcome and no class.
  Verdict judged(uint32_t outcome) const;

  Verdict verdict;      // as the port judged it
  uint32_t source = 0;  // the link of the switch that it came by, where links are paused

 private:
  uint32_t length_;
};

// A queue without a limit: it only keeps packets in their order.
ns3::Ptr<ns3::Queue<ns3::QueueDiscItem>> endless_queue();

}  // namespace lab
