// SPDX-License-Identifier: BSD-3-Clause
#include "world_coverage.h"

#include <string>

#include "../engine/describe.h"
#include "../engine/truemark.h"

namespace truemark {
namespace {

void collect_red(Coverage& coverage, const RedEdges& edges) {
  coverage.add("RED: probabilistic", edges.probabilistic);
  coverage.add("RED: forced", edges.forced);
  coverage.add("RED: between max and 2 max", edges.gentle);
  coverage.add("RED: forced beyond 2 max", edges.forced_gentle);
  coverage.add("RED: below after a commit", edges.settled_below);
  coverage.add("RED: signals together", edges.signals_together);
  coverage.add("RED: faded average used", edges.faded_used);
  coverage.add("RED: faded over 1 s", edges.faded_long);
  coverage.add("ARED: raised", edges.raised);
  coverage.add("ARED: lowered", edges.lowered);
  coverage.add("ARED: lost to a commit", edges.adaptation_lost);
  coverage.add("Linux: probabilistic", edges.linux_signals);
  coverage.add("Linux: waits after a draw", edges.linux_waited);
  coverage.add("Linux: an older count", edges.linux_late);
  coverage.add("Linux: faded in part", edges.linux_faded);
  coverage.add("Linux: faded", edges.linux_gone);
}

void collect_codel(Coverage& coverage, const World& world, const CodelEdges& edges) {
  for (uint32_t kind = TM_DEPART_MARKED; kind <= TM_DEPART_CE_SIGNALLED; ++kind) {
    const unsigned code = Counters::code_of(static_cast<Departure>(kind));
    for (unsigned class_ece = 0; class_ece < 14; ++class_ece) {
      coverage.add(std::string("CoDel: ") + departure_name(kind), world.tallied(code, class_ece));
    }
  }
  coverage.add("CoDel: paused", edges.paused);
  coverage.add("CoDel: head drops", edges.drops);
  coverage.add("CoDel: several drops", edges.several_drops);
  coverage.add("CoDel: entered", edges.entered);
  coverage.add("CoDel: count taken up", edges.reentered);
  coverage.add("CoDel: left", edges.left);
  coverage.add("CoDel: mark while dropping", edges.marks_while_dropping);
  coverage.add("CoDel: protected ends loop", edges.protects_ending_loop);
  coverage.add("CoDel: emptied by drops", edges.emptied);
  coverage.add("CoDel: first_above is 0", edges.sentinel);
  coverage.add("CoDel: waits for engine", edges.waited_for_engine);
  coverage.add("CoDel: clock wraps", edges.clock_wrapped);
}

}  // namespace

void collect(Coverage& coverage, const World& world, const Build& build) {
  for (uint32_t outcome = 0; outcome <= TM_ABORTED; ++outcome) {
    for (uint32_t class_ece = 0; class_ece < 14; ++class_ece) {
      const uint64_t times = world.tallied(outcome, class_ece);
      coverage.add(outcome_name(outcome), times);
      coverage.add(std::string(class_name(class_ece / 2)) + (class_ece % 2 ? "+ECE" : ""), times);
    }
  }
  constexpr const char* kinds[] = {"no destination",  "runt",      "oversize",        "keep hole",
                                   "length mismatch", "error bit", "reset in a frame"};
  for (unsigned kind = 0; kind < kBadKinds; ++kind) {
    coverage.add(std::string("bad: ") + kinds[kind], world.bad_ever(static_cast<Bad>(kind)));
  }
  const Edges edges = world.edges();
  coverage.add("B = K", edges.bytes_at_k);
  coverage.add("B + len = limit", edges.limit_met);
  coverage.add("B + len = limit - 1", edges.limit_met_by_one);
  coverage.add("B + len = limit + 1", edges.limit_missed_by_one);
  coverage.add("P = limit", edges.packets_at_limit);
  coverage.add("abort when full", edges.abort_when_full);
  coverage.add("ring wrap in an abort", edges.wrap_in_abort);
  coverage.add("verdict with departure", edges.arrival_with_departure);
  coverage.add("cut short", edges.cut_short);
  coverage.add("flushed frames", edges.flushed);
  coverage.add("left at its verdict", edges.bypass);
  coverage.add("output waits for input", edges.starved);
  coverage.add("no row", edges.no_row);
  coverage.add("no descriptor", edges.no_descriptor);
  coverage.add("row lost, then room", edges.overflow);
  coverage.add("verdict after ECN", edges.waited_for_flags);
  coverage.add("tail drop after a mark", edges.tail_after_mark);
  if (build.red) collect_red(coverage, world.red_edges());
  if (build.red_linux) coverage.add("Linux: dropped though protected", edges.dropped_though_protected);
  if (build.codel) collect_codel(coverage, world, world.codel_edges());
}

}  // namespace truemark
