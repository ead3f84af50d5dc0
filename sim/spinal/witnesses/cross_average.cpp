// SPDX-License-Identifier: BSD-3-Clause
// RED's average: reference, RTL and golden model, a step or a reset in any cycle.
#include "../../model/average.h"
#include "Vcross_average.h"
#include "cross.h"

using namespace truemark;

int main(int argc, char** argv) {
  Cross cross(argc, argv, "average");
  Vcross_average top;
  top.rst_i = 1;
  for (int i = 0; i < 4; ++i) clock(top);
  top.rst_i = 0;
  RedConfig config;
  uint64_t average = 0, weight = 0;
  top.weight_i = 0;
  while (cross.more()) {
    if (cross.random.one_in(20)) {  // the weight moves between steps
      weight = cross.random.below(25);
      top.step_i = 0;
      clock(top);
      clock(top);
      top.weight_i = weight;
    }
    config.weight = static_cast<unsigned>(weight);
    const uint64_t bytes = cross.number(24, {average >> 24, 0, (1 << 24) - 1});
    const bool resets = cross.random.one_in(500);
    top.bytes_i = bytes;
    top.step_i = 1;
    top.reset_i = resets;
    clock(top);
    top.step_i = 0;
    top.reset_i = 0;
    const uint64_t before = average;
    average = resets ? 0 : average::step(config, average, bytes, false);
    if (!resets) {
      // Beside the step itself: a cycle after its B, what it comes to is said as bytes of -avg.
      const uint64_t next = (0 - ((average + 0xFFFFFF) >> 24)) & 0x1FFFFFF;
      cross.check(top.reference_next_o, top.twin_next_o, next, "bytes of -avg after the step",
                  [&] { return Words()("before", before)("B", bytes)("W", weight); });
    }
    clock(top);
    cross.decide(top.reference_o, top.twin_o, average, "average",
                 [&] { return Words()("before", before)("B", bytes)("W", weight); });
    cross.met("B = floor(avg)", bytes == before >> 24);
    cross.met("B below avg", bytes < before >> 24);
    cross.met("reset", resets);
    cross.met("W = 0", weight == 0);
    cross.met("W = 24", weight == 24);
  }
  return cross.finish();
}
