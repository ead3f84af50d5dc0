// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline_engine.h"

#include <stdexcept>
#include <string>

#include "../dut/rtl_build.h"
#include "../model/registers.h"
#include "Vtruemark.h"
#include "verilated.h"

namespace truemark {
namespace {

constexpr uint32_t kQueues = 0x2000;          // their window
constexpr unsigned kHostNs = 8, kCoreNs = 5;  // periods of the two clocks
constexpr unsigned kReset = 64;               // cycles of the host's clock
constexpr unsigned kAfterReset = 600;         // until the shadow has been cleared
constexpr unsigned kCommand = 1'000'000;      // polls in which a command completes

}  // namespace

PipelineEngine::PipelineEngine(const tm_build& asked)
    : context_((check_rtl_build(asked), std::make_unique<VerilatedContext>())),
      top_(std::make_unique<Vtruemark>(context_.get())),
      axil_(*top_) {
  top_->s_axis_tvalid = 0;
  top_->m_axis_tready = (1u << TM_PORTS) - 1;
  top_->rst = top_->s_axil_rst = 1;
  context_->assertOn(false);  // what is there at power-up is random
  for (unsigned i = 0; i < kReset; ++i) {
    if (i == kReset / 2) context_->assertOn(true);
    host_cycle();
  }
  top_->rst = top_->s_axil_rst = 0;
  for (unsigned i = 0; i < kAfterReset; ++i) host_cycle();
}

PipelineEngine::~PipelineEngine() { top_->final(); }

tm_build PipelineEngine::build() const { return kRtlBuild; }

// One cycle of the host's clock and as many of the core's as fall into it; true in the cycle of an answer.
bool PipelineEngine::host_cycle() {
  for (ahead_ += kHostNs; ahead_ >= kCoreNs; ahead_ -= kCoreNs) {
    top_->clk = 1;
    top_->eval();
    top_->clk = 0;
    top_->eval();
  }
  axil_.drive();
  top_->eval();
  const bool answered = axil_.observe();
  top_->s_axil_aclk = 1;
  top_->eval();
  top_->s_axil_aclk = 0;
  top_->eval();
  return answered;
}

std::optional<uint32_t> PipelineEngine::read(uint32_t address) {
  return axil_.read(kQueues + address, [this] { return host_cycle(); });
}

bool PipelineEngine::write(uint32_t address, uint32_t value) {
  if (!axil_.write(kQueues + address, value, [this] { return host_cycle(); })) return false;
  if (address != reg::kCommand) return true;
  for (unsigned i = 0; i < kCommand; ++i) {
    if (!(read(reg::kStatus).value_or(0) & reg::kBusy)) return true;
  }
  throw std::runtime_error("a command never completes: " + std::to_string(value));
}

void PipelineEngine::offer(uint64_t, const tm_frame&) {
  throw std::runtime_error("the engine netfpga has registers and no streams: send frames through the engine rtl");
}

bool PipelineEngine::take(uint32_t, uint64_t, std::span<uint8_t>, tm_departure&) {
  throw std::runtime_error("the engine netfpga has registers and no streams: take frames from the engine rtl");
}

}  // namespace truemark
