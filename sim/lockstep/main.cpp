// SPDX-License-Identifier: BSD-3-Clause
// lockstep [--frames N] [--seed S] [--lengths L]: runs one build, prints what it met, fails at a difference or below a
// floor. L is imix (64, 576 and 1500 bytes, 7 : 4 : 1) or uniform (64 to 1500 bytes): right frames without gaps, all
// else at random as ever, to see how many a second there are; floors are then those that such traffic can meet.
// TRUEMARK_WAVES=file.vcd writes a waveform (builds made with WAVES=1), from the cycle in TRUEMARK_WAVES_FROM on.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <initializer_list>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "lockstep.h"

namespace {

struct Options {
  uint64_t frames = 100'000;
  uint64_t seed = 1;
  std::optional<truemark::Lengths> lengths;
};

truemark::Lengths lengths(const std::string& name) {
  if (name == "imix") return {{64, 64, 64, 64, 64, 64, 64, 576, 576, 576, 576, 1500}};
  if (name == "uniform") return {{64, 1500}, true};
  throw std::invalid_argument("--lengths " + name + ": there are imix and uniform");
}

Options options(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(words[i], "--lengths") == 0) options.lengths = lengths(words[i + 1]);
    if (std::strcmp(words[i], "--frames") == 0) options.frames = std::strtoull(words[i + 1], nullptr, 0);
    if (std::strcmp(words[i], "--seed") == 0) {
      const bool any = std::strcmp(words[i + 1], "random") == 0;
      options.seed = any ? std::random_device{}() : std::strtoull(words[i + 1], nullptr, 0);
    }
  }
  return options;
}

