// SPDX-License-Identifier: GPL-2.0-only
// The shuffle of a MapReduce job: every reducer fetches a part of every mapper's output, a few at a time.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "json.h"
#include "lab_tcp.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/socket.h"

namespace lab {

struct Flow {
  uint32_t mapper = 0, reducer = 0;  // hosts
  uint64_t bytes = 0;
  uint64_t received = 0;
  int64_t start_ns = -1, connected_ns = -1, end_ns = -1;
  uint64_t to_send = 0;
};

class Shuffle {
 public:
  Shuffle(const Json& input, std::vector<ns3::Ptr<ns3::Node>> hosts, const TcpKind& tcp, void (*done)(void*),
          void* context);
  void start();

  const std::vector<Flow>& flows() const { return flows_; }
  bool finished() const { return completed_ == flows_.size(); }
  size_t completed() const { return completed_; }
  int64_t job_start_ns() const { return first_start_; }
  int64_t job_end_ns() const { return last_end_; }
  int64_t end_90_ns() const { return end_90_; }
  size_t reducers() const { return reducers_.size(); }
  uint64_t connect_failures() const { return connect_failures_; }

 private:
  // One reducer's fetches: flows whose map output is there, and how many fetches may still begin.
  struct Reducer {
    std::vector<size_t> ready;
    uint32_t free = 0;
  };
  void place(const Json& workload, uint64_t seed);
  void listen();
  void map_done(size_t mapper);
  void fetch_next(size_t reducer);
  void connect(size_t flow);
  void attach(ns3::Ptr<ns3::Socket> socket, size_t flow, bool sends);
  void accepted(ns3::Ptr<ns3::Socket> socket, const ns3::Address& from);
  void send_more(ns3::Ptr<ns3::Socket> socket, size_t flow);
  void receive(ns3::Ptr<ns3::Socket> socket, size_t flow);
  uint32_t client_of(const Flow& flow) const { return mapper_opens_ ? flow.mapper : flow.reducer; }
  uint32_t server_of(const Flow& flow) const { return mapper_opens_ ? flow.reducer : flow.mapper; }

  std::vector<ns3::Ptr<ns3::Node>> hosts_;
  TcpKind tcp_;
  void (*done_)(void*);
  void* context_;
  bool mapper_opens_;
  std::mt19937_64 random_;
  std::vector<uint32_t> mappers_;        // hosts
  std::vector<uint32_t> reducer_hosts_;  // hosts
  std::vector<int64_t> map_ends_;        // by mapper
  std::vector<Flow> flows_;
  std::vector<size_t> mapper_of_flow_, reducer_of_flow_;  // indices into the lists above
  std::vector<Reducer> reducers_;
  std::vector<std::vector<int64_t>> flow_at_;  // by client host and server host: the flow, or -1
  size_t completed_ = 0;
  uint64_t connect_failures_ = 0;
  int64_t first_start_ = -1, last_end_ = -1, end_90_ = -1;
};

}  // namespace lab
