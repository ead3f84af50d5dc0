// SPDX-License-Identifier: BSD-3-Clause
// The decay of an idle average: reference, RTL and golden model; one case enters in each cycle.
#include <deque>

#include "../../model/average.h"
#include "Vcross_decay.h"
#include "cross.h"

using namespace truemark;

int main(int argc, char** argv) {
  constexpr unsigned kDepth = 13;
  Cross cross(argc, argv, "decay");
  Vcross_decay top;
  struct Case {
    RedConfig config;
    RedClock clock;
    uint64_t average, elapsed;
  };
  std::deque<Case> entered;
  top.rst_i = 1;
  clock(top);
  top.rst_i = 0;
  while (cross.more()) {
    Case one;
    one.config.weight = cross.random.below(25);
    one.clock.idle_shift = cross.random.below(64);
    one.clock.idle_reciprocal = static_cast<uint32_t>(cross.number(17));
    // Most idle times are of so many packets that something is left of the average.
    const uint64_t packets = cross.random.next() & ((uint64_t{2} << cross.random.below(one.config.weight + 6)) - 1);
    const unsigned __int128 time =
        (static_cast<unsigned __int128>(packets) << one.clock.idle_shift) / (one.clock.idle_reciprocal | 1);
    one.elapsed = (cross.random.one_in(8) ? cross.number(42) : static_cast<uint64_t>(time) + cross.random.below(1000)) &
                  kStampMask;
    one.average = cross.number(48);
    top.elapsed_i = one.elapsed;
    top.reciprocal_i = one.clock.idle_reciprocal;
    top.shift_i = one.clock.idle_shift;
    top.weight_i = one.config.weight;
    top.average_i = one.average;
    clock(top);
    entered.push_back(one);
    if (entered.size() > kDepth) entered.pop_front();
    if (!top.valid_o) continue;
    const Case& out = entered.front();
    const uint64_t model = average::faded(out.config, out.clock, out.average, out.elapsed);
    cross.decide(top.reference_o, top.twin_o, model, "what is left", [&] {
      return Words()("average", out.average)("elapsed", out.elapsed)("W", out.config.weight)(
          "reciprocal", out.clock.idle_reciprocal)("shift", out.clock.idle_shift);
    });
    cross.met("something left", model != 0 && model != out.average);
    cross.met("nothing left", model == 0 && out.config.weight != 0);
    cross.met("no packet passed", model == out.average);
  }
  return cross.finish();
}
