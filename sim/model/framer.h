// SPDX-License-Identifier: BSD-3-Clause
// Framer: cuts beats into frames and finds those that are wrong.
#pragma once

#include <bitset>
#include <span>
#include <vector>

#include "types.h"

namespace truemark {

struct Beat {
  std::span<const uint8_t> data;  // one beat wide
  std::bitset<128> keep;
  bool last = false;
  uint32_t lines = 0;     // as bits; meant on the first beat
  uint32_t promised = 0;  // meant on the first beat
  bool error = false;     // meant on the last beat
};

// What is known of a frame that arrives, as far as it has come.
struct FrameFacts {
  uint32_t lines = 0;         // that it is for, as bits
  bool offered = false;       // they get to see it
  bool ended = false;         // its last stored row is in
  std::optional<Bad> bad;     // known at the end, or at once if it is not offered
  bool misshaped = false;     // bytes are missing, too many or out of place: no header can be trusted
  uint32_t length = 0;        // as it is judged: promised, or counted so far
  uint32_t stored_bytes = 0;  // of what its rows hold, the first so many are its bytes
};

struct Framed : FrameFacts {
  std::vector<uint8_t> raw;  // the data of all its rows, whatever tkeep says
};

class Framer {
 public:
  explicit Framer(const Build& build) : build_(build), full_(std::bitset<128>().set() >> (128 - build.beat_bytes())) {}

  struct Step {
    bool first = false;
    bool stored = false;  // the beat is a row of an offered frame
    bool ended = false;   // and the last
    bool found_bad = false;
  };

  Step push(const Beat& beat);

  // A reset: true if it cuts a frame of which nothing bad was said yet.
  bool reset();

  const Framed& frame() const { return frame_; }

 private:
  void begin(const Beat& beat);
  void store(const Beat& beat);
  uint32_t kept_bytes(const Beat& beat, bool contiguous, uint32_t count, bool last_row) const;
  std::optional<Bad> finding(const Beat& beat, bool wrong_length, bool last_row) const;

  Build build_;
  std::bitset<128> full_;  // the keep of a whole beat
  Framed frame_;
  bool in_frame_ = false;
  bool storing_ = false;
  bool hole_ = false;
  uint32_t row_ = 0;
};

}  // namespace truemark
