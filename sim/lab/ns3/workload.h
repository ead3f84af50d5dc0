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

class Workload {
 public:
  // `done` is called once, in the middle of a packet's reception.
  Workload(const Json& input, Network& network, std::vector<Group> groups, std::function<void()> done);
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  virtual void start() = 0;
  // Measures of the kind alone, as members of an open object.
  virtual void write(JsonWriter&) const {}

  bool finished() const { return finished_; }
  const Transfers& transfers() const { return transfers_; }

 protected:
  // After every complete transfer. The default ends the job with the last one.
  virtual void completed(size_t flow);
  void finish();
  void open_window();
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

// The workload that the scenario asks for. `groups`: the main transport first, then that of the rivals if there are
// any.
std::unique_ptr<Workload> make_workload(const Json& input, Network& network, std::vector<Group> groups,
                                        std::function<void()> done);

}  // namespace lab
