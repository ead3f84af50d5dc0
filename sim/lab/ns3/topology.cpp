// SPDX-License-Identifier: GPL-2.0-only
#include "topology.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "engine_library.h"
#include "host_queue_disc.h"
#include "lab_connections.h"
#include "lab_device.h"
#include "mixed.h"
#include "ns3/double.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/internet-stack-helper.h"
#include "other_queues.h"
#include "rack_routing.h"
#include "truemark_queue_disc.h"

namespace lab {
namespace {

constexpr uint32_t kSwitchNet = 192u << 24 | 168u << 16;  // addresses that no packet is sent to

class Builder {
 public:
  explicit Builder(const Json& input)
      : input_(input),
        pauses_(input.has("pool") && input["pool"].has("pfc")),
        queues_(static_cast<uint32_t>(input["quanta"].items().size())),
        topology_(input["scenario"]["topology"]),
        transport_(input["scenario"]["transport"]),
        network_(std::make_unique<Network>()),
        fault_(input["fault"].text()),
        ecmp_(topology_["ecmp"].text() == "flow" ? Ecmp::kFlow : Ecmp::kPacketRoundRobin),
        seed_(input["scenario"]["seed"].natural()),
        half_(topology_.has("pods") ? static_cast<uint32_t>(topology_["pods"].natural()) / 2 : 0) {
    rules_.shortest = static_cast<uint32_t>(transport_["shortest_frame"].natural());
    rules_.overhead = static_cast<uint32_t>(topology_["wire_overhead"].natural());
    device_rules_ = {rules_, topology_["device_frames"].natural() > 0, &network_->device_drops};
    network_->decisions = std::make_unique<DecisionLog>(input["decisions"].text());
  }

  std::unique_ptr<Network> build() {
    const auto racks = static_cast<uint32_t>(topology_["racks"].natural());
    const auto spines = static_cast<uint32_t>(topology_["spines"].natural());
    for (uint32_t spine = 0; spine < spines; ++spine) spines_.push_back(make_switch("spine", spine));
    for (uint32_t rack = 0; rack < racks; ++rack) {
      if (half_ && rack % half_ == 0) begin_pod(rack);
      add_rack(rack);
      if (half_ && rack % half_ == half_ - 1) end_pod(rack + 1 - half_);
    }
    for (const Switch& spine : spines_) routing(spine.node).be_spine(spine.down, std::max(half_, 1u));
    check_special_ports();
    watch(network_.get());
    return std::move(network_);
  }

 private:
  using Device = ns3::Ptr<LabNetDevice>;
  struct Switch {
    ns3::Ptr<ns3::Node> node;
    std::string name;
    RackRouting::Ports down, up;
  };

  static std::string name(const char* kind, uint32_t number) { return kind + std::to_string(number); }

  Switch make_switch(const char* kind, uint32_t number) { return {make_node(nullptr), name(kind, number), {}, {}}; }

  // A pod of a fat tree has as many aggregation switches as leaves, each linked to spines of its own.
  void begin_pod(uint32_t first) {
    pod_.clear();
    for (uint32_t index = 0; index < half_; ++index) {
      pod_.push_back(make_switch("aggregation", first + index));
      for (uint32_t spine = index * half_; spine < (index + 1) * half_; ++spine)
        join_up(pod_.back(), spines_.at(spine));
    }
  }

  void end_pod(uint32_t first) {
    for (uint32_t index = 0; index < half_; ++index) {
      const Switch& aggregation = pod_[index];
      routing(aggregation.node).be_aggregation(first + index, first, aggregation.down, aggregation.up, ecmp_, seed_);
    }
  }

