// SPDX-License-Identifier: BSD-3-Clause
#include "traffic.h"

#include <algorithm>
#include <array>

namespace truemark {

Phase random_phase(Random& random, const Build& build) {
  constexpr std::array<uint32_t, 8> rates = {100, 100, 100, 90, 50, 25, 6, 0};
  Phase phase;
  const uint32_t shortest = random.one_in(4) ? 14 : 58;
  const uint32_t widest = build.beat_bytes() < 32 ? 300 : 1518;  // narrow builds need many cycles for a long frame
  phase.min_length = shortest;
  switch (random.below(7)) {
    case 0:
    case 6:
      phase.min_length = phase.max_length = random.between(shortest, 130);  // equal frames meet limits exactly
      break;
    case 1:
      phase.max_length = widest;
      break;
    case 2:
      phase.max_length = 66;
      break;
    case 3:  // rows run out before descriptors do
      phase.min_length = widest / 2;
      phase.max_length = widest;
      break;
    default:
      phase.max_length = random.between(70, 250);
  }
  phase.jumbo_one_in = random.one_in(3) ? 200 : 0;
  phase.gap_percent = random.one_in(3) ? random.below(60) : 0;
  phase.between_percent = random.one_in(2) ? random.below(90) : 0;
  phase.bad_percent = random.one_in(2) ? random.between(1, 40) : 0;
  if (random.one_in(3)) phase.ports_mask = 1u << random.below(build.lines());
  phase.multicast = random.one_in(2);
  const bool overload = random.one_in(2);
  const uint32_t most = random.one_in(3) ? 2 : 12;  // percent of cycles in which a frame may start to leave
  for (uint32_t port = 0; port < build.ports; ++port) {
    phase.tx_percent.push_back(overload ? random.below(most) : rates[random.below(rates.size())]);
    phase.ready_percent.push_back(random.one_in(2) ? 100 : rates[random.below(rates.size())]);
  }
  phase.stall_one_in = random.one_in(4) ? 500 : 0;
  if (build.pfc && random.one_in(2)) phase.pause_one_in = random.one_in(2) ? 20 : 1000;
  constexpr std::array<uint32_t, 4> units = {300, 2000, 3000, 20000};
  phase.nanoseconds = random.one_in(build.codel ? 4 : 2) ? 8 : units[random.below(units.size())];
  return phase;
}

void Phase::limit_to(const Lengths& wanted) {
  lengths.clear();
  if (wanted.between) {
    min_length = wanted.bytes.at(0);
    max_length = wanted.bytes.at(1);
  } else {
    lengths = wanted.bytes;
  }
  jumbo_one_in = between_percent = 0;
  if (!wanted.spoilt) gap_percent = bad_percent = 0;
}

const Beat* Traffic::next(bool start) {
  if (!in_frame()) {
    if (!start || random_.chance(phase_.between_percent)) return nullptr;
    make_frame();
  } else if (phase_.gap_percent != 0 && random_.chance(phase_.gap_percent)) {
    return nullptr;
  }
  return &beats_[position_++];
}

uint32_t Traffic::ready() {
  if (phase_.stall_one_in != 0 && random_.one_in(phase_.stall_one_in)) {
    stalled_lines_ ^= build_.there(static_cast<uint32_t>(random_.next()));
  }
  if (phase_.stall_one_in == 0) stalled_lines_ = 0;
  return static_cast<uint32_t>(pattern(phase_.ready_percent).to_ulong()) & ~stalled_lines_;
}

const std::array<uint8_t, pkg::kMaxLines>& Traffic::pauses() {
  if (phase_.pause_one_in == 0) paused_.fill(0);
  for (uint32_t line = 0; phase_.pause_one_in != 0 && line < build_.lines(); ++line) {
    if (random_.one_in(phase_.pause_one_in)) paused_[line] ^= 1u << random_.below(8);
  }
  return paused_;
}

PortMask Traffic::pattern(const std::vector<uint32_t>& percent) {
  PortMask ports;
  for (uint32_t port = 0; port < percent.size(); ++port) {
    if (percent[port] == 100 || (percent[port] != 0 && random_.chance(percent[port]))) ports.set(port);
  }
  return ports;
}

void Traffic::make_frame() {
  const bool listed = !phase_.lengths.empty();
  uint32_t length = listed ? phase_.lengths[random_.below(static_cast<uint32_t>(phase_.lengths.size()))]
                           : random_.between(phase_.min_length, phase_.max_length);
  if (phase_.jumbo_one_in != 0 && random_.one_in(phase_.jumbo_one_in)) {
    length = random_.one_in(3) ? build_.max_frame : random_.between(14, build_.max_frame);
  }
  random_packet(random_, length, bytes_);
  const uint32_t all = (1u << build_.lines()) - 1;
  uint32_t ports = 1u << random_.below(build_.lines());
  if (phase_.multicast && random_.one_in(3))
    ports = random_.one_in(4) ? all : static_cast<uint32_t>(random_.next()) & all;
  if ((ports & phase_.ports_mask) != 0)
    ports &= phase_.ports_mask;
  else
    ports = phase_.ports_mask & all;
  uint32_t promised = length;
  bool error = false;
  const bool bad = random_.chance(phase_.bad_percent);
  if (bad) spoil(bytes_, promised, ports, error);

  const uint32_t width = build_.beat_bytes();
  const uint32_t size = static_cast<uint32_t>(bytes_.size());
  const uint32_t count = build_.rows_of(size);
  // What lies behind the end of a frame is noise, too.
  bytes_.resize(size_t{count} * width);
  for (uint32_t i = size; i < count * width; ++i) bytes_[i] = static_cast<uint8_t>(random_.next());
  const std::bitset<128> full = std::bitset<128>().set() >> (128 - width);
  beats_.assign(count, Beat{});
  for (uint32_t b = 0; b < count; ++b) {
    Beat& beat = beats_[b];
    beat.data = std::span(bytes_).subspan(size_t{b} * width, width);
    beat.last = b + 1 == count;
    beat.keep = beat.last ? full >> (count * width - size) : full;
    // Signals that mean nothing on this beat are noise.
    beat.lines = b == 0 ? ports : static_cast<uint32_t>(random_.next()) & all;
    beat.promised = b == 0 ? promised : random_.below(65536);
    beat.error = beat.last ? error : random_.one_in(2);
  }
  if (build_.store_and_forward) beats_[0].promised = random_.below(65536);
  if (bad && random_.one_in(4)) {
    Beat& beat = beats_[random_.below(count)];
    switch (random_.below(4)) {
      case 0:
        beat.keep.reset();
        break;
      case 1:
        beat.keep[0] = false;
        break;
      case 2:
        beat.keep[random_.below(width)] = false;
        break;
      default:
        beat.keep >>= 1;
    }
  }
  position_ = 0;
}

void Traffic::spoil(std::vector<uint8_t>& bytes, uint32_t& promised, uint32_t& ports, bool& error) {
  const uint32_t width = build_.beat_bytes();
  switch (random_.below(8)) {
    case 0:
      ports = 0;
      break;
    case 1:
      bytes.resize(random_.between(1, 13));
      promised = random_.one_in(4) ? 64 : static_cast<uint32_t>(bytes.size());
      break;
    case 2:
      promised = build_.max_frame + random_.between(1, random_.one_in(2) ? 1 : 40000);
      if (random_.one_in(4)) {
        promised = build_.max_frame + 1;
        bytes.resize(promised + (random_.one_in(2) ? 0 : random_.below(3 * width)));
      }
      break;
    case 3:
      promised += random_.between(1, 2);
      break;
    case 4:
      promised = promised > 15 ? promised - 1 : promised;
      break;
    case 5:
      promised = random_.between(14, std::min(build_.max_frame, 4 * promised));
      break;
    case 6:
      promised += width * random_.between(1, 3);
      break;
    default:
      error = true;
  }
  promised = std::min(promised, 65535u);
}

}  // namespace truemark
