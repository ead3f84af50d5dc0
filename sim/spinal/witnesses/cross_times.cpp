// SPDX-License-Identifier: BSD-3-Clause
// CoDel's times: reference, RTL and the golden model's compare, with times around every threshold and around the wrap.
#include "../../model/codel_law.h"
#include "Vcross_times.h"
#include "cross.h"

using namespace truemark;

int main(int argc, char** argv) {
  Cross cross(argc, argv, "times");
  Vcross_times top;
  uint32_t now = 0, first_above = 0, drop_next = 0;
  bool late = false, due = false;
  // Write every register once.
  top.hold_i = 0;
  top.set_i = 0;
  top.unit_i = 0;
  top.interval_i = 0;
  top.increment_i = 0;
  top.move_now_i = 1;
  for (int i = 0; i < 4; ++i) clock(top);
  due = true;
  bool set = false;
  while (cross.more()) {
    CodelConfig config;
    if (cross.random.one_in(3)) set = !set;
    config.interval = static_cast<uint32_t>(cross.number(32, {0ull - now}));
    config.at_once = cross.random.chance(50);
    const uint32_t stamp = static_cast<uint32_t>(cross.number(32, {now}));
    const uint32_t waited = now - stamp;
    config.target = static_cast<uint32_t>(cross.number(32, {waited}));
    config.ce_threshold = static_cast<uint32_t>(cross.number(32, {waited}));
    const bool hold = cross.random.chance(30), move = cross.random.chance(20), move_now = cross.random.chance(10);
    const uint32_t unit = static_cast<uint32_t>(cross.number(32, {drop_next, first_above, now}));
    const uint32_t increment = static_cast<uint32_t>(cross.number(32));
    top.unit_i = unit;
    top.hold_i = hold;
    top.head_stamp_i = stamp;
    top.target_i = config.target;
    top.interval_i = config.interval;
    top.ce_threshold_i = config.ce_threshold;
    top.at_once_i = config.at_once;
    top.set_i = set;
    top.move_i = move;
    top.move_now_i = move_now;
    top.increment_i = increment;
    top.eval();
    const bool above = later_by(waited, config.target) >= 0, over = later_by(config.ce_threshold, waited) < 0;
    const unsigned model = above << 4 | over << 3 | late << 2 | due << 1 | (first_above != 0);
    cross.decide(top.reference_o, top.twin_o, model, "{above, over, late, due, counts}", [&] {
      return Words()("now", now)("stamp", stamp)("target", config.target)("threshold", config.ce_threshold)(
          "first_above", first_above)("drop_next", drop_next)("at once", config.at_once);
    });
    cross.met("waited = target", waited == config.target);
    cross.met("waited = threshold", waited == config.ce_threshold);
    cross.met("first_above = 0", first_above == 0);
    cross.met("now = drop_next", now == drop_next);
    cross.met("now = first_above", set && now == first_above);
    late = set && (config.at_once ? later_by(now, first_above) >= 0 : later_by(first_above, now) < 0);
    due = later_by(now, drop_next) >= 0;
    if (!set) first_above = now + config.interval;
    if (move_now) {
      drop_next = now + increment;
    } else if (move) {
      drop_next += increment;
    }
    if (!hold) now = unit;
    clock(top);
  }
  return cross.finish();
}
