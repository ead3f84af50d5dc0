// SPDX-License-Identifier: GPL-2.0-only
#include "transfers.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/simulator.h"

namespace lab {
namespace {

constexpr uint16_t kServerPort = 13562;  // plus the group's number and eight for a priority; Hadoop's shuffle.port
constexpr uint32_t kClientPort = 20000;  // plus the server's number, plus the hosts for each further connection
constexpr uint32_t kPortsEnd = 65536;
constexpr uint32_t kChunk = 65536;

int64_t now_ns() { return ns3::Simulator::Now().GetNanoSeconds(); }

uint64_t pair_of(uint32_t left, uint32_t right) { return uint64_t{left} << 32 | right; }

uint16_t server_port(uint32_t group, uint32_t priority) {
  return static_cast<uint16_t>(kServerPort + group + 8 * priority);
}

void hand_over(ns3::Ptr<ns3::Socket> socket, uint32_t bytes) {
  if (socket->Send(ns3::Create<ns3::Packet>(bytes)) != static_cast<int>(bytes))
    throw std::logic_error("a socket takes less than it said");
}

}  // namespace

ns3::Ipv4Address address_of(ns3::Ptr<ns3::Node> host) {
  return host->GetObject<ns3::Ipv4>()->GetAddress(1, 0).GetLocal();
}

Transfers::Transfers(std::vector<ns3::Ptr<ns3::Node>> hosts, std::vector<Group> groups, std::function<bool()> counting,
                     std::function<void(size_t)> received, std::function<void(size_t)> completed)
    : hosts_(std::move(hosts)),
      groups_(std::move(groups)),
      counting_(std::move(counting)),
      received_(std::move(received)),
      done_(std::move(completed)) {
  for (uint32_t host = 0; host < hosts_.size(); ++host) host_of_[address_of(hosts_[host]).Get()] = host;
}

size_t Transfers::add(Flow flow) {
  if (flow.sender == flow.receiver) throw std::logic_error("a flow from a host to itself");
  const uint32_t client = client_of(flow), server = server_of(flow);
  const uint32_t before = connections_[pair_of(client, server)]++;
  const uint64_t port = kClientPort + server + uint64_t{before} * hosts_.size();
  if (port >= kPortsEnd)
    throw std::runtime_error("workload: more connections from host " + std::to_string(client) + " to host " +
                             std::to_string(server) + " than a host has ports for; ask for fewer flows");
  if (!flow.priority) flow.priority = groups_.at(flow.group).priority;
  listen(server, flow.group, *flow.priority);
  flow.to_send = flow.bytes;
  flow_at_[pair_of(client, static_cast<uint32_t>(port))] = flows_.size();
  client_port_.push_back(static_cast<uint16_t>(port));
  sending_.push_back(nullptr);
  flows_.push_back(flow);
  return flows_.size() - 1;
}

// What answers at a port has its priority from there, from the SYN-ACK on.
void Transfers::listen(uint32_t server, uint32_t group, uint32_t priority) {
  const uint16_t port = server_port(group, priority);
  auto& socket = listening_[pair_of(server, port)];
  if (socket) return;
  socket = LabTcpSocket::make(hosts_[server], groups_.at(group).tcp);
  if (socket->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), port)) != 0 || socket->Listen() != 0)
    throw std::runtime_error("host " + std::to_string(server) + " cannot listen");
  socket->SetPriority(static_cast<uint8_t>(priority));
  socket->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
                            ns3::MakeCallback(&Transfers::accepted, this));
}

void Transfers::begin(size_t number) {
  Flow& flow = flows_.at(number);
  flow.start_ns = now_ns();
  const auto client = hosts_[client_of(flow)];
  auto socket = LabTcpSocket::make(client, groups_[flow.group].tcp);
  socket->Bind(ns3::InetSocketAddress(address_of(client), client_port_[number]));
  socket->SetPriority(static_cast<uint8_t>(*flow.priority));
  socket->SetConnectCallback(
      ns3::Callback<void, ns3::Ptr<ns3::Socket>>([this, number](ns3::Ptr<ns3::Socket> connected) {
        flows_[number].connected_ns = now_ns();
        attach(connected, number, !flows_[number].receiver_opens);
      }),
      ns3::Callback<void, ns3::Ptr<ns3::Socket>>([this](ns3::Ptr<ns3::Socket>) { ++connect_failures_; }));
  socket->Connect(ns3::InetSocketAddress(address_of(hosts_[server_of(flow)]), server_port(flow.group, *flow.priority)));
}

