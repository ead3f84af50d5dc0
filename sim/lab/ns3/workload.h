// SPDX-License-Identifier: GPL-2.0-only
// What the hosts do in a run. A kind of workload says which transfers there are and when each begins; the job is done
// when all are complete.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "json.h"
#include "network.h"
#include "transfers.h"

namespace lab {

struct Setup {
  const Json& input;
  Network& network;
  std::vector<Group> groups;   // the main transport first, then that of the rivals if there are any
  std::function<void()> done;  // called once, in the middle of a packet's reception
};

class Workload {
 public:
  explicit Workload(const Setup& setup);
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  virtual void start() = 0;
  // Measures of the kind alone, as members of an open object.
  virtual void write(JsonWriter&) const {}
  // At every step of the run's series.
  virtual void sample() {}

  bool finished() const { return finished_; }
  const Transfers& transfers() const { return transfers_; }

 protected:
  // After bytes of a transfer are there.
  virtual void received(size_t) {}
  // After every complete transfer. The default ends the job with the last one.
  virtual void completed(size_t flow);
  void finish();
  void open_window();
  void end_measuring();  // closes the window, and ends what sends without end
  void measure_between(int64_t begin_ns, int64_t end_ns);
  static void write_rounds(JsonWriter& out, const std::vector<int64_t>& round_ns);
  void begin_at(int64_t time_ns, size_t flow);  // from now on
  uint64_t below(uint64_t limit) { return limit ? random_() % limit : 0; }
  double exponential(double mean);
  // Another of `count` hosts than this one, all equally likely.
  uint32_t other_than(uint32_t host, uint32_t count);

  const Json own_;  // the scenario's table
  Network& network_;
  std::mt19937_64 random_;
  Transfers transfers_;

 private:
  std::function<void()> done_;
  bool finished_ = false;
};

// The workload that the scenario asks for, by one of these: the file of that name says what the kind does.
std::unique_ptr<Workload> make_workload(const Setup& setup);
std::unique_ptr<Workload> make_shuffle(const Setup& setup);
std::unique_ptr<Workload> make_long_flows(const Setup& setup);
std::unique_ptr<Workload> make_two_bottlenecks(const Setup& setup);
std::unique_ptr<Workload> make_background(const Setup& setup);
std::unique_ptr<Workload> make_incast(const Setup& setup);
std::unique_ptr<Workload> make_partition_aggregate(const Setup& setup);
std::unique_ptr<Workload> make_short_flows(const Setup& setup);
std::unique_ptr<Workload> make_ring(const Setup& setup);

}  // namespace lab
