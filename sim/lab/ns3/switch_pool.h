// SPDX-License-Identifier: GPL-2.0-only
// The memory that the ports of a switch share: the golden model's, asked before a port's engine is offered a packet.
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

// A port's part in it.
class PoolPort {
 public:
  PoolPort(SwitchPool& pool, std::string name, size_t queue) : pool_(pool), name_(std::move(name)), queue_(queue) {}

  // The outcome of a packet that may not be stored.
  std::optional<uint32_t> refused(uint32_t bytes);
  // A packet that came by a link of the switch (SourceTag), where links are paused.
  void store(uint32_t bytes, uint32_t source);
  void release(uint32_t bytes, uint32_t source);
  bool pauses() const;
  void write(JsonWriter& out) const;

 private:
  SwitchPool& pool_;
  std::string name_;
  size_t queue_;
  uint64_t threshold_ = 0, cells_ = 0;     // packets refused, by reason
  std::optional<uint64_t> first_refusal_;  // cells that the queue held then
};

class SwitchPool {
 public:
  // `leaks`: a fault that a test puts in, cells that never come back.
  SwitchPool(std::string name, const Json& plan, bool leaks);
  SwitchPool(const SwitchPool&) = delete;
  PoolPort* add(std::string port);
  const std::string& name() const { return name_; }
  uint64_t held() const { return pool_.held(); }
  // Of its links; none if the memory is lossy.
  SwitchPause* pause() const { return pause_.get(); }
  void clear_watermarks() { pool_.clear_watermarks(); }
  void write(JsonWriter& out) const;

 private:
  friend class PoolPort;
  std::string name_;
  uint64_t cells_;
  uint32_t cell_bytes_;
  truemark::PoolShare share_;  // of each port
  bool leaks_;
  truemark::Pool pool_;
  std::unique_ptr<SwitchPause> pause_;
  std::deque<PoolPort> ports_;  // stay where they are
};

}  // namespace lab
