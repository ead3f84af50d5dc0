// SPDX-License-Identifier: GPL-2.0-only
#include "workload.h"

#include <cmath>
#include <map>
#include <stdexcept>

#include "ns3/simulator.h"

namespace lab {

Workload::Workload(const Setup& setup)
    : own_(setup.input["scenario"]["workload"]),
      network_(setup.network),
      random_(setup.input["scenario"]["seed"].natural()),
      transfers_(
          network_.hosts, setup.groups, [this] { return network_.counting(); }, [this](size_t flow) { received(flow); },
          [this](size_t flow) { completed(flow); }),
      done_(setup.done) {}

void Workload::completed(size_t) {
  if (transfers_.completed() == transfers_.flows().size()) finish();
}

void Workload::finish() {
  if (finished_) return;
  finished_ = true;
  done_();
}

void Workload::open_window() {
  network_.open_window();
  transfers_.open_window();
}

void Workload::end_measuring() {
  network_.close_window();
  transfers_.end_early();
}

void Workload::measure_between(int64_t begin_ns, int64_t end_ns) {
  ns3::Simulator::Schedule(ns3::NanoSeconds(begin_ns), [this] { open_window(); });
  ns3::Simulator::Schedule(ns3::NanoSeconds(end_ns), [this] { end_measuring(); });
}

void Workload::write_rounds(JsonWriter& out, const std::vector<int64_t>& round_ns) {
  out.key("round_s").open('[');
  for (const int64_t span : round_ns) out.value(1e-9 * static_cast<double>(span));
  out.close(']');
}

void Workload::begin_at(int64_t time_ns, size_t flow) {
  ns3::Simulator::Schedule(ns3::NanoSeconds(time_ns), [this, flow] { transfers_.begin(flow); });
}

// By hand: the library's distributions differ between compilers, and a seed should not.
double Workload::exponential(double mean) {
  const double uniform = static_cast<double>((random_() >> 11) + 1) * 0x1p-53;  // (0, 1]
  return -mean * std::log(uniform);
}

uint32_t Workload::other_than(uint32_t host, uint32_t count) {
  const auto chosen = static_cast<uint32_t>(below(count - 1));
  return chosen < host ? chosen : chosen + 1;
}

std::unique_ptr<Workload> make_workload(const Setup& setup) {
  static const std::map<std::string, std::unique_ptr<Workload> (*)(const Setup&)> kinds{
      {"shuffle", make_shuffle},
      {"long-flows", make_long_flows},
      {"two-bottlenecks", make_two_bottlenecks},
      {"background", make_background},
      {"incast", make_incast},
      {"partition-aggregate", make_partition_aggregate},
      {"short-flows", make_short_flows},
      {"ring", make_ring}};
  const std::string& kind = setup.input["scenario"]["workload"]["kind"].text();
  const auto found = kinds.find(kind);
  if (found == kinds.end()) throw std::runtime_error("scenario.workload.kind: there is no '" + kind + "'");
  return found->second(setup);
}

}  // namespace lab
