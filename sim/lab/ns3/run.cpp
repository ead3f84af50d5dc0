// SPDX-License-Identifier: GPL-2.0-only
#include "run.h"

#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <stdexcept>

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/nstime.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/uinteger.h"
#include "results.h"
#include "topology.h"
#include "workload.h"

namespace lab {
namespace {

constexpr int64_t kDrainStepNs = 100'000;

void set_up_tcp(const Json& transport) {
  const auto number = [&](const char* attribute, const char* key) {
    ns3::Config::SetDefault(attribute, ns3::UintegerValue(transport[key].natural()));
  };
  const auto span = [&](const char* attribute, const char* key) {
    ns3::Config::SetDefault(attribute,
                            ns3::TimeValue(ns3::NanoSeconds(static_cast<int64_t>(transport[key].natural()))));
  };
  number("ns3::TcpSocket::SegmentSize", "segment");
  number("ns3::TcpSocket::SndBufSize", "send_buffer");
  number("ns3::TcpSocket::RcvBufSize", "receive_buffer");
  number("ns3::TcpSocket::InitialCwnd", "initial_window");
  number("ns3::TcpSocket::ConnCount", "syn_retries");
  number("ns3::TcpSocket::DataRetries", "data_retries");
  span("ns3::TcpSocket::DelAckTimeout", "delayed_ack_timeout_ns");
  span("ns3::TcpSocket::ConnTimeout", "syn_timeout_ns");
  span("ns3::TcpSocketBase::MinRto", "min_rto_ns");
  span("ns3::RttEstimator::InitialEstimation", "initial_rto_ns");
  span("ns3::TcpSocketBase::ClockGranularity", "clock_granularity_ns");
  ns3::Config::SetDefault("ns3::TcpSocketBase::Sack", ns3::BooleanValue(transport["sack"].flag()));
  const Json& dctcp = transport["dctcp"];
  ns3::Config::SetDefault("lab::TcpDctcp::Continuous", ns3::BooleanValue(dctcp["alpha"].text() == "continuous"));
  ns3::Config::SetDefault("lab::TcpDctcp::Gain", ns3::DoubleValue(dctcp["gain"].number()));
  ns3::Config::SetDefault("lab::TcpDctcp::AlphaBits", ns3::UintegerValue(dctcp["alpha_bits"].natural()));
  ns3::Config::SetDefault("lab::TcpDctcp::SlowStartFollows", ns3::BooleanValue(dctcp["ssthresh"].text() == "cwnd"));
  ns3::Config::SetDefault("lab::TcpDctcp::GrowInCwr", ns3::BooleanValue(dctcp["grow_in_cwr"].flag()));
  ns3::Config::SetDefault("lab::TcpDctcp::HalveOnLoss", ns3::BooleanValue(dctcp["halve_on_loss"].flag()));
  ns3::Config::SetDefault("lab::TcpDctcp::GrowByAck", ns3::BooleanValue(dctcp["growth"].text() == "ack"));
  ns3::Config::SetDefault("lab::TcpDctcp::Progressive", ns3::BooleanValue(dctcp["reduction"].text() == "progressive"));
}

// A class of ns-3 by its name: LookupByName ends the process if there is none.
ns3::TypeId find_type(const Json& group, const char* key, ns3::TypeId parent) {
  const std::string name = group[key].text();
  ns3::TypeId found;
  if (ns3::TypeId::LookupByNameFailSafe(name, &found) && found.IsChildOf(parent)) return found;
  throw std::runtime_error(std::string("transport.") + key + " = '" + name + "': ns-3 has no such class below " +
                           parent.GetName());
}

// The transports of the run, the scenario's own first.
std::vector<Group> groups_of(const Json& input, TcpCounts* counts) {
  std::vector<Group> groups;
  for (const Json& group : input["groups"].items())
    groups.push_back({group["name"].text(),
                      {find_type(group, "socket_type", ns3::TcpCongestionOps::GetTypeId()),
                       find_type(group, "recovery", ns3::TcpRecoveryOps::GetTypeId()), group["ecn"].flag(),
                       static_cast<uint32_t>(group["delayed_ack"].natural()), counts, group["guards"].flag()},
                      static_cast<uint32_t>(group["priority"].natural())});
  return groups;
}

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Lets the simulation end when the job is done and no packet is under way any more.
class Drain {
 public:
  explicit Drain(const Network& network) : network_(network) {}
  // Called in the middle of a packet's reception, which may send another: the look comes later.
  void begin() { wait(); }
  bool drained() const { return drained_; }

