// SPDX-License-Identifier: BSD-3-Clause
// lockstep [--frames N] [--seed S] [--lengths L]: runs one build, prints what it met and a digest of what the pins
// showed, fails at a difference or below a floor. Of two RTLs the same program has the same digest if they do the same
// in the same cycles. L is imix (64, 576 and 1500 bytes, 7 : 4 : 1) or uniform (64 to 1500 bytes): right frames without
// gaps, all else at random as ever, to see how many a second there are; floors are then those that such traffic can
// meet. TRUEMARK_WAVES=file.vcd writes a waveform (builds made with WAVES=1), from the cycle in TRUEMARK_WAVES_FROM on.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "floors.h"
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
    run.lengths ? truemark::require_steady(lockstep.coverage())
                : truemark::require(lockstep.coverage(), lockstep.build(), lockstep.frames());
    const bool good = lockstep.coverage().report();
    std::printf("  no difference in %llu frames, %llu cycles; %.1f s, %.1f s of a core, %.0f frames/s of a core%s\n",
                static_cast<unsigned long long>(lockstep.frames()), static_cast<unsigned long long>(lockstep.cycles()),
                took.count(), on_core, static_cast<double>(lockstep.frames()) / on_core,
                good ? "" : "; COVERAGE TOO LOW");
    std::printf("  digest %016llx\n", static_cast<unsigned long long>(lockstep.digest()));
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("DIFFERENCE in lockstep " TM_CONFIG ", seed %llu\n%s\n", static_cast<unsigned long long>(run.seed),
                error.what());
    return 1;
  }
}
