// SPDX-License-Identifier: BSD-3-Clause
// Traffic: what the source drives and the sinks accept, cycle by cycle, in phases of one character each.
#pragma once

#include <array>
#include <vector>

#include "../model/framer.h"
#include "../model/random.h"
#include "headers.h"

namespace truemark {

// Frame lengths in bytes: one of these, each as likely; or any between the first two.
struct Lengths {
  std::vector<uint32_t> bytes;
  bool between = false;
  bool spoilt = false;  // gaps in frames and wrong frames stay
};

// The character of a phase.
struct Phase {
  uint32_t min_length = 14, max_length = 200;
  uint32_t jumbo_one_in = 0;     // 0: never
  uint32_t gap_percent = 0;      // idle cycles between beats
  uint32_t between_percent = 0;  // idle cycles between frames
  uint32_t bad_percent = 0;
  uint32_t ports_mask = ~0u;  // the ports that see traffic
  bool multicast = false;
  std::vector<uint32_t> tx_percent, ready_percent;  // by port; 0 and 100 are steady
  uint32_t stall_one_in = 0;                        // long stalls of a sink
  uint32_t pause_one_in = 0;                        // a class of each line is paused, or may send again; 0: none is
  uint32_t nanoseconds = 8;                         // that a cycle takes at the most
  std::vector<uint32_t> lengths;                    // if any, frames have one of these

  // Frames of these lengths without gaps between them; right ones, unless spoilt ones are wanted, too.
  void limit_to(const Lengths& wanted);
};

Phase random_phase(Random& random, const Build& build);

class Traffic {
 public:
  Traffic(const Build& build, Random& random) : build_(build), random_(random) {}

  void set_phase(const Phase& phase) { phase_ = phase; }
  const Phase& phase() const { return phase_; }

  // The beat of the coming cycle, if there is one. `start`: a new frame may begin.
  const Beat* next(bool start);
  bool in_frame() const { return position_ < beats_.size(); }
  // Drops the rest of the frame under way, as a reset of the source does.
  void drop() { position_ = beats_.size(); }

  PortMask tx_enable() { return pattern(phase_.tx_percent); }
  uint32_t ready();
  // The classes of each line that its link partner pauses.
  const std::array<uint8_t, pkg::kMaxLines>& pauses();

 private:
  void make_frame();
  void spoil(std::vector<uint8_t>& bytes, uint32_t& promised, uint32_t& ports, bool& error);
  PortMask pattern(const std::vector<uint32_t>& percent);

  Build build_;
  Random& random_;
  Phase phase_;
  std::vector<uint8_t> bytes_;
  std::vector<Beat> beats_;
  size_t position_ = 0;
  uint32_t stalled_lines_ = 0;
  std::array<uint8_t, pkg::kMaxLines> paused_{};
};

}  // namespace truemark
