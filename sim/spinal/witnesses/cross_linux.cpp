// SPDX-License-Identifier: BSD-3-Clause
// Linux's RED: reference and golden model, rows of frames; its idle time, which the model has not: reference and
// Linux's integers.
#include "../../model/average.h"
#include "../../model/red.h"
#include "../../model/spacing.h"
#include "Vcross_linux.h"
#include "cross.h"

using namespace truemark;

namespace {

constexpr unsigned kRow = 200, kFraction = 24;

// The notes on AQMs, section 1.2, step 2: what an idle time leaves.
uint64_t faded(uint64_t average, uint32_t elapsed, unsigned cell, unsigned shift) {
  const uint64_t time = std::min<uint64_t>(elapsed, uint64_t{255} << cell);
  if (shift) return average >> shift;
  const unsigned __int128 fall = (static_cast<unsigned __int128>(average) * time) >> cell;
  return fall < average >> 1 ? average - static_cast<uint64_t>(fall) : average >> 1;
}

}  // namespace

int main(int argc, char** argv) {
  Cross cross(argc, argv, "linux");
  Vcross_linux top;
  RedConfig config;
  config.spacing = Spacing::Linux;
  while (cross.more()) {
    config.weight = cross.random.below(kFraction + 1);
    config.max = static_cast<uint32_t>(cross.number(24));
    config.min = static_cast<uint32_t>(cross.number(24, {config.max, 0}));
    if (config.min > config.max) std::swap(config.min, config.max);
    config.slope = static_cast<uint32_t>(cross.number(32, {419, 1}));
    const unsigned unit = kFraction - config.weight;  // bits of the model's fraction that Linux has not
    SignalSpacing spacing;
    spacing.reset(Spacing::Linux);
    uint64_t average = cross.number(24, {config.min, config.max}) << kFraction;
    uint32_t count = ~0u, threshold = 0;
    for (unsigned i = 0; i < kRow; ++i) {
      const uint64_t bytes = cross.number(24, {config.min, config.max, average >> kFraction});
      const uint32_t word = static_cast<uint32_t>(cross.number(32));
      const bool was_idle = cross.random.one_in(20);
      top.average_i = average >> unit;
      top.count_i = count;
      top.threshold_i = threshold;
      top.bytes_i = bytes;
      top.was_idle_i = was_idle;
      top.weight_i = config.weight;
      top.min_i = config.min;
      top.max_i = config.max;
      top.divisor_i = std::max(config.slope, 1u);
      top.word_i = word;
      const uint32_t elapsed = static_cast<uint32_t>(cross.number(32));
      const unsigned cell = cross.random.below(32), shift = cross.random.below(3) ? 0 : cross.random.below(32);
      top.elapsed_i = elapsed;
      top.cell_i = cell;
      top.shift_i = shift;
      top.eval();
      const uint64_t before = average, left = faded(top.average_i, elapsed, cell, shift);
      average = average::step(config, average, bytes, was_idle);
      const Chance chance = RedSlot::chance(config, config.slope, average);
      const Signal signal = spacing.step(Spacing::Linux, chance, config.slope, word);
      const unsigned said = signal == Signal::None ? 0 : signal == Signal::Forced ? 3 : 2;
      const auto inputs = [&] {
        return Words()("average", before)("B", bytes)("W", config.weight)("min", config.min)("max", config.max)(
            "divisor", top.divisor_i)("count", count)("threshold", threshold)("word", word)("idle", was_idle)(
            "elapsed", elapsed)("cell", cell)("shift", shift);
      };
      const unsigned reference = top.signal_o << 1 | top.forced_o;
      cross.decide(reference, reference, said, "{signal, forced}", inputs);
      cross.check(top.average_o, top.average_o, average >> unit, "average", inputs);
      cross.check(top.faded_o, top.faded_o, left, "what an idle time leaves", inputs);
      const uint64_t place = std::min<uint64_t>(elapsed, uint64_t{255} << cell) >> cell;
      cross.check(top.place_o, top.place_o, place, "place in the idle table", inputs);
      cross.met("forced", said == 3);
      cross.met("by chance", said == 2);
      cross.met("between, no signal", chance.region == Chance::Region::Between && said == 0);
      cross.met("average = min", average >> kFraction == config.min);
      cross.met("half is left", shift == 0 && left == top.average_i >> 1);
      count = top.count_o;
      threshold = top.threshold_o;
    }
  }
  return cross.finish();
}
