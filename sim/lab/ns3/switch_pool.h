// SPDX-License-Identifier: GPL-2.0-only
// The memory that all queues of a switch share: the golden model's, asked before a port's engine is offered a packet.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "../../model/pool.h"
#include "json.h"
#include "switch_pause.h"

namespace lab {

class SwitchPool;

// The part in it of a queue of a port.
class PoolQueue {
 public:
  PoolQueue(SwitchPool& pool, std::string port, uint32_t priority, size_t queue)
      : pool_(pool), port_(std::move(port)), priority_(priority), queue_(queue) {}

  // The outcome of a packet that may not be stored.
  std::optional<uint32_t> refused(uint32_t bytes);
  // A packet that came by a link of the switch (SourceTag), where links are paused.
  void store(uint32_t bytes, uint32_t source);
  void release(uint32_t bytes, uint32_t source);
  bool pauses() const;
  void write(JsonWriter& out) const;

 private:
  SwitchPool& pool_;
  std::string port_;
  uint32_t priority_;                      // whose queue of the port it is
  size_t queue_;                           // of the pool
  uint64_t threshold_ = 0, cells_ = 0;     // packets refused, by reason
  std::optional<uint64_t> first_refusal_;  // cells that the queue held then
};

class SwitchPool {
 public:
  // `leaks`: a fault that a test puts in, cells that never come back.
  SwitchPool(std::string name, const Json& plan, bool leaks);
  SwitchPool(const SwitchPool&) = delete;
  // Of a port's queue for this priority.
  PoolQueue* add(std::string port, uint32_t priority);
  // A link that it may pause, for SourceTag.
  uint32_t add(PausedLink link);
  const std::string& name() const { return name_; }
  uint64_t held() const { return pool_.held(); }
  // Of its links; none if the memory is lossy.
  SwitchPause* pause() const { return pause_.get(); }
  void clear_watermarks() { pool_.clear_watermarks(); }
  void write(JsonWriter& out) const;

 private:
  friend class PoolQueue;
  std::string name_;
  uint64_t cells_;
  uint32_t cell_bytes_;
  truemark::PoolShare share_;  // of each queue that may lose packets
  uint32_t priorities_;        // queues of a port
  bool leaks_;
  truemark::Pool pool_;
  std::unique_ptr<SwitchPause> pause_;
  std::deque<PoolQueue> queues_;  // stay where they are
};

}  // namespace lab
