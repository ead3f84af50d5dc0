// SPDX-License-Identifier: BSD-3-Clause
#include "axil_master.h"

#include <stdexcept>
#include <string>

#include "Vtruemark.h"

namespace truemark {

void AxilMaster::start_read(uint32_t address) {
  state_ = State::Read;
  address_pending_ = true;
  address_ = address;
}

void AxilMaster::start_write(uint32_t address, uint32_t value) {
  state_ = State::Write;
  address_pending_ = data_pending_ = true;
  address_ = address;
  value_ = value;
}

void AxilMaster::drive() {
  top_.s_axil_arvalid = state_ == State::Read && address_pending_;
  top_.s_axil_awvalid = state_ == State::Write && address_pending_;
  top_.s_axil_wvalid = state_ == State::Write && data_pending_;
  top_.s_axil_araddr = top_.s_axil_awaddr = static_cast<uint16_t>(address_);
  top_.s_axil_wdata = value_;
  top_.s_axil_wstrb = 15;
  top_.s_axil_bready = top_.s_axil_rready = 1;
}

bool AxilMaster::observe() {
  bool answered = false;
  if (state_ == State::Read) {
    if (top_.s_axil_arready) address_pending_ = false;
    answered = top_.s_axil_rvalid;
    data_ = top_.s_axil_rdata;
    error_ = top_.s_axil_rresp != 0;
  } else if (state_ == State::Write) {
    if (top_.s_axil_awready) address_pending_ = false;
    if (top_.s_axil_wready) data_pending_ = false;
    answered = top_.s_axil_bvalid;
    error_ = top_.s_axil_bresp != 0;
  }
  if (answered) state_ = State::Idle;
  return answered;
}

void AxilMaster::never_answered() const {
  throw std::runtime_error(std::string(state_ == State::Read ? "a read of" : "a write to") + " address " +
                           std::to_string(address_) + " is never answered");
}

}  // namespace truemark