void Transfers::accepted(ns3::Ptr<ns3::Socket> socket, const ns3::Address& from) {
  const auto peer = ns3::InetSocketAddress::ConvertFrom(from);
  const auto client = host_of_.find(peer.GetIpv4().Get());
  if (client == host_of_.end()) throw std::logic_error("a connection from no host");
  const auto flow = flow_at_.find(pair_of(client->second, peer.GetPort()));
  if (flow == flow_at_.end()) throw std::logic_error("a connection that belongs to no flow");
  attach(socket, flow->second, flows_[flow->second].receiver_opens);
}

void Transfers::attach(ns3::Ptr<ns3::Socket> socket, size_t number, bool sends) {
  const Flow& flow = flows_[number];
  if (!sends) {
    // The receiver's half stays open, as under ns-3's PacketSink: in LAST_ACK ns-3 takes no ACK with ECE for the end,
    // and repeats its FIN for as long as the run lasts.
    socket->SetRecvCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>>(
        [this, number](ns3::Ptr<ns3::Socket> ready) { receive(ready, number); }));
    // The transfer begins with the request, also where the connection stood only later.
    if (flow.request_ns >= 0) flows_[number].start_ns = flow.request_ns;
    if (flow.request_ns <= now_ns())
      ask(socket, number);
    else
      ns3::Simulator::Schedule(ns3::NanoSeconds(flow.request_ns - now_ns()),
                               [this, socket, number] { ask(socket, number); });
    return;
  }
  sending_[number] = socket;
  socket->SetSendCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>, uint32_t>(
      [this, number](ns3::Ptr<ns3::Socket> ready, uint32_t) { send_more(ready, number); }));
  if (flow.request == 0) {
    send_more(socket, number);
    return;
  }
  socket->SetRecvCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>>(
      [this, number](ns3::Ptr<ns3::Socket> ready) { take_request(ready, number); }));
}

void Transfers::ask(ns3::Ptr<ns3::Socket> socket, size_t number) {
  if (flows_[number].request > 0) hand_over(socket, static_cast<uint32_t>(flows_[number].request));
}

uint32_t Transfers::window_of(size_t flow) const {
  return sending_[flow] ? ns3::DynamicCast<LabTcpSocket>(sending_[flow])->window() : 0;
}

void Transfers::take_request(ns3::Ptr<ns3::Socket> socket, size_t number) {
  Flow& flow = flows_[number];
  while (auto packet = socket->Recv()) {
    if (packet->GetSize() == 0) break;
    flow.requested += packet->GetSize();
  }
  send_more(socket, number);
}

void Transfers::send_more(ns3::Ptr<ns3::Socket> socket, size_t number) {
  Flow& flow = flows_[number];
  if (flow.requested < flow.request) return;
  while (flow.to_send > 0) {
    const auto chunk =
        static_cast<uint32_t>(std::min<uint64_t>({flow.to_send - flow.withheld, socket->GetTxAvailable(), kChunk}));
    if (chunk == 0) return;
    flow.to_send -= chunk;  // before Send, which may call this again
    hand_over(socket, chunk);
    if (flow.to_send == 0) socket->Close();
  }
}

void Transfers::release(size_t number, uint64_t bytes) {
  Flow& flow = flows_.at(number);
  if (bytes > flow.withheld) throw std::logic_error("a flow releases more than it withholds");
  flow.withheld -= bytes;
  if (sending_[number]) send_more(sending_[number], number);
}

void Transfers::end_early() {
  for (size_t number = 0; number < flows_.size(); ++number) {
    Flow& flow = flows_[number];
    if (flow.to_send == 0) continue;
    flow.bytes -= flow.to_send;  // what the socket has taken is left
    flow.to_send = flow.withheld = 0;
    if (sending_[number]) sending_[number]->Close();
    look_complete(number);
  }
}

void Transfers::receive(ns3::Ptr<ns3::Socket> socket, size_t number) {
  Flow& flow = flows_[number];
  while (auto packet = socket->Recv()) {
    if (packet->GetSize() == 0) break;
    flow.received += packet->GetSize();
    if (counting_()) flow.in_window += packet->GetSize();
  }
  if (flow.received > flow.bytes) throw std::logic_error("a flow delivers more than was sent");
  received_(number);
  look_complete(number);
}

void Transfers::look_complete(size_t number) {
  Flow& flow = flows_[number];
  if (flow.received < flow.bytes || flow.end_ns >= 0) return;
  flow.end_ns = now_ns();
  ++completed_;
  done_(number);
}

}  // namespace lab