// Floors for every 100,000 frames, at least 1.
void require(truemark::Coverage& coverage, uint64_t frames) {
  constexpr bool kFlags = TM_FLAGS_VERDICT != 0, kCounted = TM_STORE_AND_FORWARD != 0;
  const auto floor = [&](uint64_t times, std::initializer_list<const char*> names) {
    for (const char* name : names) coverage.require(name, std::max<uint64_t>(1, times * frames / 100'000));
  };
  floor(50, {"pass", "pass_ce", "mark", "ce_signalled", "early_forced", "tail_bytes", "tail_packets", "no_room",
             "disabled", "aborted"});
  floor(50, {"NON_IP", "OTHER_IP", "SYN_ACK", "SYN", "TCP_CTRL", "DATA", "ACK", "SYN_ACK+ECE", "SYN+ECE",
             "TCP_CTRL+ECE", "DATA+ECE", "ACK+ECE"});
  floor(20, {"bad: no destination", "bad: runt", "bad: oversize", "bad: keep hole", "bad: error bit"});
  floor(10, {"B = K", "P = limit", "verdict with departure", "flushed frames", "left at its verdict"});
  floor(5, {"B + len = limit", "B + len = limit - 1", "B + len = limit + 1"});
  floor(1, {"reset", "bad: reset in a frame", "no descriptor", "no row", "without ECN", "flush", "soft reset",
            "snapshot", "load", "access to nothing", "checked while holding", "checked while empty"});
  // The host does this once in a long while, and a wide build has few cycles for many frames.
  coverage.require("access to NetFPGA's", 1);
  floor(10, {"tail drop after a mark"});
  if (TM_RED) {
    floor(100, {"RED: probabilistic", "RED: forced", "RED: between max and 2 max", "early_probability"});
    floor(20, {"RED: forced beyond 2 max", "RED: below after a commit", "RED: signals together",
               "RED: faded average used"});
    floor(2, {"RED: faded over 1 s", "ARED: raised", "ARED: lowered", "RED memoryless", "RED uniform", "RED wait",
              "RED gentle", "RED adaptive", "RED min = max"});
    floor(1, {"seed"});
  }
  if (TM_RED == 2) {
    floor(100, {"Linux: probabilistic", "Linux: waits after a draw", "Linux: an older count"});
    floor(10, {"Linux: faded in part", "RED Linux"});
    floor(2, {"Linux: faded"});
    if (kFlags) floor(2, {"Linux: dropped though protected"});
  }
  if (TM_CODEL) {
    floor(50, {"CoDel: paused", "CoDel: head drops", "CoDel: marked", "CoDel: entered", "CoDel: left"});
    floor(5, {"CoDel: several drops", "CoDel: count taken up", "CoDel: mark while dropping", "CoDel: ce_threshold",
              "CoDel: marked and over ce_threshold", "CoDel: CE signalled", "CoDel: waits for engine"});
    floor(1, {"CoDel: clock wraps", "CoDel at_once", "CoDel exempt_below", "CoDel exempt_largest", "CoDel converge",
              "CoDel mark_from_now", "CoDel reentry_past", "CoDel threshold_once", "CoDel keep_first_above"});
    if (kFlags) floor(2, {"CoDel: protected", "CoDel: protected ends loop"});
  }
  floor(1, {"time jumps to a wrap", "time jumps back", "time jumps to its end"});
  for (int fault = 0; fault <= truemark::reg::kLastFault; ++fault) {
    if (fault == 6 && kFlags) continue;          // protection is possible in this build
    if (fault == 7 && TM_PORTS == 16) continue;  // every page is a port
    if (fault >= 9 && fault <= 21 && !TM_RED) continue;
    if (fault == 22 && !TM_CODEL && !TM_RED) continue;
    if (fault == 23 && !kFlags) continue;
    coverage.require("commit fault " + std::to_string(fault), 1);
  }
  // A counted length is judged when the frame is in: it is never held before, and nothing can be cut short.
  if (!kCounted) {
    floor(20, {"bad: length mismatch"});
    floor(10, {"cut short", "output waits for input"});
    floor(1, {"ring wrap in an abort"});
    // Many short rows are seldom full to the last few: the wider builds see to it.
    if (TM_DATA_W > 64) floor(1, {"abort when full"});
  }
  if (kFlags) floor(50, {"protected"});
  // In 128 bytes the class is told with the ECN field.
  if (kFlags && !kCounted && TM_DATA_W < 1024) floor(50, {"verdict after ECN"});
}

void require_steady(truemark::Coverage& coverage) {
  for (const char* name : {"pass", "mark", "snapshot", "flush"}) coverage.require(name, 1);
}

}  // namespace

int main(int count, char** words) {
  Options run;
  try {
    run = options(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lockstep: %s\n", error.what());
    return 2;
  }
  std::printf("lockstep " TM_CONFIG ": %llu frames, seed %llu\n", static_cast<unsigned long long>(run.frames),
              static_cast<unsigned long long>(run.seed));
  std::fflush(stdout);
  try {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t start_on_core = std::clock();
    truemark::Lockstep lockstep(run.seed, run.lengths);
#if TM_WAVES
    if (const char* path = std::getenv("TRUEMARK_WAVES")) {
      const char* from = std::getenv("TRUEMARK_WAVES_FROM");
      lockstep.set_waves(path, from != nullptr ? std::strtoull(from, nullptr, 10) : 0);
    }
#endif
    lockstep.run(run.frames);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const double on_core = static_cast<double>(std::clock() - start_on_core) / CLOCKS_PER_SEC;
    lockstep.collect_coverage();
    run.lengths ? require_steady(lockstep.coverage()) : require(lockstep.coverage(), lockstep.frames());
    const bool good = lockstep.coverage().report();
    std::printf("  no difference in %llu frames, %llu cycles; %.1f s, %.1f s of a core, %.0f frames/s of a core%s\n",
                static_cast<unsigned long long>(lockstep.frames()), static_cast<unsigned long long>(lockstep.cycles()),
                took.count(), on_core, static_cast<double>(lockstep.frames()) / on_core,
                good ? "" : "; COVERAGE TOO LOW");
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("DIFFERENCE in lockstep " TM_CONFIG ", seed %llu\n%s\n", static_cast<unsigned long long>(run.seed),
                error.what());
    return 1;
  }
}
