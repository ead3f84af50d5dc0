// SPDX-License-Identifier: BSD-3-Clause
#include "lockstep.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "../engine/describe.h"
#include "../engine/engine.h"
#include "floors.h"

namespace truemark {
namespace {

constexpr Build kBuild = model_build(kRtlBuild);
constexpr uint32_t kAllLines = (1u << TM_PORTS / TM_QUEUES) - 1;
constexpr unsigned kFramesPerPhase = 2500, kLimitedFramesPerPhase = 10'000;
constexpr uint32_t kFewPorts = 8;
constexpr uint32_t kCounters = Counters::count(kBuild);  // of a port
// Counting begins two rounds of the sweep after a reset; by then the configuration has been cleared.
constexpr uint32_t kCleared = 2 * (kCounters * (kBuild.ports + 1) + 116);  // cycles
constexpr uint32_t kJump = 2000;                     // cycles from one jump of the time to the next
constexpr uint32_t kReset = 40;                      // cycles in which everything is reset
constexpr unsigned kSettle = kBuild.red ? 150 : 60;  // cycles until all that happened is counted and shown
constexpr uint64_t kPatience = 2'000'000;            // cycles in which a quiet device comes to rest

// As the pins show it.
PinEvent shown(const ExpectedEvent& event) {
  PinEvent pins;
  pins.stamp = event.time & kStampMask;
  pins.length = event.length;
  pins.class_id = static_cast<uint32_t>(event.meta.class_id);
  pins.ece = event.meta.ece;
  pins.ecn = static_cast<uint32_t>(event.meta.ecn);
  pins.outcome = static_cast<uint32_t>(event.outcome);
  pins.bytes = static_cast<uint32_t>(event.bytes);
  return pins;
}

std::array<uint8_t, 16> keep_bytes(const std::bitset<128>& keep) {
  constexpr uint64_t kWord = ~uint64_t{0};
  const std::array<uint64_t, 2> words = {(keep & std::bitset<128>(kWord)).to_ullong(), (keep >> 64).to_ullong()};
  return std::bit_cast<std::array<uint8_t, 16>>(words);
}

std::string text(const PinEvent& event) {
  return std::string(outcome_name(event.outcome)) + ", " + std::to_string(event.length) + " bytes, " +
         class_name(event.class_id) + (event.ece ? "+ECE" : "") + ", ecn " + std::to_string(event.ecn) + ", B " +
         std::to_string(event.bytes) + ", time " + std::to_string(event.stamp);
}

}  // namespace

Lockstep::Lockstep(uint64_t seed, const std::optional<Lengths>& lengths, bool digest)
    : build_(kBuild),
      random_(seed),
      pins_(static_cast<uint32_t>(seed)),
      axil_(pins_.top()),
      model_(build_, pins_.first_cycle(), 0),
      traffic_(build_, random_),
      host_(build_, random_, model_, axil_, coverage_),
      lengths_(lengths) {
  now_.ready = kAllLines;
  if (digest) digest_.emplace();
}

void Lockstep::run(uint64_t frames) {
  idle(kCleared);
  host_.take_base();
  while (model_.frames() < frames) phase();
  // What is rare comes if the run goes on: up to four times as many frames.
  while (!lengths_ && model_.frames() < 4 * frames && !covers(frames)) phase();
}

bool Lockstep::covers(uint64_t frames) const {
  Coverage so_far = coverage_;
  collect(so_far, model_, build_);
  require(so_far, build_, frames);
  return so_far.good();
}

void Lockstep::phase() {
  const unsigned most = lengths_ ? kLimitedFramesPerPhase : kFramesPerPhase;
  const uint64_t end = model_.frames() + random_.between(most / 4, most);
  Phase phase = random_phase(random_, build_);
  if (lengths_) phase.limit_to(*lengths_);
  traffic_.set_phase(phase);
  coverage_.add("phase");
  // Of many ports not all: the host would do little else.
  for (uint32_t port = 0; port < build_.ports; ++port) {
    if (build_.ports <= kFewPorts || random_.one_in(4)) host_.configure(port, traffic_.phase());
  }
  const uint32_t busy = random_.between(10, 1000);  // cycles between the host's undertakings
  while (model_.frames() < end) {
    if (host_.idle() && random_.one_in(busy)) host_.something(traffic_.phase());
    cycle(true);
  }
  if (random_.one_in(6)) {
    reset();
  } else {
    quiet();
  }
}

// Lets the device come to rest, empty or with frames held, and checks every register.
void Lockstep::quiet() {
  hold_ = random_.one_in(2);
  drain_ = true;
  coverage_.add(hold_ ? "checked while holding" : "checked while empty");
  if (host_.idle() && random_.one_in(2)) {
    coverage_.add("watermarks cleared in traffic");
    host_.clear_watermarks();
  }
  uint64_t waited = 0;
  do {
    cycle(false);
    if (++waited > kPatience) throw std::runtime_error("the device does not come to rest");
  } while (traffic_.in_frame() || now_.beat != nullptr || !host_.idle() ||
           !(hold_ ? model_.resting() : model_.empty()));
  frozen_ = true;  // averages fade no more
  for (unsigned i = 0; i < kSettle; ++i) cycle(false);
#if TM_POOL
  // The walker frees a cell in each cycle.
  for (unsigned i = 0; !hold_ && pins_.pool_free() != build_.cells(); ++i) {
    if (i == 2 * build_.rows) {
      throw std::runtime_error("cycle " + std::to_string(pins_.cycles()) +
                               ": an empty device holds cells: " + std::to_string(pins_.pool_free()) +
                               " are free instead of " + std::to_string(build_.cells()));
    }
    cycle(false);
  }
#endif
  host_.check_everything();
  while (!host_.idle()) cycle(false);
  hold_ = drain_ = frozen_ = false;
}

// Source and device are reset together, in mid-frame as often as not.
void Lockstep::reset() {
  coverage_.add("reset");
  host_.reset();
  while (!axil_.idle()) cycle(true);
  host_.reset();
  traffic_.drop();
  cycle(false);  // the beat that stands there is taken
  pins_.set_reset(true);
  idle(random_.between(kReset, kReset + 3));
  pins_.set_reset(false);
  model_.reset(pins_.first_cycle(), time_);
  idle(kCleared);
}

void Lockstep::idle(uint32_t cycles) {
  for (uint32_t i = 0; i < cycles; ++i) {
    pins_.settle();
    pins_.tick();
  }
}

void Lockstep::advance_time() {
  if (!frozen_) time_ += random_.between(1, traffic_.phase().nanoseconds);
  // A snapshot is found by its time, so that none may come twice while one is under way.
  if (!frozen_ && random_.one_in(kJump) && !model_.keeps_history()) jump();
  pins_.set_time(time_);
}

// Idle times up to minutes, the edges at which the 42 bits of a stamp and the 64 of the time wrap, and time that runs
// backwards.
void Lockstep::jump() {
  switch (random_.below(8)) {
    case 0:
      coverage_.add("time jumps to a wrap");
      time_ = (((time_ >> 42) + 1) << 42) - random_.below(100 * traffic_.phase().nanoseconds);
      break;
    case 1:
      coverage_.add("time jumps back");
      time_ -= random_.one_in(2) ? random_.below(5000) : random_.next() & kStampMask;
      break;
    case 2:
      coverage_.add("time jumps to its end");
      time_ = uint64_t{0} - random_.below(100 * traffic_.phase().nanoseconds);
      break;
    default:
      time_ += uint64_t{1} << random_.below(36);
  }
}

void Lockstep::cycle(bool start_frames) {
#if TM_WAVES
  if (!waves_path_.empty() && pins_.cycles() >= waves_from_) {
    pins_.open_waves(waves_path_);
    waves_path_.clear();
  }
#endif
  now_.cycle = pins_.cycles();
  if (!pins_.source_ready()) throw std::runtime_error("the input is blocked");
  model_.open(now_);
  for (uint32_t line = 0; line < build_.lines(); ++line) compare_line(line);
  const PortMask events = pins_.events_valid();
  for (uint32_t port = 0; port < build_.ports; ++port) {
    compare_event(port, model_.port(port).event(model_.bus()), events[port]);
  }
  host_.observe(now_.cycle);
#if TM_POOL
  for (uint32_t port = 0; port < build_.ports; ++port) {
    now_.pool[port] = {pins_.pool_at_hand(port), pins_.pool_overflow(),  pins_.pool_used(port),
                       pins_.pool_had(port),     pins_.pool_available(), pins_.pool_reserved(port)};
  }
#endif
  model_.close(now_);
  choose_inputs(start_frames);
  pins_.tick();
}

void Lockstep::choose_inputs(bool start_frames) {
  advance_time();
  now_.time = time_;
  now_.beat = traffic_.next(start_frames);
  now_.tx_enable = hold_ ? PortMask() : drain_ ? PortMask().set() : traffic_.tx_enable();
  now_.ready = drain_ ? kAllLines : traffic_.ready();
  now_.pause = hold_ || drain_ ? decltype(now_.pause){} : traffic_.pauses();
  if (now_.beat != nullptr) {
    const Beat& beat = *now_.beat;
    const auto keep = keep_bytes(beat.keep);
    const uint32_t came_by = beat.promised;  // any source, also one that is none
    pins_.set_source(beat.data, keep, beat.last, beat.lines, beat.promised, beat.error, came_by);
  } else {
    pins_.clear_source();
  }
  pins_.set_tx_enable(now_.tx_enable);
  pins_.set_sink_ready(now_.ready);
  pins_.set_pause(now_.pause);
  host_.drive();
}

void Lockstep::compare_line(uint32_t line) {
  const ExpectedRow row = model_.output(line);
  const bool valid = pins_.sinks_valid() >> line & 1;
  if (row.valid != valid) {
    differ_line(line, valid ? "a row stands on the output" : "no row stands on the output, the model has one");
  }
  if (valid) compare_row(line, row);
}

void Lockstep::compare_row(uint32_t line, const ExpectedRow& row) {
  const SinkBeat beat = pins_.sink(line);
  if (beat.last != row.last) differ_line(line, std::string("tlast is ") + (beat.last ? "1" : "0"));
  if (beat.error != row.error && row.last)
    differ_line(line, std::string("the error flag is ") + (beat.error ? "1" : "0"));
  if (beat.length != row.length) {
    differ_line(line, "tuser length " + std::to_string(beat.length) + ", model " + std::to_string(row.length));
  }
  if (digest_ && (now_.ready >> line & 1)) {
    digest_->add(pins_.cycles() << 16 | line << 8 | beat.last << 1 | beat.error);
    digest_->add(uint64_t{beat.length} << 32 | row.count);
    digest_->add(beat.data.first(row.count));
  }
  const bool equal = std::equal(beat.data.begin(), beat.data.begin() + row.count, row.bytes.begin());
  if (equal && beat.keeps(row.count)) return;
  for (uint32_t i = 0; i < build_.beat_bytes(); ++i) {
    const bool kept = beat.keep[i / 8] >> i % 8 & 1;
    if (kept != (i < row.count))
      differ_line(line, "tkeep bit " + std::to_string(i) + ", model keeps " + std::to_string(row.count));
    if (kept && beat.data[i] != row.bytes[i]) {
      differ_line(line,
                  "byte " + std::to_string(i) + " of the row is " + hex(beat.data[i]) + ", model " + hex(row.bytes[i]));
    }
  }
}

void Lockstep::compare_event(uint32_t port, const std::optional<ExpectedEvent>& event, bool valid) {
  if (event.has_value() != valid) {
    differ(port,
           valid ? "verdict event: " + text(pins_.event(port)) : "no verdict event, model: " + text(shown(*event)));
  }
  if (!valid) return;
  const PinEvent got = pins_.event(port), expected = shown(*event);
  if (digest_) {
    digest_->add(pins_.cycles() << 16 | port << 8 | got.outcome);
    digest_->add(got.stamp << 20 | got.length);
    digest_->add(uint64_t{got.bytes} << 32 | got.class_id << 8 | got.ece << 4 | got.ecn);
  }
  if (got != expected) differ(port, "verdict event\n    model: " + text(expected) + "\n    rtl:   " + text(got));
}

void Lockstep::differ_line(uint32_t line, const std::string& what) const {
  differ(line * build_.queues, build_.queues > 1 ? "line " + std::to_string(line) + ": " + what : what);
}

void Lockstep::differ(uint32_t port, const std::string& what) const {
  const Framed& frame = model_.last_frame();
  std::string message = "cycle " + std::to_string(pins_.cycles()) + ", port " + std::to_string(port) + ": " + what;
  message += "\n  model: " + model_.port(port).describe();
  message += "\n  arriving: frame " + std::to_string(model_.frames()) + " to lines " + hex(frame.lines) + ", length " +
             std::to_string(frame.length) +
             (frame.bad ? ", bad kind " + std::to_string(static_cast<int>(*frame.bad)) : "") + "\n" +
             hex_dump(frame.raw);
  throw std::runtime_error(message);
}

}  // namespace truemark
