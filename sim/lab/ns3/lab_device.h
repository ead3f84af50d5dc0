// SPDX-License-Identifier: GPL-2.0-only
// One end of a link between two nodes: a packet takes as long as its Ethernet frame with preamble, FCS and gap. The
// bytes beyond the packet are padding; the next node's IP layer removes it.
//
// Besides the frame on the wire the device holds no other, so that all that waits is in the queue under test; or one,
// as ns-3's PointToPointNetDevice does with its shortest queue: then it does event by event what that device does.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "frame.h"
#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"

namespace lab {

// What the devices of a network have in common.
struct DeviceRules {
  FrameRules frames;
  bool holds_one = true;      // besides the frame on the wire
  uint64_t* drops = nullptr;  // packets that came while the device could take none
};

class LabNetDevice : public ns3::NetDevice {
 public:
  static ns3::TypeId GetTypeId();
  // `rate` in bit/s; `queue_type`: the class by which the device tells the queue disc to wait.
  void setup(const DeviceRules& rules, bool of_host, uint64_t rate, ns3::TypeId queue_type);
  // `far_end` has a packet's last bit this long after it left.
  void link(ns3::Ptr<LabNetDevice> far_end, ns3::Time delay);
  bool Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& to, uint16_t protocol) override;
  // The switch at the far end counts what it has of this link, and knows it by this number.
  void be_source(uint32_t number) { source_ = number; }
  // A function that says how many nanoseconds the frame on the wire still takes.
  std::function<uint64_t()> wire() const;
  ns3::NetDeviceQueue& queue() const { return *queue_; }

  void SetIfIndex(const uint32_t index) override { index_ = index; }
  uint32_t GetIfIndex() const override { return index_; }
  ns3::Ptr<ns3::Channel> GetChannel() const override { return nullptr; }
  void SetAddress(ns3::Address address) override { address_ = address; }
  ns3::Address GetAddress() const override { return address_; }
  bool SetMtu(const uint16_t mtu) override;
  uint16_t GetMtu() const override { return kMtu; }
  bool IsLinkUp() const override { return far_end_ != nullptr; }
  void AddLinkChangeCallback(ns3::Callback<void>) override {}  // a link is there for good
  bool IsBroadcast() const override { return true; }
  ns3::Address GetBroadcast() const override;
  bool IsMulticast() const override { return false; }
  ns3::Address GetMulticast(ns3::Ipv4Address) const override { return GetBroadcast(); }
  ns3::Address GetMulticast(ns3::Ipv6Address) const override { return GetBroadcast(); }
  bool IsBridge() const override { return false; }
  bool IsPointToPoint() const override { return true; }
  bool SendFrom(ns3::Ptr<ns3::Packet>, const ns3::Address&, const ns3::Address&, uint16_t) override { return false; }
  bool SupportsSendFrom() const override { return false; }
  ns3::Ptr<ns3::Node> GetNode() const override { return node_; }
  void SetNode(ns3::Ptr<ns3::Node> node) override { node_ = node; }
  bool NeedsArp() const override { return false; }
  void SetReceiveCallback(ReceiveCallback above) override { above_ = above; }
  void SetPromiscReceiveCallback(PromiscReceiveCallback) override;

 private:
  static constexpr uint16_t kMtu = 1500;
  void start(ns3::Ptr<ns3::Packet> packet);
  void complete();
  void receive(ns3::Ptr<ns3::Packet> packet);
  ns3::Time time_of(uint32_t bytes);

  DeviceRules rules_;
  bool of_host_ = false;
  ns3::DataRate rate_;
  ns3::Ptr<ns3::NetDeviceQueue> queue_;
  ns3::Ptr<LabNetDevice> far_end_;
  ns3::Time delay_;
  std::optional<uint32_t> source_;
  bool busy_ = false;
  ns3::Ptr<ns3::Packet> held_;                     // behind the frame on the wire
  ns3::Time sent_;                                 // when the frame on the wire is, or the last one was, sent whole
  std::unordered_map<uint32_t, ns3::Time> times_;  // of a frame of so many bytes: ns-3's division takes long
  std::pair<uint32_t, ns3::Time> timed_{};         // the last of them
  uint32_t index_ = 0;
  ns3::Address address_;
  ns3::Ptr<ns3::Node> node_;
  ReceiveCallback above_;
};

}  // namespace lab
