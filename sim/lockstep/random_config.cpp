// SPDX-License-Identifier: BSD-3-Clause
#include "random_config.h"

#include <algorithm>
#include <array>

#include "random_config_draw.h"

namespace truemark {
namespace {

constexpr uint64_t kMost = 0xFFFFFFFF;
constexpr uint32_t kLinux = static_cast<uint32_t>(Spacing::Linux);  // not every build has it: there it is refused
constexpr uint32_t kSpacings = kLinux;                              // that every build has

class Maker : ConfigDraw {
 public:
  Maker(Random& random, const Build& build, uint32_t port, const Phase& phase, uint32_t& spoiled)
      : ConfigDraw(random, build, Shadow()), port_(port), phase_(phase), spoiled_(spoiled) {}

  Shadow make() {
    limits_and_steps();
    for (unsigned slot = 0; slot < kSlots; ++slot) red(slot);
    idle();
    codel();
    if (build_.tcn) set(reg::kTcnThreshold, random_threshold());
    if (build_.queues > 1) queues();
    if (build_.shaping) {
      shape(reg::kShapeRate, reg::kShapeBurst);
      if (first_of_several()) shape(reg::kLineRate, reg::kLineBurst);
      if (random_.one_in(8)) {
        spoil_shapes(spoiled_++ % kShapeFaults);
        return shadow_;
      }
    }
    if (build_.pool) {
      share();
      if (random_.one_in(8)) {
        spoil_share(spoiled_++ % 2);
        return shadow_;
      }
    }
    if (build_.pfc) {
      pauses();
      if (random_.one_in(8)) {
        spoil_pauses(spoiled_++ % 4);
        return shadow_;
      }
    }
    if (build_.queues > 1 && random_.one_in(8)) {
      spoil_queues(spoiled_++ % kQueueFaults);
      return shadow_;
    }
    if (random_.one_in(4)) return spoiled_config(random_, build_, shadow_, spoiled_++);
    return shadow_;
  }

 private:
  // Bytes that so many frames of this phase may come to, often a multiple of a frame's length, or one off.
  uint32_t near(uint32_t multiples) {
    const uint32_t length = phase_.max_length;
    const uint32_t bytes = random_.one_in(2) ? length * random_.below(multiples) : random_.below(multiples * length);
    return random_.one_in(2) ? bytes : bytes + random_.below(3) - (bytes > 0 ? 1 : 0);
  }

  uint32_t random_law() {
    const uint32_t kinds = build_.red ? 10 : 5;
    const uint32_t kind = random_.below(kinds);
    return kind == 0 ? 0 : kind < 5 ? 1 : 2;
  }

  void limits_and_steps() {
    using namespace reg::control;
    uint32_t control = kEnable.put(!random_.one_in(30));
    uint32_t k0 = std::min(near(12), storage_), k1 = std::min(near(12), storage_);
    const uint32_t limit = std::min(std::max({near(30), k0, k1, 1u}), storage_);
    control |= kLimitBytesOn.put(random_.one_in(2));
    control |= kLimitPacketsOn.put(random_.one_in(3));
    control |= kSlotOf.put(random_.one_in(2) ? 0 : random_.below(16));
    const uint32_t law0 = build_.red ? random_law() : random_.chance(70),
                   law1 = build_.red ? random_law() : random_.one_in(2);
    control |= kLaw0.put(law0) | kLaw1.put(law1);
    control |= kHarddrop.put(random_.one_in(build_.red_linux ? 2 : 6));
    const bool without_ecn = random_.one_in(8);
    control |= kNoecn.put(without_ecn);
    const bool protects = build_.flags_verdict && !without_ecn && random_.one_in(2);
    if (build_.mark_on_departure && random_.one_in(2)) {
      control = on_departure(control);
      // Some frames of the longest, often: or a byte less.
      for (uint32_t* k : {&k0, &k1}) *k = std::min(*k, phase_.max_length * random_.between(1, 4) - random_.below(2));
    }
    set(reg::kControl, control);
    set(reg::kLimitBytes, limit);
    set(reg::kLimitPackets, random_.between(1, build_.descriptors));
    set(reg::kK0, k0);
    set(reg::kK1, k1);
    set(reg::kProtect, protects ? (random_.one_in(4) ? 0x3FFF : random_.next()) : 0);
  }

