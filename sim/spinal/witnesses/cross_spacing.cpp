// SPDX-License-Identifier: BSD-3-Clause
// RED's spacing: reference, RTL and golden model, each spacing for rows of steps with probabilities that move.
#include "../../model/spacing.h"
#include "Vcross_spacing.h"
#include "cross.h"

using namespace truemark;

int main(int argc, char** argv) {
  Cross cross(argc, argv, "spacing");
  Vcross_spacing top;
  while (cross.more()) {
    const Spacing spacing = static_cast<Spacing>(cross.random.below(3));
    SignalSpacing model;
    model.reset(spacing);
    top.spacing_i = static_cast<uint8_t>(spacing);
    top.slot_i = cross.random.below(2);
    top.other_spacing_i = cross.random.below(3);
    top.settling_i = 1;
    top.step_i = 0;
    top.reset_i = 1;
    clock(top);
    top.reset_i = 0;
    clock(top);
    clock(top);
    top.settling_i = 0;
    uint64_t left = uint64_t{1} << 23;
    for (int i = 0; i < 200; ++i) {
      Chance chance;
      const uint32_t kind = cross.random.below(10);
      chance.region = kind == 0 ? Chance::Region::Below : kind == 1 ? Chance::Region::Forced : Chance::Region::Between;
      chance.probability = static_cast<uint32_t>(cross.number(24, {left, 0}));
      top.between_i = chance.region == Chance::Region::Between;
      top.beyond_i = chance.region == Chance::Region::Forced;
      top.probability_i = chance.probability;
      top.step_i = 0;
      // A step of the other slot in between, whatever it is told.
      top.other_step_i = cross.random.below(2);
      top.other_between_i = cross.random.below(2);
      top.other_probability_i = static_cast<uint32_t>(cross.number(24, {left, 0}));
      clock(top);
      const uint32_t word = static_cast<uint32_t>(cross.number(32));
      top.word_i = word;
      top.step_i = 1;
      top.eval();
      const Signal signal = model.step(spacing, chance, 1, word);
      const unsigned said = signal == Signal::None ? 0 : signal == Signal::Forced ? 3 : 2;
      cross.decide(top.reference_o, top.twin_o, said, "{signal, forced}", [&] {
        return Words()("spacing", static_cast<unsigned>(spacing))("left", left)("probability", chance.probability)(
            "region", static_cast<unsigned>(chance.region))("word", word);
      });
      const bool between = chance.region == Chance::Region::Between;
      cross.met("p = what is left", between && chance.probability == left);
      cross.met("signal by chance", said == 2);
      cross.met("goes on", between && said == 0 && spacing != Spacing::Memoryless);
      const bool carries = between && said == 0 && spacing != Spacing::Memoryless;
      left = carries ? left - chance.probability : word / 256 + (spacing == Spacing::Wait ? uint64_t{1} << 24 : 0);
      clock(top);
      top.step_i = 0;
    }
  }
  return cross.finish();
}
