// SPDX-License-Identifier: GPL-2.0-only
// Incast: one host asks many for their parts of a block, all at once, and asks again when it has the whole block.
#include "ns3/simulator.h"
#include "workload.h"

namespace lab {
namespace {

class Incast : public Workload {
 public:
  explicit Incast(const Setup& setup)
      : Workload(setup),
        senders_(static_cast<uint32_t>(own_["senders"].natural())),
        jitter_ns_(own_["start_jitter_ns"].natural()) {
    const uint64_t block = own_["block_bytes"].natural(), rounds = own_["rounds"].natural();
    const auto each = static_cast<uint32_t>(own_["processes_per_host"].natural());
    for (uint64_t round = 0; round < rounds; ++round) {
      for (uint32_t sender = 0; sender < senders_; ++sender) {
        transfers_.add({.sender = 1 + sender / each,
                        .bytes = block / senders_ + (sender < block % senders_),
                        .request = own_["request_bytes"].natural(),
                        .receiver_opens = true});
      }
    }
  }

  void start() override { ask(); }

  void write(JsonWriter& out) const override { write_rounds(out, round_ns_); }

 private:
  void ask() {
    round_begin_ns_ = ns3::Simulator::Now().GetNanoSeconds();
    for (uint32_t sender = 0; sender < senders_; ++sender)
      begin_at(static_cast<int64_t>(below(jitter_ns_)), asked_ * senders_ + sender);
    ++asked_;
  }

  void completed(size_t flow) override {
    if (transfers_.completed() % senders_ == 0) {
      round_ns_.push_back(ns3::Simulator::Now().GetNanoSeconds() - round_begin_ns_);
      if (asked_ * senders_ < transfers_.flows().size()) ask();
    }
    Workload::completed(flow);
  }

  uint32_t senders_;
  uint64_t jitter_ns_;
  size_t asked_ = 0;  // rounds
  int64_t round_begin_ns_ = 0;
  std::vector<int64_t> round_ns_;  // time of each round
};

}  // namespace

std::unique_ptr<Workload> make_incast(const Setup& setup) { return std::make_unique<Incast>(setup); }

}  // namespace lab
