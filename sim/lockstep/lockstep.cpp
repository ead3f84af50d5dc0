// SPDX-License-Identifier: BSD-3-Clause
#include "lockstep.h"

#include <algorithm>
#include <stdexcept>

#include "../engine/describe.h"

namespace truemark {
namespace {

constexpr Build kBuild = {kRtlBuild.ports,       kRtlBuild.data_w,    kRtlBuild.rows,
                          kRtlBuild.descriptors, kRtlBuild.max_frame, TM_STORE_AND_FORWARD != 0,
                          TM_FLAGS_VERDICT != 0, TM_RED != 0,         TM_CODEL != 0};
constexpr uint32_t kAllPorts = (1u << TM_PORTS) - 1;
constexpr unsigned kFramesPerPhase = 2500;
constexpr uint32_t kCounters = kBuild.codel ? 252 : 192;  // of a port
constexpr uint32_t kJump = 2000;                          // cycles from one jump of the time to the next
constexpr uint32_t kReset = 40;                           // cycles in which everything is reset
constexpr unsigned kSettle = kBuild.red ? 150 : 60;       // cycles until all that happened is counted and shown
constexpr uint64_t kPatience = 2'000'000;                 // cycles in which a quiet device comes to rest

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

std::string text(const PinEvent& event) {
  return std::string(outcome_name(event.outcome)) + ", " + std::to_string(event.length) + " bytes, " +
         class_name(event.class_id) + (event.ece ? "+ECE" : "") + ", ecn " + std::to_string(event.ecn) + ", B " +
         std::to_string(event.bytes) + ", time " + std::to_string(event.stamp);
}

}  // namespace

Lockstep::Lockstep(uint64_t seed)
    : build_(kBuild),
      random_(seed),
      pins_(static_cast<uint32_t>(seed)),
      axil_(pins_.top()),
      world_(build_, pins_.first_cycle(), 0),
      traffic_(build_, random_),
      host_(build_, random_, world_, axil_, coverage_) {}

void Lockstep::run(uint64_t frames) {
  host_.take_base();
  while (world_.frames() < frames) phase();
}

void Lockstep::phase() {
  const uint64_t end = world_.frames() + random_.between(kFramesPerPhase / 4, kFramesPerPhase);
  traffic_.set_phase(random_phase(random_, build_));
  coverage_.add("phase");
  for (uint32_t port = 0; port < build_.ports; ++port) host_.configure(port, traffic_.phase());
  const uint32_t busy = random_.between(10, 1000);  // cycles between the host's undertakings
  while (world_.frames() < end) {
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
  uint64_t waited = 0;
  while (traffic_.in_frame() || !host_.idle() || !(hold_ ? world_.resting() : world_.empty())) {
    cycle(false);
    if (++waited > kPatience) throw std::runtime_error("the device does not come to rest");
  }
  frozen_ = true;  // averages fade no more
  for (unsigned i = 0; i < kSettle; ++i) cycle(false);
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
  pins_.clear_source();
  pins_.set_reset(true);
  idle(random_.between(kReset, kReset + 3));
  pins_.set_reset(false);
  world_.reset(pins_.first_cycle(), time_);
  idle(2 * (kCounters * (build_.ports + 1) + 116));  // counting begins two rounds of the sweep after the reset
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
  if (!frozen_ && random_.one_in(kJump) && !world_.keeps_history()) jump();
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
  advance_time();
  PinCycle now;
  now.cycle = pins_.cycles();
  now.time = time_;
  now.beat = traffic_.next(start_frames);
  now.tx_enable = hold_ ? 0 : drain_ ? kAllPorts : traffic_.tx_enable();
  now.ready = drain_ ? kAllPorts : traffic_.ready();
  if (now.beat != nullptr) {
    std::array<uint8_t, 16> keep{};
    for (uint32_t i = 0; i < build_.beat_bytes(); ++i) keep[i / 8] |= static_cast<uint8_t>(now.beat->keep[i] << i % 8);
    pins_.set_source(now.beat->data, keep, now.beat->last, now.beat->ports, now.beat->promised, now.beat->error);
  } else {
    pins_.clear_source();
  }
  pins_.set_tx_enable(now.tx_enable);
  pins_.set_sink_ready(now.ready);
  host_.drive();
  pins_.settle();
  if (!pins_.source_ready()) throw std::runtime_error("the input is blocked");
  world_.open(now);
  for (uint32_t port = 0; port < build_.ports; ++port) compare(port);
  host_.observe(now.cycle);
  world_.close(now);
  pins_.tick();
}

void Lockstep::compare(uint32_t port) {
  const ExpectedRow row = world_.port(port).output();
  const bool valid = pins_.sinks_valid() >> port & 1;
  if (row.valid != valid) {
    differ(port, valid ? "a row stands on the output" : "no row stands on the output, the model has one");
  }
  if (valid) compare_row(port, row);
  compare_event(port, world_.port(port).event(world_.bus()), pins_.events_valid() >> port & 1);
}

void Lockstep::compare_row(uint32_t port, const ExpectedRow& row) {
  const SinkBeat beat = pins_.sink(port);
  if (beat.last != row.last) differ(port, std::string("tlast is ") + (beat.last ? "1" : "0"));
  if (beat.error != row.error && row.last) differ(port, std::string("the error flag is ") + (beat.error ? "1" : "0"));
  if (beat.length != row.length) {
    differ(port, "tuser length " + std::to_string(beat.length) + ", model " + std::to_string(row.length));
  }
  for (uint32_t i = 0; i < build_.beat_bytes(); ++i) {
    const bool kept = beat.keep[i / 8] >> i % 8 & 1;
    if (kept != (i < row.count))
      differ(port, "tkeep bit " + std::to_string(i) + ", model keeps " + std::to_string(row.count));
    if (kept && beat.data[i] != row.bytes[i]) {
      differ(port,
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
  if (got != expected) differ(port, "verdict event\n    model: " + text(expected) + "\n    rtl:   " + text(got));
}

void Lockstep::differ(uint32_t port, const std::string& what) const {
  const Framed& frame = world_.last_frame();
  std::string message = "cycle " + std::to_string(pins_.cycles()) + ", port " + std::to_string(port) + ": " + what;
  message += "\n  model: " + world_.port(port).describe();
  message += "\n  arriving: frame " + std::to_string(world_.frames()) + " to ports " + hex(frame.ports) + ", length " +
             std::to_string(frame.length) +
             (frame.bad ? ", bad kind " + std::to_string(static_cast<int>(*frame.bad)) : "") + "\n" +
             hex_dump(frame.raw);
  throw std::runtime_error(message);
}

void Lockstep::collect_coverage() {
  for (uint32_t outcome = 0; outcome <= TM_ABORTED; ++outcome) {
    for (uint32_t class_ece = 0; class_ece < 14; ++class_ece) {
      const uint64_t times = world_.tallied(outcome, class_ece);
      coverage_.add(outcome_name(outcome), times);
      coverage_.add(std::string(class_name(class_ece / 2)) + (class_ece % 2 ? "+ECE" : ""), times);
    }
  }
  constexpr const char* kinds[] = {"no destination",  "runt",      "oversize",        "keep hole",
                                   "length mismatch", "error bit", "reset in a frame"};
  for (unsigned kind = 0; kind < kBadKinds; ++kind) {
    coverage_.add(std::string("bad: ") + kinds[kind], world_.bad_ever(static_cast<Bad>(kind)));
  }
  const Edges edges = world_.edges();
  coverage_.add("B = K", edges.bytes_at_k);
  coverage_.add("B + len = limit", edges.limit_met);
  coverage_.add("B + len = limit - 1", edges.limit_met_by_one);
  coverage_.add("B + len = limit + 1", edges.limit_missed_by_one);
  coverage_.add("P = limit", edges.packets_at_limit);
  coverage_.add("abort when full", edges.abort_when_full);
  coverage_.add("ring wrap in an abort", edges.wrap_in_abort);
  coverage_.add("verdict with departure", edges.arrival_with_departure);
  coverage_.add("cut short", edges.cut_short);
  coverage_.add("flushed frames", edges.flushed);
  coverage_.add("left at its verdict", edges.bypass);
  coverage_.add("output waits for input", edges.starved);
  coverage_.add("no row", edges.no_row);
  coverage_.add("no descriptor", edges.no_descriptor);
  coverage_.add("row lost, then room", edges.overflow);
  coverage_.add("verdict after ECN", edges.waited_for_flags);
  coverage_.add("tail drop after a mark", edges.tail_after_mark);
  if (build_.red) collect_red(world_.red_edges());
  if (build_.codel) collect_codel(world_.codel_edges());
}

void Lockstep::collect_red(const RedEdges& edges) {
  coverage_.add("RED: probabilistic", edges.probabilistic);
  coverage_.add("RED: forced", edges.forced);
  coverage_.add("RED: between max and 2 max", edges.gentle);
  coverage_.add("RED: forced beyond 2 max", edges.forced_gentle);
  coverage_.add("RED: below after a commit", edges.settled_below);
  coverage_.add("RED: signals together", edges.signals_together);
  coverage_.add("RED: faded average used", edges.faded_used);
  coverage_.add("RED: faded over 1 s", edges.faded_long);
  coverage_.add("ARED: raised", edges.raised);
  coverage_.add("ARED: lowered", edges.lowered);
  coverage_.add("ARED: lost to a commit", edges.adaptation_lost);
}

void Lockstep::collect_codel(const CodelEdges& edges) {
  for (uint32_t kind = TM_DEPART_MARKED; kind <= TM_DEPART_CE_SIGNALLED; ++kind) {
    const unsigned code = Counters::code_of(static_cast<Departure>(kind));
    for (unsigned class_ece = 0; class_ece < 14; ++class_ece) {
      coverage_.add(std::string("CoDel: ") + departure_name(kind), world_.tallied(code, class_ece));
    }
  }
  coverage_.add("CoDel: paused", edges.paused);
  coverage_.add("CoDel: head drops", edges.drops);
  coverage_.add("CoDel: several drops", edges.several_drops);
  coverage_.add("CoDel: entered", edges.entered);
  coverage_.add("CoDel: count taken up", edges.reentered);
  coverage_.add("CoDel: left", edges.left);
  coverage_.add("CoDel: mark while dropping", edges.marks_while_dropping);
  coverage_.add("CoDel: protected ends loop", edges.protects_ending_loop);
  coverage_.add("CoDel: emptied by drops", edges.emptied);
  coverage_.add("CoDel: first_above is 0", edges.sentinel);
  coverage_.add("CoDel: waits for engine", edges.waited_for_engine);
  coverage_.add("CoDel: clock wraps", edges.clock_wrapped);
}

}  // namespace truemark
