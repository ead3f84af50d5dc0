// SPDX-License-Identifier: BSD-3-Clause
// lockstep [--frames N] [--seed S] [--lengths L] [--digest]: runs one build, prints what it met, fails at a difference
// or below a floor. The digest is of what the pins showed: of two RTLs the same program has the same one if they do the
// same in the same cycles. L is imix (64, 576 and 1500 bytes, 7 : 4 : 1) or uniform (64 to 1500 bytes): right frames
// without gaps, all else at random as ever, to see how many a second there are; or short (60 to 128 bytes), with gaps
// in frames and spoilt ones, to compare many soon. Floors are then those that such traffic can meet.
// TRUEMARK_WAVES=file.vcd writes a waveform (builds made with WAVES=1), from the cycle in TRUEMARK_WAVES_FROM on.
#include <chrono>
#include <cstdio>
#include <cstdlib>
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
  bool digest = false;
};

truemark::Lengths lengths(const std::string& name) {
  if (name == "imix") return {{64, 64, 64, 64, 64, 64, 64, 576, 576, 576, 576, 1500}};
  if (name == "uniform") return {{64, 1500}, true};
  if (name == "short") return {{60, 128}, true, true};
  throw std::invalid_argument("--lengths " + name + ": there are imix, uniform and short");
}

Options options(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--digest") {
      options.digest = true;
      continue;
    }
    if (i + 1 == count) throw std::invalid_argument(word + ": not an option, or without its value");
    const std::string value = words[++i];
    if (word == "--lengths") {
      options.lengths = lengths(value);
    } else if (word == "--frames") {
      options.frames = std::stoull(value, nullptr, 0);
    } else if (word == "--seed") {
      options.seed = value == "random" ? std::random_device{}() : std::stoull(value, nullptr, 0);
    } else {
      throw std::invalid_argument(word + ": not an option");
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
    truemark::Lockstep lockstep(run.seed, run.lengths, run.digest);
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
    run.lengths ? truemark::require_limited(lockstep.coverage())
                : truemark::require(lockstep.coverage(), lockstep.build(), run.frames);
    const bool good = lockstep.coverage().report();
    std::printf("  no difference in %llu frames, %llu cycles; %.1f s, %.1f s of a core, %.0f frames/s of a core%s\n",
                static_cast<unsigned long long>(lockstep.frames()), static_cast<unsigned long long>(lockstep.cycles()),
                took.count(), on_core, static_cast<double>(lockstep.frames()) / on_core,
                good ? "" : "; COVERAGE TOO LOW");
    if (const auto digest = lockstep.digest()) {
      std::printf("  digest %016llx\n", static_cast<unsigned long long>(*digest));
    }
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::printf("DIFFERENCE in lockstep " TM_CONFIG ", seed %llu\n%s\n", static_cast<unsigned long long>(run.seed),
                error.what());
    return 1;
  }
}
