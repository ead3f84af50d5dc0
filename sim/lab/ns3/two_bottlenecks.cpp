// SPDX-License-Identifier: GPL-2.0-only
// Long flows of three groups over two switches, as in figure 17 of the DCTCP paper: S1 passes the link between the
// switches and the port to R1, S2 the link alone, S3 the port to R1 alone.
#include "ns3/simulator.h"
#include "workload.h"

namespace lab {
namespace {

class TwoBottlenecks : public Workload {
 public:
  explicit TwoBottlenecks(const Setup& setup)
      : Workload(setup),
        warmup_ns_(static_cast<int64_t>(own_["warmup_ns"].natural())),
        end_ns_(static_cast<int64_t>(own_["duration_ns"].natural())) {
    const auto count = [this](const char* name) { return static_cast<uint32_t>(own_[name].natural()); };
    const uint32_t s1 = count("s1"), s2 = count("s2"), s3 = count("s3");
    // Hosts of the second switch: R1, the receivers of S2, S3.
    const uint32_t shared = static_cast<uint32_t>(transfers_.hosts()) / 2;
    const auto add = [this](const char* name, uint32_t number, auto sender, auto receiver) {
      senders_.push_back({name, transfers_.flows().size(), number});
      for (uint32_t each = 0; each < number; ++each) {
        transfers_.add({.sender = sender(each), .receiver = receiver(each), .bytes = kEndless});
      }
    };
    const auto to_shared = [shared](uint32_t) { return shared; };
    add("S1", s1, [](uint32_t each) { return each; }, to_shared);
    add("S2", s2, [s1](uint32_t each) { return s1 + each; }, [shared](uint32_t each) { return shared + 1 + each; });
    add("S3", s3, [shared, s2](uint32_t each) { return shared + 1 + s2 + each; }, to_shared);
  }

  void start() override {
    const auto startup = static_cast<uint64_t>(own_["startup_ns"].natural());
    for (const Senders& group : senders_) {
      const uint64_t step = startup / group.count;  // each flow begins within its own
      for (size_t each = 0; each < group.count; ++each)
        begin_at(static_cast<int64_t>(each * step + below(step)), group.first + each);
    }
    measure_between(warmup_ns_, end_ns_);
  }

  void write(JsonWriter& out) const override {
    const double seconds = 1e-9 * static_cast<double>(end_ns_ - warmup_ns_);
    out.key("goodput_bit_s").open('{');
    for (const Senders& group : senders_) {
      out.key(group.name).open('[');
      for (size_t each = 0; each < group.count; ++each)
        out.value(8.0 * static_cast<double>(transfers_.flows()[group.first + each].in_window) / seconds);
      out.close(']');
    }
    out.close('}');
  }

 private:
  struct Senders {
    const char* name;
    size_t first, count;  // flows
  };
  std::vector<Senders> senders_;
  int64_t warmup_ns_, end_ns_;
};

}  // namespace

std::unique_ptr<Workload> make_two_bottlenecks(const Setup& setup) { return std::make_unique<TwoBottlenecks>(setup); }

}  // namespace lab