  // The same, but that the step law of one slot marks as frames leave; in most of them.
  uint32_t on_departure(uint32_t control) {
    using reg::control::kMarkOnDeparture, reg::control::kNoecn, reg::control::kHarddrop;
    constexpr auto step = static_cast<uint32_t>(Law::Step);
    const unsigned slot = random_.below(kSlots);
    control = kNoecn.put(0, kHarddrop.put(0, kMarkOnDeparture.put(1, control)));
    if (kLaw[1 - slot].get(control) == step) control = kLaw[1 - slot].put(0, control);
    return kLaw[slot].put(step, control);
  }

  // The most precise scale at which `of * 2^(bits + 8 * scale) / by` fits a word.
  static unsigned scale_for(uint64_t of, unsigned bits, uint64_t by) {
    unsigned scale = 3;
    while (scale > 0 && (of << (bits + 8 * scale)) / by > kMost) --scale;
    return scale;
  }

  uint64_t rounded(uint64_t of, unsigned shift, uint64_t by) {
    const uint64_t below = (of << shift) / by;
    return std::min(below + (random_.one_in(3) ? 1 : 0) - (random_.one_in(6) && below > 0 ? 1 : 0), kMost);
  }

  // maxp from 2^-24 to 1: a bit length first.
  uint32_t random_maxp() {
    const uint32_t bits = random_.one_in(3) ? random_.between(21, 24) : random_.below(25);
    const uint32_t low = 1u << bits;
    return random_.one_in(4) ? kOne : std::min(low + random_.below(low), kOne);
  }

  void red(unsigned slot) {
    constexpr std::array<uint32_t, 10> usual = {0, 0, 1, 1, 2, 3, 4, 6, 9, 24};
    const uint32_t weight = random_.one_in(8) ? random_.below(25) : usual[random_.below(usual.size())];
    const uint32_t min = random_.one_in(5) ? 0 : near(8);
    const uint32_t max = std::max(1u, random_.one_in(8) ? min : min + near(random_.one_in(4) ? 40 : 12));
    const uint32_t band = max - min;
    uint32_t maxp = random_maxp();
    bool gentle = random_.one_in(2), adaptive = random_.one_in(2);
    const uint64_t divisor = std::max(1u, band);
    unsigned scale = scale_for(maxp, 8, divisor);
    if (adaptive) scale = std::min(scale, scale_for(1, 32, divisor));
    if (random_.one_in(3)) scale = random_.below(scale + 1);
    unsigned gentle_scale = scale_for(kOne - maxp, 8, max);
    if (random_.one_in(3)) gentle_scale = random_.below(gentle_scale + 1);
    uint32_t spacing = random_.one_in(24) ? kLinux : random_.below(kSpacings);
    if (build_.red_linux && random_.one_in(2)) {
      // As Linux has it, except for some that a commit refuses.
      spacing = kLinux;
      gentle = gentle && random_.one_in(20);
      adaptive = adaptive && random_.one_in(20);
      if (!random_.one_in(20)) scale = 0;
      if (random_.one_in(2)) maxp = kOne >> random_.below(8);  // signals that follow one another soon
      if (!random_.one_in(20)) maxp = std::min<uint64_t>(std::max(maxp, band / 128 + 1), uint64_t{divisor} * 65535);
    }
    using namespace reg::red_settings;
    set_red(slot, reg::kRedSettings,
            kWeight.put(weight) | kSpacing.put(spacing) | kGentle.put(gentle) | kAdaptive.put(adaptive) |
                kSlopeScale.put(scale) | kGentleScale.put(gentle_scale));
    set_red(slot, reg::kRedMin, min);
    set_red(slot, reg::kRedMax, max);
    set_red(slot, reg::kRedMaxp, maxp);
    set_red(slot, reg::kRedSlope, rounded(maxp, 8 + 8 * scale, divisor));
    set_red(slot, reg::kRedGentleSlope, rounded(kOne - maxp, 8 + 8 * gentle_scale, max));
    set_red(slot, reg::kRedReciprocal, rounded(1, 32 + 8 * scale, divisor));
    set_red(slot, reg::kRedBottom, random_.between(1, std::min(maxp, kOne / 2)));
    const uint32_t low = min + random_.below(std::max(1u, band));
    set_red(slot, reg::kRedBandLow, low);
    set_red(slot, reg::kRedBandHigh, low + random_.below(std::max(1u, band)));
  }

