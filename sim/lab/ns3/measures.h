// SPDX-License-Identifier: GPL-2.0-only
// What is counted: verdicts by class, waiting times, occupancy over time, and a digest of every decision.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "../../engine/describe.h"
#include "json.h"

namespace lab {

using truemark::kClassNames;  // by class_id of tm_event
// By outcome: an engine's, and behind them those of packets that the switch's pool refused before.
inline constexpr auto kOutcomeNames = [] {
  std::array<const char*, truemark::kOutcomeNames.size() + 2> names{};
  std::copy(truemark::kOutcomeNames.begin(), truemark::kOutcomeNames.end(), names.begin());
  names[names.size() - 2] = "pool_threshold";
  names[names.size() - 1] = "pool_cells";
  return names;
}();
inline constexpr unsigned kClasses = kClassNames.size(), kOutcomes = kOutcomeNames.size();
inline constexpr uint32_t kPoolThreshold = kOutcomes - 2, kPoolCells = kOutcomes - 1;
constexpr bool is_stored(uint32_t outcome) { return outcome <= TM_PROTECTED; }
constexpr bool is_control(uint32_t class_id) {
  return class_id == TM_SYN || class_id == TM_SYN_ACK || class_id == TM_ACK || class_id == TM_TCP_CTRL;
}

struct Count {
  uint64_t packets = 0;
  uint64_t bytes = 0;
  void add(uint32_t length) { ++packets, bytes += length; }
};

// Times in ns in bins of 1/128 of their size: quantiles are at most 0.8 % high; count, mean and maximum are exact.
class Histogram {
 public:
  void add(uint64_t value);
  void add(const Histogram& other);
  uint64_t count() const { return count_; }
  double mean() const { return count_ ? sum_ / static_cast<double>(count_) : 0; }
  double quantile(double share) const;
  void write(JsonWriter& out, const std::string& name) const;

 private:
  std::vector<uint64_t> bins_;
  uint64_t count_ = 0;
  uint64_t maximum_ = 0;
  double sum_ = 0;
};

// One packet as a switch port judged it.
struct Verdict {
  uint32_t class_id = 0;
  uint32_t ece = 0;
  uint32_t ecn = 0;
  uint32_t outcome = 0;
  uint32_t length = 0;    // frame bytes, as the limits count them
  uint64_t identity = 0;  // the same for the same packet in every run of a seed
  uint32_t queue = 0;     // of the port
};

// A digest of every decision and departure, in order, and if asked for a text of them: two runs with equal digests are
// equal to the last packet. Decisions count as stored, marked or dropped, so that queues of other makers compare.
class DecisionLog {
 public:
  DecisionLog() = default;
  explicit DecisionLog(const std::string& path);  // empty: no text
  ~DecisionLog();
  DecisionLog(const DecisionLog&) = delete;
  DecisionLog& operator=(const DecisionLog&) = delete;
  void add(uint64_t now, uint32_t port, char kind, uint64_t identity);
  void close();  // throws if the text is not whole
  uint64_t count() const { return count_; }
  std::string digest() const;

 private:
  std::FILE* file_ = nullptr;
  std::string path_;
  uint64_t count_ = 0;
  uint64_t digest_ = 0xCBF29CE484222325u;
};

class PortMeasures {
 public:
  PortMeasures(std::string name, std::string engine, uint64_t rate, uint64_t occupancy_top, uint32_t index,
               uint32_t queues, DecisionLog* log);

  void verdict(uint64_t now, const Verdict& verdict);
  void departure(uint64_t now, const Verdict& stored, uint64_t wait_ns, bool marked);
  void head_drop(uint64_t now, const Verdict& stored);
  void sample();  // one point of the series
  // Waits, departures and occupancy count in between; a window is open from the start.
  void open_window(uint64_t now);
  void close_window(uint64_t now);

  const std::string& name() const { return name_; }
  const Histogram& wait() const { return wait_; }
  const std::array<std::array<std::array<Count, kOutcomes>, 2>, kClasses>& verdicts() const { return verdicts_; }
  const std::array<Count, kClasses>& head_drops() const { return head_drops_; }
  const std::array<Count, kClasses>& head_marks() const { return head_marks_; }
  uint64_t arrived() const { return arrived_; }
  uint64_t dropped() const { return dropped_; }
  uint64_t ect_control() const { return ect_control_; }
  double mean_bytes() const { return elapsed_ > 0 ? integral_ / static_cast<double>(elapsed_) : 0; }
  void write(JsonWriter& out) const;
  void write_series(JsonWriter& out) const;

 private:
  void occupy(uint64_t now, uint32_t class_id, int64_t bytes);

  std::string name_;
  std::string engine_;
  uint64_t rate_;
  uint64_t bin_bytes_;
  uint32_t index_;
  DecisionLog* log_;
  std::array<std::array<std::array<Count, kOutcomes>, 2>, kClasses> verdicts_{};  // class, ECE, outcome
  std::array<Count, kClasses> head_drops_{}, head_marks_{};
  Histogram wait_;
  uint64_t arrived_ = 0, dropped_ = 0, ect_control_ = 0;
  struct Queue {
    Count departed;
    Histogram wait;
  };
  std::vector<Queue> queues_;  // of a port that has several
  Count departed_;
  bool counting_ = true;
  uint64_t since_ = 0, elapsed_ = 0, held_ = 0, most_ = 0;
  double integral_ = 0;
  std::vector<uint64_t> occupancy_;  // ns spent in each bin of bytes
  std::array<uint32_t, kClasses> held_by_class_{};
  std::vector<std::array<uint32_t, kClasses>> series_;
};

}  // namespace lab
