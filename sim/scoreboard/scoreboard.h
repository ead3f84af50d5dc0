// SPDX-License-Identifier: BSD-3-Clause
// The golden model next to an instance, which it sees by its pins: every row that leaves, in its cycle, and every
// register that somebody reads. From the first difference on it looks for what it is (suspect.h).
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "../model/cycles/device_cycles.h"
#include "difference.h"
#include "registers_watch.h"
#include "suspect.h"

namespace truemark {

// Pins of one cycle. Vectors are texts of 0, 1 and whatever else a simulator knows, the highest bit first; they are
// read when something is valid.
struct WatchedPins {
  bool reset = false;
  uint64_t time = 0;
  uint32_t tx_enable = 0, ready = 0, valid = 0;
  bool taken = false;  // a beat is taken from the source
  std::string_view s_data, s_keep, s_last, s_dest, s_user;
  std::string_view m_data, m_keep, m_last, m_user;
  BusPins bus;
};

class Scoreboard {
 public:
  explicit Scoreboard(const Build& build) : build_(build), model_(build, 0, 0), registers_(build, model_) {}

  // True when there is a difference, and it is known which.
  bool cycle(const WatchedPins& pins);
  // No more will come.
  void conclude();
  const std::optional<Difference>& found() const { return found_; }

  uint64_t frames() const { return model_.frames(); }
  uint64_t left() const { return left_; }  // frames that left as expected
  uint64_t registers() const { return registers_.compared(); }
  bool at_rest() const { return model_.resting(); }

 private:
  void arrive(const WatchedPins& pins);
  void note_counted();
  void compare(uint32_t line, const WatchedPins& pins);
  void collect(uint32_t line, const WatchedPins& pins);
  std::string row_difference(uint32_t line, const WatchedPins& pins, const ExpectedRow& row);
  void suspect(uint32_t line, const std::string& what, const std::string& kind);

  Build build_;
  DeviceCycles model_;
  RegistersWatch registers_;
  bool resetting_ = true;
  uint64_t cycle_ = 0;
  PinCycle now_;
  Beat beat_;
  std::vector<uint8_t> data_, row_;
  std::deque<Known> known_;
  std::array<std::vector<uint8_t>, 16> leaving_;  // what the instance has sent of a frame
  std::array<uint64_t, 16> last_left_{};          // the frame that left last, as the model has it
  uint64_t left_ = 0;
  std::optional<Suspect> suspect_;
  std::optional<Difference> found_;
};

}  // namespace truemark
