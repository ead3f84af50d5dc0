// SPDX-License-Identifier: BSD-3-Clause
// The golden model for Python, as the module truemark_model: the laws, and ports cycle by cycle. Configurations come as
// dictionaries or as registers, codes as the integers of tm_pkg.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bucket.h"
#include "codel.h"
#include "cycles/device_cycles.h"
#include "ets.h"
#include "pause_levels.h"
#include "pool.h"

namespace nb = nanobind;

namespace truemark {
namespace {

using Laws = std::array<nb::dict, kSlots>;

template <typename Value>
void set(Value& value, const nb::dict& from, const char* key) {
  value = nb::cast<Value>(from[key]);
}

RedConfig red_config(const nb::dict& law) {
  RedConfig config;
  set(config.packets, law, "packets");
  set(config.weight, law, "weight");
  set(config.min, law, "min");
  set(config.max, law, "max");
  set(config.maxp, law, "maxp");
  set(config.slope, law, "slope");
  set(config.slope_scale, law, "slope_scale");
  set(config.gentle, law, "gentle");
  set(config.gentle_slope, law, "gentle_slope");
  set(config.gentle_scale, law, "gentle_scale");
  config.spacing = static_cast<Spacing>(nb::cast<int>(law["spacing"]));
  set(config.adaptive, law, "adaptive");
  set(config.reciprocal, law, "reciprocal");
  set(config.bottom, law, "bottom");
  set(config.band_low, law, "band_low");
  set(config.band_high, law, "band_high");
  return config;
}

CodelConfig codel_config(const nb::dict& settings) {
  CodelConfig config;
  const auto flag = [&](bool& value, const char* key) { value = nb::cast<int>(settings[key]) != 0; };
  flag(config.on, "on");
  flag(config.ecn, "ecn");
  flag(config.at_once, "at_once");
  flag(config.exempt_below, "exempt_below");
  flag(config.exempt_largest, "exempt_largest");
  flag(config.converge, "converge");
  flag(config.mark_from_now, "mark_from_now");
  flag(config.reentry_past, "reentry_past");
  flag(config.threshold_once, "threshold_once");
  flag(config.keep_first_above, "keep_first_above");
  set(config.target, settings, "target");
  set(config.interval, settings, "interval");
  set(config.ce_threshold, settings, "ce_threshold");
  set(config.exempt_bytes, settings, "exempt_bytes");
  return config;
}

int region_of(const Chance& chance) { return static_cast<int>(chance.region); }

std::map<std::string, uint64_t> named(const Edges& edges) {
  std::map<std::string, uint64_t> counts;
  for (size_t i = 0; i < kEdgeNames.size(); ++i) counts[kEdgeNames[i]] = edges[static_cast<Edge>(i)];
  return counts;
}

// One slot's spacing of signals.
class SlotSpacing {
 public:
  explicit SlotSpacing(int spacing) : kind_(static_cast<Spacing>(spacing)) { spacing_.reset(kind_); }

  // Whether a signal at random would meet a frame now; and the same for one that comes.
  bool signals(int region, uint32_t probability) const {
    SignalSpacing copy = spacing_;
    return copy.step(kind_, chance(region, probability), 1, 0) == Signal::Probabilistic;
  }
  bool step(int region, uint32_t probability, uint32_t word) {
    return spacing_.step(kind_, chance(region, probability), 1, word) == Signal::Probabilistic;
  }

 private:
  static Chance chance(int region, uint32_t probability) {
    return {static_cast<Chance::Region>(region), probability, 0};
  }

  Spacing kind_;
  SignalSpacing spacing_;
};

// RED of one port, both slots, cycle by cycle from the first one after a reset on.
class RedPort {
 public:
  RedPort(uint32_t port, uint32_t ports, const Laws& laws, uint32_t reciprocal, unsigned shift, uint32_t interval)
      : cycles_(port, ports, 0, 0, edges_) {
    config_.clock = {reciprocal, shift, interval};
    config_.law = {Law::Red, Law::Red};
    configure(laws);
    cycles_.open(~uint64_t{0}, 0, 0);  // a reset is like a commit that changes everything
    cycles_.commit(config_, LawChanges::all());
  }
  RedPort(const RedPort&) = delete;

  // Of the cycle before, then of this one.
  void commit(const Laws& laws, std::array<bool, kSlots> law_reset, std::array<bool, kSlots> red_load) {
    configure(laws);
    cycles_.commit(config_, {law_reset, red_load, false});
  }
  void seed(uint32_t value) { cycles_.seed(value); }
  void open(uint64_t cycle, uint64_t bytes, uint64_t packets) { cycles_.open(cycle, bytes, packets); }
  int step(unsigned slot, uint64_t time) { return static_cast<int>(cycles_.step(config_, slot, time)); }
  void close(uint64_t time) { cycles_.close(config_, time); }

