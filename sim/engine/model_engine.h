// SPDX-License-Identifier: BSD-3-Clause
// The golden model as an engine.
#pragma once

#include "../model/device.h"
#include "engine.h"

namespace truemark {

class ModelEngine final : public Engine {
 public:
  explicit ModelEngine(const tm_build& complete_build);

  const char* name() const override { return "model"; }
  tm_build build() const override { return build_; }
  std::optional<uint32_t> read(uint32_t address) override { return device_.read(address); }
  bool write(uint32_t address, uint32_t value) override { return device_.write(address, value); }
  void offer(uint64_t time, const tm_frame& frame) override;
  bool take(uint32_t port, uint64_t time, std::span<uint8_t> buffer, tm_departure& departure) override;
  void pause(uint32_t port, uint32_t queues) override { device_.pause(port, queues); }
  void advance(uint64_t time) override { device_.advance(time); }
  std::optional<tm_event> next_event() override;

 private:
  tm_build build_;
  Device device_;
};

}  // namespace truemark
