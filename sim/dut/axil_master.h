// SPDX-License-Identifier: BSD-3-Clause
// An AXI4-Lite master for one access at a time. In each cycle: drive, settle the pins, observe, tick.
#pragma once

#include <cstdint>

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

  uint32_t data() const { return data_; }
  bool error() const { return error_; }
  // The cycle, by the caller's count of observe calls, in which address and data had both been accepted.
  bool write_accepted() const { return state_ == State::Write && !address_pending_ && !data_pending_; }

 private:
  enum class State : uint8_t { Idle, Read, Write };

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
