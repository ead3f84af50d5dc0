// SPDX-License-Identifier: GPL-2.0-only
#include "shuffle.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/simulator.h"

namespace lab {
namespace {

constexpr uint16_t kShufflePort = 13562;  // Hadoop's mapreduce.shuffle.port
constexpr uint16_t kClientPort = 20000;   // plus the server's number: one flow between two hosts at most
constexpr uint32_t kChunk = 65536;

int64_t now_ns() { return ns3::Simulator::Now().GetNanoSeconds(); }

ns3::Ipv4Address address_of(ns3::Ptr<ns3::Node> host) {
  return host->GetObject<ns3::Ipv4>()->GetAddress(1, 0).GetLocal();
}

}  // namespace

Shuffle::Shuffle(const Json& input, std::vector<ns3::Ptr<ns3::Node>> hosts, const TcpKind& tcp, void (*done)(void*),
                 void* context)
    : hosts_(std::move(hosts)),
      tcp_(tcp),
      done_(done),
      context_(context),
      mapper_opens_(input["scenario"]["workload"]["opened_by"].text() == "mapper"),
      random_(input["scenario"]["seed"].natural()) {
  place(input["scenario"]["workload"], 0);
}

void Shuffle::place(const Json& workload, uint64_t first) {
  const auto mappers = static_cast<uint32_t>(workload["mappers"].natural());
  const auto reducers = static_cast<uint32_t>(workload["reducers"].natural());
  const auto parallel = static_cast<uint32_t>(workload["parallel_fetches"].natural());
  const uint64_t bytes = workload["flow_bytes"].natural();
  const uint64_t map_ns = workload["map_time_ns"].natural(), jitter_ns = workload["map_jitter_ns"].natural();
  // Reducers take the last hosts, so that with one host fewer than there are the first is the master's.
  std::vector<uint32_t> workers(hosts_.size() - first);
  std::iota(workers.begin(), workers.end(), static_cast<uint32_t>(first));
  reducer_hosts_.assign(workers.end() - reducers, workers.end());
  std::vector<uint32_t> candidates = mappers <= reducers ? reducer_hosts_ : workers;
  if (workload["mapper_placement"].text() == "random") std::shuffle(candidates.begin(), candidates.end(), random_);
  if (workload["mapper_placement"].text() == "spread") {
    // Every n-th worker: as even over the racks as the numbers allow.
    for (uint32_t index = 0; index < mappers; ++index)
      mappers_.push_back(candidates[index * candidates.size() / mappers]);
  } else {
    mappers_.assign(candidates.begin(), candidates.begin() + mappers);
  }
  for (uint32_t index = 0; index < mappers; ++index)
    map_ends_.push_back(static_cast<int64_t>(map_ns + (jitter_ns ? random_() % jitter_ns : 0)));
  reducers_.assign(reducers, {{}, parallel});
  flow_at_.assign(hosts_.size(), std::vector<int64_t>(hosts_.size(), -1));
  for (size_t mapper = 0; mapper < mappers_.size(); ++mapper) {
    for (size_t reducer = 0; reducer < reducer_hosts_.size(); ++reducer) {
      if (mappers_[mapper] == reducer_hosts_[reducer]) continue;  // read from the local disk
      Flow flow;
      flow.mapper = mappers_[mapper];
      flow.reducer = reducer_hosts_[reducer];
      flow.bytes = flow.to_send = bytes;
      flow_at_[client_of(flow)][server_of(flow)] = static_cast<int64_t>(flows_.size());
      flows_.push_back(flow);
      mapper_of_flow_.push_back(mapper);
      reducer_of_flow_.push_back(reducer);
    }
  }
}

void Shuffle::start() {
  listen();
  for (size_t mapper = 0; mapper < mappers_.size(); ++mapper)
    ns3::Simulator::Schedule(ns3::NanoSeconds(map_ends_[mapper]), [this, mapper] { map_done(mapper); });
}

void Shuffle::listen() {
  std::vector<uint32_t> servers = mapper_opens_ ? reducer_hosts_ : mappers_;
  for (const uint32_t server : servers) {
    auto socket = LabTcpSocket::make(hosts_[server], tcp_);
    if (socket->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), kShufflePort)) != 0 || socket->Listen() != 0)
      throw std::runtime_error("host " + std::to_string(server) + " cannot listen");
    socket->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
                              ns3::MakeCallback(&Shuffle::accepted, this));
  }
}

