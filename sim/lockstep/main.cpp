// SPDX-License-Identifier: BSD-3-Clause
// lockstep [--frames N] [--seed S]: runs one build, prints what it met, fails at a difference or below a floor.
// TRUEMARK_WAVES=file.vcd writes a waveform (builds made with WAVES=1).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <random>

#include "lockstep.h"

namespace {

struct Options {
  uint64_t frames = 100'000;
  uint64_t seed = 1;
};

Options options(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(words[i], "--frames") == 0) options.frames = std::strtoull(words[i + 1], nullptr, 0);
    if (std::strcmp(words[i], "--seed") == 0) {
      const bool any = std::strcmp(words[i + 1], "random") == 0;
      options.seed = any ? std::random_device{}() : std::strtoull(words[i + 1], nullptr, 0);
    }
  }
  return options;
}

// Floors for every 100,000 frames.
void require(truemark::Coverage& coverage, uint64_t frames) {
  const bool flags = TM_FLAGS_VERDICT != 0, counted = TM_STORE_AND_FORWARD != 0;
  const auto floor = [&](const char* name, uint64_t times) { coverage.require(name, times * frames / 100'000); };
  for (const char* name : {"pass", "pass_ce", "mark", "ce_signalled", "early_forced", "tail_bytes", "tail_packets",
                           "no_room", "disabled", "aborted"}) {
    floor(name, 50);
  }
  for (const char* name : {"NON_IP", "OTHER_IP", "OTHER_IP", "SYN_ACK", "SYN", "TCP_CTRL", "DATA", "ACK", "SYN_ACK+ECE",
                           "SYN+ECE", "TCP_CTRL+ECE", "DATA+ECE", "ACK+ECE"}) {
    floor(name, 50);
  }
  for (const char* name : {"bad: no destination", "bad: runt", "bad: oversize", "bad: keep hole", "bad: error bit"}) {
    floor(name, 20);
  }
  for (const char* name : {"B = K", "B + len = limit", "B + len = limit - 1", "B + len = limit + 1", "P = limit",
                           "verdict with departure", "flushed frames", "left at its verdict"}) {
    floor(name, 10);
  }
  for (const char* name :
       {"reset", "bad: reset in a frame", "abort when full", "ring wrap in an abort", "no descriptor", "no row"}) {
    floor(name, 1);
  }
  if (!counted) {
    floor("bad: length mismatch", 20);
    floor("cut short", 10);
    floor("output waits for input", 10);
  }
  if (flags) {
    floor("protected", 50);
    floor("verdict after ECN", 50);
  }
}

}  // namespace

int main(int count, char** words) {
  const Options run = options(count, words);
  std::printf("lockstep " TM_CONFIG ": %llu frames, seed %llu\n", static_cast<unsigned long long>(run.frames),
              static_cast<unsigned long long>(run.seed));
  std::fflush(stdout);
  try {
    const auto start = std::chrono::steady_clock::now();
    truemark::Lockstep lockstep(run.seed);
#if TM_WAVES
    if (const char* path = std::getenv("TRUEMARK_WAVES")) lockstep.pins().open_waves(path);
#endif
    lockstep.run(run.frames);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    lockstep.collect_coverage();
    require(lockstep.coverage(), lockstep.frames());
    const bool good = lockstep.coverage().report();
    std::printf("  no difference in %llu frames, %llu cycles; %.1f s, %.0f frames/s%s\n",
                static_cast<unsigned long long>(lockstep.frames()), static_cast<unsigned long long>(lockstep.cycles()),
                took.count(), static_cast<double>(lockstep.frames()) / took.count(), good ? "" : "; COVERAGE TOO LOW");
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("DIFFERENCE in lockstep " TM_CONFIG ", seed %llu\n%s\n", static_cast<unsigned long long>(run.seed),
                error.what());
    return 1;
  }
}