  // What a frame of a slot would be told in this cycle: nothing, a signal at random, or a forced one.
  int answer(unsigned slot) const {
    RedCycles copy = cycles_;
    Edges unused;
    copy.count_in(unused);
    return static_cast<int>(copy.step(config_, slot, 0));
  }
  int region(unsigned slot) const { return region_of(cycles_.chance(config_, slot)); }
  std::optional<uint64_t> counted(unsigned slot) const { return cycles_.count(slot); }
  uint64_t number(unsigned slot) const { return cycles_.number(slot); }
  uint64_t average(unsigned slot) const { return cycles_.average(slot); }
  uint64_t kept(unsigned slot) const { return cycles_.kept(slot); }
  uint32_t maxp(unsigned slot) const { return cycles_.maxp(slot); }
  // Before and after the idle time, in the cycle in which a decayed average shows.
  std::optional<std::pair<uint64_t, uint64_t>> faded(unsigned slot) const { return cycles_.faded(slot); }
  // ARED's latest move, unless a commit has voided it: the cycle in which it is done, maxp before and after.
  std::optional<std::tuple<uint64_t, uint32_t, uint32_t>> move(unsigned slot) const { return cycles_.move(slot); }

 private:
  void configure(const Laws& laws) {
    for (unsigned i = 0; i < kSlots; ++i) config_.red[i] = red_config(laws[i]);
  }

  Edges edges_;
  PortConfig config_;
  RedCycles cycles_;
};

// CoDel of one queue, one departure at a time.
class CodelQueue {
 public:
  explicit CodelQueue(const nb::dict& settings) : config_(codel_config(settings)) {}

  void stored(uint32_t length) { codel_.stored(length); }
  // How the frame at the head leaves; it has waited since `stamp`, and `behind` bytes stand behind it.
  int meet(uint32_t now, uint32_t stamp, int ecn, bool is_protected, uint64_t behind) {
    return static_cast<int>(codel_.meet(config_, now, {stamp, static_cast<Ecn>(ecn), is_protected, behind}));
  }
  void ran_out() { codel_.ran_out(config_); }
  const Codel& codel() const { return codel_; }

 private:
  CodelConfig config_;
  Codel codel_;
};

// All ports behind the parser. In each cycle: open, look at it, close.
class Queues {
 public:
  explicit Queues(const Build& build) : model_(build, 0, 0) {}
  Queues(const Queues&) = delete;

  // The registers of a port's shadow; its verdicts follow them from this cycle on, whatever a commit would say.
  void configure(uint32_t port, uint64_t cycle, const std::map<uint32_t, uint32_t>& registers) {
    Shadow shadow;
    for (const auto& [address, value] : registers) {
      if (!shadow.write(address, value)) throw nb::value_error("not a register of a configuration");
    }
    model_.commit(port, shadow, cycle);
  }
  void flush(uint32_t port, uint64_t cycle) { model_.flush(port, cycle); }

  void open(uint64_t cycle, uint64_t time, uint32_t tx_enable, uint32_t ready, std::optional<nb::tuple> beat) {
    pins_ = {cycle, time, nullptr, tx_enable, ready};
    if (beat) {
      const auto row = nb::cast<nb::bytes>((*beat)[0]);
      data_.assign(reinterpret_cast<const uint8_t*>(row.data()),
                   reinterpret_cast<const uint8_t*>(row.data()) + row.size());
      const auto keep = nb::cast<nb::bytes>((*beat)[1]);
      beat_ = {data_,
               {},
               nb::cast<bool>((*beat)[2]),
               nb::cast<uint32_t>((*beat)[3]),
               nb::cast<uint32_t>((*beat)[4]),
               nb::cast<bool>((*beat)[5])};
      for (size_t i = 0; i < data_.size(); ++i) beat_.keep[i] = static_cast<uint8_t>(keep.c_str()[i / 8]) >> i % 8 & 1;
      pins_.beat = &beat_;
    }
    model_.open(pins_);
  }
  void close() { model_.close(pins_); }

