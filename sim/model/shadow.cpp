// SPDX-License-Identifier: BSD-3-Clause
#include "shadow.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace truemark {
namespace {

using reg::Fault;

constexpr uint64_t kCertain = uint64_t{1} << 24;  // probability 1
constexpr unsigned kMostWeight = 24;

// Whether `value` is within one of numerator / denominator.
bool within_one(uint64_t value, uint64_t numerator, uint64_t denominator) {
  const uint64_t below = numerator / denominator;
  const uint64_t above = below + (numerator % denominator != 0 ? 1 : 0);
  return value + 1 >= above && value <= below + 1;
}

uint64_t scaled(uint64_t value, unsigned scale, unsigned bits) { return value << (bits + 8 * scale); }

// Whether a slot's average, which runs under every law, is one that the build has.
bool has_average(const Build& build, const RedConfig& red) {
  return red.weight <= kMostWeight && (red.spacing != Spacing::Linux || build.red_linux);
}

// The fault of one slot of RED, as that of slot 0.
Fault red_fault(const RedConfig& red, const RedClock& clock) {
  const uint64_t band = red.max - red.min;
  if (red.min > red.max || red.max == 0) return Fault::Band0;
  if (red.maxp == 0 || red.maxp > kCertain) return Fault::Maxp0;
  const bool counts = red.spacing == Spacing::Linux;  // by a slope of 24 bits that stays, and one alone
  if (counts && (red.slope_scale != 0 || (band != 0 && (red.slope == 0 || red.slope >= kCertain))))
    return Fault::Slope0;
  if (band != 0 && !within_one(red.slope, scaled(red.maxp, red.slope_scale, 8), band)) return Fault::Slope0;
  if (red.gentle && counts) return Fault::Gentle0;
  if (red.gentle && !within_one(red.gentle_slope, scaled(kCertain - red.maxp, red.gentle_scale, 8), red.max)) {
    return Fault::Gentle0;
  }
  if (!red.adaptive) return Fault::None;
  if (counts) return Fault::Adaptive0;
  if (band != 0 && !within_one(red.reciprocal, scaled(1, red.slope_scale, 32), band)) return Fault::Adaptive0;
  if (red.bottom == 0 || red.bottom > kCertain / 2 || red.bottom > red.maxp) return Fault::Adaptive0;
  if (red.band_low > red.band_high || clock.adapt_interval == 0) return Fault::Adaptive0;
  return Fault::None;
}

// The fault of what a port and its line are held to: no more than a beat in each cycle.
Fault shapes_fault(const Build& build, const PortConfig& config, uint32_t port) {
  const uint64_t most = uint64_t{build.beat_bytes()} << pkg::kRateFractionW;
  const bool first_of_several = build.queues > 1 && build.queue_of(port) == 0;
  const auto bursts = [&](const Shape& shape) { return shape.rate == 0 || shape.burst >= build.max_frame; };
  if (config.shape.rate > most) return Fault::ShapeRate;
  if (!bursts(config.shape)) return Fault::ShapeBurst;
  if (config.line_shape.rate > (first_of_several ? most : 0)) return Fault::LineRate;
  return bursts(config.line_shape) ? Fault::None : Fault::LineBurst;
}

// Whether a threshold in cells is one thing: fixed, or 2^exponent times what is free.
template <typename Threshold>
bool is_threshold(const Build& build, const Threshold& threshold) {
  if (threshold.dynamic) return threshold.cells == 0 && threshold.exponent >= -7 && threshold.exponent <= 3;
  return threshold.exponent == 0 && threshold.cells <= build.cells();
}

// The fault of what a port may have of a pool, of which others keep so many cells.
Fault share_fault(const Build& build, const PortConfig& config, uint64_t kept) {
  const uint64_t left = build.cells() - std::min<uint64_t>(build.cells(), kept + pkg::kUnreservedCells);
  // A frame that is stored before it is judged takes what a reserve would keep.
  if (config.pool_share.reserve > (build.store_and_forward ? 0 : left)) return Fault::PoolReserve;
  if (!is_threshold(build, config.pool_share)) return Fault::PoolThreshold;
  return build.pfc && config.kept() > left ? Fault::PfcHeadroom : Fault::None;
}

// The fault of when sources must pause, which port 0 says for all.
Fault pause_fault(const Build& build, const PauseConfig& pause, bool first) {
  if (!is_threshold(build, pause) || (pause.is_for_all() && !first)) return Fault::PfcThreshold;
  const bool above = !pause.dynamic && pause.xon > pause.cells;
  return above || ((pause.xon != 0 || pause.xon_offset != 0) && !first) ? Fault::PfcXon : Fault::None;
}

// Whether a frame of a lossless class may come to a port whose law drops it. Whichever port it came in by, it may leave
// by any line; a frame without a tag is of class 0.
bool loses(const Build& build, const QueueMap& map, const OtherPorts& all) {
  for (uint32_t port = 0; port < build.ports; ++port) {
    if (!all.drop[port]) continue;
    for (unsigned priority = 0; priority < 8; ++priority) {
      if (!(all.lossless >> priority & 1)) continue;
      const unsigned queue = build.queue_of(port);
      const bool by_default = map.mode == reg::QueueMode::Fixed || (map.mode == reg::QueueMode::Pcp && priority == 0);
      const bool by_table = map.mode == reg::QueueMode::Pcp && map.pcp[priority] == queue;
      const bool by_else = map.mode != reg::QueueMode::Fixed && map.mode != reg::QueueMode::Pcp;
      if (build.queues == 1 || by_else || by_table || (by_default && map.default_queue == queue)) return true;
    }
  }
  return false;
}

// Four bits, two's complement.
int exponent_of(uint32_t bits) { return static_cast<int>(bits) - (bits > 7 ? 16 : 0); }

Fault codel_fault(const CodelConfig& codel, bool protects) {
  if (codel.interval == 0 || codel.target > codel.interval) return Fault::Codel;
  if (std::max(codel.interval, codel.ce_threshold) > CodelConfig::kNever) return Fault::Codel;
  if (codel.exempt_below && codel.exempt_bytes == 0) return Fault::Codel;
  return protects && !codel.ecn ? Fault::Nodrop : Fault::None;
}

// The words of a port, then those of all ports.
constexpr size_t kPortWords = std::size(reg::kConfigWords);
constexpr auto kWords = [] {
  std::array<reg::ConfigWord, kPortWords + std::size(reg::kQueueWords)> all{};
  std::copy(std::begin(reg::kQueueWords), std::end(reg::kQueueWords),
            std::copy(std::begin(reg::kConfigWords), std::end(reg::kConfigWords), all.begin()));
  return all;
}();

std::optional<size_t> index_of(uint32_t address) {
  for (size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i].address == address) return i;
  }
  return std::nullopt;
}

