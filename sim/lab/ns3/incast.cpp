// SPDX-License-Identifier: GPL-2.0-only
// Incast: a host asks many for their parts of a block, all at once, and asks again when it has the whole block; or
// several hosts do, each of senders of its own.
#include "ns3/simulator.h"
#include "workload.h"

namespace lab {
namespace {

class Incast : public Workload {
 public:
  explicit Incast(const Setup& setup)
      : Workload(setup),
        askers_(own_["askers"].natural()),
        senders_(own_["senders"].natural()),
        gap_ns_(static_cast<int64_t>(own_["start_gap_ns"].natural())),
        jitter_ns_(own_["start_jitter_ns"].natural()),
        rounds_(askers_) {
    const uint64_t block = own_["block_bytes"].natural(), rounds = own_["rounds"].natural();
    const uint64_t each = own_["processes_per_host"].natural(), hosts = (senders_ + each - 1) / each;
    for (uint64_t round = 0; round < rounds; ++round) {
      for (uint64_t asker = 0; asker < askers_; ++asker) {
        for (uint64_t sender = 0; sender < senders_; ++sender) {
          transfers_.add({.sender = static_cast<uint32_t>(askers_ + asker * hosts + sender / each),
                          .receiver = static_cast<uint32_t>(asker),
                          .bytes = block / senders_ + (sender < block % senders_),
                          .request = own_["request_bytes"].natural(),
                          .receiver_opens = true});
        }
      }
    }
  }

  void start() override {
    ask(0);
    for (uint64_t asker = 1; asker < askers_; ++asker)
      ns3::Simulator::Schedule(ns3::NanoSeconds(gap_ns_ * static_cast<int64_t>(asker)), [this, asker] { ask(asker); });
  }

  void write(JsonWriter& out) const override {
    std::vector<int64_t> all;
    for (const Rounds& own : rounds_) all.insert(all.end(), own.took_ns.begin(), own.took_ns.end());
    write_rounds(out, all);
  }

 private:
  struct Rounds {
    uint64_t asked = 0, complete = 0;  // rounds, transfers
    int64_t begin_ns = 0;
    std::vector<int64_t> took_ns;
  };

  void ask(uint64_t asker) {
    Rounds& own = rounds_[asker];
    own.begin_ns = ns3::Simulator::Now().GetNanoSeconds();
    for (uint64_t sender = 0; sender < senders_; ++sender)
      begin_at(static_cast<int64_t>(below(jitter_ns_)), (own.asked * askers_ + asker) * senders_ + sender);
    ++own.asked;
  }

  void completed(size_t flow) override {
    const uint64_t asker = flow / senders_ % askers_;
    Rounds& own = rounds_[asker];
    if (++own.complete % senders_ == 0) {
      own.took_ns.push_back(ns3::Simulator::Now().GetNanoSeconds() - own.begin_ns);
      if (own.asked * askers_ * senders_ < transfers_.flows().size()) ask(asker);
    }
    Workload::completed(flow);
  }

  uint64_t askers_, senders_;
  int64_t gap_ns_;
  uint64_t jitter_ns_;
  std::vector<Rounds> rounds_;  // by asker
};

}  // namespace

std::unique_ptr<Workload> make_incast(const Setup& setup) { return std::make_unique<Incast>(setup); }

}  // namespace lab
