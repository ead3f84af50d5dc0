// SPDX-License-Identifier: BSD-3-Clause
// The reference pipeline, Verilated, as an engine that has the registers of its queues and no streams: what a host sees
// of a board.
//
// The top is tm_reference_switch under the class name Vtruemark. It runs at 200 MHz as on a SUME, the host at 125, so
// that every access crosses clocks. Time is the device's own and passes while it is accessed; nothing ever arrives.
// Offers and takes fail, `advance` does nothing.
#pragma once

#include "../dut/axil_master.h"
#include "engine.h"

class VerilatedContext;

namespace truemark {

class PipelineEngine final : public Engine {
 public:
  explicit PipelineEngine(const tm_build& asked);
  ~PipelineEngine() override;

  const char* name() const override { return "netfpga"; }
  tm_build build() const override;
  std::optional<uint32_t> read(uint32_t address) override;
  bool write(uint32_t address, uint32_t value) override;
  void offer(uint64_t time, const tm_frame& frame) override;
  bool take(uint32_t port, uint64_t time, std::span<uint8_t> buffer, tm_departure& departure) override;
  void advance(uint64_t) override {}
  std::optional<tm_event> next_event() override { return std::nullopt; }

 private:
  bool host_cycle();

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vtruemark> top_;
  AxilMaster axil_;
  unsigned ahead_ = 0;  // nanoseconds of the host's clock that the core's has not run yet
};

}  // namespace truemark
