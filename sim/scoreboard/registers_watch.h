// SPDX-License-Identifier: BSD-3-Clause
// Watches a host at work: tells the golden model what its writes do, and holds what it reads against the model.
//
// Compared: what the build is, the shadow, the answer to a commit, snapshots and the sums of queries, counters of wrong
// frames; occupancy and watermarks when nothing has moved for a while. Not compared: time, averages and maxp of RED,
// busy bits, and sums of a snapshot whose time was not read.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../model/cycles/device_cycles.h"
#include "difference.h"

namespace truemark {

class RegistersWatch {
 public:
  RegistersWatch(const Build& build, DeviceCycles& model) : build_(build), model_(model) { forget(0); }

  // A reset began in this cycle.
  void forget(uint64_t cycle);
  // The frame whose arrival is counted.
  void counted(uint32_t port, Outcome outcome, const Known& frame);
  // Between the model's open and close.
  std::optional<Difference> step(uint64_t cycle, const BusPins& pins, bool moves);
  uint64_t compared() const { return compared_; }

 private:
  void write(uint64_t cycle, uint32_t address, uint32_t value, uint32_t strobe);
  void command(uint64_t cycle, uint32_t bits);
  void load_or_commit(uint64_t cycle, uint32_t bits);
  void end_history();
  void query();
  std::optional<uint32_t> expected(uint32_t address);
  std::optional<uint32_t> expected_of_device(uint32_t address) const;
  std::optional<uint32_t> expected_of_port(uint32_t address) const;
  std::optional<uint32_t> expected_sum(uint32_t address) const;
  void note_snapshot(uint32_t address, uint32_t value);
  Difference difference(uint32_t address, uint32_t expected, uint32_t value) const;
  bool counts() const { return quiet_from_ >= counting_from_; }

  Build build_;
  DeviceCycles& model_;
  Shadow shadow_;
  uint32_t page_ = 0, query_ = 0, seed_ = 0;
  uint64_t cycle_ = 0;
  uint64_t moved_ = 0;          // the last cycle in which anything moved
  uint64_t commit_until_ = 0;   // a commit in progress
  uint64_t counting_from_ = 0;  // a reset clears the counters until then
  uint64_t quiet_from_ = 0;     // nothing was counted before this cycle since the reset
  bool known_base_ = false;     // of BAD_RESET
  uint32_t base_ = 0;
  std::optional<reg::Fault> fault_;
  uint64_t history_from_ = 0;
  std::optional<uint32_t> snapshot_low_;
  std::vector<DeviceCycles::Past> past_;
  std::optional<Total> sum_;
  std::optional<uint32_t> read_;                    // the address that is being read
  std::optional<uint32_t> due_;                     // what it must show
  std::array<std::map<unsigned, Known>, 16> last_;  // of each port and outcome
  uint64_t compared_ = 0;
};

}  // namespace truemark
