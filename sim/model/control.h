// SPDX-License-Identifier: BSD-3-Clause
// Control: the register window as a host sees it. What it acts on is behind PortAccess.
//
// Commands complete within the write, so that no busy bit is ever seen set.
#pragma once

#include <vector>

#include "counters.h"
#include "device_pool.h"
#include "registers.h"
#include "shadow.h"
#include "types.h"

namespace truemark {

// What the registers show of one port.
struct PortView {
  uint64_t bytes = 0;
  uint64_t packets = 0;
  uint64_t watermark_bytes = 0;
  uint64_t watermark_packets = 0;
  uint64_t watermark_sojourn = 0;
  uint32_t cut_short = 0;
  std::array<uint32_t, kSlots> average{};  // bytes
  std::array<uint32_t, kSlots> maxp{};
};

class PortAccess {
 public:
  virtual ~PortAccess() = default;
  virtual PortView view(uint32_t port) const = 0;
  virtual const Counters& counters(uint32_t port) const = 0;
  virtual uint32_t bad(Bad kind) const = 0;
  virtual const DevicePool* pool() const = 0;  // none: each port has a memory of its own
  virtual void set_queue_map(const QueueMap& map) = 0;
  virtual void set_config(uint32_t port, const PortConfig& config, const LawChanges& changes) = 0;
  virtual void set_time_step(uint32_t step) = 0;
  virtual void seed(uint32_t port, uint32_t value) = 0;
  virtual void flush(uint32_t port) = 0;
  virtual void clear_watermarks(uint32_t port) = 0;
};

class Control {
 public:
  Control(const Build& build, PortAccess& access);

  // No value, or false: the access is answered with an error (SLVERR).
  std::optional<uint32_t> read(uint32_t address, uint64_t now);
  bool write(uint32_t address, uint32_t value, uint64_t now);

  const Shadow& shadow() const { return shadow_; }

 private:
  struct Snapshot {
    uint64_t bytes = 0;
    uint64_t packets = 0;
    Counters counters;
  };

  std::optional<uint32_t> read_identity(uint32_t address) const;
  std::optional<uint32_t> read_control(uint32_t address, uint64_t now);
  std::optional<uint32_t> read_port(uint32_t address) const;
  std::optional<uint32_t> read_pool(uint32_t address) const;
  std::optional<uint32_t> read_pauses(uint32_t address) const;
  std::optional<uint32_t> read_snapshot(uint32_t address) const;
  std::optional<uint32_t> read_bad(uint32_t address) const;
  void write_lock(uint32_t value);
  void command(uint32_t bits, uint64_t now);
  void commit();
  void reset_laws();
  void take_snapshot(uint64_t now);
  void run_query();
  bool page_exists() const { return page_ < build_.ports; }

  Build build_;
  PortAccess& access_;
  Shadow shadow_;
  std::vector<Shadow> active_;  // what each port's last accepted commit found
  std::vector<Snapshot> snapshots_;
  uint64_t snapshot_time_ = 0;
  uint32_t time_high_ = 0;
  uint32_t time_step_ = reg::kTimeStepReset;
  uint32_t seed_ = reg::kSeedReset;
  uint32_t lock_ = 0;
  uint32_t page_ = 0;
  uint32_t query_ = 0;
  Total sum_;
  bool refused_ = false;
  reg::Fault fault_ = reg::Fault::None;
};

}  // namespace truemark