void Shuffle::map_done(size_t mapper) {
  for (size_t flow = 0; flow < flows_.size(); ++flow) {
    if (mapper_of_flow_[flow] != mapper) continue;
    // Reducers ask in an order of their own, as Hadoop's fetchers do, or all would begin at the same mapper.
    auto& ready = reducers_[reducer_of_flow_[flow]].ready;
    ready.insert(ready.begin() + static_cast<std::ptrdiff_t>(random_() % (ready.size() + 1)), flow);
  }
  // Mappers that end in the same instant are all there before the first fetch begins.
  ns3::Simulator::ScheduleNow([this] {
    for (size_t reducer = 0; reducer < reducers_.size(); ++reducer) fetch_next(reducer);
  });
}

void Shuffle::fetch_next(size_t reducer) {
  auto& fetcher = reducers_[reducer];
  while (fetcher.free > 0 && !fetcher.ready.empty()) {
    const size_t flow = fetcher.ready.back();
    fetcher.ready.pop_back();
    --fetcher.free;
    connect(flow);
  }
}

void Shuffle::connect(size_t number) {
  Flow& flow = flows_[number];
  flow.start_ns = now_ns();
  if (first_start_ < 0) first_start_ = flow.start_ns;
  auto socket = LabTcpSocket::make(hosts_[client_of(flow)], tcp_);
  const auto port = static_cast<uint16_t>(kClientPort + server_of(flow));
  socket->Bind(ns3::InetSocketAddress(address_of(hosts_[client_of(flow)]), port));
  socket->SetConnectCallback(
      ns3::Callback<void, ns3::Ptr<ns3::Socket>>([this, number](ns3::Ptr<ns3::Socket> connected) {
        flows_[number].connected_ns = now_ns();
        attach(connected, number, mapper_opens_);
      }),
      ns3::Callback<void, ns3::Ptr<ns3::Socket>>([this](ns3::Ptr<ns3::Socket>) { ++connect_failures_; }));
  socket->Connect(ns3::InetSocketAddress(address_of(hosts_[server_of(flow)]), kShufflePort));
}

void Shuffle::accepted(ns3::Ptr<ns3::Socket> socket, const ns3::Address& from) {
  const auto peer = ns3::InetSocketAddress::ConvertFrom(from);
  const uint32_t server = static_cast<uint32_t>(peer.GetPort() - kClientPort);
  for (uint32_t client = 0; client < hosts_.size(); ++client) {
    if (address_of(hosts_[client]) != peer.GetIpv4()) continue;
    const auto flow = flow_at_.at(client).at(server);
    if (flow < 0) throw std::logic_error("a connection that belongs to no flow");
    attach(socket, static_cast<size_t>(flow), !mapper_opens_);
    return;
  }
  throw std::logic_error("a connection from no host");
}

void Shuffle::attach(ns3::Ptr<ns3::Socket> socket, size_t flow, bool sends) {
  if (sends) {
    socket->SetSendCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>, uint32_t>(
        [this, flow](ns3::Ptr<ns3::Socket> ready, uint32_t) { send_more(ready, flow); }));
    send_more(socket, flow);
  } else {
    // The receiver's half stays open, as under ns-3's PacketSink: in LAST_ACK ns-3 takes no ACK with ECE for the end,
    // and repeats its FIN for as long as the run lasts.
    socket->SetRecvCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>>(
        [this, flow](ns3::Ptr<ns3::Socket> ready) { receive(ready, flow); }));
  }
}

void Shuffle::send_more(ns3::Ptr<ns3::Socket> socket, size_t number) {
  Flow& flow = flows_[number];
  while (flow.to_send > 0) {
    const auto chunk = static_cast<uint32_t>(std::min<uint64_t>({flow.to_send, socket->GetTxAvailable(), kChunk}));
    if (chunk == 0) return;
    flow.to_send -= chunk;  // before Send, which may call this again
    if (socket->Send(ns3::Create<ns3::Packet>(chunk)) != static_cast<int>(chunk))
      throw std::logic_error("a socket takes less than it said");
    if (flow.to_send == 0) socket->Close();
  }
}

void Shuffle::receive(ns3::Ptr<ns3::Socket> socket, size_t number) {
  Flow& flow = flows_[number];
  while (auto packet = socket->Recv()) {
    if (packet->GetSize() == 0) break;
    flow.received += packet->GetSize();
  }
  if (flow.received > flow.bytes) throw std::logic_error("a flow delivers more than was sent");
  if (flow.received < flow.bytes || flow.end_ns >= 0) return;
  flow.end_ns = last_end_ = now_ns();
  ++completed_;
  if (end_90_ < 0 && completed_ >= std::ceil(0.9 * static_cast<double>(flows_.size()))) end_90_ = last_end_;
  const size_t reducer = reducer_of_flow_[number];
  ++reducers_[reducer].free;
  fetch_next(reducer);
  if (finished()) done_(context_);
}

}  // namespace lab