bool meets(const Build& build, reg::Needs needs) {
  switch (needs) {
    case reg::Needs::kQueues:
      return build.queues > 1;
    case reg::Needs::kShaping:
      return build.shaping;
    case reg::Needs::kPool:
      return build.pool;
    case reg::Needs::kPfc:
      return build.pfc;
    case reg::Needs::kNothing:
      break;
  }
  return true;
}

}  // namespace

Shadow::Shadow() {
  for (const reg::ConfigWord& word : kWords) values_.push_back(word.reset);
}

std::vector<uint32_t> Shadow::addresses(const Build& build) {
  std::vector<uint32_t> all;
  for (const reg::ConfigWord& word : reg::kConfigWords) {
    if ((build.tcn || word.address != reg::kTcnThreshold) && has(build, word.address)) all.push_back(word.address);
  }
  for (const reg::ConfigWord& word : reg::kQueueWords) {
    if (build.queues > 1) all.push_back(word.address);
  }
  return all;
}

bool Shadow::has(const Build& build, uint32_t address) {
  const auto index = index_of(address);
  return index && meets(build, kWords[*index].needs);
}

bool Shadow::write(uint32_t address, uint32_t value) {
  const auto index = index_of(address);
  if (index) values_[*index] = value & kWords[*index].mask;
  return index.has_value();
}

std::optional<uint32_t> Shadow::read(uint32_t address) const {
  const auto index = index_of(address);
  return index ? std::optional(values_[*index]) : std::nullopt;
}

void Shadow::take_queue_map(const Shadow& from) {
  std::copy(from.values_.begin() + kPortWords, from.values_.end(), values_.begin() + kPortWords);
}

uint32_t Shadow::at(uint32_t address) const { return read(address).value_or(0); }

RedConfig Shadow::red(unsigned slot) const {
  const auto field = [&](uint32_t offset) { return at(reg::kRed + reg::kRedSlot * slot + offset); };
  const uint32_t settings = field(reg::kRedSettings);
  RedConfig red;
  red.weight = reg::red_settings::kWeight.get(settings);
  red.spacing = static_cast<Spacing>(reg::red_settings::kSpacing.get(settings));
  red.gentle = reg::red_settings::kGentle.get(settings);
  red.adaptive = reg::red_settings::kAdaptive.get(settings);
  red.packets = reg::red_settings::kPackets.get(settings);
  red.slope_scale = reg::red_settings::kSlopeScale.get(settings);
  red.gentle_scale = reg::red_settings::kGentleScale.get(settings);
  red.min = field(reg::kRedMin);
  red.max = field(reg::kRedMax);
  red.maxp = field(reg::kRedMaxp);
  red.slope = field(reg::kRedSlope);
  red.gentle_slope = field(reg::kRedGentleSlope);
  red.reciprocal = field(reg::kRedReciprocal);
  red.bottom = field(reg::kRedBottom);
  red.band_low = field(reg::kRedBandLow);
  red.band_high = field(reg::kRedBandHigh);
  return red;
}

