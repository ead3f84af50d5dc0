// SPDX-License-Identifier: BSD-3-Clause
// Cycles from a frame's first beat, or from the beat that decides its verdict, to its first beat out, in an empty
// queue.
#include <algorithm>
#include <string>

#include "measure.h"

namespace truemark::bench {
namespace {

// With and without ECE.
constexpr uint32_t protects(Class class_id) { return 3u << 2 * static_cast<unsigned>(class_id); }
constexpr uint32_t kProtectAllTcpControl =
    protects(Class::SynAck) | protects(Class::Syn) | protects(Class::TcpCtrl) | protects(Class::Ack);

// One frame at a time, ports in turn, after a pause that differs. Returns first cycle in and out, in order.
Station::Traffic one_by_one(const Station& station, const FrameSpec& spec, uint64_t seed) {
  return
      [&station, spec, random = Random(seed), next = uint64_t{0}](uint64_t cycle) mutable -> std::optional<FrameSpec> {
        const size_t count = station.offered().size();
        if (next == 0) next = cycle + 1;
        for (unsigned port = 0; port < build().ports; port++)
          if (station.departed(port).size() != station.copies(port)) {
            next = cycle + 1 + random.between(0, 15);
            return std::nullopt;
          }
        if (cycle < next) return std::nullopt;
        FrameSpec frame = spec;
        frame.ports = 1u << (count % build().ports);
        return frame;
      };
}

// The longest way of any frame so far, in cycles from beat `from_beat` of the frame on.
uint64_t longest(Report& report, const Station& station, uint64_t from_beat, const std::string& where) {
  uint64_t cycles = 0, departed = 0;
  for (unsigned port = 0; port < build().ports; port++)
    for (const Departure& departure : station.departed(port)) {
      cycles = std::max(cycles, departure.first_cycle - station.offered()[departure.sequence].first_cycle - from_beat);
      departed++;
    }
  expect_intact(report, station, where);
  report.expect(departed == station.offered().size(), where + ": frames were lost");
  return cycles;
}

uint64_t alone(Report& report, Effort effort, const Policy& policy, const FrameSpec& spec, uint64_t from_beat,
               const std::string& where) {
  Station station(policy);
  station.set_traffic(one_by_one(station, spec, spec.size));
  station.offer(effort.of(60, 12));
  station.drain();
  return longest(report, station, from_beat, where);
}

// Back to back, ports in turn: each frame still finds its own queue empty.
uint64_t in_a_stream(Report& report, Effort effort, const Policy& policy, const std::string& where) {
  Station station(policy);
  station.set_traffic([&station, random = Random(7)](uint64_t) mutable {
    FrameSpec spec;
    spec.size = random.between(60, 300);
    spec.l3 = random.chance(50) ? L3::Ipv4 : L3::Ipv6;
    spec.ports = 1u << (station.offered().size() % build().ports);
    return std::optional(spec);
  });
  station.offer(effort.of(20'000, 1000));
  station.drain();
  return longest(report, station, 0, where);
}

std::string flags_label(const FrameSpec& spec) {
  std::string label = std::to_string(spec.tags) + "tags";
  if (spec.l3 == L3::Ipv6) label += ".ipv6." + std::to_string(spec.ipv6_extensions) + "ext";
  if (spec.ipv4_options) label += "." + std::to_string(spec.ipv4_options) + "options";
  return label;
}

// With one frame on the output, one held and K = 0, pure ACKs are protected and data is dropped: the verdict waited.
void check_protection(Report& report, const Policy& policy, const FrameSpec& spec, const std::string& where) {
  constexpr unsigned kPairs = 8;
  constexpr uint64_t kSettled = 100;  // cycles
  FrameSpec ack = spec;
  ack.ip_payload = 0;
  Station station(policy);
  station.set_ready(0);
  station.set_traffic(ack);
  for (int i = 0; i < 2; i++) {
    station.offer(1);
    station.idle(kSettled);
  }
  station.set_traffic([&, data = false](uint64_t) mutable {
    data = !data;
    return std::optional(data ? spec : ack);
  });
  station.offer(2 * kPairs);
  station.idle(kSettled);
  station.set_ready(kAllPorts);
  station.drain();
  report.expect(station.outcomes(0, Outcome::Protected) == kPairs, where + ": pure ACKs were not protected");
  report.expect(station.outcomes(0, Outcome::EarlyForced) == kPairs, where + ": data was not dropped");
  expect_intact(report, station, where);
}

}  // namespace

void measure_latency(Report& report, Effort effort) {
  const std::pair<const char*, Policy> policies[] = {{"droptail", {}}, {"true-mark", {.k_ect = 0}}};
  for (const auto& each : policies) {
    const Policy& policy = each.second;  // clang before 16 lets no lambda take a structured binding
    const std::string figure = std::string("latency_cycles.") + each.first;
    measure_ways(report, figure, [&](const FrameSpec& spec, const std::string& key) {
      return alone(report, effort, policy, spec, 0, key);
    });
    if (build().store_and_forward) continue;
    const auto cycles = static_cast<double>(in_a_stream(report, effort, policy, figure + ".stream"));
    report.figure(figure + ".stream", cycles);
    report.at_most(figure, cycles);
  }
}

void measure_flags(Report& report, Effort effort) {
  if (!build().flags_verdict) return report.failure("no verdict of this build looks at the flags");
  const Policy policy{.k_ect = 0, .k_not_ect = 0, .protect = kProtectAllTcpControl};
  std::vector<FrameSpec> specs;
  for (uint8_t tags = 0; tags <= 3; tags++) {
    FrameSpec spec;
    spec.size = 200;
    spec.tags = tags;
    spec.ecn = Ecn::NotEct;
    specs.push_back(spec);
    spec.ipv4_options = 10;
    specs.push_back(spec);
    spec.ipv4_options = 0;
    spec.l3 = L3::Ipv6;
    for (spec.ipv6_extensions = 0; spec.ipv6_extensions <= 2; spec.ipv6_extensions++) specs.push_back(spec);
  }
  for (const FrameSpec& spec : specs) {
    const std::string key = "latency_after_flags." + flags_label(spec);
    const uint64_t beat = tcp_flags_byte(spec) / build().beat_bytes();
    const auto cycles = static_cast<double>(alone(report, effort, policy, spec, beat, key));
    report.figure(key, cycles);
    report.at_most("latency_after_flags", cycles);
    check_protection(report, policy, spec, key);
  }
}

}  // namespace truemark::bench
