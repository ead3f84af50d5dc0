// SPDX-License-Identifier: GPL-2.0-only
// The network of a run with all that it counts: hosts and switches, and the queue under test at every switch port, or
// at hosts too.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "json.h"
#include "lab_stack.h"
#include "measures.h"
#include "ns3/node.h"
#include "ns3/queue-disc.h"
#include "switch_pool.h"

namespace lab {

// What the whole network counts.
struct Network {
  std::vector<ns3::Ptr<ns3::Node>> hosts;  // rack by rack
  std::vector<std::unique_ptr<PortMeasures>> ports;
  std::vector<ns3::Ptr<ns3::QueueDisc>> discs;     // of these ports
  std::vector<std::unique_ptr<SwitchPool>> pools;  // one a switch, or none
  EgressCounts sent;
  TranslatorCounts translated;  // by virtualized congestion control, if the hosts have it
  std::array<Count, kClasses> delivered{};
  Histogram latency;          // host interface to host, every TCP packet
  Histogram latency_network;  // the same without the wait in the sender's own queue
  Histogram latency_data;     // of those, the ones with payload
  Histogram latency_probe;    // of UDP probes
  uint64_t ip_drops = 0;      // by ns-3's IP layer: must stay 0
  uint64_t device_drops = 0;
  std::unique_ptr<DecisionLog> decisions;

  uint64_t sent_packets() const;
  uint64_t delivered_packets() const;
  uint64_t dropped_packets() const;  // as ns-3's queue discs count, whatever `ports` counts
  // Times, waits and occupancies count while the window is open; it is from the start to the end of the run unless a
  // workload opens it later or closes it before. Verdicts and drops count always.
  void open_window();
  void close_window();
  bool counting() const { return counting_; }
  uint64_t window_ns() const { return window_ns_; }

  uint64_t in_flight() const { return sent_packets() - delivered_packets() - dropped_packets(); }

 private:
  bool counting_ = true;
  uint64_t window_begin_ns_ = 0, window_ns_ = 0;
};

// Connects the counting of what hosts receive and of what ns-3's IP layers drop.
void watch(Network* network);

// The root queue disc of every device by type, with their number. Throws if one is neither of the lab's nor chosen by
// the scenario: ns-3 installs FqCoDel by itself where addresses are assigned before a queue disc is.
std::map<std::string, uint64_t> check_queue_discs(const Network& network, const Json& input);

}  // namespace lab
