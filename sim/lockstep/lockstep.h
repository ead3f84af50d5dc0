// SPDX-License-Identifier: BSD-3-Clause
// Lockstep: RTL and golden side in the same cycles, compared pin by pin.
#pragma once

#include <optional>
#include <string>

#include "../dut/axil_master.h"
#include "../dut/rtl_pins.h"
#include "../model/cycles/device_cycles.h"
#include "../model/random.h"
#include "coverage.h"
#include "digest.h"
#include "floors.h"
#include "host.h"
#include "traffic.h"

namespace truemark {

class Lockstep {
 public:
  // With `lengths`, frames are as they say.
  Lockstep(uint64_t seed, const std::optional<Lengths>& lengths, bool digest);

  // Runs phases of traffic until so many frames were offered. Throws at the first difference.
  void run(uint64_t frames);
  uint64_t cycles() const { return pins_.cycles(); }
  uint64_t frames() const { return model_.frames(); }
  Coverage& coverage() { return coverage_; }
  const Build& build() const { return build_; }
  void collect_coverage() { collect(coverage_, model_, build_); }
  // Of verdicts and of the rows that leave, with their cycles.
  std::optional<uint64_t> digest() const { return digest_ ? std::optional(digest_->value()) : std::nullopt; }
#if TM_WAVES
  // Writes a waveform from a cycle on.
  void set_waves(const std::string& path, uint64_t from) {
    waves_path_ = path;
    waves_from_ = from;
  }
#endif

 private:
  void phase();
  bool covers(uint64_t frames) const;  // the floors of so many
  void quiet();
  void reset();
  void idle(uint32_t cycles);
  // What the pins show of the cycle is compared, then the inputs of the next are chosen.
  void cycle(bool start_frames);
  void choose_inputs(bool start_frames);
  void advance_time();
  void jump();
  void compare_line(uint32_t line);
  void compare_row(uint32_t line, const ExpectedRow& row);
  void compare_event(uint32_t port, const std::optional<ExpectedEvent>& event, bool valid);
  [[noreturn]] void differ_line(uint32_t line, const std::string& what) const;
  [[noreturn]] void differ(uint32_t port, const std::string& what) const;

  Build build_;
  Random random_;
  RtlPins pins_;
  AxilMaster axil_;
  Coverage coverage_;
  std::optional<Digest> digest_;
  DeviceCycles model_;
  Traffic traffic_;
  Host host_;
  std::optional<Lengths> lengths_;
  PinCycle now_;  // the inputs of this cycle
  uint64_t time_ = 0;
  bool drain_ = false;   // all sinks take all they can
  bool hold_ = false;    // no port starts a frame
  bool frozen_ = false;  // time stands still
#if TM_WAVES
  std::string waves_path_;
  uint64_t waves_from_ = 0;
#endif
};

}  // namespace truemark
