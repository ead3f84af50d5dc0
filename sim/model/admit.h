// SPDX-License-Identifier: BSD-3-Clause
// Admit: occupancy of one queue and the verdict on every copy that arrives.
//
// Within a cycle call judge (and store) first, then remove, then settle: a verdict sees the queue as it was before that
// cycle's departure, and watermarks follow what the queue holds from one cycle to the next.
#pragma once

#include <algorithm>

#include "types.h"

namespace truemark {

class Admit {
 public:
  uint64_t bytes() const { return bytes_; }
  uint64_t packets() const { return packets_; }
  uint64_t watermark_bytes() const { return watermark_bytes_; }
  uint64_t watermark_packets() const { return watermark_packets_; }

  // The outcome of a frame of `length` bytes; `room`: storage has rows and a descriptor for it, `red`: what RED says of
  // its slot. Changes nothing.
  Outcome judge(const PortConfig& config, const Meta& meta, uint32_t length, bool room, Signal red) const {
    if (!config.enable) return Outcome::Disabled;
    if (config.limit_bytes && bytes_ + length > *config.limit_bytes) return Outcome::TailBytes;
    if (config.limit_packets && packets_ >= *config.limit_packets) return Outcome::TailPackets;
    if (!room) return Outcome::NoRoom;
    const Signal signal = config.defers(meta.ecn) ? Signal::None : said(config, config.slot(meta.ecn), red);
    if (signal == Signal::None) return meta.ecn == Ecn::Ce ? Outcome::PassCe : Outcome::Pass;
    return signalled(config, meta, signal == Signal::Forced);
  }

  void store(uint32_t length) {
    bytes_ += length;
    packets_ += 1;
  }

  void remove(uint32_t length) {
    bytes_ -= length;
    packets_ -= 1;
  }

  void settle() {
    watermark_bytes_ = std::max(watermark_bytes_, bytes_);
    watermark_packets_ = std::max(watermark_packets_, packets_);
  }

  void clear_watermarks() {
    watermark_bytes_ = bytes_;
    watermark_packets_ = packets_;
  }

 private:
  Signal said(const PortConfig& config, unsigned slot, Signal red) const {
    if (config.law[slot] == Law::Red) return red;
    return config.law[slot] == Law::Step && bytes_ > config.k[slot] ? Signal::Forced : Signal::None;
  }

  static Outcome signalled(const PortConfig& config, const Meta& meta, bool forced) {
    if (config.noecn) return forced ? Outcome::EarlyForced : Outcome::EarlyProbability;
    if (meta.ecn == Ecn::NotEct) {
      if (forced && config.harddrop && config.counts_as_linux(config.slot(meta.ecn))) return Outcome::EarlyForced;
      if (config.protects(meta.class_id, meta.ece)) return Outcome::Protected;
      return forced ? Outcome::EarlyForced : Outcome::EarlyProbability;
    }
    if (forced && config.harddrop) return Outcome::EarlyForced;
    return meta.ecn == Ecn::Ce ? Outcome::CeSignalled : Outcome::Mark;
  }

  uint64_t bytes_ = 0;
  uint64_t packets_ = 0;
  uint64_t watermark_bytes_ = 0;
  uint64_t watermark_packets_ = 0;
};

}  // namespace truemark