  void add_rack(uint32_t rack) {
    Switch leaf = make_switch("leaf", rack);
    const auto hosts = static_cast<uint32_t>(topology_["hosts_per_rack"].natural());
    for (uint32_t host = 0; host < hosts; ++host) add_host(rack, host, leaf);
    for (Switch& above : half_ ? pod_ : spines_) join_up(leaf, above);
    if (topology_["kind"].text() == "dumbbell" && rack > 0) {
      const auto [at_first, at_leaf] = join(first_leaf_, leaf);
      leaf.up.push_back(at_leaf);
      routing(first_leaf_.node).be_leaf(0, first_leaf_.down, {at_first}, ecmp_, seed_);
    }
    routing(leaf.node).be_leaf(rack, leaf.down, leaf.up, ecmp_, seed_);
    if (rack == 0) first_leaf_ = leaf;
  }

  void add_host(uint32_t rack, uint32_t host, Switch& leaf) {
    const uint64_t rate = topology_["host_rate"].natural();
    auto node = make_node(make_egress());
    network_->hosts.push_back(node);
    auto [at_host, at_leaf] = connect(node, leaf.node, rate, delay("link_delay_ns", 1));
    const uint32_t address = host_address(rack, host);
    give_address(at_host, address);
    give_address(at_leaf, next_switch_address_++);
    const std::string port = name("host", static_cast<uint32_t>(network_->hosts.size()) - 1) + "." + leaf.name;
    if (input_["scenario"]["queue"]["at_hosts"].flag())
      put_queue(at_host, port, "edge", rate);
    else
      put_fifo(at_host);
    put_queue(at_leaf, leaf.name + "." + name("host", host), "edge", rate);
    let_pause(at_leaf, at_host, port, "edge");
    routing(node).be_host(address, at_host);
    leaf.down.push_back(at_leaf);
  }

  void join_up(Switch& lower, Switch& upper) {
    const auto [at_lower, at_upper] = join(lower, upper);
    lower.up.push_back(at_lower);
    upper.down.push_back(at_upper);
  }

  std::pair<Device, Device> join(const Switch& left, const Switch& right) {
    const uint64_t rate = topology_["uplink_rate"].natural();
    const auto ends = connect(left.node, right.node, rate, delay("uplink_delay_ns", 2));
    const std::string to_right = left.name + "." + right.name, to_left = right.name + "." + left.name;
    give_address(ends.first, next_switch_address_++);
    give_address(ends.second, next_switch_address_++);
    put_queue(ends.first, to_right, "fabric", rate);
    put_queue(ends.second, to_left, "fabric", rate);
    let_pause(ends.second, ends.first, to_right, "fabric");
    let_pause(ends.first, ends.second, to_left, "fabric");
    return ends;
  }

  // Of a link between `switches` switches and hosts: half of a switch's latency lies on each link that it has, so that
  // a packet that passes a switch waits for the whole of it.
  uint64_t delay(const char* link, uint64_t switches) const {
    return topology_[link].natural() + switches * topology_["switch_latency_ns"].natural() / 2;
  }

  std::shared_ptr<HostEgress> make_egress() {
    const auto rule = transport_["retransmit_ect"].text() == "ns2" ? HostEgress::RetransmitEct::kNs2
                                                                   : HostEgress::RetransmitEct::kRfc3168;
    return std::make_shared<HostEgress>(rule, fault_ != "ect-control", &network_->sent);
  }

  ns3::Ptr<ns3::Node> make_node(std::shared_ptr<HostEgress> egress) {
    auto node = ns3::CreateObject<ns3::Node>();
    auto layer = ns3::CreateObject<LabTrafficControlLayer>();
    const bool host = egress != nullptr;
    layer->setup(rules_, std::move(egress));
    if (host && transport_["kind"].text() == "vcc")
      layer->translate(std::make_shared<WindowTranslator>(static_cast<uint32_t>(transport_["segment"].natural()),
                                                          &network_->translated));
    if (fault_ == "lost-packet" && host && network_->hosts.empty()) layer->lose_one_packet();
    node->AggregateObject(layer);
    // The helper leaves what is there.
    if (fault_ != "connections-of-ns3") node->AggregateObject(ns3::CreateObject<LabConnections>());
    ns3::InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(RackRoutingHelper());
    stack.Install(node);
    return node;
  }

