// SPDX-License-Identifier: BSD-3-Clause
// What the programs over the golden model share: a port set up through its registers, and plain IPv4 frames.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "device.h"

namespace truemark {

// Writes the registers of every port's configuration and commits them.
inline void configure(Device& device, std::initializer_list<std::pair<uint32_t, uint32_t>> registers) {
  for (const auto& [address, value] : registers) device.write(address, value);
  for (uint32_t port = 0; port < device.build().ports; ++port) {
    device.write(reg::kPage, port);
    device.write(reg::kCommand, reg::command::kCommit.mask());
    const uint32_t status = device.read(reg::kStatus).value_or(reg::status::kRefused.mask());
    if (!reg::status::kRefused.get(status)) continue;
    throw std::runtime_error("commit refused, fault " + std::to_string(reg::status::kFault.get(status)));
  }
}

// RED of a slot with the slopes that belong to its thresholds.
struct RedSetting {
  uint32_t min = 0, max = 0;
  double maxp = 0;
  unsigned weight = 0;
  Spacing spacing = Spacing::Uniform;
};

inline void configure_red(Device& device, unsigned slot, const RedSetting& red) {
  const uint32_t maxp = static_cast<uint32_t>(red.maxp * (1 << 24));
  const uint32_t base = reg::kRed + slot * reg::kRedSlot;
  device.write(base + reg::kRedSettings, red.weight | static_cast<uint32_t>(red.spacing) << 8);
  device.write(base + reg::kRedMin, red.min);
  device.write(base + reg::kRedMax, red.max);
  device.write(base + reg::kRedMaxp, maxp);
  device.write(base + reg::kRedSlope, static_cast<uint32_t>(uint64_t{maxp} * 256 / (red.max - red.min)));
  device.write(reg::kIdleReciprocal, 1);
  device.write(reg::kIdleShift, 10);
}

// An IPv4 frame with TCP data.
inline std::vector<uint8_t> plain_frame(uint32_t length, Ecn ecn) {
  std::vector<uint8_t> frame(length);
  const uint32_t total = length - 14;
  frame[12] = 8;
  frame[14] = 0x45;
  frame[15] = static_cast<uint8_t>(ecn);
  frame[16] = static_cast<uint8_t>(total >> 8);
  frame[17] = static_cast<uint8_t>(total);
  frame[22] = 64;
  frame[23] = 6;
  frame[46] = 0x50;
  frame[47] = 0x10;
  return frame;
}

}  // namespace truemark
