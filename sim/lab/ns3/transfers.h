// SPDX-License-Identifier: GPL-2.0-only
// Transfers over TCP: connections between hosts that carry a request and its answer, plain bytes, or bytes without end.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lab_tcp.h"
#include "ns3/node.h"
#include "ns3/socket.h"

namespace lab {

inline constexpr uint64_t kEndless = std::numeric_limits<uint64_t>::max();

// One transfer on a connection of its own.
struct Flow {
  uint32_t group = 0;                 // whose transport it uses
  uint32_t sender = 0, receiver = 0;  // hosts
  uint64_t bytes = 0;                 // to send, or kEndless
  uint64_t request = 0;               // bytes that the receiver sends first; only if it opens the connection
  uint64_t withheld = 0;              // of the bytes: not sent before they are released
  std::optional<uint32_t> priority;   // by default its group's
  int64_t request_ns = -1;            // the request waits for this time, and the transfer begins with it
  bool receiver_opens = false;
  uint64_t received = 0;
  int64_t start_ns = -1, connected_ns = -1, end_ns = -1;  // end: the last byte is there

  uint64_t to_send = 0;    // still to be handed to the socket
  uint64_t in_window = 0;  // received while the network's window was open
  uint64_t requested = 0;  // bytes of the request that the sender has
};

// Flows of one transport, under a name for the results.
struct Group {
  std::string name;
  TcpKind tcp;
  uint32_t priority = 0;
};

class Transfers {
 public:
  // `received` is called when bytes of a flow are there, with the flow's number, and `completed` with the last of them.
  Transfers(std::vector<ns3::Ptr<ns3::Node>> hosts, std::vector<Group> groups, std::function<bool()> counting,
            std::function<void(size_t)> received, std::function<void(size_t)> completed);

  // Registers a flow, and listens at its server; it begins when told so.
  size_t add(Flow flow);
  void begin(size_t flow);
  // Lets a flow send so many of the bytes that it withholds.
  void release(size_t flow, uint64_t bytes);
  // Ends flows that have more to send: what the sockets hold is still delivered, and then they are complete.
  void end_early();

  // What is received from now on counts for the window, if it is open.
  void open_window() {
    for (Flow& flow : flows_) flow.in_window = 0;
  }

  const std::vector<Flow>& flows() const { return flows_; }
  const std::vector<Group>& groups() const { return groups_; }
  size_t hosts() const { return hosts_.size(); }
  ns3::Ptr<ns3::Node> host(uint32_t number) const { return hosts_[number]; }
  size_t completed() const { return completed_; }
  uint64_t connect_failures() const { return connect_failures_; }
  uint32_t window_of(size_t flow) const;  // the sender's congestion window in bytes; 0 while it is not connected

 private:
  uint32_t client_of(const Flow& flow) const { return flow.receiver_opens ? flow.receiver : flow.sender; }
  uint32_t server_of(const Flow& flow) const { return flow.receiver_opens ? flow.sender : flow.receiver; }
  void listen(uint32_t server, uint32_t group, uint32_t priority);
  void accepted(ns3::Ptr<ns3::Socket> socket, const ns3::Address& from);
  void attach(ns3::Ptr<ns3::Socket> socket, size_t flow, bool sends);
  void ask(ns3::Ptr<ns3::Socket> socket, size_t flow);
  void send_more(ns3::Ptr<ns3::Socket> socket, size_t flow);
  void take_request(ns3::Ptr<ns3::Socket> socket, size_t flow);
  void receive(ns3::Ptr<ns3::Socket> socket, size_t flow);
  void look_complete(size_t flow);

  std::vector<ns3::Ptr<ns3::Node>> hosts_;
  std::vector<Group> groups_;
  std::function<bool()> counting_;
  std::function<void(size_t)> received_, done_;
  std::vector<Flow> flows_;
  std::vector<uint16_t> client_port_;                              // by flow
  std::vector<ns3::Ptr<ns3::Socket>> sending_;                     // by flow
  std::unordered_map<uint64_t, size_t> flow_at_;                   // by client host and client port
  std::unordered_map<uint64_t, uint32_t> connections_;             // so far, by client and server
  std::unordered_map<uint32_t, uint32_t> host_of_;                 // by address
  std::unordered_map<uint64_t, ns3::Ptr<ns3::Socket>> listening_;  // by server and port
  size_t completed_ = 0;
  uint64_t connect_failures_ = 0;
};

// The address of a host's only link.
ns3::Ipv4Address address_of(ns3::Ptr<ns3::Node> host);

}  // namespace lab
