// SPDX-License-Identifier: BSD-3-Clause
// The shadow configuration: the registers a host fills in, whether they make sense, and what they mean.
#pragma once

#include <vector>

#include "queue_map.h"
#include "registers.h"
#include "types.h"

namespace truemark {

class Shadow {
 public:
  Shadow();

  // The registers of a shadow that a host of this build writes, in ascending order.
  static std::vector<uint32_t> addresses(const Build& build);
  // Whether the build has this one.
  static bool has(const Build& build, uint32_t address);

  // False: not a register of the shadow.
  bool write(uint32_t address, uint32_t value);
  std::optional<uint32_t> read(uint32_t address) const;

  // The first field, in the order of the fault codes, that makes it impossible for this port of the build.
  reg::Fault fault(const Build& build, uint32_t port, const OtherPorts& others) const;

  PortConfig meaning() const;
  // What is of all ports.
  QueueMap queue_map() const;
  void take_queue_map(const Shadow& from);

 private:
  uint32_t at(uint32_t address) const;
  bool limits_bytes() const { return reg::control::kLimitBytesOn.get(at(reg::kControl)); }
  bool limits_packets() const { return reg::control::kLimitPacketsOn.get(at(reg::kControl)); }
  unsigned slot_of(Ecn ecn) const {
    return reg::control::kSlotOf.get(at(reg::kControl)) >> static_cast<unsigned>(ecn) & 1;
  }
  unsigned law(unsigned slot) const {
    return (slot ? reg::control::kLaw1 : reg::control::kLaw0).get(at(reg::kControl));
  }
  RedConfig red(unsigned slot) const;
  CodelConfig codel() const;
  reg::Fault limits_fault(const Build& build) const;
  reg::Fault queues_fault(const Build& build) const;

  std::vector<uint32_t> values_;  // in the order of reg::kConfigWords, then of reg::kQueueWords
};

}  // namespace truemark
