// SPDX-License-Identifier: BSD-3-Clause
#include "station.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "../dut/axil_master.h"
#include "../dut/rtl_pins.h"
#include "../engine/engine.h"
#include "../model/registers.h"

namespace truemark::bench {
namespace {

using namespace reg;
constexpr uint32_t kNoCeThreshold = 0x7FFFFFFF;
constexpr uint32_t kPacketNs = 400, kShift = 16;  // an idle time counts packets of 500 bytes at 10 Gb/s
constexpr uint64_t kPatience = 100'000;           // polls of a register, cycles without a frame
constexpr int kReset = 600;                       // cycles: after 512 or more the counters have been cleared
constexpr int kQuiet = 8;                         // cycles behind the last access
constexpr uint64_t kStalled = 10'000;             // cycles after which an input that is not ready is taken for stuck

uint32_t both_slots(Law law) {
  return control::kLaw0.put(static_cast<uint32_t>(law), control::kLaw1.put(static_cast<uint32_t>(law)));
}

}  // namespace

const Build& build() {
  static constexpr Build kBuild = model_build(kRtlBuild);
  return kBuild;
}

Station::Station(const Policy& policy)
    : pins_(std::make_unique<RtlPins>(1)), axil_(std::make_unique<AxilMaster>(pins_->top())), sinks_(build().ports) {
  pins_->use_own_time();
  set_tx_enable(PortMask().set());
  pins_->set_reset(true);
  for (int i = 0; i < kReset; i++) access_cycle();
  pins_->set_reset(false);
  // The words of a configuration are cleared one by one: 64 of each port and of the shadow.
  for (uint32_t i = 0; i < 64 * (build().ports + 1); i++) access_cycle();
  configure(policy);
}

Station::~Station() = default;

uint64_t Station::cycle() const { return pins_->cycles(); }
uint32_t Station::valid() const { return pins_->sinks_valid(); }
void Station::set_tx_enable(const PortMask& ports) { pins_->set_tx_enable(ports); }

bool Station::access_cycle() {
  axil_->drive();
  pins_->settle();
  const bool answered = axil_->observe();
  pins_->tick();
  return answered;
}

void Station::write(uint32_t address, uint32_t value) {
  pins_->clear_source();
  if (!axil_->write(address, value, [this] { return access_cycle(); }))
    throw std::runtime_error("register write answered with an error, address " + std::to_string(address));
}

uint32_t Station::read(uint32_t address) {
  pins_->clear_source();
  const auto value = axil_->read(address, [this] { return access_cycle(); });
  if (!value) throw std::runtime_error("register read answered with an error, address " + std::to_string(address));
  return *value;
}

uint32_t Station::wait_while(uint32_t busy) {
  for (uint64_t i = 0; i < kPatience; i++) {
    const uint32_t status = read(kStatus);
    if (!(status & busy)) return status;
  }
  throw std::runtime_error("a register command never ended, status bits " + std::to_string(busy));
}

void Station::configure_red(const Red& red) {
  for (const uint32_t slot : {kRed0Settings, kRed1Settings}) {
    write(slot, red_settings::kSpacing.put(static_cast<uint32_t>(Spacing::Uniform), red.weight));
    write(slot + kRedMin, red.min);
    write(slot + kRedMax, red.max);
    write(slot + kRedMaxp, red.maxp);
    write(slot + kRedSlope,
          red.max == red.min ? 0 : static_cast<uint32_t>((uint64_t{red.maxp} << 8) / (red.max - red.min)));
  }
  write(kIdleReciprocal, (1u << kShift) / kPacketNs);
  write(kIdleShift, kShift);
}

void Station::configure_codel(const Codel& codel) {
  write(kCodelSettings, codel_settings::kEcn.put(codel.ecn, codel_settings::kOn.mask()));
  write(kCodelTarget, codel.target);
  write(kCodelInterval, codel.interval);
  write(kCodelCeThreshold, kNoCeThreshold);
  write(kCodelExemptBytes, codel.exempt_bytes);
}

void Station::configure_queues() {
  write(kQueueSettings, queue_settings::kMode.put(static_cast<uint32_t>(QueueMode::Dscp)));
  for (unsigned eight = 0; eight < 8; eight++) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 8; i++) word |= i % build().queues << 3 * i;
    write(kQueueDscp0 + 4 * eight, word);
  }
}

void Station::configure(const Policy& policy) {
  constexpr uint32_t kNotEctInSlot1 = 1u << static_cast<unsigned>(Ecn::NotEct);
  uint32_t control = control::kSlotOf.put(kNotEctInSlot1, control::kEnable.mask());
  if (policy.limit_bytes) control |= control::kLimitBytesOn.mask();
  if (policy.k_ect) control |= control::kLaw0.put(static_cast<uint32_t>(Law::Step));
  if (policy.k_not_ect) control |= control::kLaw1.put(static_cast<uint32_t>(Law::Step));
  if (policy.red) control |= both_slots(Law::Red);
  write(kControl, control);
  write(kLimitBytes, policy.limit_bytes.value_or(0));
  write(kLimitPackets, 0);
  write(kK0, policy.k_ect.value_or(0));
  write(kK1, policy.k_not_ect.value_or(0));
  write(kProtect, policy.protect);
  if (policy.red) configure_red(*policy.red);
  if (policy.codel) configure_codel(*policy.codel);
  if (build().queues > 1) configure_queues();
  if (build().pool) write(kPoolThreshold, policy.pool_threshold);
  for (unsigned port = 0; port < build().ports; port++) {
    if (build().queues > 1) {
      const bool shares = !(policy.strict >> build().queue_of(port) & 1);
      write(kQueueSchedule, queue_schedule::kShares.put(shares, queue_schedule::kQuantum.put(build().max_frame)));
    }
    write(kPage, port);
    write(kCommand, command::kCommit.mask());
    const uint32_t status = wait_while(status::kCommitBusy.mask());
    if (status & status::kRefused.mask())
      throw std::runtime_error("the policy was refused, fault code " + std::to_string(status::kFault.get(status)));
  }
  for (int i = 0; i < kQuiet; i++) access_cycle();
}