CodelConfig Shadow::codel() const {
  const uint32_t settings = at(reg::kCodelSettings);
  const auto is_set = [&](reg::Field field) { return field.get(settings) != 0; };
  CodelConfig codel;
  codel.on = is_set(reg::codel_settings::kOn);
  codel.ecn = is_set(reg::codel_settings::kEcn);
  codel.at_once = is_set(reg::codel_settings::kAtOnce);
  codel.exempt_below = is_set(reg::codel_settings::kExemptBelow);
  codel.exempt_largest = is_set(reg::codel_settings::kExemptLargest);
  codel.converge = is_set(reg::codel_settings::kConverge);
  codel.mark_from_now = is_set(reg::codel_settings::kMarkFromNow);
  codel.reentry_past = is_set(reg::codel_settings::kReentryPast);
  codel.threshold_once = is_set(reg::codel_settings::kThresholdOnce);
  codel.keep_first_above = is_set(reg::codel_settings::kKeepFirstAbove);
  codel.target = at(reg::kCodelTarget);
  codel.interval = at(reg::kCodelInterval);
  codel.ce_threshold = at(reg::kCodelCeThreshold);
  codel.exempt_bytes = at(reg::kCodelExemptBytes);
  return codel;
}

Fault Shadow::limits_fault(const Build& build) const {
  const uint32_t bytes = at(reg::kLimitBytes), packets = at(reg::kLimitPackets);
  const uint64_t largest = limits_bytes() ? bytes : build.storage();
  const unsigned laws = build.red ? 2 : 1;
  if (limits_bytes() && (bytes == 0 || bytes > build.storage())) return Fault::LimitBytes;
  if (limits_packets() && (packets == 0 || packets > build.descriptors)) return Fault::LimitPackets;
  if (law(0) > laws || law(1) > laws || (!build.tcn && at(reg::kTcnThreshold) != 0)) return Fault::Law;
  if (law(0) == 1 && at(reg::kK0) > largest) return Fault::K0;
  if (law(1) == 1 && at(reg::kK1) > largest) return Fault::K1;
  const bool signals = law(slot_of(Ecn::NotEct)) != 0 || codel().on;
  if (!build.flags_verdict && signals && at(reg::kProtect) != 0) return Fault::Protect;
  const uint32_t control = at(reg::kControl);
  const bool alone = !reg::control::kNoecn.get(control) && !reg::control::kHarddrop.get(control);
  const bool departs = build.mark_on_departure && (law(0) == 1) != (law(1) == 1) && alone;
  return reg::control::kMarkOnDeparture.get(control) && !departs ? Fault::Control : Fault::None;
}

Fault Shadow::fault(const Build& build, uint32_t port, const OtherPorts& others) const {
  if (const Fault fault = limits_fault(build); fault != Fault::None) return fault;
  const PortConfig config = meaning();
  Fault first = Fault::None;
  const auto found = [&](Fault fault) {
    if (fault != Fault::None && (first == Fault::None || fault < first)) first = fault;
  };
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    const auto found_here = [&](Fault fault) {
      if (fault != Fault::None) found(static_cast<Fault>(static_cast<unsigned>(fault) + slot));
    };
    if (build.red && !has_average(build, config.red[slot])) found_here(Fault::Weight0);
    if (config.law[slot] != Law::Red) continue;
    found_here(red_fault(config.red[slot], config.clock));
    if (config.red[slot].weight > 0 && config.clock.idle_reciprocal == 0) found(Fault::Idle);
  }
  if (config.noecn && config.protect != 0) found(Fault::Nodrop);
  if (config.codel.on) found(build.codel ? codel_fault(config.codel, config.protect != 0) : Fault::Codel);
  if (first == Fault::None && build.queues > 1) first = queues_fault(build);
  if (first == Fault::None && build.shaping) first = shapes_fault(build, config, port);
  if (first == Fault::None && build.pool) first = share_fault(build, config, others.kept);
  if (first == Fault::None && build.pfc) first = pause_fault(build, config.pfc, port == 0);
  OtherPorts all = others;
  all.add(port, config);
  return first == Fault::None && build.pfc && loses(build, queue_map(), all) ? Fault::PfcLossless : first;
}