  std::pair<uint64_t, uint64_t> held(uint32_t port) const {
    const Admit& admit = model_.port(port).admit();
    return {admit.bytes(), admit.packets()};
  }
  int64_t rows(uint32_t port) const { return model_.port(port).rows(); }
  uint32_t cut_short(uint32_t port) const { return model_.cut_short(port); }
  // The row that stands on the output: its bytes, last, error, the frame's length.
  std::optional<std::tuple<nb::bytes, bool, bool, uint32_t>> row(uint32_t port) const {
    const ExpectedRow row = model_.port(port).output();
    if (!row.valid) return std::nullopt;
    return std::tuple(nb::bytes(row.bytes.data(), row.count), row.last, row.error, row.length);
  }
  // The arrival that is counted in this cycle, with the fields of tm_pkg::event_t.
  std::optional<nb::dict> event(uint32_t port) const {
    const auto event = model_.port(port).event(model_.bus());
    if (!event) return std::nullopt;
    nb::dict fields;
    fields["valid"] = 1;
    fields["stamp"] = event->time & kStampMask;
    fields["len"] = event->length;
    fields["class_id"] = static_cast<int>(event->meta.class_id);
    fields["ece"] = static_cast<int>(event->meta.ece);
    fields["ecn"] = static_cast<int>(event->meta.ecn);
    fields["outcome"] = static_cast<int>(event->outcome);
    fields["bytes"] = event->bytes;
    return fields;
  }
  // The departures that are counted in this cycle, with the fields of tm_pkg::departure_t.
  std::vector<std::map<std::string, uint64_t>> departures(uint32_t port) const {
    std::vector<std::map<std::string, uint64_t>> left;
    for (const Tally& tally : model_.port(port).tallies()) {
      if (!tally.departure || tally.cycle != pins_.cycle) continue;
      left.push_back({{"kind", static_cast<uint64_t>(*tally.departure)},
                      {"class_id", static_cast<uint64_t>(tally.meta.class_id)},
                      {"ece", tally.meta.ece},
                      {"len", tally.length},
                      {"sojourn", tally.sojourn}});
    }
    return left;
  }
  std::map<std::string, uint64_t> edges() const { return named(model_.edges()); }

