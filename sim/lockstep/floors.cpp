// SPDX-License-Identifier: BSD-3-Clause
#include "floors.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "../engine/describe.h"
#include "../engine/truemark.h"

namespace truemark {
namespace {

// Faults of a commit, by their codes: in which builds random configurations can have them.
using InBuild = bool (*)(const Build&);
constexpr InBuild kAlways = [](const Build&) { return true; };
constexpr InBuild kWithRed = [](const Build& build) { return build.red; };
constexpr auto kFaults = [] {
  std::array<InBuild, reg::kLastFault + 1> faults;
  faults.fill(kAlways);
  const auto set = [&](reg::Fault fault, InBuild possible) { faults[static_cast<size_t>(fault)] = possible; };
  set(reg::Fault::Protect, [](const Build& build) { return !build.flags_verdict; });
  set(reg::Fault::Port, [](const Build& build) { return build.ports < pkg::kMaxPorts; });  // else every page is a port
  for (auto fault = reg::Fault::Weight0; fault <= reg::Fault::Idle; fault = reg::Fault(static_cast<int>(fault) + 1)) {
    set(fault, kWithRed);
  }
  set(reg::Fault::Codel, [](const Build& build) { return build.codel || build.red; });
  set(reg::Fault::Nodrop, [](const Build& build) { return build.flags_verdict; });
  for (auto fault = reg::Fault::QueueMode; fault <= reg::Fault::QueueClass; fault = reg::Fault(int(fault) + 1)) {
    // Eight queues have every number.
    set(fault, [](const Build& build) { return build.queues > 1 && build.queues < 8; });
  }
  set(reg::Fault::QueueMode, [](const Build& build) { return build.queues > 1; });
  set(reg::Fault::QueueQuantum, [](const Build& build) { return build.queues > 1; });
  for (auto fault = reg::Fault::ShapeRate; fault <= reg::Fault::LineRate; fault = reg::Fault(int(fault) + 1)) {
    set(fault, [](const Build& build) { return build.shaping; });
  }
  set(reg::Fault::LineBurst, [](const Build& build) { return build.shaping && build.queues > 1; });
  set(reg::Fault::PoolReserve, [](const Build& build) { return build.pool; });
  set(reg::Fault::PoolThreshold, [](const Build& build) { return build.pool; });
  for (auto fault = reg::Fault::PfcHeadroom; fault <= reg::Fault::PfcLossless; fault = reg::Fault(int(fault) + 1)) {
    set(fault, [](const Build& build) { return build.pfc; });
  }
  return faults;
}();

bool has_law_of(const Build& build, Edge edge) {
  if (edge == Edge::CodelWaitedForRow) return build.codel && build.ultra;
  if (edge == Edge::DepartureBesideOthers) return build.mark_on_departure && (build.codel || build.tcn);
  if (edge >= Edge::DepartureMarked) return build.mark_on_departure;
  if (edge == Edge::TcnBesideCodel) return build.codel && build.tcn;
  if (edge >= Edge::TcnMarked) return build.tcn;
  if (edge >= Edge::CodelPaused) return build.codel;
  if (edge == Edge::LinuxDroppedProtected) return build.red_linux;
  if (edge == Edge::PoolReads || edge == Edge::Crowded) return build.pool;
  if (edge == Edge::AbortWhenFull || edge == Edge::WrapInAbort || edge == Edge::Bypass) return !build.pool;
  if (edge == Edge::PoolTurn) return build.pool && build.queues > 1;
  if (edge == Edge::Paused) return build.pfc;
  if (edge == Edge::ShapedQueue) return build.shaping && build.queues > 1;
  if (edge == Edge::ShapedLine) return build.shaping;
  if (edge >= Edge::Elsewhere && edge <= Edge::ManyQuanta) return build.queues > 1;
  return edge < Edge::RedProbabilistic || build.red;
}

}  // namespace

void collect(Coverage& coverage, const DeviceCycles& model, const Build& build) {
  for (uint32_t outcome = 0; outcome <= TM_ABORTED; ++outcome) {
    for (uint32_t class_ece = 0; class_ece < 14; ++class_ece) {
      const uint64_t times = model.tallied(outcome, class_ece);
      coverage.add(outcome_name(outcome), times);
      coverage.add(std::string(class_name(class_ece / 2)) + (class_ece % 2 ? "+ECE" : ""), times);
    }
  }
  constexpr const char* kinds[] = {"no destination",  "runt",      "oversize",        "keep hole",
                                   "length mismatch", "error bit", "reset in a frame"};
  for (unsigned kind = 0; kind < kBadKinds; ++kind) {
    coverage.add(std::string("bad: ") + kinds[kind], model.bad_ever(static_cast<Bad>(kind)));
  }
  for (size_t i = 0; i < kEdgeNames.size(); ++i) {
    const Edge edge = static_cast<Edge>(i);
    if (has_law_of(build, edge)) coverage.add(kEdgeNames[i], model.edges()[edge]);
  }
  for (uint32_t kind = TM_DEPART_MARKED; build.codel && kind <= TM_DEPART_CE_SIGNALLED; ++kind) {
    const unsigned code = Counters::code_of(static_cast<Departure>(kind));
    for (unsigned class_ece = 0; class_ece < 14; ++class_ece) {
      coverage.add(std::string("CoDel: ") + departure_name(kind), model.tallied(code, class_ece));
    }
  }
}

// For every 100,000 frames, at least 1.
void require(Coverage& coverage, const Build& build, uint64_t frames) {
  const auto floor = [&](uint64_t times, std::initializer_list<const char*> names) {
    for (const char* name : names) coverage.require(name, std::max<uint64_t>(1, times * frames / 100'000));
  };
  floor(50, {"pass", "pass_ce", "mark", "ce_signalled", "early_forced", "tail_bytes", "tail_packets", "no_room",
             "disabled", "aborted"});
  floor(50, {"NON_IP", "OTHER_IP", "SYN_ACK", "SYN", "TCP_CTRL", "DATA", "ACK", "SYN_ACK+ECE", "SYN+ECE",
             "TCP_CTRL+ECE", "DATA+ECE", "ACK+ECE"});
  floor(20, {"bad: no destination", "bad: runt", "bad: oversize", "bad: keep hole", "bad: error bit"});
  floor(10, {"B = K", "P = limit", "verdict with departure", "flushed frames"});
  if (!build.pool) floor(10, {"left at its verdict"});
  floor(5, {"B + len = limit", "B + len = limit - 1", "B + len = limit + 1"});
  floor(1, {"reset", "bad: reset in a frame", "no descriptor", "no row", "without ECN", "flush", "soft reset",
            "watermarks cleared in traffic", "snapshot", "load", "access to nothing", "checked while holding",
            "checked while empty"});
  // The host does this once in a long while, and a wide build has few cycles for many frames.
  coverage.require("access to NetFPGA's", 1);
  floor(10, {"tail drop after a mark"});
  if (build.red) {
    floor(100, {"RED: probabilistic", "RED: probabilistic, in packets", "RED: forced", "RED: between max and 2 max",
                "early_probability"});
    floor(20, {"RED: forced beyond 2 max", "RED: below after a commit", "RED: signals together",
               "RED: faded average used"});
    floor(2, {"RED: faded over 1 s", "ARED: raised", "ARED: lowered", "RED memoryless", "RED uniform", "RED wait",
              "RED gentle", "RED adaptive", "RED in packets", "RED min = max"});
    floor(1, {"seed"});
  }
  if (build.red_linux) {
    floor(100, {"Linux: probabilistic", "Linux: waits after a draw", "Linux: an older count"});
    floor(10, {"Linux: faded in part", "RED Linux"});
    floor(2, {"Linux: faded"});
    if (build.flags_verdict) floor(2, {"Linux: dropped though protected"});
  }
  if (build.codel) {
    floor(50, {"CoDel: paused", "CoDel: head drops", "CoDel: marked", "CoDel: entered", "CoDel: left"});
    floor(5, {"CoDel: several drops", "CoDel: count taken up", "CoDel: mark while dropping", "CoDel: threshold",
              "CoDel: marked_threshold", "CoDel: ce_signalled", "CoDel: waits for engine", "CoDel: younger than now"});
    floor(1, {"CoDel: clock wraps", "CoDel at_once", "CoDel exempt_below", "CoDel exempt_largest", "CoDel converge",
              "CoDel mark_from_now", "CoDel reentry_past", "CoDel threshold_once", "CoDel keep_first_above"});
    if (build.ultra) floor(5, {"CoDel: waits for a row"});
    if (build.flags_verdict) floor(2, {"CoDel: protected", "CoDel: protected ends loop"});
  }
  if (build.queues > 1) {
    floor(500, {"another queue takes it"});
    floor(10, {"another queue takes it, at its end"});
    floor(500, {"a strict queue before another", "a queue takes its turn", "a queue waits for a quantum"});
    floor(1, {"queues fixed", "queues by dscp", "queues by pcp", "queues by ecn"});
    if (build.flags_verdict) floor(1, {"queues by class_ece"});
  }
  if (build.pool) {
    floor(100, {"a port has its share of the pool"});
    floor(500, {"output waits for the pool"});
  }
  if (build.pool && build.queues > 1) floor(500, {"a line waits for the pool"});
  if (build.pfc) floor(500, {"a queue is paused"});
  if (build.shaping) floor(500, {"a line waits for its rate"});
  if (build.shaping && build.queues > 1) floor(500, {"a queue waits for its rate"});
  if (build.tcn) {
    floor(500, {"TCN: waited longer than T", "TCN: no ECT, waited longer"});
    // With CoDel, whose units are long, a cycle is seldom so short.
    if (build.codel) {
      floor(20, {"TCN: marked by CoDel, too"});
    } else {
      floor(0, {"TCN: waited T", "TCN: waited T + 1 ns"});  // at random: once a run
    }
  }
  if (build.mark_on_departure) {
    floor(500, {"departure: more than K behind", "departure: not deferred, more behind"});
    floor(2, {"mark on departure"});
    floor(0, {"departure: K behind"});  // at random: once a run
    if (build.codel || build.tcn) {
      floor(20, {"departure: marked twice"});
    } else {
      floor(0, {"departure: K + 1 byte behind"});
    }
  }
  floor(1, {"time jumps to a wrap", "time jumps back", "time jumps to its end"});
  for (size_t fault = 0; fault < kFaults.size(); ++fault) {
    if (kFaults[fault](build)) coverage.require("commit fault " + std::to_string(fault), 1);
  }
  // A counted length is judged when the frame is in: it is never held before, and nothing can be cut short.
  if (!build.store_and_forward) {
    floor(20, {"bad: length mismatch"});
    floor(10, {"cut short", "output waits for input"});
    if (!build.pool) floor(1, {"ring wrap in an abort"});
    // Many short rows are seldom full to the last few: the wider builds see to it.
    if (build.data_w > 64 && !build.pool) floor(1, {"abort when full"});
  }
  if (build.flags_verdict) floor(50, {"protected"});
  // In 128 bytes the class is told with the ECN field.
  if (build.flags_verdict && !build.store_and_forward && build.data_w < 1024) floor(50, {"verdict after ECN"});
}

void require_limited(Coverage& coverage) {
  for (const char* name : {"pass", "mark", "snapshot", "flush"}) coverage.require(name, 1);
}

}  // namespace truemark
