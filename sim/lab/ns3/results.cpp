// SPDX-License-Identifier: GPL-2.0-only
#include "results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <stdexcept>
#include <vector>

namespace lab {
namespace {

constexpr size_t kSeriesPorts = 4;  // those with the fullest queues are kept

void close_whole(std::ofstream& file, const std::string& path) {
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written whole; is the disk full?");
}

double seconds(int64_t ns) { return 1e-9 * static_cast<double>(ns); }

void write_job(JsonWriter& out, const Workload& job) {
  const auto& flows = job.transfers().flows();
  Histogram completion;
  std::vector<int64_t> ends;
  std::set<uint32_t> receivers;
  uint64_t bytes = 0, bytes_90 = 0, connected = 0;
  int64_t begin = -1;
  for (const Flow& flow : flows) {
    bytes += flow.received;
    connected += flow.connected_ns >= 0;
    receivers.insert(flow.receiver);
    if (flow.start_ns >= 0 && (begin < 0 || flow.start_ns < begin)) begin = flow.start_ns;
    if (flow.end_ns < 0) continue;
    ends.push_back(flow.end_ns);
    if (flow.start_ns >= 0 && flow.group == 0) completion.add(static_cast<uint64_t>(flow.end_ns - flow.start_ns));
  }
  std::sort(ends.begin(), ends.end());
  const auto most = static_cast<size_t>(std::ceil(0.9 * static_cast<double>(flows.size())));
  const int64_t end = ends.empty() ? -1 : ends.back(), end_90 = most > ends.size() || !most ? -1 : ends[most - 1];
  for (const Flow& flow : flows)
    if (flow.end_ns >= 0 && flow.end_ns <= end_90) bytes_90 += flow.bytes;
  const auto rate = [&](uint64_t moved, int64_t until) {
    const double span = seconds(until - begin) * static_cast<double>(receivers.size());
    return until <= begin ? 0.0 : 8.0 * static_cast<double>(moved) / span;
  };
  out.key("job").open('{');
  out.pair("time_s", job.finished() ? seconds(end - begin) : -1.0);
  out.pair("time_90_s", end_90 < 0 ? -1.0 : seconds(end_90 - begin));
  out.pair("throughput_bit_s", rate(bytes, end)).pair("throughput_90_bit_s", rate(bytes_90, end_90));
  out.pair("flows", uint64_t{flows.size()}).pair("completed", uint64_t{job.transfers().completed()});
  out.pair("connected", connected).pair("connect_failures", job.transfers().connect_failures()).pair("bytes", bytes);
  completion.write(out, "completion_ns");
  out.close('}');
  out.key("workload").open('{');
  job.write(out);
  out.close('}');
}

// Sums over all ports: class (with +ECE where the flag was set), outcome.
void write_verdicts(JsonWriter& out, const Network& network) {
  out.key("verdicts").open('{');
  for (unsigned kind = 0; kind < kClasses; ++kind) {
    for (unsigned ece = 0; ece < 2; ++ece) {
      std::array<Count, kOutcomes + 2> sums{};
      uint64_t seen = 0;
      for (const auto& port : network.ports) {
        for (unsigned outcome = 0; outcome < sums.size(); ++outcome) {
          if (outcome >= kOutcomes && ece) continue;  // what happens at the head is not split by the flag
          const Count& count = outcome < kOutcomes    ? port->verdicts()[kind][ece][outcome]
                               : outcome == kOutcomes ? port->head_drops()[kind]
                                                      : port->head_marks()[kind];
          sums[outcome].packets += count.packets;
          sums[outcome].bytes += count.bytes;
          seen += count.packets;
        }
      }
      if (!seen) continue;
      out.key(std::string(kClassNames[kind]) + (ece ? "+ECE" : "")).open('{');
      for (unsigned outcome = 0; outcome < sums.size(); ++outcome) {
        if (!sums[outcome].packets) continue;
        out.key(outcome < kOutcomes ? kOutcomeNames[outcome] : outcome == kOutcomes ? "head_dropped" : "head_marked");
        out.open('[').value(sums[outcome].packets).value(sums[outcome].bytes).close(']');
      }
      out.close('}');
    }
  }
  out.close('}');
}

void write_ports(JsonWriter& out, const Network& network, uint64_t sample_ns) {
  std::vector<const PortMeasures*> fullest;
  out.key("ports").open('[');
  for (const auto& port : network.ports) {
    port->write(out);
    fullest.push_back(port.get());
  }
  out.close(']');
  std::stable_sort(fullest.begin(), fullest.end(),
                   [](const auto* left, const auto* right) { return left->mean_bytes() > right->mean_bytes(); });
  fullest.resize(std::min(fullest.size(), kSeriesPorts));
  out.pair("sample_ns", sample_ns).key("series").open('[');
  for (const auto* port : fullest)
    if (sample_ns > 0) port->write_series(out);
  out.close(']');
}

void write_pools(JsonWriter& out, const Network& network) {
  if (network.pools.empty()) return;
  out.key("pools").open('[');
  for (const auto& pool : network.pools) pool->write(out);
  out.close(']');
}

void write_counts(JsonWriter& out, const char* name, const std::array<Count, kClasses>& counts) {
  out.key(name).open('{');
  for (unsigned kind = 0; kind < kClasses; ++kind)
    if (counts[kind].packets) out.pair(kClassNames[kind], counts[kind].packets);
  out.close('}');
}

}  // namespace

void write_results(const std::string& path, const Network& network, const Workload& job, const TcpCounts& tcp,
                   const std::map<std::string, uint64_t>& discs, const RunFigures& figures) {
  std::ofstream file(path);
  JsonWriter out(file);
  Histogram wait;
  uint64_t ect_control = network.sent.sent_ect_control;
  for (const auto& port : network.ports) {
    wait.add(port->wait());
    ect_control += port->ect_control();
  }
  out.open('{').pair("finished", figures.finished);
  write_job(out, job);
  network.latency.write(out, "latency_ns");
  network.latency_network.write(out, "latency_network_ns");
  network.latency_data.write(out, "latency_data_ns");
  network.latency_probe.write(out, "latency_probe_ns");
  out.pair("window_s", seconds(static_cast<int64_t>(network.window_ns())));
  wait.write(out, "wait_ns");
  write_verdicts(out, network);
  write_counts(out, "sent", network.sent.sent);
  write_counts(out, "delivered", network.delivered);
  out.key("conservation").open('{').pair("sent", network.sent_packets());
  out.pair("delivered", network.delivered_packets()).pair("dropped", network.dropped_packets());
  out.pair("in_flight", network.in_flight()).close('}');
  out.key("pinned").open('{').pair("ect_control_packets", ect_control);
  out.pair("control_rewritten", network.sent.pinned_control);
  out.pair("retransmissions_rewritten", network.sent.pinned_retransmissions);
  out.key("queue_discs").open('{');
  for (const auto& [type, number] : discs) out.pair(type, number);
  out.close('}').close('}');
  out.key("tcp").open('{').pair("data_timeouts", tcp.data_timeouts).pair("syn_timeouts", tcp.syn_timeouts);
  out.pair("fin_timeouts", tcp.fin_timeouts).pair("retransmissions", network.sent.retransmissions);
  out.pair("marked_segments", tcp.marked_segments);
  out.key("guards").open('{').pair("open_dupacks", tcp.open_dupacks);
  out.pair("sack_after_end", tcp.sack_after_end);
  out.close('}').close('}');
  const TranslatorCounts& translated = network.translated;
  out.key("translator").open('{').pair("connections", translated.connections);
  out.pair("reductions", translated.reductions).pair("rewritten", translated.rewritten);
  out.pair("stripped", translated.stripped).pair("echoes", translated.echoes).close('}');
  out.key("decisions").open('{').pair("count", network.decisions->count());
  out.pair("digest", network.decisions->digest()).close('}');
  write_ports(out, network, figures.sample_ns);
  write_pools(out, network);
  out.pair("stop_s", seconds(static_cast<int64_t>(figures.stop_ns)));
  out.pair("simulated_s", seconds(static_cast<int64_t>(figures.simulated_ns))).pair("events", figures.events);
  out.pair("cpu_s", figures.cpu_s).pair("wall_s", figures.wall_s).close('}');
  close_whole(file, path);
}

void write_flows(const std::string& path, const Workload& job) {
  std::ofstream file(path);
  file << "group,sender,receiver,bytes,start_ns,connected_ns,end_ns\n";
  for (const Flow& flow : job.transfers().flows())
    file << job.transfers().groups()[flow.group].name << ',' << flow.sender << ',' << flow.receiver << ','
         << flow.received << ',' << flow.start_ns << ',' << flow.connected_ns << ',' << flow.end_ns << '\n';
  close_whole(file, path);
}

}  // namespace lab
