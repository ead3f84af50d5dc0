// SPDX-License-Identifier: BSD-3-Clause
// The golden model at frame level: a device to which whole frames are offered and from which whole frames are taken.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bucket.h"
#include "clock.h"
#include "control.h"
#include "counters.h"
#include "device_pool.h"
#include "ets.h"
#include "framer.h"
#include "port.h"
#include "ring.h"
#include "types.h"

namespace truemark {

// A frame as it is offered: `promised` is what the first beat says, `hole` names the beat (from 1) whose first byte
// tkeep leaves out, `lines` are those that it is for, as bits, `source` is the port that it came in by.
struct Offer {
  std::span<const uint8_t> bytes;
  uint32_t promised = 0;
  uint32_t lines = 0;
  bool error = false;
  uint32_t hole = 0;
  uint32_t source = 0;
};

struct VerdictEvent {
  uint64_t time = 0;
  uint32_t port = 0;
  uint32_t length = 0;
  Meta meta;
  Outcome outcome = Outcome::Pass;
  uint32_t bytes = 0;
};

struct Taken {
  uint32_t port = 0;
  uint32_t length = 0;
  uint64_t sojourn = 0;
  Departure kind = Departure::Plain;
};

class Device final : private PortAccess {
 public:
  explicit Device(const Build& build);

  const Build& build() const { return build_; }
  void offer(uint64_t now, const Offer& frame);
  // `buffer` holds at least max_frame bytes. Nothing when the line's queues are empty, or wait for a rate.
  std::optional<Taken> take(uint32_t line, uint64_t now, std::span<uint8_t> buffer);
  // The queues of a line, by their bits, that begin no frame until the next call.
  void pause(uint32_t line, uint32_t queues);
  void advance(uint64_t now) { now_ = now; }
  std::optional<VerdictEvent> next_event();

  std::optional<uint32_t> read(uint32_t address) { return control_.read(address, now_); }
  bool write(uint32_t address, uint32_t value) { return control_.write(address, value, now_); }

 private:
  struct Lane {
    Lane(const Build& build, uint32_t index) : port(build, index) {}
    Port port;
    Counters counters;
    Bucket bucket;
    bool paused = false;             // by the line's link partner
    bool read_ahead = false;         // the pool holds nothing of the oldest frame any more
    std::optional<Leaving> decided;  // what CoDel says of the oldest frame, which leaves
  };

  PortView view(uint32_t port) const override;
  const DevicePool* pool() const override { return pool_.get(); }
  const Counters& counters(uint32_t port) const override { return lanes_[port]->counters; }
  uint32_t bad(Bad kind) const override { return bad_[static_cast<size_t>(kind)]; }
  void set_queue_map(const QueueMap& map) override { queue_map_ = map; }
  void set_config(uint32_t port, const PortConfig& config, const LawChanges& changes) override {
    lanes_[port]->port.set_config(config, changes, now_);
    if (pool_) pool_->configure(port, config);
    lanes_[port]->bucket.configure(config.shape, cycle());
    if (lines_.empty()) return;
    lines_[build_.line_of(port)].configure(build_.queue_of(port), !config.shares, config.quantum);
    if (build_.queue_of(port) == 0) buckets_[build_.line_of(port)].configure(config.line_shape, cycle());
  }
  void set_time_step(uint32_t step) override { clock_.set_step(step, now_); }
  void seed(uint32_t port, uint32_t value) override { lanes_[port]->port.seed(value); }
  void flush(uint32_t port) override;
  void clear_watermarks(uint32_t port) override {
    lanes_[port]->port.clear_watermarks();
    if (pool_) pool_->clear_watermarks(port);
  }

  struct Arrival {
    uint32_t lines;
    uint32_t source;
    std::span<const uint8_t> bytes;
    uint32_t length;
    Meta meta;   // as the verdict sees it
    Meta tally;  // as the frame is counted
    bool bad;
  };

  bool looks_good(const Offer& frame) const;
  Framed assemble(const Offer& frame) const;
  void arrive(const Arrival& frame);
  // A port's copy, and its verdict: what the pool is to know of it.
  DevicePool::Copy arrive(uint32_t index, const Arrival& frame);
  bool has_room(uint32_t index, const Arrival& frame) const;
  void drop_head(uint32_t index);
  // The frame that was the oldest of a port is held no more.
  void release(uint32_t index, const Held& held);
  // A short frame that is next to leave has all been read.
  void read_ahead(uint32_t index);
  bool may_send(const Lane& lane) const { return !lane.paused && lane.bucket.open(cycle()); }
  uint64_t cycle() const { return clock_.cycle(now_); }  // what rates are in
  using Heads = std::vector<std::optional<uint32_t>>;    // the length of the oldest frame of each queue
  Heads see(uint32_t line);
  std::optional<Taken> take_turn(uint32_t line, std::span<uint8_t> buffer);
  // CoDel drops frames up to one that leaves. False: none does.
  bool decide(uint32_t port);
  Taken send(uint32_t port, std::span<uint8_t> buffer);

  Build build_;
  uint64_t now_ = 0;
  Clock clock_;
  QueueMap queue_map_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::unique_ptr<DevicePool> pool_;  // else each has a memory of its own
  std::vector<Ets> lines_;            // where they have several queues
  std::vector<Bucket> buckets_;       // and theirs
  std::array<uint32_t, kBadKinds> bad_{};
  Ring<VerdictEvent> events_;
  Control control_;
};

}  // namespace truemark
