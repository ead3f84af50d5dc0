// SPDX-License-Identifier: BSD-3-Clause
// Model and RTL side by side: every verdict event, departure and register value is compared.
//
// The first difference ends the run: the error says what differs, shows the packet and the state of both sides, and
// names a waveform of the RTL, made by playing the last calls again from a saved state. It is written to the folder
// named by the environment variable TRUEMARK_WAVES, else to the current one.
#pragma once

#include <string>
#include <vector>

#include "model_engine.h"
#include "rtl_engine.h"

namespace truemark {

class BothEngine final : public Engine {
 public:
  explicit BothEngine(const tm_build& asked);
  ~BothEngine() override;

  const char* name() const override { return "both"; }
  tm_build build() const override { return kRtlBuild; }
  std::optional<uint32_t> read(uint32_t address) override;
  bool write(uint32_t address, uint32_t value) override;
  void offer(uint64_t time, const tm_frame& frame) override;
  bool take(uint32_t port, uint64_t time, std::span<uint8_t> buffer, tm_departure& departure) override;
  void advance(uint64_t time) override;
  std::optional<tm_event> next_event() override;

 private:
  struct Call {
    enum class Kind : uint8_t { Read, Write, Offer, Take, Advance } kind;
    uint64_t time = 0;
    uint32_t a = 0;  // address or port
    uint32_t b = 0;  // value
    tm_frame frame{};
    std::vector<uint8_t> bytes;
  };

  // Runs `body` on the RTL; a failure there is reported like a difference.
  template <typename Body>
  auto on_rtl(Body body);
  void begin(Call call);
  std::string doing() const;  // the call under way, in words
  void forget_states();
  [[noreturn]] void differ(const std::string& what);
  std::string state_of(Engine& engine) const;
  std::string replay_with_waves();

  ModelEngine model_;
  std::unique_ptr<RtlEngine> rtl_;
  std::deque<tm_event> events_;
  std::string failed_;
  std::vector<uint8_t> packet_;  // offered or taken last
  std::string older_, newer_;    // files with saved states of the RTL
  std::vector<Call> since_older_, since_newer_;
  std::vector<uint8_t> rtl_buffer_;
};

}  // namespace truemark
