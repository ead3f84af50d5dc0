// SPDX-License-Identifier: BSD-3-Clause
// The words between the parts of the scoreboard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace truemark {

// Where an instance and the golden model part.
struct Difference {
  std::string kind;
  uint32_t port = 0;  // where lines have several queues: the line
  uint64_t cycle = 0;
  uint64_t frame = 0;  // counted from 1 as they came in; 0: none
  std::string what;
  std::string state;           // of the port, as the model sees it
  std::vector<uint8_t> bytes;  // of the frame
};

// A frame that came in.
struct Known {
  uint64_t id = 0;
  uint32_t ports = 0;    // or lines
  uint32_t dropped = 0;  // by which ports, when it arrived
  std::vector<uint8_t> bytes;
};

// AXI4-Lite: what was accepted or answered in this one.
struct BusPins {
  bool write = false, read = false, answer = false;
  uint32_t write_address = 0, write_data = 0, write_strobe = 0, read_address = 0, read_data = 0;
};

}  // namespace truemark
