// SPDX-License-Identifier: BSD-3-Clause
// A learning switch with stations at all its ports: what drives its streams, and what stations send each other.
//
// The Verilated class has as many packed streams `s_axis_*` and `m_axis_*` as the build has ports, port 0 lowest, the
// host last, clock `clk` and reset `rst`. The pipeline is a learning switch.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "../dut/pin_bytes.h"
#include "../dut/rtl_build.h"
#include "Vtruemark.h"

namespace pipeline {

constexpr unsigned kPorts = truemark::kRtlBuild.ports;
constexpr unsigned kBeat = truemark::kRtlBuild.data_w / 8;  // bytes
constexpr unsigned kUser = 16;                              // bytes of tuser
constexpr unsigned kReset = 1400;                           // cycles: tables and counters are clear
constexpr unsigned kQuiet = 3000;                           // cycles without a beat: nothing more will come
constexpr unsigned kStations = 2 * kPorts;

using truemark::bytes_of;
using truemark::set_bit;
using Bytes = std::vector<uint8_t>;

template <typename Pin>
bool bit(Pin& pin, unsigned at) {
  return truemark::bits(bytes_of(pin), at, 1);
}

inline uint8_t source_bits(unsigned port) { return port == kPorts - 1 ? 2 : static_cast<uint8_t>(1u << (2 * port)); }

struct Frame {
  Bytes data;
  unsigned from = 0;
};

struct Out {
  Bytes data;
  uint32_t user = 0;  // of the first beat: length, source ports, destination ports
  uint64_t first = 0;
};

class Bench {
 public:
  Bench() {
    context_.randReset(2);
    context_.randSeed(1);
    top_.clk = 0;
    top_.rst = 1;
    top_.s_axil_aclk = 0;
    top_.s_axil_rst = 1;
    top_.s_axil_awvalid = top_.s_axil_wvalid = top_.s_axil_arvalid = 0;
    top_.s_axil_bready = top_.s_axil_rready = 1;
    for (unsigned p = 0; p < kPorts; p++) set_bit(bytes_of(top_.m_axis_tready), p, true);
    for (unsigned i = 0; i < 20; i++) cycle();
    top_.rst = 0;
    top_.s_axil_rst = 0;
    for (unsigned i = 0; i < kReset; i++) cycle();
  }
  ~Bench() { top_.final(); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  // Cycles of the beats that came first, per port, in order; the same for what came out.
  std::array<std::vector<uint64_t>, kPorts> began;
  std::array<std::vector<Out>, kPorts> out;

  void put(Frame frame) { queue_[frame.from].push_back(std::move(frame)); }
  // Chance in 1/256 of an idle cycle before a beat.
  void set_gaps(unsigned chance) { gaps_ = chance; }
  void set_ready(unsigned chance) { ready_ = chance; }
  uint64_t now() const { return now_; }

  void run() {
    for (unsigned quiet = 0; quiet < kQuiet;) quiet = cycle() ? 0 : quiet + 1;
  }

 private:
  // One cycle; says whether a beat moved.
  bool cycle() {
    bool moved = false;
    for (unsigned p = 0; p < kPorts; p++) {
      if (!offered_[p] && !queue_[p].empty() && random_() % 256 >= gaps_) offer(p);
      set_bit(bytes_of(top_.s_axis_tvalid), p, offered_[p]);
      set_bit(bytes_of(top_.m_axis_tready), p, ready_ >= 256 || random_() % 256 < ready_);
    }
    top_.eval();
    for (unsigned p = 0; p < kPorts; p++) {
      if (offered_[p] && bit(top_.s_axis_tready, p)) {
        moved = true;
        accept(p);
      }
      if (bit(top_.m_axis_tvalid, p) && bit(top_.m_axis_tready, p)) {
        moved = true;
        take(p);
      }
      moved |= offered_[p];
    }
    top_.clk = top_.s_axil_aclk = 1;
    top_.eval();
    top_.clk = top_.s_axil_aclk = 0;
    top_.eval();
    now_++;
    return moved;
  }

  void offer(unsigned p) {
    const Bytes& data = queue_[p].front().data;
    const size_t begin = at_[p] * kBeat, count = std::min<size_t>(kBeat, data.size() - begin);
    std::array<uint8_t, kBeat> beat{};
    std::array<uint8_t, kBeat / 8> keep{};
    std::array<uint8_t, kUser> user{};
    std::memcpy(beat.data(), data.data() + begin, count);
    for (unsigned i = 0; i < count; i++) keep[i / 8] |= static_cast<uint8_t>(1u << (i % 8));
    if (at_[p] == 0) {
      user[0] = static_cast<uint8_t>(data.size());
      user[1] = static_cast<uint8_t>(data.size() >> 8);
      user[2] = source_bits(p);
    }
    std::memcpy(bytes_of(top_.s_axis_tdata) + p * kBeat, beat.data(), kBeat);
    std::memcpy(bytes_of(top_.s_axis_tkeep) + p * kBeat / 8, keep.data(), kBeat / 8);
    std::memcpy(bytes_of(top_.s_axis_tuser) + p * kUser, user.data(), kUser);
    set_bit(bytes_of(top_.s_axis_tlast), p, begin + count == data.size());
    offered_[p] = true;
  }

  void accept(unsigned p) {
    if (at_[p] == 0) began[p].push_back(now_);
    at_[p]++;
    offered_[p] = false;
    if (at_[p] * kBeat >= queue_[p].front().data.size()) {
      queue_[p].pop_front();
      at_[p] = 0;
    }
  }

  void take(unsigned p) {
    Out& frame = arriving_[p];
    if (frame.data.empty()) {
      frame.first = now_;
      std::memcpy(&frame.user, bytes_of(top_.m_axis_tuser) + p * kUser, 4);
    }
    const uint8_t* data = bytes_of(top_.m_axis_tdata) + p * kBeat;
    for (unsigned i = 0; i < kBeat; i++)
      if (bit(top_.m_axis_tkeep, p * kBeat + i)) frame.data.push_back(data[i]);
    if (bit(top_.m_axis_tlast, p)) {
      out[p].push_back(std::move(frame));
      frame = {};
    }
  }

  VerilatedContext context_;
  Vtruemark top_{&context_};
  std::mt19937 random_{1};
  std::array<std::deque<Frame>, kPorts> queue_;
  std::array<size_t, kPorts> at_{};
  std::array<bool, kPorts> offered_{};
  std::array<Out, kPorts> arriving_;
  unsigned gaps_ = 0, ready_ = 256;
  uint64_t now_ = 0;
};

class Stations {
 public:
  explicit Stations(uint32_t seed) : random_(seed) {}

  static unsigned home(unsigned station) { return station % kPorts; }

  // A frame that is like no other.
  Frame frame(unsigned from, unsigned to, size_t length) { return make(from, address(to), length); }

  Frame hello(unsigned from) { return make(from, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 64); }

  unsigned number(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

 private:
  static std::array<uint8_t, 6> address(unsigned station) {
    return {0x02, 0x11, 0x22, 0x33, 0x44, static_cast<uint8_t>(station)};
  }

  Frame make(unsigned from, std::array<uint8_t, 6> to, size_t length) {
    Frame frame{Bytes(length), home(from)};
    const auto source = address(from);
    std::copy(to.begin(), to.end(), frame.data.begin());
    std::copy(source.begin(), source.end(), frame.data.begin() + 6);
    frame.data[12] = 0x88, frame.data[13] = 0xB5;
    count_++;
    for (unsigned i = 0; i < 4; i++) frame.data[14 + i] = static_cast<uint8_t>(count_ >> (8 * i));
    for (size_t i = 18; i < length; i++) frame.data[i] = static_cast<uint8_t>(random_());
    return frame;
  }

  std::mt19937 random_;
  uint32_t count_ = 0;
};

}  // namespace pipeline
