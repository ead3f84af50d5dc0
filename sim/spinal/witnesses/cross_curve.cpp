// SPDX-License-Identifier: BSD-3-Clause
// RED's curve: reference, RTL and golden model; a configuration stands for a row of averages.
#include <deque>

#include "../../model/red.h"
#include "Vcross_curve.h"
#include "cross.h"

using namespace truemark;

namespace {

constexpr unsigned kDepth = 5, kRow = 64;

uint64_t model_of(const RedConfig& config, uint64_t average) {
  const Chance chance = RedSlot::chance(config, config.slope, average);
  const bool between = chance.region == Chance::Region::Between, forced = chance.region == Chance::Region::Forced;
  return uint64_t{between} << 25 | uint64_t{forced} << 24 | (between ? chance.probability : 0);
}

}  // namespace

int main(int argc, char** argv) {
  Cross cross(argc, argv, "curve");
  Vcross_curve top;
  RedConfig config;
  while (cross.more()) {
    config.max = static_cast<uint32_t>(cross.number(24));
    config.min = static_cast<uint32_t>(cross.number(24, {config.max, 0}));
    if (config.min > config.max) std::swap(config.min, config.max);
    config.maxp = static_cast<uint32_t>(std::min<uint64_t>(cross.number(25, {1u << 24}), 1u << 24));
    config.slope = static_cast<uint32_t>(cross.number(32));
    config.slope_scale = cross.random.below(4);
    config.gentle = cross.random.chance(50);
    config.gentle_slope = static_cast<uint32_t>(cross.number(32));
    config.gentle_scale = cross.random.below(4);
    top.min_i = config.min;
    top.max_i = config.max;
    top.maxp_i = config.maxp;
    top.slope_i = config.slope;
    top.slope_scale_i = config.slope_scale;
    top.gentle_i = config.gentle;
    top.gentle_slope_i = config.gentle_slope;
    top.gentle_scale_i = config.gentle_scale;
    top.rst_i = 1;
    clock(top);
    clock(top);
    top.rst_i = 0;
    std::deque<uint64_t> entered;
    for (unsigned i = 0; i < kRow + 28; ++i) {
      const uint64_t bytes = cross.number(23, {config.min, config.max, 2ull * config.max});
      const bool fraction = cross.random.chance(50);
      top.average_i = bytes;
      top.fraction_i = fraction;
      clock(top);
      entered.push_back(bytes << 24 | (fraction ? 1 + cross.random.below(0xFFFFFE) : 0));
      if (entered.size() > kDepth) entered.pop_front();
      if (!top.valid_o) continue;
      const uint64_t average = entered.front();
      const uint64_t model = model_of(config, average);
      cross.decide(top.reference_o, top.twin_o, model, "{between, forced, probability}", [&] {
        return Words()("average", average >> 24)("fraction", average & 0xFFFFFF)("min", config.min)("max", config.max)(
            "maxp", config.maxp)("slope", config.slope)("scale", config.slope_scale)("gentle", config.gentle)(
            "gentle slope", config.gentle_slope)("gentle scale", config.gentle_scale);
      });
      cross.met("average = min", average >> 24 == config.min);
      cross.met("average = max", average >> 24 == config.max);
      cross.met("average = 2 max", config.gentle && average >> 24 == 2ull * config.max);
      cross.met("below", model == 0 && average >> 24 < config.min);
      cross.met("one at most", (model & 0x2FFFFFF) == 0x2FFFFFF);
    }
  }
  return cross.finish();
}
