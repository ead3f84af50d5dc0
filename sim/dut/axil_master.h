// SPDX-License-Identifier: BSD-3-Clause
// An AXI4-Lite master for one access at a time. In each cycle: drive, settle the pins, observe, tick.
// Or whole accesses, by a function that runs such a cycle and returns what `observe` said.
#pragma once

#include <cstdint>
#include <optional>

class Vtruemark;

namespace truemark {

class AxilMaster {
 public:
  explicit AxilMaster(Vtruemark& top) : top_(top) {}

  bool idle() const { return state_ == State::Idle; }
  void start_read(uint32_t address);
  void start_write(uint32_t address, uint32_t value);
  void drive();
  // True in the cycle in which the access is answered.
  bool observe();

  // Nothing if it is answered with an error. These throw if it is never answered.
  template <typename Cycle>
  std::optional<uint32_t> read(uint32_t address, Cycle cycle) {
    start_read(address);
    finish(cycle);
    return error_ ? std::nullopt : std::optional(data_);
  }
  template <typename Cycle>
  bool write(uint32_t address, uint32_t value, Cycle cycle) {
    start_write(address, value);
    finish(cycle);
    return !error_;
  }

  uint32_t data() const { return data_; }
  bool error() const { return error_; }
  // The cycle, by the caller's count of observe calls, in which address and data had both been accepted.
  bool write_accepted() const { return state_ == State::Write && !address_pending_ && !data_pending_; }

 private:
  enum class State : uint8_t { Idle, Read, Write };
  static constexpr unsigned kPatience = 1000;  // cycles in which an access is answered

  template <typename Cycle>
  void finish(Cycle cycle) {
    for (unsigned i = 0; i < kPatience; ++i) {
      if (cycle()) return;
    }
    never_answered();
  }
  [[noreturn]] void never_answered() const;

  Vtruemark& top_;
  State state_ = State::Idle;
  bool address_pending_ = false;
  bool data_pending_ = false;
  uint32_t address_ = 0;
  uint32_t value_ = 0;
  uint32_t data_ = 0;
  bool error_ = false;
};

}  // namespace truemark
