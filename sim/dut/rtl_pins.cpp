// SPDX-License-Identifier: BSD-3-Clause
#include "rtl_pins.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "../model/registers.h"
#include "Vtruemark.h"
#include "Vtruemark___024root.h"
#include "pin_bytes.h"
#include "verilated.h"
#if TM_WAVES
#include "verilated_save.h"
#include "verilated_vcd_c.h"
#endif

namespace truemark {
namespace {

constexpr unsigned kReset = 64;  // cycles
constexpr uint32_t kLines = TM_PORTS / TM_QUEUES;
constexpr uint32_t kAllLines = (1u << kLines) - 1;

namespace event_t = pkg::event;
static_assert(sizeof(Vtruemark::event_o) == (TM_PORTS * event_t::kWidth + 31) / 32 * 4, "tm_pkg::event_t has changed");

}  // namespace

RtlPins::RtlPins(uint32_t seed) : context_(std::make_unique<VerilatedContext>()) {
  context_->randReset(2);
  context_->randSeed(static_cast<int>(seed & 0x7FFFFFFF));
#if TM_WAVES
  context_->traceEverOn(true);
#endif
  top_ = std::make_unique<Vtruemark>(context_.get());
  top_->clk = 0;
  top_->time_external_i = 1;
  top_->s_axil_awprot = top_->s_axil_arprot = 0;
  top_->s_axil_awvalid = top_->s_axil_wvalid = top_->s_axil_arvalid = 0;
  top_->s_axil_bready = top_->s_axil_rready = 1;
  set_time(0);
  set_tx_enable(0);
  set_sink_ready(kAllLines);
  set_pause(std::array<uint8_t, kLines>{});
  clear_source();
  set_reset(true);
  context_->assertOn(false);  // what is there at power-up is random
  for (unsigned i = 0; i < kReset; ++i) {
    if (i == kReset / 2) context_->assertOn(true);
    settle();
    tick();
  }
  set_reset(false);
}

void RtlPins::set_time(uint64_t nanoseconds) { top_->time_i = nanoseconds; }
void RtlPins::use_own_time() { top_->time_external_i = 0; }
void RtlPins::set_reset(bool active) {
  top_->rst = active;
  if (!active) first_cycle_ = cycles_ + (TM_REGISTERED ? 1 : 0);
}
void RtlPins::set_tx_enable(const PortMask& ports) {
  for (uint32_t port = 0; port < TM_PORTS; ++port) set_bit(bytes_of(top_->tx_en_i), port, ports[port]);
}
void RtlPins::set_sink_ready(uint32_t lines) {
  lines &= kAllLines;
  std::memcpy(bytes_of(top_->m_axis_tready), &lines, (kLines + 7) / 8);
}

void RtlPins::set_pause(std::span<const uint8_t> lines) {
  std::memcpy(bytes_of(top_->pfc_pause_i), lines.data(), kLines);
}

void RtlPins::set_source(std::span<const uint8_t> data, std::span<const uint8_t> keep, bool last, uint32_t ports,
                         uint32_t length, bool error, uint32_t came_by) {
  std::memcpy(bytes_of(top_->s_axis_tdata), data.data(), kBeatBytes);
  std::memcpy(bytes_of(top_->s_axis_tkeep), keep.data(), kBeatBytes / 8);
  ports &= kAllLines;
  std::memcpy(bytes_of(top_->s_axis_tdest), &ports, (kLines + 7) / 8);
  top_->s_axis_tuser = (error ? 1u << 16 : 0u) | (length & 0xFFFF);
  top_->s_axis_tid = came_by & 15;
  top_->s_axis_tlast = last;
  top_->s_axis_tvalid = 1;
}

void RtlPins::clear_source() { top_->s_axis_tvalid = 0; }

void RtlPins::settle() {
#if !TM_REGISTERED
  top_->clk = 0;
  top_->eval();
  dump();
#endif
}

bool RtlPins::source_ready() const { return top_->s_axis_tready; }

uint32_t RtlPins::sinks_valid() const { return top_->m_axis_tvalid; }

SinkBeat RtlPins::sink(uint32_t line) const {
  SinkBeat beat;
  const uint64_t user = bits(bytes_of(top_->m_axis_tuser), 17 * line, 17);
  beat.last = top_->m_axis_tlast >> line & 1;
  beat.error = user >> 16 & 1;
  beat.length = user & 0xFFFF;
  beat.data = {bytes_of(top_->m_axis_tdata) + size_t{line} * kBeatBytes, kBeatBytes};
  beat.keep = {bytes_of(top_->m_axis_tkeep) + size_t{line} * (kBeatBytes / 8), kBeatBytes / 8};
  return beat;
}

PortMask RtlPins::events_valid() const {
  PortMask valid;
  for (uint32_t port = 0; port < TM_PORTS; ++port) {
    valid[port] = bits(bytes_of(top_->event_o), port * event_t::kWidth + event_t::kValid.low, 1) != 0;
  }
  return valid;
}

PinEvent RtlPins::event(uint32_t port) const {
  const uint8_t* pin = bytes_of(top_->event_o);
  const auto field = [&](pkg::Part part) { return bits(pin, port * event_t::kWidth + part.low, part.width); };
  const auto narrow = [&](pkg::Part part) { return static_cast<uint32_t>(field(part)); };
  return {field(event_t::kStamp), narrow(event_t::kLen),     narrow(event_t::kClassId), narrow(event_t::kEce),
          narrow(event_t::kEcn),  narrow(event_t::kOutcome), narrow(event_t::kBytes)};
}

#if !TM_REGISTERED
PortMask RtlPins::departures_valid() const {
  PortMask valid;
  for (uint32_t port = 0; port < TM_PORTS; ++port) valid[port] = bits(bytes_of(top_->depart_valid_o), port, 1) != 0;
  return valid;
}

uint64_t RtlPins::departure(uint32_t port, pkg::Part part) const {
  return bits(bytes_of(top_->rootp->truemark__DOT__departure), port * pkg::departure::kWidth + part.low, part.width);
}

uint32_t RtlPins::departure_kind(uint32_t port) const {
  return static_cast<uint32_t>(departure(port, pkg::departure::kKind));
}

uint64_t RtlPins::departure_sojourn(uint32_t port) const { return departure(port, pkg::departure::kSojourn); }
#endif

#if TM_POOL && TM_REGISTERED
namespace {
constexpr uint32_t kPoolRowsW = std::bit_width(TM_ROWS - 1u);
constexpr uint32_t kPoolCellsW = std::bit_width((TM_ROWS / std::max(1, 512 / TM_DATA_W)) - 1u) + 1;
constexpr uint32_t kPoolHadW = kPoolCellsW + 1;
}  // namespace
#define OF_POOL(signal) top_->rootp->registered_pins__DOT__dut__DOT__core__DOT__gen_pool__DOT__pool__DOT__##signal
bool RtlPins::pool_at_hand(uint32_t port) const { return (OF_POOL(valid) & ~OF_POOL(discard)) >> port & 1; }
bool RtlPins::pool_overflow() const { return OF_POOL(overflow); }
uint32_t RtlPins::pool_used(uint32_t port) const {
  return static_cast<uint32_t>(bits(bytes_of(OF_POOL(rows_used)), kPoolRowsW * port, kPoolRowsW));
}
uint32_t RtlPins::pool_free() const { return OF_POOL(free_cells); }
uint32_t RtlPins::pool_available() const { return OF_POOL(pool__DOT__shares__DOT__available); }
uint32_t RtlPins::pool_reserved(uint32_t port) const {
  return static_cast<uint32_t>(
      bits(bytes_of(OF_POOL(pool__DOT__shares__DOT__reserved)), kPoolCellsW * port, kPoolCellsW));
}
// Two's complement: the cells of a frame that is being taken back are its port's still.
int64_t RtlPins::pool_had(uint32_t port) const {
  const uint64_t had = bits(bytes_of(OF_POOL(pool__DOT__shares__DOT__had)), kPoolHadW * port, kPoolHadW),
                 sign = uint64_t{1} << (kPoolHadW - 1);
  return static_cast<int64_t>(had ^ sign) - static_cast<int64_t>(sign);
}
#undef OF_POOL
#endif

bool RtlPins::settled(Settled what) const { return top_->settled_o & static_cast<uint8_t>(what); }

void RtlPins::tick() {
  top_->clk = TM_REGISTERED ? !top_->clk : 1;
  top_->eval();
  dump();
  ++cycles_;
}

#if TM_WAVES

#if TM_SAVABLE

void RtlPins::save(const std::string& path) {
  VerilatedSave file;
  file.open(path);
  if (!file.isOpen()) throw std::runtime_error("cannot write the state of the RTL to " + path);
  file << *top_;
  file.close();
}

void RtlPins::restore(const std::string& path) {
  VerilatedRestore file;
  file.open(path);
  if (!file.isOpen()) throw std::runtime_error("cannot read the state of the RTL from " + path);
  file >> *top_;
  file.close();
}

#endif

struct RtlPins::Waves {
  VerilatedVcdC file;
  uint64_t time = 0;
};

void RtlPins::open_waves(const std::string& path) {
  waves_ = std::make_unique<Waves>();
  top_->trace(&waves_->file, 99);
  waves_->file.open(path.c_str());
}

void RtlPins::close_waves() {
  if (!waves_) return;
  waves_->file.close();
  waves_.reset();
}

void RtlPins::dump() {
  if (waves_) waves_->file.dump(++waves_->time);
}

#else

struct RtlPins::Waves {};
void RtlPins::dump() {}
void RtlPins::close_waves() {}

#endif

RtlPins::~RtlPins() {
  close_waves();
  top_->final();
  // What the model leaves, it leaves in the thread's context: that may be of another RTL, which has gone already.
  Verilated::threadContextp(context_.get());
}

}  // namespace truemark
