// SPDX-License-Identifier: GPL-2.0-only
// Racks of hosts below leaf switches, every leaf linked to every spine, and the queue under test at every switch port.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "json.h"
#include "lab_stack.h"
#include "measures.h"
#include "ns3/node.h"
#include "ns3/queue-disc.h"

namespace lab {

class EngineLibrary;

// What the whole network counts.
struct Network {
  std::vector<ns3::Ptr<ns3::Node>> hosts;  // rack by rack
  std::vector<std::unique_ptr<PortMeasures>> ports;
  std::vector<ns3::Ptr<ns3::QueueDisc>> discs;  // of these ports
  EgressCounts sent;
  std::array<Count, kClasses> delivered{};
  Histogram latency;       // host interface to host, every packet
  Histogram latency_data;  // of those, the ones with payload
  uint64_t ip_drops = 0;   // by ns-3's IP layer: must stay 0
  uint64_t device_drops = 0;
  std::unique_ptr<DecisionLog> decisions;

  uint64_t sent_packets() const;
  uint64_t delivered_packets() const;
  uint64_t dropped_packets() const;  // as ns-3's queue discs count, whatever `ports` counts
  uint64_t in_flight() const { return sent_packets() - delivered_packets() - dropped_packets(); }
};

// Builds the network that `input` (the runner's JSON) describes.
std::unique_ptr<Network> build_network(const Json& input);

// The root queue disc of every device by type, with their number. Throws if one is neither of the lab's nor chosen by
// the scenario: ns-3 installs FqCoDel by itself where addresses are assigned before a queue disc is.
std::map<std::string, uint64_t> check_queue_discs(const Network& network, const Json& input);

}  // namespace lab