 private:
  DeviceCycles model_;
  PinCycle pins_;
  Beat beat_;
  std::vector<uint8_t> data_;
};

}  // namespace

NB_MODULE(truemark_model, module) {
  module.def("average_after", [](const nb::dict& law, uint64_t average, uint64_t bytes, bool was_idle) {
    return average::step(red_config(law), average, bytes, was_idle);
  });
  module.def("faded", [](const nb::dict& law, uint64_t average, uint64_t elapsed, uint32_t reciprocal, unsigned shift) {
    return average::faded(red_config(law), {reciprocal, shift, 0}, average, elapsed);
  });
  // Region, probability and bytes above min of an average.
  module.def("evaluate", [](const nb::dict& law, uint64_t average, uint32_t slope) {
    const Chance chance = RedSlot::chance(red_config(law), slope, average);
    return std::tuple(region_of(chance), chance.probability, chance.above_min);
  });
  // maxp and slope after a step of ARED.
  module.def("adapted", [](const nb::dict& law, uint32_t maxp, uint64_t average) {
    RedSlot slot;
    slot.set_probability(maxp, 0);
    slot.adapt(red_config(law), average);
    return std::pair(slot.maxp(), slot.slope());
  });
  nb::class_<Generator>(module, "Generator")
      .def(nb::init<>())
      .def("seed", &Generator::seed)
      .def("word", &Generator::word)
      .def("advance", &Generator::advance);
  nb::class_<SlotSpacing>(module, "SlotSpacing")
      .def(nb::init<int>())
      .def("signals", &SlotSpacing::signals)
      .def("step", &SlotSpacing::step);
  nb::class_<RedPort>(module, "RedPort")
      .def(nb::init<uint32_t, uint32_t, const Laws&, uint32_t, unsigned, uint32_t>())
      .def("commit", &RedPort::commit)
      .def("seed", &RedPort::seed)
      .def("open", &RedPort::open)
      .def("step", &RedPort::step)
      .def("close", &RedPort::close)
      .def("answer", &RedPort::answer)
      .def("region", &RedPort::region)
      .def("counted", &RedPort::counted)
      .def("number", &RedPort::number)
      .def("average", &RedPort::average)
      .def("kept", &RedPort::kept)
      .def("maxp", &RedPort::maxp)
      .def("faded", &RedPort::faded)
      .def("move", &RedPort::move);
  nb::class_<CodelQueue>(module, "CodelQueue")
      .def(nb::init<const nb::dict&>())
      .def("stored", &CodelQueue::stored)
      .def("meet", &CodelQueue::meet)
      .def("ran_out", &CodelQueue::ran_out)
      .def_prop_ro("first_above", [](const CodelQueue& queue) { return queue.codel().first_above(); })
      .def_prop_ro("dropping", [](const CodelQueue& queue) { return queue.codel().dropping(); })
      .def_prop_ro("count", [](const CodelQueue& queue) { return queue.codel().count(); });
  nb::class_<Ets>(module, "Ets")
      .def(nb::init<unsigned>())
      .def("configure", &Ets::configure)
      .def("see", &Ets::see)
      .def("select", &Ets::select, nb::arg("heads"), nb::arg("late") = std::vector<bool>{});
  nb::class_<Bucket>(module, "Bucket")
      .def(nb::init<>())
      .def("configure", [](Bucket& bucket, uint32_t rate, uint32_t burst,
                           uint64_t cycle) { bucket.configure({rate, burst}, cycle); })
      .def("open", &Bucket::open)
      .def("charge", &Bucket::charge);
  nb::class_<Pool>(module, "Pool")
      .def(nb::init<uint64_t, uint32_t, uint64_t>(), nb::arg("cells"), nb::arg("cell_bytes") = 64,
           nb::arg("headroom") = 0)
      .def(
          "add",
          [](Pool& pool, uint64_t reserve, std::optional<uint64_t> fixed, int exponent) {
            return pool.add({reserve, {fixed, exponent}});
          },
          nb::arg("reserve") = 0, nb::arg("fixed") = nb::none(), nb::arg("exponent") = 0)
      .def("ask",
           [](const Pool& pool, size_t queue, uint32_t bytes) {
             constexpr std::array kWords = {"", "threshold", "cells"};
             return kWords[static_cast<size_t>(pool.ask(queue, bytes))];
           })
      .def("set_share", [](Pool& pool, size_t queue, uint64_t reserve, std::optional<uint64_t> fixed,
                           int exponent) { pool.set_share(queue, {reserve, {fixed, exponent}}); })
      .def("set_headroom", &Pool::set_headroom)
      .def("room", &Pool::room)
      .def("store", &Pool::store)
      .def("release", &Pool::release)
      .def("drop", &Pool::drop)
      .def("walk", &Pool::walk)
      .def("threshold", &Pool::threshold)
      .def("clear_watermarks", &Pool::clear_watermarks)
      .def_prop_ro("free", &Pool::free)
      .def_prop_ro("walking", &Pool::walking)
      .def(
          "held", [](const Pool& pool, std::optional<size_t> queue) { return queue ? pool.held(*queue) : pool.held(); },
          nb::arg("queue") = nb::none())
      .def(
          "watermark",
          [](const Pool& pool, std::optional<size_t> queue) {
            return queue ? pool.watermark(*queue) : pool.watermark();
          },
          nb::arg("queue") = nb::none());
  nb::class_<PauseLevels>(module, "PauseLevels")
      .def(
          "__init__",
          [](PauseLevels* place, uint64_t cells, std::optional<uint64_t> fixed, int exponent, uint64_t xon,
             std::optional<uint64_t> xon_offset) {
            new (place) PauseLevels(cells, {{fixed, exponent}, xon, xon_offset});
          },
          nb::arg("cells"), nb::kw_only(), nb::arg("fixed") = nb::none(), nb::arg("exponent") = 0, nb::arg("xon") = 0,
          nb::arg("xon_offset") = nb::none())
      .def(
          "add", [](PauseLevels& levels, uint64_t headroom, bool lossless) { return levels.add({headroom, lossless}); },
          nb::arg("headroom") = 0, nb::arg("lossless") = true)
      .def("set", [](PauseLevels& levels, size_t source, uint64_t headroom,
                     bool lossless) { levels.set(source, {headroom, lossless}); })
      .def("store", &PauseLevels::store)
      .def("release", &PauseLevels::release)
      .def("xoff", &PauseLevels::xoff)
      .def("held", &PauseLevels::held)
      .def("watermark", &PauseLevels::watermark)
      .def_prop_ro("overruns", &PauseLevels::overruns);
  nb::class_<Queues>(module, "Queues")
      .def("__init__",
           [](Queues* self, uint32_t ports, uint32_t data_w, uint32_t rows, uint32_t descriptors, uint32_t max_frame,
              bool store_and_forward, bool flags_verdict) {
             new (self) Queues({ports, data_w, rows, descriptors, max_frame, store_and_forward, flags_verdict});
           })
      .def("configure", &Queues::configure)
      .def("flush", &Queues::flush)
      .def("open", &Queues::open, nb::arg("cycle"), nb::arg("time"), nb::arg("tx_enable"), nb::arg("ready"),
           nb::arg("beat").none())
      .def("close", &Queues::close)
      .def("held", &Queues::held)
      .def("rows", &Queues::rows)
      .def("cut_short", &Queues::cut_short)
      .def("row", &Queues::row)
      .def("event", &Queues::event)
      .def("departures", &Queues::departures)
      .def("edges", &Queues::edges);
}

}  // namespace truemark
