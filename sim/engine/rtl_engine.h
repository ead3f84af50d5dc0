// SPDX-License-Identifier: BSD-3-Clause
// The Verilated RTL as an engine: every call clocks until the RTL says that it has settled, with time standing still.
#pragma once

#include <deque>
#include <vector>

#include "../dut/axil_master.h"
#include "../dut/rtl_pins.h"
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
  struct Left {
    uint32_t kind = 0;
    uint64_t sojourn = 0;  // ns
  };

  void set_time(uint64_t time);
  bool cycle();  // true in the cycle in which an access is answered
  void settle(Settled what);
  void collect_events();
  void collect_departures();

  RtlPins pins_;
  AxilMaster axil_;
  uint64_t now_ = 0;
  uint64_t seen_ = 0;       // the time at which RED's averages had settled last
  std::vector<Left> left_;  // each port's latest departure
  std::deque<tm_event> events_;
};

}  // namespace truemark