  static RackRouting& routing(ns3::Ptr<ns3::Node> node) {
    return dynamic_cast<RackRouting&>(*node->GetObject<ns3::Ipv4>()->GetRoutingProtocol());
  }

  ns3::Ptr<LabNetDevice> make_device(ns3::Ptr<ns3::Node> node, uint64_t rate) {
    auto device = ns3::CreateObject<LabNetDevice>();
    device->setup(device_rules_, node->GetObject<LabTrafficControlLayer>()->of_host(), rate,
                  pauses_ && queues_ == 1 ? PausedTxQueue::GetTypeId() : ns3::NetDeviceQueue::GetTypeId());
    node->AddDevice(device);
    return device;
  }

  std::pair<Device, Device> connect(ns3::Ptr<ns3::Node> left, ns3::Ptr<ns3::Node> right, uint64_t rate,
                                    uint64_t delay_ns) {
    const std::pair ends{make_device(left, rate), make_device(right, rate)};
    const ns3::Time delay = ns3::NanoSeconds(static_cast<int64_t>(delay_ns));
    ends.first->link(ends.second, delay);
    ends.second->link(ends.first, delay);
    return ends;
  }

  static void give_address(ns3::Ptr<ns3::NetDevice> device, uint32_t address) {
    auto ipv4 = device->GetNode()->GetObject<ns3::Ipv4>();
    const uint32_t interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, ns3::Ipv4InterfaceAddress(ns3::Ipv4Address(address), ns3::Ipv4Mask("/32")));
    ipv4->SetUp(interface);
  }

  static void put(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<ns3::QueueDisc> disc) {
    device->GetNode()->GetObject<ns3::TrafficControlLayer>()->SetRootQueueDiscOnDevice(device, disc);
  }

  // Large enough for every window that a host's sockets can have open.
  void put_fifo(ns3::Ptr<ns3::NetDevice> device) {
    if (fault_ == "default-queue-disc" && network_->hosts.size() == 1) {
      put(device, ns3::CreateObject<ns3::FqCoDelQueueDisc>());  // what ns-3 would do by itself
      return;
    }
    if (queues_ > 1) {
      auto queues = ns3::CreateObject<HostQueueDisc>();
      queues->setup(input_["quanta"]);
      put(device, queues);
      return;
    }
    put(device, ns3::CreateObjectWithAttributes<ns3::FifoQueueDisc>("MaxSize",
                                                                    ns3::QueueSizeValue(ns3::QueueSize("1000000p"))));
  }

  void put_queue(ns3::Ptr<ns3::NetDevice> device, const std::string& port, const char* place, uint64_t rate) {
    const auto index = static_cast<uint32_t>(network_->ports.size());
    const Json& plan = input_["ports"][place];
    const std::string implementation = input_["scenario"]["queue"]["implementation"].text();
    std::unique_ptr<EngineDevice> engine;
    if (implementation == "truemark") engine = open_engine(port, plan, seed_of(index));
    network_->ports.push_back(std::make_unique<PortMeasures>(port, engine ? engine->engine() : implementation, rate,
                                                             plan["occupancy_top"].natural(), index, queues_,
                                                             network_->decisions.get()));
    PortMeasures* measures = network_->ports.back().get();
    if (engine) {
      auto disc = ns3::CreateObject<TruemarkQueueDisc>();
      disc->setup(std::move(engine), pool_queues(port), measures, plan["drops_at_head"].flag(), fault_ != "mark");
      network_->discs.push_back(disc);
    } else {
      network_->discs.push_back(make_red(plan["ns3_red"], rate, measures));
    }
    put(device, network_->discs.back());
  }

  SwitchPool& pool_of(const std::string& name) {
    auto& pool = pools_[name];
    if (!pool) {
      network_->pools.push_back(std::make_unique<SwitchPool>(name, input_["pool"], fault_ == "pool"));
      pool = network_->pools.back().get();
    }
    return *pool;
  }