  void idle() {
    // A tick of 2^3 ns and up: averages fade while a queue rests for some cycles, or for some seconds.
    const uint32_t bits = random_.between(1, 17);
    set(reg::kIdleReciprocal, (1u << (bits - 1)) + random_.below(1u << (bits - 1)));
    set(reg::kIdleShift, random_.one_in(8) ? random_.below(64) : bits + random_.between(3, 16));
    // Cells from 1 us up, and a table that halves after some of them: of a law that is spaced as in Linux.
    if (build_.red_linux && random_.one_in(2)) set(reg::kIdleShift, random_.below(8) | (random_.one_in(4) ? 32 : 0));
    set(reg::kAdaptInterval, random_.one_in(6) ? 0xFFFFFFFF : random_.between(1, 400 * phase_.nanoseconds));
  }

  void codel() {
    const bool on = build_.codel && random_.chance(60);
    const uint32_t per_cycle = std::max(1u, phase_.nanoseconds / 1024);
    const uint32_t interval = random_.one_in(20) ? 0xFFFFFFFF : random_.between(1, 100 * per_cycle);
    const uint32_t target = random_.below(std::min(interval, 30 * per_cycle) + 1);
    using namespace reg::codel_settings;
    uint32_t settings = kOn.put(on) | kEcn.put(random_.chance(70));
    for (unsigned bit = kAtOnce.low; bit <= kKeepFirstAbove.low; ++bit)
      settings |= (random_.one_in(4) ? 1u : 0u) << bit;
    if (!kEcn.get(settings) && on) set(reg::kProtect, 0);
    set(reg::kCodelSettings, settings);
    set(reg::kCodelTarget, target);
    set(reg::kCodelInterval, interval);
    set(reg::kCodelCeThreshold, random_.one_in(2) ? kNoThreshold : random_.below(200 * per_cycle));
    set(reg::kCodelExemptBytes, random_.one_in(3) ? random_.between(1, 20) : std::max(1u, near(4)));
  }

  // Mostly any queue, often few of them, so that one is full while its neighbours are empty.
  void queues() {
    const uint32_t most = random_.one_in(3) ? random_.between(1, build_.queues) : build_.queues;
    const auto table = [&](uint32_t address, unsigned entries) {
      uint32_t word = 0;
      for (unsigned i = 0; i < entries; ++i) word |= random_.below(most) << 3 * i;
      set(address, word);
    };
    using namespace reg::queue_settings;
    const uint32_t modes = static_cast<uint32_t>(build_.flags_verdict ? reg::QueueMode::ClassEce : reg::QueueMode::Ecn);
    set(reg::kQueueSettings, kMode.put(random_.below(modes + 1)) | kDefaultQueue.put(random_.below(most)));
    for (unsigned eight = 0; eight < 8; ++eight) table(reg::kQueueDscp0 + 4 * eight, 8);
    table(reg::kQueuePcp, 8);
    table(reg::kQueueEcn, 4);
    table(reg::kQueueClass, 7);
    table(reg::kQueueClassEce, 7);
    set(reg::kQueueSchedule,
        reg::queue_schedule::kShares.put(!random_.one_in(4)) | reg::queue_schedule::kQuantum.put(random_quantum()));
  }

