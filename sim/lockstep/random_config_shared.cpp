// SPDX-License-Identifier: BSD-3-Clause
// What a port shares with others: the queues of its line, their rates, the pool and who must pause.
#include <algorithm>
#include <array>

#include "random_config_draw.h"

namespace truemark {
namespace {

class Sharer : PhaseDraw {
 public:
  Sharer(Random& random, const Build& build, const Shadow& laws, uint32_t port, const Phase& phase, uint32_t& spoiled)
      : PhaseDraw(random, build, laws, port, phase, spoiled) {}

  Shadow make() {
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
    if (build_.queues > 1 && random_.one_in(8)) spoil_queues(spoiled_++ % kQueueFaults);
    return shadow_;
  }

 private:
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

  // A reserve of a few frames, that all ports can have, and a threshold that is often met.
  void share() {
    using namespace reg::pool_threshold;
    const uint32_t cells = build_.cells(), each = (cells - 8) / build_.ports;
    // Often more than others leave, too.
    const uint32_t most = random_.one_in(4) ? cells : random_.one_in(2) ? each + 1 : 30;
    set(reg::kPoolReserve, build_.store_and_forward || random_.one_in(2) ? 0 : random_.below(most));
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
      set(reg::kPoolReserve, build_.store_and_forward ? random_.between(1, 40) : random_.between(cells - 7, cells + 7));
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
    const uint32_t paused_by = random_.one_in(3) ? 0 : 1u << random_.below(8) | 1u << random_.below(8);
    set(reg::kPfcClasses, reg::pfc_classes::kLossless.put(classes) | reg::pfc_classes::kPausedBy.put(paused_by) |
                              random_.below(build_.cells() / 100 + 1));
    if (random_.one_in(2)) {  // no law for Not-ECT frames: only where no port has one that drops is a class lossless
      using reg::control::kSlotOf, reg::control::kNoecn;
      const uint32_t control = kNoecn.put(random_.one_in(4), kSlotOf.put(random_.below(16), get(reg::kControl)));
      set(reg::kControl, kLaw[kSlotOf.get(control) & 1].put(0, control));
      if (build_.codel && !random_.one_in(6)) set(reg::kCodelSettings, 0);
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
    if (which == 0) set(reg::kPfcClasses, reg::pfc_classes::kLossless.put(1) | random_.between(cells - 7, cells + 7));
    if (which == 1) set(reg::kPfcThreshold, wrong[random_.below(4)]);
    if (which == 2) set(reg::kPfcThreshold, port_ == 0 ? wrong[0] : kXoffCells.put(random_.between(1, cells)));
    if (which == 3) set(reg::kPfcXon, random_.one_in(2) ? reg::pfc_xon::kXonOffset.put(1) : random_.between(1, cells));
  }

  // Often off, else down to a hundredth of what the line takes: what is held leaves in a while.
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
};

}  // namespace

Shadow shared_config(Random& random, const Build& build, const Shadow& laws, uint32_t port, const Phase& phase,
                     uint32_t& spoiled) {
  return Sharer(random, build, laws, port, phase, spoiled).make();
}

}  // namespace truemark