uint64_t Station::counted(unsigned port, Outcome first, Outcome last) {
  write(kCommand, command::kSnapshot.mask());
  wait_while(status::kSnapshotBusy.mask());
  write(kPage, port);
  uint64_t sum = 0;
  for (auto code = static_cast<uint32_t>(first); code <= static_cast<uint32_t>(last); code++) {
    write(kQuery, query::kCode.put(code, query::kCodeMask.mask()));  // this code, any class
    write(kCommand, command::kQuery.mask());
    wait_while(status::kQueryBusy.mask());
    sum += read(kSumPacketsLow) + (uint64_t{read(kSumPacketsHigh)} << 32);
  }
  return sum;
}

uint64_t Station::outcomes(unsigned port, Outcome first, Outcome last) const {
  uint64_t sum = 0;
  for (auto code = static_cast<size_t>(first); code <= static_cast<size_t>(last); code++)
    sum += sinks_[port].outcomes[code];
  return sum;
}

uint64_t Station::copies(unsigned line) const {
  return static_cast<uint64_t>(std::count_if(
      offered_.begin(), offered_.end(), [line](const Offered& offered) { return offered.spec.ports >> line & 1; }));
}

void Station::drive() {
  if (sent_ == frame_.size()) {
    const std::optional<FrameSpec> spec = may_begin_ && traffic_ ? traffic_(cycle()) : std::nullopt;
    if (!spec) return pins_->clear_source();
    frame_ = make_frame(static_cast<uint32_t>(offered_.size()), *spec);
    sent_ = 0;
    offered_.push_back({*spec, cycle()});
  }
  const bool first = sent_ == 0;
  sending_ = std::min<size_t>(RtlPins::kBeatBytes, frame_.size() - sent_);
  std::array<uint8_t, RtlPins::kBeatBytes> data{};
  std::copy_n(frame_.begin() + static_cast<ptrdiff_t>(sent_), sending_, data.begin());
  pins_->set_source(data, kKeeps[sending_], sent_ + sending_ == frame_.size(), first ? offered_.back().spec.ports : 0,
                    first ? static_cast<uint32_t>(frame_.size()) : 0, false);
}

void Station::step() {
  drive();
  axil_->drive();
  const uint32_t ready = ready_ ? ready_(cycle()) : kAllPorts;
  pins_->set_sink_ready(ready);
  pins_->settle();
  if (sent_ < frame_.size()) {
    if (pins_->source_ready()) {
      sent_ += sending_;
      accepted_++;
      refused_in_a_row_ = 0;
    } else if (++refused_in_a_row_ > kStalled) {
      throw std::runtime_error("the input was blocked for " + std::to_string(kStalled) + " cycles");
    }
  }
  const uint32_t taken = pins_->sinks_valid() & ready;
  const PortMask events = pins_->events_valid();
  for (unsigned line = 0; line < build().lines(); line++) {
    if (taken >> line & 1) take(line);
  }
  for (unsigned port = 0; port < build().ports; port++) {
    if (events[port]) sinks_[port].outcomes[pins_->event(port).outcome]++;
  }
  pins_->tick();
}

void Station::take(unsigned line) {
  Sink& sink = sinks_[line];
  const SinkBeat beat = pins_->sink(line);
  const uint32_t bytes = beat.bytes();
  if (!sink.open) {
    sink.bytes.clear();
    sink.first_cycle = cycle();
    sink.open = true;
    sink.wrong = false;
  }
  sink.length = beat.length;
  if (!beat.keeps(bytes) || bytes == 0 || (!beat.last && bytes != RtlPins::kBeatBytes) || (beat.last && beat.error))
    sink.wrong = true;
  sink.bytes.insert(sink.bytes.end(), beat.data.begin(), beat.data.begin() + bytes);
  if (beat.last) close(line, sink);
}

// A frame has left: it must be one that was sent to this line, later than the one before it of its queue, unchanged
// except for CE.
void Station::close(unsigned line, Sink& sink) {
  sink.open = false;
  sink.left++;
  const std::optional<uint32_t> sequence = sequence_of(sink.bytes);
  if (sink.wrong || !sequence || *sequence >= offered_.size() || sink.length != sink.bytes.size()) {
    corrupt_++;
    return;
  }
  const FrameSpec& spec = offered_[*sequence].spec;
  std::optional<uint32_t>& newest = sink.newest[queue_of(spec)];
  const bool markable = has_ecn(spec) && (spec.ecn == Ecn::Ect0 || spec.ecn == Ecn::Ect1);
  const bool same = sink.bytes == make_frame(*sequence, spec);
  const bool marked = !same && markable && sink.bytes == make_frame(*sequence, spec, true);
  if (!(spec.ports >> line & 1) || (newest && *sequence <= *newest) || !(same || marked)) {
    corrupt_++;
    return;
  }
  newest = sequence;
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
  for (unsigned line = 0; line < build().lines(); line++) {
    uint64_t held = 0;
    for (unsigned queue = 0; queue < build().queues; queue++) held += stored(line * build().queues + queue);
    if (sinks_[line].open || held != sinks_[line].left) return false;
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
