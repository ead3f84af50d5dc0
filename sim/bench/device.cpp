// SPDX-License-Identifier: BSD-3-Clause
// The adapter between device.h and one build; the build's parameters come as BENCH_* macros with the Verilated class.
#include "device.h"

#include <verilated.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../model/tm_pkg.h"
#include "Vtruemark.h"

namespace truemark::bench {
namespace {

constexpr Build kBuild{.ports = BENCH_PORTS,
                       .data_bits = BENCH_DATA_W,
                       .rows = BENCH_ROWS,
                       .descriptors = BENCH_DESCRIPTORS,
                       .store_and_forward = BENCH_STORE_AND_FORWARD,
                       .flags_verdict = BENCH_FLAGS_VERDICT,
                       .ultra = BENCH_ULTRA,
                       .red = BENCH_RED,
                       .codel = BENCH_CODEL};
constexpr unsigned kBeatBytes = kBuild.beat_bytes();
constexpr unsigned kUserBits = 17;
namespace event_t = pkg::event;
constexpr int kReset = 600;      // cycles: a reset of 512 or more loses no event to the clearing of the counters
constexpr int kPatience = 1000;  // cycles an AXI4-Lite access may take

// A port of the Verilated class as 32-bit words, low word first, whatever integer or array it is.
template <typename Port>
const uint32_t* words(const Port& port) {
  if constexpr (std::is_integral_v<Port>)
    return reinterpret_cast<const uint32_t*>(&port);
  else
    return port.data();
}

uint32_t field(const uint32_t* from, unsigned at, unsigned bits) {
  uint64_t pair = from[at / 32];
  if (at % 32 + bits > 32) pair |= uint64_t{from[at / 32 + 1]} << 32;
  return static_cast<uint32_t>(pair >> (at % 32)) & static_cast<uint32_t>((uint64_t{1} << bits) - 1);
}

}  // namespace

const Build& build() { return kBuild; }

struct Device::Pins {
  VerilatedContext context;
  Vtruemark top{&context};
};

Device::Device(uint32_t seed) : pins_(std::make_unique<Pins>()) {
  pins_->context.randReset(2);
  pins_->context.randSeed(static_cast<int>(seed % 0x7FFFFFFE + 1));
  Vtruemark& top = pins_->top;
  top.clk = 0;
  top.time_external_i = 0;
  top.time_i = 0;
  top.s_axil_awprot = top.s_axil_arprot = 0;
  top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_arvalid = 0;
  top.s_axil_bready = top.s_axil_rready = 0;
  top.s_axil_wstrb = 0xF;
  offer_nothing();
  set_ready(~0u);
  set_tx_enable(~0u);
  reset(true);
  for (int i = 0; i < kReset; i++) clock();
  reset(false);
  for (int i = 0; i < 8; i++) clock();
}

Device::~Device() { pins_->top.final(); }

void Device::settle() { pins_->top.eval(); }

void Device::clock() {
  pins_->top.eval();
  pins_->top.clk = 1;
  pins_->top.eval();
  pins_->top.clk = 0;
  cycle_++;
  if (pins_->context.gotFinish()) throw std::runtime_error("the simulation stopped itself");
}

void Device::reset(bool active) { pins_->top.rst = active; }

void Device::offer(const Beat& beat) {
  Vtruemark& top = pins_->top;
  std::memcpy(const_cast<uint32_t*>(words(top.s_axis_tdata)), beat.data.data(), kBeatBytes);
  std::array<uint8_t, kMaxBeat / 8> keep{};
  for (unsigned i = 0; i < beat.bytes; i++) keep[i / 8] |= static_cast<uint8_t>(1u << (i % 8));
  std::memcpy(&top.s_axis_tkeep, keep.data(), kBeatBytes / 8);
  top.s_axis_tvalid = 1;
  top.s_axis_tlast = beat.last;
  top.s_axis_tdest = static_cast<decltype(top.s_axis_tdest + 0)>(beat.ports);
  top.s_axis_tuser = beat.length | (beat.error ? 1u << 16 : 0);
}

void Device::offer_nothing() { pins_->top.s_axis_tvalid = 0; }

void Device::set_ready(uint32_t ports) { pins_->top.m_axis_tready = ports & ((1u << kBuild.ports) - 1); }

void Device::set_tx_enable(uint32_t ports) { pins_->top.tx_en_i = ports & ((1u << kBuild.ports) - 1); }

bool Device::input_ready() const { return pins_->top.s_axis_tready; }

uint32_t Device::valid() const { return pins_->top.m_axis_tvalid; }

void Device::output(unsigned port, Beat& beat) const {
  const Vtruemark& top = pins_->top;
  const auto* data = reinterpret_cast<const uint8_t*>(words(top.m_axis_tdata)) + port * kBeatBytes;
  std::memcpy(beat.data.data(), data, kBeatBytes);
  const auto* keep = reinterpret_cast<const uint8_t*>(words(top.m_axis_tkeep)) + port * kBeatBytes / 8;
  unsigned kept = 0, first_gap = 0;
  for (unsigned i = 0; i < kBeatBytes; i++) kept += keep[i / 8] >> (i % 8) & 1;
  while (first_gap < kBeatBytes && (keep[first_gap / 8] >> (first_gap % 8) & 1)) first_gap++;
  beat.bytes = kept == first_gap ? kept : Beat::kHole;
  beat.last = top.m_axis_tlast >> port & 1;
  const uint32_t user = field(words(top.m_axis_tuser), port * kUserBits, kUserBits);
  beat.length = user & 0xFFFF;
  beat.error = user >> 16;
}

bool Device::event(unsigned port, Event& event) const {
  static_assert(sizeof(pins_->top.event_o) == (kBuild.ports * event_t::kWidth + 31) / 32 * 4,
                "tm_pkg::event_t has changed");
  const uint32_t* events = words(pins_->top.event_o);
  const auto part = [&](pkg::Part of) { return field(events, port * event_t::kWidth + of.low, of.width); };
  event.outcome = part(event_t::kOutcome);
  event.length = part(event_t::kLen);
  return part(event_t::kValid);
}

void Device::write(uint32_t address, uint32_t value) {
  Vtruemark& top = pins_->top;
  offer_nothing();
  top.s_axil_awaddr = static_cast<uint16_t>(address);
  top.s_axil_wdata = value;
  top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_bready = 1;
  for (int i = 0; i < kPatience; i++) {
    settle();
    const bool address_taken = top.s_axil_awvalid && top.s_axil_awready;
    const bool data_taken = top.s_axil_wvalid && top.s_axil_wready;
    const bool answered = top.s_axil_bvalid;
    const unsigned response = top.s_axil_bresp;
    clock();
    if (address_taken) top.s_axil_awvalid = 0;
    if (data_taken) top.s_axil_wvalid = 0;
    if (!answered) continue;
    top.s_axil_bready = 0;
    if (response == 0) return;
    throw std::runtime_error("register write answered with an error, address " + std::to_string(address));
  }
  throw std::runtime_error("register write never answered, address " + std::to_string(address));
}

uint32_t Device::read(uint32_t address) {
  Vtruemark& top = pins_->top;
  offer_nothing();
  top.s_axil_araddr = static_cast<uint16_t>(address);
  top.s_axil_arvalid = top.s_axil_rready = 1;
  for (int i = 0; i < kPatience; i++) {
    settle();
    const bool address_taken = top.s_axil_arvalid && top.s_axil_arready;
    const bool answered = top.s_axil_rvalid;
    const unsigned response = top.s_axil_rresp;
    const uint32_t value = top.s_axil_rdata;
    clock();
    if (address_taken) top.s_axil_arvalid = 0;
    if (!answered) continue;
    top.s_axil_rready = 0;
    if (response == 0) return value;
    throw std::runtime_error("register read answered with an error, address " + std::to_string(address));
  }
  throw std::runtime_error("register read never answered, address " + std::to_string(address));
}

}  // namespace truemark::bench