 private:
  void look() {
    if (network_.in_flight() == 0) {
      drained_ = true;
      ns3::Simulator::Stop();
      return;
    }
    wait();
  }
  void wait() {
    ns3::Simulator::Schedule(ns3::NanoSeconds(kDrainStepNs), [this] { look(); });
  }
  const Network& network_;
  bool drained_ = false;
};

void sample(Network& network, ns3::Time step, Workload& job) {
  for (const auto& port : network.ports) port->sample();
  job.sample();
  if (!job.finished()) ns3::Simulator::Schedule(step, [&network, step, &job] { sample(network, step, job); });
}

// What must hold after every run, whatever its settings.
void check(const Network& network, const Workload& job, bool drained, bool measured) {
  const auto fail = [](const std::string& what) { throw std::runtime_error("check after the run: " + what); };
  uint64_t ect_control = network.sent.sent_ect_control, arrived = 0, dropped = 0;
  for (const auto& port : network.ports) {
    ect_control += port->ect_control();
    arrived += port->arrived();
    dropped += port->dropped();
  }
  if (ect_control) fail(std::to_string(ect_control) + " control packets were ECN-capable");
  if (network.device_drops)
    fail(std::to_string(network.device_drops) + " packets came to a device that could take none");
  if (network.ip_drops) fail(std::to_string(network.ip_drops) + " packets were dropped by ns-3's IP layer");
  if (network.sent_packets() < network.delivered_packets() + network.dropped_packets())
    fail("more packets were delivered and dropped than sent");
  if (drained && network.in_flight() != 0) fail("packets are under way in a network that has drained");
  for (const auto& pool : network.pools)
    if (drained && pool->held() != 0)
      fail("the pool of " + pool->name() + " holds " + std::to_string(pool->held()) + " cells of packets that left");
  for (const auto& pool : network.pools)
    if (pool->pause() && pool->pause()->held() != pool->held())
      fail("the links of " + pool->name() + " hold " + std::to_string(pool->pause()->held()) + " cells, its queues " +
           std::to_string(pool->held()));
  if (measured && dropped != network.dropped_packets()) fail("the queue discs dropped other than their ports measured");
  if (measured && arrived == 0) fail("no packet went through any port");
  if (job.finished() && !drained) fail("the job is done, but packets were still under way at the stop time");
}

}  // namespace

int run(const Json& input, const std::string& result_path, const std::string& flows_path) {
  const auto begin = std::chrono::steady_clock::now();
  const Json& scenario = input["scenario"];
  const Json& transport = scenario["transport"];
  ns3::RngSeedManager::SetSeed(1);
  ns3::RngSeedManager::SetRun(scenario["seed"].natural());
  ns3::GlobalValue::Bind("ChecksumEnabled", ns3::BooleanValue(transport["checksums"].flag()));
  set_up_tcp(transport);

  auto network = build_network(input);
  TcpCounts tcp;
  Drain drain(*network);
  const auto workload = make_workload({input, *network, groups_of(input, &tcp), [&drain] { drain.begin(); }});
  Workload& job = *workload;
  workload->start();
  const uint64_t step = scenario["measure"]["sample_ns"].natural();
  if (step > 0) sample(*network, ns3::NanoSeconds(static_cast<int64_t>(step)), job);
  const auto discs = check_queue_discs(*network, input);
  const uint64_t stop = scenario["stop_ns"].natural();
  ns3::Simulator::Stop(ns3::NanoSeconds(static_cast<int64_t>(stop)));
  const double cpu_before = cpu_seconds();
  ns3::Simulator::Run();
  const auto now = static_cast<uint64_t>(ns3::Simulator::Now().GetNanoSeconds());
  network->close_window();

  const bool measured =
      scenario["queue"]["implementation"].text() == "truemark" || input["ports"]["edge"]["ns3_red"]["measured"].flag();
  check(*network, job, drain.drained(), measured);
  network->decisions->close();
  RunFigures figures;
  figures.finished = job.finished();
  figures.stop_ns = stop;
  figures.simulated_ns = now;
  figures.events = ns3::Simulator::GetEventCount();
  figures.cpu_s = cpu_seconds() - cpu_before;
  figures.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  figures.sample_ns = step;
  write_results(result_path, *network, job, tcp, discs, figures);
  write_flows(flows_path, job);
  // ns-3 frees nothing that the process does not free anyway: no Simulator::Destroy.
  return job.finished() ? 0 : kStopStruck;
}

}  // namespace lab
