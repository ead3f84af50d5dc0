// SPDX-License-Identifier: BSD-3-Clause
// Which queue of its line takes a frame: tables, one set for all ports, and the mode that chooses between them.
#pragma once

#include <array>

#include "types.h"

namespace truemark {

struct QueueMap {
  reg::QueueMode mode = reg::QueueMode::Fixed;
  unsigned default_queue = 0;
  std::array<unsigned, 64> dscp{};
  std::array<unsigned, 8> pcp{};
  std::array<unsigned, 4> ecn{};                       // by codepoint
  std::array<std::array<unsigned, 7>, 2> class_ece{};  // by the ECE flag, then by class

  // The queue follows from the class, so that it is known with the flags half of the walk only.
  bool by_class() const { return mode == reg::QueueMode::ClassEce; }

  unsigned by_ecn_half(const Meta& meta) const {
    const bool ip = meta.l3 != L3::None;
    if (mode == reg::QueueMode::Dscp && ip) return dscp[meta.dscp];
    if (mode == reg::QueueMode::Ecn && ip) return ecn[static_cast<size_t>(meta.ecn)];
    if (mode == reg::QueueMode::Pcp && meta.pcp) return pcp[*meta.pcp];
    return default_queue;
  }
  unsigned by_flags_half(const Meta& meta) const { return class_ece[meta.ece][static_cast<size_t>(meta.class_id)]; }
  unsigned queue(const Meta& meta) const { return by_class() ? by_flags_half(meta) : by_ecn_half(meta); }
};

}  // namespace truemark