  // Less than a frame, about a frame, or more than any.
  uint32_t random_quantum() {
    if (random_.one_in(3)) return random_.between(build_.max_frame, reg::queue_schedule::kQuantum.maximum());
    return random_.one_in(2) ? random_.between(30, 300) : std::max(30u, near(4));
  }

  static constexpr uint32_t kQueueFaults = 7;
  // One mode or one entry that is impossible.
  void spoil_queues(uint32_t turn) {
    using namespace reg::queue_settings;
    const auto beyond = [&](uint32_t address, unsigned entries) {
      const unsigned i = random_.below(entries);
      set(address, get(address) | random_.between(build_.queues, 7) << 3 * i);
    };
    const uint32_t settings = get(reg::kQueueSettings);
    constexpr auto last = static_cast<uint32_t>(reg::QueueMode::ClassEce);
    if (turn == 0) set(reg::kQueueSettings, kMode.put(last + random_.between(build_.flags_verdict, 3), settings));
    if (turn == 6) set(reg::kQueueSchedule, reg::queue_schedule::kShares.mask());
    if (build_.queues == 8) return;
    if (turn == 1) set(reg::kQueueSettings, kDefaultQueue.put(random_.between(build_.queues, 7), settings));
    if (turn == 2) beyond(reg::kQueueDscp0 + 4 * random_.below(8), 8);
    if (turn == 3) beyond(reg::kQueuePcp, 8);
    if (turn == 4) beyond(reg::kQueueEcn, 4);
    if (turn == 5) beyond(random_.one_in(2) ? reg::kQueueClass : reg::kQueueClassEce, 7);
  }

  bool first_of_several() const { return build_.queues > 1 && build_.queue_of(port_) == 0; }

  // Often off, else down to a hundredth of what the line takes: what is held leaves in a while.
  // A reserve of a few frames, that all ports can have, and a threshold that is often met.
  void share() {
    using namespace reg::pool_threshold;
    const uint32_t cells = build_.cells(), each = (cells - 8) / build_.ports;
    // Often more than others leave, too.
    const uint32_t most = random_.one_in(4) ? cells : random_.one_in(2) ? each + 1 : 30;
    set(reg::kPoolReserve, random_.one_in(2) ? 0 : random_.below(most));
    const uint32_t kind = random_.below(4);
    uint32_t threshold = 0;
    if (kind == 1) threshold = kCells.put(random_.one_in(4) ? random_.below(cells + 1) : random_.between(1, 60));
    if (kind > 1) threshold = kDynamic.put(1) | kExponent.put((random_.below(11) - 7) & 15);
    set(reg::kPoolThreshold, threshold);
  }

  void spoil_share(uint32_t which) {
    using namespace reg::pool_threshold;
    const uint32_t cells = build_.cells();
    if (which == 0) {
      set(reg::kPoolReserve, random_.between(cells - 7, cells + 7));
      return;
    }
    const std::array<uint32_t, 4> wrong = {kCells.put(cells + 1), kCells.put(1) | kDynamic.put(1),
                                           kExponent.put(random_.between(4, 8)) | kDynamic.put(1),
                                           kExponent.put(random_.between(1, 15))};
    set(reg::kPoolReserve, 0);
    set(reg::kPoolThreshold, wrong[random_.below(4)]);
  }

