// SPDX-License-Identifier: BSD-3-Clause
// spacing_table [trials]: how often RED signals at a constant average, for each spacing, as a table; fails if a rate
// or a distance is not what docs/red-rules.md says, or if ports that see the same frames signal together.
//
// Four ports hold the same bytes at every verdict, and each frame goes to all of them: `trials` verdicts a port.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "host.h"

namespace {

using namespace truemark;

constexpr uint32_t kPorts = 4;
constexpr uint32_t kLength = 64, kFramesHeld = 8, kMin = 0, kMax = 1024;  // held: half of max
constexpr uint32_t kFrames = 128;                                         // 1/p: a power of two, so that p is exact
constexpr double kProbability = 1.0 / kFrames, kMaxp = 2 * kProbability;
constexpr double kTolerance = 0.02;
constexpr int kLags = 4;  // frames by which one port may follow another

struct Case {
  const char* name;
  Spacing spacing;
  double rate;           // in probabilities
  uint32_t least, most;  // frames from signal to signal; no most: 0
};

struct Result {
  double rate = 0;
  uint64_t least = UINT64_MAX, most = 0;  // frames from signal to signal
  double correlation = 0;                 // the largest between two ports, whichever lag
};

Result measure(Spacing spacing, uint64_t trials) {
  Build build{kPorts, 256, 600, 100, 9216, false, false, true, false, true};
  Device device(build);
  configure_red(device, 0, {kMin, kMax, kMaxp, 0, spacing});
  configure(device, {{reg::kControl, 1 | 2 << 8}});
  const std::vector<uint8_t> frame = plain_frame(kLength, Ecn::Ect0);
  std::vector<uint8_t> buffer(build.max_frame);
  Result result;
  std::vector<std::vector<uint8_t>> signals(kPorts, std::vector<uint8_t>(trials));
  std::vector<uint64_t> last(kPorts, 0);
  uint64_t now = 0, signalled = 0;
  const auto offer = [&](bool counts, uint64_t trial) {
    device.offer(++now, {frame, kLength, (1u << kPorts) - 1, false, 0});
    for (uint32_t port = 0; port < kPorts; ++port) {
      if (device.next_event()->outcome != Outcome::Mark || !counts) continue;
      signals[port][trial] = 1;
      ++signalled;
      if (last[port] != 0) {
        result.least = std::min(result.least, trial - last[port]);
        result.most = std::max(result.most, trial - last[port]);
      }
      last[port] = trial;
    }
  };
  for (uint32_t i = 0; i < kFramesHeld; ++i) offer(false, 0);
  for (uint64_t trial = 0; trial < trials; ++trial) {
    offer(true, trial);
    for (uint32_t port = 0; port < kPorts; ++port) device.take(port, now, buffer);
  }
  const double all = static_cast<double>(trials * kPorts);
  result.rate = static_cast<double>(signalled) / all;
  const double variance = result.rate * (1 - result.rate);
  for (uint32_t a = 0; a < kPorts; ++a) {
    for (uint32_t b = 0; b < kPorts; ++b) {
      for (int lag = a < b ? 0 : 1; a != b && lag <= kLags; ++lag) {
        uint64_t both = 0;
        for (uint64_t i = static_cast<uint64_t>(lag); i < trials; ++i) {
          both += signals[a][i] & signals[b][i - static_cast<uint64_t>(lag)];
        }
        const double covariance = static_cast<double>(both) / static_cast<double>(trials) - result.rate * result.rate;
        result.correlation = std::max(result.correlation, std::fabs(covariance) / variance);
      }
    }
  }
  return result;
}

}  // namespace

int main(int count, char** words) {
  const uint64_t trials = count > 1 ? std::strtoull(words[1], nullptr, 0) : 1'000'000;
  try {
    bool good = true;
    std::printf("p = %.4f, %llu verdicts on each of %u ports\n", kProbability, static_cast<unsigned long long>(trials),
                kPorts);
    std::printf("%-12s %9s %9s %9s %7s %7s %18s\n", "spacing", "expected", "rate / p", "deviation", "least", "most",
                "most correlation");
    for (const Case& each : {Case{"memoryless", Spacing::Memoryless, 1.0, 1, 0},
                             {"uniform", Spacing::Uniform, 2.0, 1, kFrames},
                             {"wait", Spacing::Wait, 2.0 / 3, kFrames + 1, 2 * kFrames},
                             {"linux", Spacing::Linux, 2.0, 1, kFrames}}) {
      const Result result = measure(each.spacing, trials);
      const double deviation = result.rate / kProbability / each.rate - 1;
      // Five standard deviations of the correlation of independent ports.
      const double bound = 5 / std::sqrt(static_cast<double>(trials));
      const bool apart = result.least == each.least && (each.most == 0 || result.most == each.most);
      const bool fine = std::fabs(deviation) <= kTolerance && apart && result.correlation <= bound;
      good = good && fine;
      std::printf("%-12s %9.3f %9.3f %+8.2f%% %7llu %7llu %9.4f (< %.4f)%s\n", each.name, each.rate,
                  result.rate / kProbability, 100 * deviation, static_cast<unsigned long long>(result.least),
                  static_cast<unsigned long long>(result.most), result.correlation, bound, fine ? "" : "  WRONG");
    }
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
