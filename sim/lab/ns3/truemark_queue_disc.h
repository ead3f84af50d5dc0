// SPDX-License-Identifier: GPL-2.0-only
// An ns-3 queue disc whose every decision is taken by a Truemark engine.
//
// Enqueue: if the switch's memory is shared, its pool may refuse the packet. Else its real headers, behind a synthetic
// Ethernet header and before a payload of zeros, are offered at the simulator's time; the engine's outcome stores or
// drops the packet. Dequeue: the engine gives a frame; the item at the head must be that frame, and the CE codepoint
// that the engine wrote is applied to it. Checked at every packet, with an exception where it fails: bytes held are the
// same on both sides, the frame that leaves carries the header that ns-3 itself would write (checksum included), and a
// mark that was decided is there.
//
// A port may have a queue for each priority. The engine says which takes a packet and which sends, and a link partner
// pauses some; the pool is asked before, so that the engine's choice is checked against the packet's priority.
#pragma once

#include <memory>

#include "engine_library.h"
#include "frame.h"
#include "measures.h"
#include "ns3/buffer.h"
#include "ns3/queue-disc.h"
#include "switch_pool.h"

namespace lab {

class TruemarkQueueDisc : public ns3::QueueDisc, public Pausable {
 public:
  static ns3::TypeId GetTypeId();
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  TruemarkQueueDisc();

  // `pool`: what each queue of the port has of the memory of its switch, empty if they have their own. With
  // `drops_at_head` a frame may be missing when its successor leaves. `apply_marks` off: a fault that a test puts in,
  // which the checks must find.
  void setup(std::unique_ptr<EngineDevice> device, std::vector<PoolQueue*> pool, PortMeasures* measures,
             bool drops_at_head, bool apply_marks);
  void pause(uint32_t priority, bool paused) override;

 private:
  bool DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) override;
  ns3::Ptr<ns3::QueueDiscItem> DoDequeue() override;
  bool CheckConfig() override;
  void InitializeParams() override {}

  bool drop(ns3::Ptr<ns3::QueueDiscItem> item, const Verdict& verdict);
  uint32_t source_of(const ns3::Packet& packet) const;
  uint32_t queue_of(const FrameItem& item) const;
  void left(const FrameItem& item);
  void check_nothing_waits() const;
  void write_ip_header(const ns3::Ipv4Header& header, uint8_t* to);
  void check_ip_header(ns3::Ipv4Header header, const uint8_t* ours) const;
  void serialize(const FrameItem& item);
  void check_head(const FrameItem& item, const uint8_t* frame, uint32_t length);
  [[noreturn]] void broken(const std::string& what) const;

  std::unique_ptr<EngineDevice> device_;
  std::vector<PoolQueue*> pool_;  // by queue
  PortMeasures* measures_ = nullptr;
  bool drops_at_head_ = false, apply_marks_ = true;
  uint32_t paused_ = 0;  // queues, by their bits
  std::vector<uint8_t> frame_;
  uint32_t checked_ = 0;  // ECN fields whose header was compared with ns-3's, by their bits
  uint32_t headers_ = 0;  // written
  uint32_t written_ = 0;  // bytes of frame_ that are not zero payload
};

}  // namespace lab