  // Some lossless classes whose headroom all ports can have; of all sources a threshold that classes meet.
  void pauses() {
    const uint32_t classes = random_.chance(75) ? 0 : random_.below(256);
    set(reg::kPfcLossless, reg::pfc_lossless::kLossless.put(classes) | random_.below(build_.cells() / 100 + 1));
    if (random_.one_in(2)) {  // no law for Not-ECT frames: only where no port has one that drops is a class lossless
      using reg::control::kSlotOf, reg::control::kNoecn;
      const uint32_t control = kNoecn.put(random_.one_in(4), kSlotOf.put(random_.below(16), get(reg::kControl)));
      set(reg::kControl, kLaw[kSlotOf.get(control) & 1].put(0, control));
    }
    if (port_ != 0) return;
    using namespace reg::pfc_threshold;
    const uint32_t fixed = random_.between(0, 60);
    const bool dynamic = random_.one_in(2);
    set(reg::kPfcThreshold,
        dynamic ? kXoffDynamic.put(1) | kXoffExponent.put((random_.below(11) - 7) & 15) : kXoffCells.put(fixed));
    set(reg::kPfcXon, reg::pfc_xon::kXonCells.put(random_.below((dynamic ? 60 : fixed) + 1)) |
                          reg::pfc_xon::kXonOffset.put(random_.below(40)));
  }

  void spoil_pauses(uint32_t which) {
    using namespace reg::pfc_threshold;
    const uint32_t cells = build_.cells();
    const std::array<uint32_t, 4> wrong = {kXoffCells.put(cells + 1), kXoffCells.put(1) | kXoffDynamic.put(1),
                                           kXoffExponent.put(random_.between(4, 8)) | kXoffDynamic.put(1),
                                           kXoffExponent.put(random_.between(1, 15))};
    set(reg::kPoolReserve, 0);
    set(reg::kPfcThreshold, 0);
    set(reg::kPfcXon, 0);
    if (which == 0) set(reg::kPfcLossless, reg::pfc_lossless::kLossless.put(1) | random_.between(cells - 7, cells + 7));
    if (which == 1) set(reg::kPfcThreshold, wrong[random_.below(4)]);
    if (which == 2) set(reg::kPfcThreshold, port_ == 0 ? wrong[0] : kXoffCells.put(random_.between(1, cells)));
    if (which == 3) set(reg::kPfcXon, random_.one_in(2) ? reg::pfc_xon::kXonOffset.put(1) : random_.between(1, cells));
  }

  void shape(uint32_t rate, uint32_t burst) {
    const uint32_t most = build_.beat_bytes() << pkg::kRateFractionW;
    const uint32_t least = most / (random_.one_in(3) ? 100 : 8);
    set(rate, random_.one_in(3) ? 0 : random_.one_in(8) ? most : random_.between(least, most));
    const uint32_t longest = (1u << pkg::kBurstW) - 1;
    set(burst, build_.max_frame + (random_.one_in(4) ? random_.below(longest - build_.max_frame + 1) : near(2)));
  }

  static constexpr uint32_t kShapeFaults = 4;
  // A rate beyond the line's, or of a line whose first queue is another; a burst below a frame.
  void spoil_shapes(uint32_t turn) {
    const uint32_t most = build_.beat_bytes() << pkg::kRateFractionW;
    const uint32_t rate = turn < 2 ? reg::kShapeRate : reg::kLineRate;
    const uint32_t burst = turn < 2 ? reg::kShapeBurst : reg::kLineBurst;
    set(rate, turn % 2 == 0 ? most + random_.between(1, 100) : random_.between(1, most));
    set(burst, build_.max_frame - (turn % 2 == 0 ? 0 : random_.between(1, build_.max_frame)));
  }

  // Off, some waits of this phase in full, some nanoseconds, or anything.
  uint32_t random_threshold() {
    switch (random_.below(8)) {
      case 0:
        return 0;
      case 1:
      case 2:
      case 3:
        return random_.between(1, 100);
      case 4:
        return static_cast<uint32_t>(random_.next());
      default:
        return random_.between(4, 40) * phase_.nanoseconds - random_.below(2);
    }
  }

  uint32_t port_;
  const Phase& phase_;
  uint32_t& spoiled_;
};

}  // namespace

Shadow random_config(Random& random, const Build& build, uint32_t port, const Phase& phase, uint32_t& spoiled) {
  return Maker(random, build, port, phase, spoiled).make();
}

}  // namespace truemark