Fault Shadow::queues_fault(const Build& build) const {
  const QueueMap map = queue_map();
  const auto beyond = [&](unsigned queue) { return queue >= build.queues; };
  const auto any_beyond = [&](const auto& table) { return std::any_of(table.begin(), table.end(), beyond); };
  if (map.mode > reg::QueueMode::ClassEce || (map.by_class() && !build.flags_verdict)) return Fault::QueueMode;
  if (beyond(map.default_queue)) return Fault::QueueDefault;
  if (any_beyond(map.dscp)) return Fault::QueueDscp;
  if (any_beyond(map.pcp)) return Fault::QueuePcp;
  if (any_beyond(map.ecn)) return Fault::QueueEcn;
  if (any_beyond(map.class_ece[0]) || any_beyond(map.class_ece[1])) return Fault::QueueClass;
  const PortConfig config = meaning();
  return config.shares && config.quantum == 0 ? Fault::QueueQuantum : Fault::None;
}

QueueMap Shadow::queue_map() const {
  QueueMap map;
  const auto fill = [&](auto begin, unsigned count, uint32_t address) {
    for (unsigned i = 0; i < count; ++i) *begin++ = at(address) >> 3 * i & 7;
  };
  map.mode = static_cast<reg::QueueMode>(reg::queue_settings::kMode.get(at(reg::kQueueSettings)));
  map.default_queue = reg::queue_settings::kDefaultQueue.get(at(reg::kQueueSettings));
  for (unsigned eight = 0; eight < 8; ++eight) fill(map.dscp.begin() + 8 * eight, 8, reg::kQueueDscp0 + 4 * eight);
  fill(map.pcp.begin(), 8, reg::kQueuePcp);
  fill(map.ecn.begin(), 4, reg::kQueueEcn);
  fill(map.class_ece[0].begin(), 7, reg::kQueueClass);
  fill(map.class_ece[1].begin(), 7, reg::kQueueClassEce);
  return map;
}

PortConfig Shadow::meaning() const {
  const uint32_t control = at(reg::kControl);
  PortConfig config;
  config.enable = reg::control::kEnable.get(control);
  if (limits_bytes()) config.limit_bytes = at(reg::kLimitBytes);
  if (limits_packets()) config.limit_packets = at(reg::kLimitPackets);
  for (unsigned c = 0; c < 4; ++c) config.slot_of[c] = static_cast<uint8_t>(slot_of(static_cast<Ecn>(c)));
  config.law = {static_cast<Law>(law(0)), static_cast<Law>(law(1))};
  config.k = {at(reg::kK0), at(reg::kK1)};
  config.protect = static_cast<uint16_t>(at(reg::kProtect));
  config.noecn = reg::control::kNoecn.get(control);
  config.harddrop = reg::control::kHarddrop.get(control);
  for (unsigned slot = 0; slot < kSlots; ++slot) config.red[slot] = red(slot);
  config.clock = {at(reg::kIdleReciprocal), at(reg::kIdleShift), at(reg::kAdaptInterval)};
  config.codel = codel();
  config.tcn_threshold = at(reg::kTcnThreshold);
  config.shares = reg::queue_schedule::kShares.get(at(reg::kQueueSchedule));
  config.quantum = reg::queue_schedule::kQuantum.get(at(reg::kQueueSchedule));
  config.shape = {at(reg::kShapeRate), at(reg::kShapeBurst)};
  config.line_shape = {at(reg::kLineRate), at(reg::kLineBurst)};
  const uint32_t threshold = at(reg::kPoolThreshold);
  config.pool_share = {at(reg::kPoolReserve), reg::pool_threshold::kCells.get(threshold),
                       reg::pool_threshold::kDynamic.get(threshold) != 0,
                       exponent_of(reg::pool_threshold::kExponent.get(threshold))};
  const uint32_t classes = at(reg::kPfcClasses), xoff = at(reg::kPfcThreshold), xon = at(reg::kPfcXon);
  config.pfc = {static_cast<uint8_t>(reg::pfc_classes::kLossless.get(classes)),
                static_cast<uint8_t>(reg::pfc_classes::kPausedBy.get(classes)),
                reg::pfc_classes::kHeadroom.get(classes),
                reg::pfc_threshold::kXoffCells.get(xoff),
                reg::pfc_threshold::kXoffDynamic.get(xoff) != 0,
                exponent_of(reg::pfc_threshold::kXoffExponent.get(xoff)),
                reg::pfc_xon::kXonCells.get(xon),
                reg::pfc_xon::kXonOffset.get(xon)};
  config.mark_on_departure = reg::control::kMarkOnDeparture.get(control);
  return config;
}

}  // namespace truemark
