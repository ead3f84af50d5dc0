// SPDX-License-Identifier: GPL-2.0-only
// Messages in a ring: a rank on each host, in random order, sends a message to its left and its right neighbour, and
// the next two when both messages of its neighbours are there. Connections stand before, and stay.
#include <algorithm>
#include <numeric>
#include <utility>

#include "ns3/simulator.h"
#include "workload.h"

namespace lab {
namespace {

class Ring : public Workload {
 public:
  explicit Ring(const Setup& setup)
      : Workload(setup),
        rounds_(own_["rounds"].natural()),
        message_(own_["message_bytes"].natural()),
        ranks_(transfers_.hosts()) {
    std::vector<uint32_t> order(ranks_.size());
    std::iota(order.begin(), order.end(), 0u);
    for (size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[below(left)]);
    // Rank r has flow 2 r to its right neighbour, and 2 r + 1 to its left one.
    for (size_t rank = 0; rank < order.size(); ++rank) {
      for (const size_t other : {next(rank), before(rank)}) {
        Flow flow;
        flow.sender = order[rank];
        flow.receiver = order[other];
        flow.bytes = flow.withheld = rounds_ * message_;
        transfers_.add(flow);
      }
    }
  }

  void start() override {
    for (size_t flow = 0; flow < transfers_.flows().size(); ++flow) begin_at(0, flow);
    ns3::Simulator::Schedule(ns3::NanoSeconds(static_cast<int64_t>(own_["open_ahead_ns"].natural())), [this] {
      open_window();
      begin_ns_ = now_ns();
      for (size_t rank = 0; rank < ranks_.size(); ++rank) send(rank);
    });
  }

  void write(JsonWriter& out) const override {
    out.pair("exchange_s", 1e-9 * static_cast<double>(end_ns_ - begin_ns_) / static_cast<double>(rounds_));
    took_.write(out, "round_ns");
  }

 private:
  struct Rank {
    uint64_t rounds = 0;    // that have ended
    int64_t begin_ns = -1;  // of this one
  };

  static int64_t now_ns() { return ns3::Simulator::Now().GetNanoSeconds(); }
  size_t next(size_t rank) const { return (rank + 1) % ranks_.size(); }
  size_t before(size_t rank) const { return (rank + ranks_.size() - 1) % ranks_.size(); }

  void send(size_t rank) {
    ranks_[rank].begin_ns = now_ns();
    for (const size_t flow : {2 * rank, 2 * rank + 1}) transfers_.release(flow, message_);
  }

  void received(size_t flow) override { look(flow % 2 == 0 ? next(flow / 2) : before(flow / 2)); }

  // Ends a rank's round once both of its neighbours' messages are there. Those of the next may have come with them.
  void look(size_t number) {
    Rank& rank = ranks_[number];
    const auto& flows = transfers_.flows();
    const uint64_t there = std::min(flows[2 * before(number)].received, flows[2 * next(number) + 1].received);
    while (rank.rounds < rounds_ && there >= (rank.rounds + 1) * message_) {
      took_.add(static_cast<uint64_t>(now_ns() - rank.begin_ns));
      end_ns_ = now_ns();
      if (++rank.rounds < rounds_) send(number);
    }
  }

  uint64_t rounds_, message_;
  std::vector<Rank> ranks_;
  int64_t begin_ns_ = 0, end_ns_ = 0;  // of all rounds
  Histogram took_;                     // a round of a rank
};

}  // namespace

std::unique_ptr<Workload> make_ring(const Setup& setup) { return std::make_unique<Ring>(setup); }

}  // namespace lab
