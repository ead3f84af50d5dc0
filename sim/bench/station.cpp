// SPDX-License-Identifier: BSD-3-Clause
#include "station.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "../model/registers.h"
#include "../model/tm_pkg.h"

namespace truemark::bench {
namespace {

using namespace reg;
constexpr uint32_t kNotEctInSlot1 = control::kSlotOf.put(1);
constexpr uint32_t kStepInSlot0 = control::kLaw0.put(static_cast<uint32_t>(Law::Step));
constexpr uint32_t kStepInSlot1 = control::kLaw1.put(static_cast<uint32_t>(Law::Step));
constexpr uint32_t kRedInBothSlots =
    control::kLaw0.put(static_cast<uint32_t>(Law::Red)) | control::kLaw1.put(static_cast<uint32_t>(Law::Red));
constexpr uint32_t kUniform = red_settings::kSpacing.put(static_cast<uint32_t>(Spacing::Uniform));
constexpr uint32_t kNoCeThreshold = 0x7FFFFFFF;
constexpr uint32_t kPacketNs = 400, kShift = 16;  // an idle time counts packets of 500 bytes at 10 Gb/s
constexpr uint64_t kPatience = 100'000;           // polls of a register, cycles without a frame

constexpr uint64_t kStalled = 10'000;  // cycles after which an input that is not ready is taken for stuck
constexpr unsigned kLastStored = 4;    // outcomes up to this one keep the frame

uint32_t wait_while(Device& device, uint32_t busy) {
  for (uint64_t i = 0; i < kPatience; i++) {
    const uint32_t status = device.read(kStatus);
    if (!(status & busy)) return status;
  }
  throw std::runtime_error("a register command never ended, status bits " + std::to_string(busy));
}

void configure_red(Device& device, const Red& red) {
  for (const uint32_t slot : {kRed0Settings, kRed1Settings}) {
    device.write(slot, red.weight | kUniform);
    device.write(slot + kRedMin, red.min);
    device.write(slot + kRedMax, red.max);
    device.write(slot + kRedMaxp, red.maxp);
    device.write(slot + kRedSlope, red.max == red.min ? 0 : (uint64_t{red.maxp} << 8) / (red.max - red.min));
  }
  device.write(kIdleReciprocal, (1u << kShift) / kPacketNs);
  device.write(kIdleShift, kShift);
}

void configure_codel(Device& device, const Codel& codel) {
  device.write(kCodelSettings, codel_settings::kOn.mask() | (codel.ecn ? codel_settings::kEcn.mask() : 0));
  device.write(kCodelTarget, codel.target);
  device.write(kCodelInterval, codel.interval);
  device.write(kCodelCeThreshold, kNoCeThreshold);
  device.write(kCodelExemptBytes, codel.exempt_bytes);
}

}  // namespace

Station::Station(uint32_t seed) : device_(seed) {}

void Station::configure(const Policy& policy) {
  uint32_t control = control::kEnable.mask() | kNotEctInSlot1;
  if (policy.limit_bytes != Policy::kNone) control |= control::kLimitBytesOn.mask();
  if (policy.k_ect != Policy::kNone) control |= kStepInSlot0;
  if (policy.k_not_ect != Policy::kNone) control |= kStepInSlot1;
  if (policy.red) control |= kRedInBothSlots;
  device_.write(kControl, control);
  device_.write(kLimitBytes, policy.limit_bytes == Policy::kNone ? 0 : policy.limit_bytes);
  device_.write(kLimitPackets, 0);
  device_.write(kK0, policy.k_ect == Policy::kNone ? 0 : policy.k_ect);
  device_.write(kK1, policy.k_not_ect == Policy::kNone ? 0 : policy.k_not_ect);
  device_.write(kProtect, policy.protect);
  if (policy.red) configure_red(device_, *policy.red);
  if (policy.codel) configure_codel(device_, *policy.codel);
  for (unsigned port = 0; port < build().ports; port++) {
    device_.write(kPage, port);
    device_.write(kCommand, command::kCommit.mask());
    const uint32_t status = wait_while(device_, status::kCommitBusy.mask());
    if (status & status::kRefused.mask())
      throw std::runtime_error("the policy was refused, fault code " + std::to_string(status >> 8 & 0xFF));
  }
  for (int i = 0; i < 8; i++) device_.clock();
}

uint64_t Station::counted(unsigned port, unsigned first, unsigned last) {
  device_.write(kCommand, command::kSnapshot.mask());
  wait_while(device_, status::kSnapshotBusy.mask());
  device_.write(kPage, port);
  uint64_t sum = 0;
  for (unsigned code = first; code <= last; code++) {
    device_.write(kQuery, code | 0xFu << 4);  // this code, any class
    device_.write(kCommand, command::kQuery.mask());
    wait_while(device_, status::kQueryBusy.mask());
    sum += device_.read(kSumPacketsLow) + (uint64_t{device_.read(kSumPacketsHigh)} << 32);
  }
  return sum;
}

uint64_t Station::outcomes(unsigned port, unsigned first, unsigned last) const {
  uint64_t sum = 0;
  for (unsigned code = first; code <= last; code++) sum += sinks_[port].outcomes[code];
  return sum;
}

uint64_t Station::copies(unsigned port) const {
  return static_cast<uint64_t>(std::count_if(
      offered_.begin(), offered_.end(), [port](const Offered& offered) { return offered.spec.ports >> port & 1; }));
}

void Station::drive() {
  const unsigned beat_bytes = build().beat_bytes();
  if (sent_ == frame_.size()) {
    const std::optional<FrameSpec> spec = may_begin_ && traffic_ ? traffic_(cycle()) : std::nullopt;
    if (!spec) return device_.offer_nothing();
    frame_ = make_frame(static_cast<uint32_t>(offered_.size()), *spec);
    sent_ = 0;
    offered_.push_back({*spec, cycle()});
  }
  in_.bytes = static_cast<unsigned>(std::min<size_t>(beat_bytes, frame_.size() - sent_));
  std::copy_n(frame_.begin() + static_cast<ptrdiff_t>(sent_), in_.bytes, in_.data.begin());
  in_.last = sent_ + in_.bytes == frame_.size();
  in_.ports = sent_ == 0 ? offered_.back().spec.ports : 0;
  in_.length = sent_ == 0 ? static_cast<uint32_t>(frame_.size()) : 0;
  device_.offer(in_);
}

void Station::step() {
  drive();
  const uint32_t ready = ready_ ? ready_(cycle()) : ~0u;
  device_.set_ready(ready);
  device_.settle();
  if (sent_ < frame_.size()) {
    if (device_.input_ready()) {
      sent_ += in_.bytes;
      accepted_++;
      refused_in_a_row_ = 0;
    } else if (++refused_in_a_row_ > kStalled) {
      throw std::runtime_error("the input was blocked for " + std::to_string(kStalled) + " cycles");
    }
  }
  uint32_t taken = device_.valid() & ready;
  for (unsigned port = 0; port < build().ports; port++) {
    if (taken >> port & 1) take(port);
    Event event;
    if (device_.event(port, event)) sinks_[port].outcomes[event.outcome]++;
  }
  device_.clock();
}

void Station::take(unsigned port) {
  Sink& sink = sinks_[port];
  device_.output(port, out_);
  if (!sink.open) {
    sink.bytes.clear();
    sink.first_cycle = cycle();
    sink.open = true;
    sink.wrong = false;
  }
  if (out_.bytes == Beat::kHole || out_.bytes == 0 || (!out_.last && out_.bytes != build().beat_bytes())) {
    sink.wrong = true;
    out_.bytes = 0;
  }
  if (out_.error && out_.last) sink.wrong = true;
  sink.bytes.insert(sink.bytes.end(), out_.data.begin(), out_.data.begin() + out_.bytes);
  if (out_.last) close(port, sink);
}

// A frame has left: it must be one that was sent to this port, later than the one before it, unchanged but for CE.
void Station::close(unsigned port, Sink& sink) {
  sink.open = false;
  sink.left++;
  const std::optional<uint32_t> sequence = sequence_of(sink.bytes);
  const bool known = sequence && *sequence < offered_.size() && (!sink.newest || *sequence > *sink.newest);
  if (sink.wrong || !known || out_.length != sink.bytes.size()) {
    corrupt_++;
    return;
  }
  const FrameSpec& spec = offered_[*sequence].spec;
  const bool markable = has_ecn(spec) && (spec.ecn == Ecn::Ect0 || spec.ecn == Ecn::Ect1);
  const bool same = sink.bytes == make_frame(*sequence, spec);
  const bool marked = !same && markable && sink.bytes == make_frame(*sequence, spec, true);
  if (!(spec.ports >> port & 1) || !(same || marked)) {
    corrupt_++;
    return;
  }
  sink.newest = sequence;
  sink.departed.push_back({*sequence, sink.first_cycle, cycle(), marked});
}

void Station::run(uint64_t cycles) {
  may_begin_ = true;
  for (uint64_t i = 0; i < cycles; i++) step();
}

void Station::run_until(const std::function<bool()>& happened, uint64_t patience) {
  const uint64_t end = cycle() + patience;
  while (!happened()) {
    if (cycle() >= end) throw std::runtime_error("nothing came of " + std::to_string(patience) + " cycles");
    run(1);
  }
}

void Station::offer(uint64_t frames) {
  const uint64_t target = offered_.size() + frames;
  may_begin_ = true;
  for (uint64_t idle = 0; offered_.size() < target; step()) {
    idle = sent_ == frame_.size() ? idle + 1 : 0;
    if (idle > kPatience) throw std::runtime_error("no frame was offered any more");
  }
  may_begin_ = false;
  while (sent_ < frame_.size()) step();
}

bool Station::stored_all_gone() const {
  for (unsigned port = 0; port < build().ports; port++) {
    const Sink& sink = sinks_[port];
    if (sink.open || outcomes(port, 0, kLastStored) != sink.left) return false;
  }
  return true;
}

void Station::idle(uint64_t cycles) {
  may_begin_ = false;
  while (sent_ < frame_.size()) step();
  for (uint64_t i = 0; i < cycles; i++) step();
}

void Station::drain(uint64_t patience) {
  constexpr unsigned kTally = 16;  // cycles until the last frame's event is out
  idle(kTally);
  for (uint64_t i = 0; i < patience && !stored_all_gone(); i++) step();
  idle(kTally);
}

}  // namespace truemark::bench