  // In the pool of its switch, whose name comes before the dot.
  std::vector<PoolQueue*> pool_queues(const std::string& port) {
    std::vector<PoolQueue*> found;
    for (uint32_t queue = 0; input_.has("pool") && queue < queues_; ++queue)
      found.push_back(pool_of(port.substr(0, port.find('.'))).add(port, queue));
    return found;
  }

  // All that a device sends, or queues of it.
  Pausable* pausable(ns3::Ptr<LabNetDevice> device) const {
    if (queues_ == 1) return dynamic_cast<PausedTxQueue*>(&device->queue());
    auto layer = device->GetNode()->GetObject<ns3::TrafficControlLayer>();
    return dynamic_cast<Pausable*>(ns3::PeekPointer(layer->GetRootQueueDiscOnDevice(device)));
  }

  // Lets a switch, by its device on a link, pause the device at the far end. `port` is that one's name.
  void let_pause(ns3::Ptr<LabNetDevice> at_switch, ns3::Ptr<LabNetDevice> far_end, const std::string& port,
                 const char* place) {
    if (!pauses_) return;
    const std::string of = port.substr(port.find('.') + 1);
    Pausable* heard = fault_ == "deaf" ? nullptr : pausable(far_end);
    const uint64_t reach = input_["pool"]["pfc"]["reach_ns"][place].natural();
    far_end->be_source(pool_of(of).add({port, heard, at_switch->wire(), reach}));
  }

  // Of a port's random words, which have nothing in common with another port's, nor with those of another seed.
  uint32_t seed_of(uint32_t port) const {
    return static_cast<uint32_t>(mixed(input_["scenario"]["seed"].natural() << 32 | (port + 1)));
  }

  std::unique_ptr<EngineDevice> open_engine(const std::string& port, const Json& plan, uint32_t seed) {
    served_.push_back(port);
    Json chosen = input_["engine"];
    for (const Json& special : input_["special_ports"].items())
      if (special["port"].text() == port) chosen = special["engine"];
    const std::string path = chosen["library"].text();
    auto& library = libraries_[path];
    if (!library) library = std::make_shared<EngineLibrary>(path);
    return std::make_unique<EngineDevice>(library, chosen["build"], plan, seed);
  }

  // A name that no engine was opened for would leave the port that was meant to another engine.
  void check_special_ports() const {
    for (const Json& special : input_["special_ports"].items()) {
      const std::string wanted = special["port"].text();
      if (std::find(served_.begin(), served_.end(), wanted) != served_.end()) continue;
      const std::string known =
          served_.empty() ? "there is none" : "they are " + served_.front() + " to " + served_.back();
      throw std::runtime_error("queue.rtl_ports: '" + wanted + "' is no port that an engine serves; " + known);
    }
  }

  const Json input_;
  const bool pauses_;      // switches pause their links
  const uint32_t queues_;  // of a port
  const Json topology_;
  const Json transport_;
  std::unique_ptr<Network> network_;
  const std::string fault_;  // what a test breaks, to see the checks of a run fail
  FrameRules rules_;
  DeviceRules device_rules_;
  const Ecmp ecmp_;
  const uint64_t seed_;
  const uint32_t half_;  // of the ports of a fat tree's switch: they go up, the others down; 0: another topology
  std::vector<Switch> spines_, pod_;  // pod_: the aggregation switches of the pod that is being built
  Switch first_leaf_;
  uint32_t next_switch_address_ = kSwitchNet + 1;
  std::map<std::string, std::shared_ptr<const EngineLibrary>> libraries_;
  std::map<std::string, SwitchPool*> pools_;
  std::vector<std::string> served_;  // ports that have an engine, in the order of their making
};

}  // namespace

std::unique_ptr<Network> build_network(const Json& input) { return Builder(input).build(); }

}  // namespace lab
