// SPDX-License-Identifier: BSD-3-Clause
// speed [seconds]: frames that the golden model takes in and gives out again in a second, on one core, as JSON.
//
// The mix: TCP over IPv4 of 64 to 1500 bytes, each length as likely, half of it ECT(0); one port that holds about 30
// frames. Counted is a frame that was offered, its event read, and, where it was stored, taken out again.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "host.h"
#include "random.h"

namespace {

using namespace truemark;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kHeld = 30;
constexpr unsigned kBatch = 4096;
constexpr uint64_t kFrameTime = 1200;  // ns

struct Policy {
  const char* name;
  void (*set)(Device&);
};

void set_true_mark(Device& device) {
  configure(device, {{reg::kControl, 0x001 | 0xE << 4 | 1 << 10}, {reg::kK1, 20'000}});
}

void set_red(Device& device) {
  configure_red(device, 0, {10'000, 60'000, 0.1, 6, Spacing::Uniform});
  configure_red(device, 1, {5'000, 40'000, 0.2, 4, Spacing::Wait});
  configure(device, {{reg::kControl, 0x001 | 0xE << 4 | 2 << 8 | 2 << 10}});
}

void set_codel(Device& device) {
  configure(device, {{reg::kControl, 1},
                     {reg::kCodelTarget, 5},
                     {reg::kCodelInterval, 100},
                     {reg::kCodelCeThreshold, 0x7FFFFFFF},
                     {reg::kCodelExemptBytes, 1514},
                     {reg::kCodelSettings, 3}});
}

double frames_per_second(const Policy& policy, double seconds) {
  Build build{1, 256, 13856, 5001, 9216, false, true, true, true};
  Device device(build);
  policy.set(device);
  Random random(1);
  std::vector<std::vector<uint8_t>> frames;
  for (unsigned i = 0; i < kBatch; ++i) {
    frames.push_back(plain_frame(random.between(64, 1500), random.one_in(2) ? Ecn::Ect0 : Ecn::NotEct));
  }
  std::vector<uint8_t> buffer(build.max_frame);
  uint64_t now = 0, offered = 0, held = 0;
  const auto start = Clock::now();
  std::chrono::duration<double> took{};
  while (took.count() < seconds) {
    for (const auto& frame : frames) {
      now += kFrameTime;
      device.offer(now, {frame, static_cast<uint32_t>(frame.size()), 1, false, 0});
      held += is_stored(device.next_event()->outcome);
      while (held > kHeld && device.take(0, now, buffer)) --held;
    }
    offered += kBatch;
    took = Clock::now() - start;
  }
  return static_cast<double>(offered) / took.count();
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 1;
  try {
    double slowest = 1e12;
    std::printf("{");
    for (const Policy& policy : {Policy{"true_mark", set_true_mark}, {"dual_red", set_red}, {"codel", set_codel}}) {
      const double rate = frames_per_second(policy, seconds);
      slowest = std::min(slowest, rate);
      std::printf("\"model.frames_per_second.%s\": %.0f, ", policy.name, rate);
    }
    std::printf("\"model.frames_per_second\": %.0f}\n", slowest);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
