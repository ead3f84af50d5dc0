// SPDX-License-Identifier: BSD-3-Clause
// CoDel's law: reference, RTL and golden model, runs of signals with new entries between them.
#include "../../model/codel_law.h"
#include "Vcross_law.h"
#include "cross.h"

using namespace truemark;

int main(int argc, char** argv) {
  Cross cross(argc, argv, "law");
  Vcross_law top;
  CodelLaw law;
  CodelConfig config;
  uint32_t now = 0, drop_next = 0;
  top.rst_i = 1;
  clock(top);
  top.rst_i = 0;
  bool first = true, runs_long = false;
  while (cross.more()) {
    if (cross.random.one_in(2000)) runs_long = !runs_long;
    const bool entering = first || cross.random.one_in(runs_long ? 1000 : 5);
    config.interval = static_cast<uint32_t>(cross.random.chance(70) ? cross.number(20, {97656}) : cross.number(32));
    config.reentry_past = cross.random.chance(30);
    if (entering) config.converge = cross.random.one_in(8);  // a step is made ahead with the switch of its time
    now = static_cast<uint32_t>(cross.number(32, {drop_next, now, drop_next + uint64_t{16} * config.interval}));
    const bool from_now = !entering && cross.random.chance(30), moves = !cross.random.one_in(5);
    top.now_i = now;
    top.interval_i = config.interval;
    top.entering_i = entering;
    top.from_now_i = from_now;
    // A signal that counts from now always moves.
    top.moves_i = moves || from_now;
    top.reentry_past_i = config.reentry_past;
    top.converge_i = config.converge;
    clock(top);
    clock(top);
    if (!top.free_o) std::abort();
    top.request_i = 1;
    clock(top);
    top.request_i = 0;
    for (int i = 0; !top.done_o; ++i) {
      clock(top);
      if (i > 100) {
        std::printf("law: decision %" PRIu64 ", the request never ends\n", cross.done());
        return 1;
      }
    }
    const uint32_t before = law.count();
    bool again = false;
    if (entering) {
      again = law.enter(config, now, drop_next);
      if (again) law.improve(config);
    } else {
      law.next();
    }
    law.look_ahead(config);
    const uint32_t base = entering || from_now ? now : drop_next, old = drop_next;
    if (entering || from_now || moves) drop_next = base + law.gap(config.interval);
    const auto inputs = [&] {
      return Words()("count", before)("entering", entering)("again", again)("now", now)("drop_next", old)(
          "interval", config.interval)("converge", config.converge)("from now", from_now)("moves", moves)(
          "reentry past", config.reentry_past);
    };
    // From the lowest word up: drop_next, root and half of the last count, the rest and the count.
    const auto root = [](const VlWide<4>& words) { return words[1] & 0xFFFF; };
    const auto count = [](const VlWide<4>& words) { return (uint64_t{words[3]} << 32 | words[2]) >> 16; };
    cross.decide(top.reference_o[0], top.twin_o[0], drop_next, "drop_next", inputs);
    // The gap of an interval of 2^16 units is the root itself.
    cross.check(root(top.reference_o), root(top.twin_o), law.gap(0x10000), "root", inputs);
    cross.check(count(top.reference_o), count(top.twin_o), law.count(), "count", inputs);
    clock(top);
    clock(top);
    first = false;
    cross.met("count taken up", again);
    cross.met("count begun anew", entering && !again);
    cross.met("four steps", config.converge);
    cross.met("count above 100", law.count() > 100);
  }
  return cross.finish();
}
