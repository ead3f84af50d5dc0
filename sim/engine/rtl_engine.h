// SPDX-License-Identifier: BSD-3-Clause
// The Verilated RTL as an engine: every call clocks as many cycles as its effect takes, with time standing still.
#pragma once

#include <deque>
#include <vector>

#include "axil_master.h"
#include "engine.h"
#include "rtl_pins.h"

namespace truemark {

class RtlEngine final : public Engine {
 public:
  explicit RtlEngine(const tm_build& asked, uint32_t seed = 1);

  const char* name() const override { return "rtl"; }
  tm_build build() const override { return kRtlBuild; }
  std::optional<uint32_t> read(uint32_t address) override;
  bool write(uint32_t address, uint32_t value) override;
  void offer(uint64_t time, const tm_frame& frame) override;
  bool take(uint32_t port, uint64_t time, std::span<uint8_t> buffer, tm_departure& departure) override;
  void advance(uint64_t time) override;
  std::optional<tm_event> next_event() override;

  RtlPins& pins() { return pins_; }

 private:
  void set_time(uint64_t time);
  void cycle();
  void idle(unsigned cycles);
  void collect_events();
  void finish_command(uint32_t bits);

  RtlPins pins_;
  AxilMaster axil_;
  uint64_t now_ = 0;
  bool answered_ = false;
  uint32_t page_ = 0;
  std::deque<tm_event> events_;
  std::vector<std::deque<uint64_t>> verdict_times_;  // of the frames each port holds
};

}  // namespace truemark
