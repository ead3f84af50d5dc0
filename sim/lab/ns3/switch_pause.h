// SPDX-License-Identifier: GPL-2.0-only
// Priority-based flow control of a switch: the golden model says which of its links must pause, and the far end of such
// a link begins no frame of that priority until it may again.
//
// The far end hears of it behind the frame that is on the wire, a pause frame's own time, the link and what 802.3 lets
// it take to obey; then it finishes the frame on its wire and the one that its device holds, if it does. Pause frames
// keep the wire from no other frame, and are repeated in time: neither is simulated.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "../../model/pause_levels.h"
#include "json.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/tag.h"

namespace lab {

// By which of its next switch's links a packet comes.
class SourceTag : public ns3::Tag {
 public:
  static ns3::TypeId GetTypeId();
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  uint32_t GetSerializedSize() const override { return 4; }
  void Serialize(ns3::TagBuffer buffer) const override { buffer.WriteU32(source); }
  void Deserialize(ns3::TagBuffer buffer) override { source = buffer.ReadU32(); }
  void Print(std::ostream& out) const override { out << source; }
  uint32_t source = 0;
};

// What a link partner may pause.
class Pausable {
 public:
  virtual ~Pausable() = default;
  virtual void pause(uint32_t priority, bool paused) = 0;
};

// A device's queue that lets no packet go while its link partner has paused it: all traffic is of one priority.
class PausedTxQueue : public ns3::NetDeviceQueue, public Pausable {
 public:
  static ns3::TypeId GetTypeId();
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  bool IsStopped() const override { return paused_ || NetDeviceQueue::IsStopped(); }
  void pause(uint32_t priority, bool paused) override;

 private:
  bool paused_ = false;
};

// A link of a switch as it sees it: whom it pauses, and when that takes effect.
struct PausedLink {
  std::string name;                   // of the far end
  Pausable* far_end;                  // none: it is deaf, a fault that a test puts in
  std::function<uint64_t()> wire_ns;  // how long the frame on the wire to the far end takes still
  uint64_t reach_ns = 0;              // from then until it has obeyed
};

// A threshold of a plan: cells, or a power of two of those that are free.
truemark::Threshold threshold_of(const Json& plan);

class SwitchPause {
 public:
  SwitchPause(uint64_t cells, uint32_t priorities, const Json& plan);
  SwitchPause(const SwitchPause&) = delete;
  // The number of a new link, for SourceTag.
  uint32_t add(PausedLink link);
  void store(uint32_t source, uint32_t priority, uint64_t cells);
  void release(uint32_t source, uint32_t priority, uint64_t cells);
  // Whether links are paused before a packet of this priority is lost.
  bool lossless(uint32_t priority) const { return sources_[priority].lossless; }
  uint64_t headroom() const;  // of all sources
  uint64_t held() const;      // of all sources
  void write(JsonWriter& out) const;

 private:
  // One priority of a link.
  struct Group {
    bool told = false;  // to pause
    uint64_t pauses = 0;
  };
  struct Link : PausedLink {
    std::vector<Group> groups;  // by priority
  };
  size_t level_of(size_t link, uint32_t priority) const { return link * sources_.size() + priority; }
  void tell();
  void tell(const Link& link, uint32_t priority, bool pause) const;

  truemark::PauseLevels levels_;
  std::vector<truemark::PauseSource> sources_;  // what each priority of a link is to them
  std::deque<Link> links_;
};

}  // namespace lab
