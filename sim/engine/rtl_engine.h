// SPDX-License-Identifier: BSD-3-Clause
// The Verilated RTL as an engine: every call clocks as many cycles as its effect takes, with time standing still.
#pragma once

#include <deque>
#include <vector>

#include "../dut/axil_master.h"
#include "../dut/rtl_pins.h"
#include "../model/shadow.h"
#include "../model/types.h"
#include "engine.h"

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
  void follow_command(uint32_t bits);
  void collect_departures();
  void settle_before_verdict();
  bool adapts() const;
  unsigned patience(uint32_t port) const;

  RtlPins pins_;
  AxilMaster axil_;
  uint64_t now_ = 0;
  bool answered_ = false;
  bool time_moved_ = false;   // and nothing has looked at it since
  bool shows_moved_ = false;  // likewise, for the registers that show the laws
  Shadow shadow_;
  std::vector<PortConfig> configs_;                // active, by port
  std::vector<std::deque<Departure>> departures_;  // counted and not yet taken note of
  uint32_t page_ = 0;
  std::deque<tm_event> events_;
  std::vector<std::deque<uint64_t>> verdict_times_;  // of the frames each port holds
};

}  // namespace truemark
