// SPDX-License-Identifier: BSD-3-Clause
#include "scoreboard.h"

#include <algorithm>

#include "../engine/describe.h"

namespace truemark {
namespace {

constexpr size_t kKnown = 4096;  // frames that are remembered
constexpr uint32_t kPinLengthW = 16;

// Bit `at` of a vector, counted from its lowest; what is neither 0 nor 1 is not a bit.
bool bit(std::string_view text, size_t at) { return text[text.size() - 1 - at] == '1'; }
bool is_bit(std::string_view text, size_t at) {
  const char value = text[text.size() - 1 - at];
  return value == '0' || value == '1';
}

uint32_t number(std::string_view text, size_t at, size_t width) {
  uint32_t value = 0;
  for (size_t i = width; i-- > 0;) value = value << 1 | static_cast<uint32_t>(bit(text, at + i));
  return value;
}

// Bytes of a vector from bit `at` on; the first that is not known, or their number.
uint32_t bytes_of(std::string_view text, size_t at, std::vector<uint8_t>& bytes, uint32_t count) {
  uint32_t unknown = count;
  bytes.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<uint8_t>(number(text, at + 8 * size_t{i}, 8));
    for (size_t b = 0; b < 8; ++b) {
      if (!is_bit(text, at + 8 * size_t{i} + b)) unknown = std::min(unknown, i);
    }
  }
  return unknown;
}

}  // namespace

bool Scoreboard::cycle(const WatchedPins& pins) {
  if (found_) return true;
  ++cycle_;
  if (pins.reset) {
    if (!resetting_) registers_.forget(cycle_);
    resetting_ = true;
    return false;
  }
  if (resetting_) {
    model_.reset(cycle_, pins.time);
    for (auto& frame : leaving_) frame.clear();
    resetting_ = false;
  }
  now_ = {cycle_, pins.time, nullptr, pins.tx_enable, pins.ready};
  if (pins.taken) arrive(pins);
  model_.open(now_);
  if (pins.taken && beat_.last) {
    const Framed& frame = model_.last_frame();
    const auto count = static_cast<std::ptrdiff_t>(std::min<size_t>(frame.stored_bytes, frame.raw.size()));
    known_.push_back({model_.frames(), frame.lines, 0, {frame.raw.begin(), frame.raw.begin() + count}});
    if (known_.size() > kKnown) known_.pop_front();
  }
  note_counted();
  for (uint32_t line = 0; line < build_.lines(); ++line) {
    if (!suspect_) compare(line, pins);
    if (pins.valid & pins.ready & 1u << line) collect(line, pins);
  }
  if (suspect_ && !found_) found_ = suspect_->passed(cycle_, known_);
  const bool moves = pins.taken || pins.valid != 0 || !model_.resting();
  const auto wrong = registers_.step(cycle_, pins.bus, moves);
  if (!suspect_ && wrong) found_ = wrong;
  model_.close(now_);
  return found_.has_value();
}

void Scoreboard::conclude() {
  if (suspect_ && !found_) found_ = suspect_->conclude(known_);
}

void Scoreboard::arrive(const WatchedPins& pins) {
  bytes_of(pins.s_data, 0, data_, build_.beat_bytes());
  beat_ = {data_,
           {},
           bit(pins.s_last, 0),
           number(pins.s_dest, 0, pins.s_dest.size()),
           number(pins.s_user, 0, kPinLengthW),
           bit(pins.s_user, kPinLengthW)};
  for (size_t i = 0; i < pins.s_keep.size(); ++i) beat_.keep[i] = bit(pins.s_keep, i);
  now_.beat = &beat_;
}

// The last frame with each outcome is what is shown when its counter is wrong.
void Scoreboard::note_counted() {
  const Frame& frame = model_.bus().tally;
  if (!frame) return;
  for (auto known = known_.rbegin(); known != known_.rend(); ++known) {
    if (known->id != frame->id) continue;
    for (uint32_t port = 0; port < build_.ports; ++port) {
      const auto event = model_.port(port).event(model_.bus());
      if (!event) continue;
      if (!is_stored(event->outcome)) known->dropped |= 1u << build_.line_of(port);
      registers_.counted(port, event->outcome, *known);
    }
    return;
  }
}

void Scoreboard::compare(uint32_t line, const WatchedPins& pins) {
  const ExpectedRow row = model_.output(line);
  const bool valid = pins.valid >> line & 1;
  if (valid != row.valid) {
    return suspect(line, valid ? "a row stands on the output" : "no row stands on the output, the model has one",
                   "timing");
  }
  if (!valid) return;
  const std::string what = row_difference(line, pins, row);
  if (!what.empty()) return;
  if ((pins.ready >> line & 1) && row.last) {
    last_left_[line] = model_.sends(line);
    ++left_;
  }
}

// Starts to suspect and says why, if the row is another than the model's.
std::string Scoreboard::row_difference(uint32_t line, const WatchedPins& pins, const ExpectedRow& row) {
  const size_t width = pins.m_user.size() / build_.lines(), beat = build_.beat_bytes();
  const auto differs = [&](const std::string& what, const std::string& kind) {
    suspect(line, what, kind);
    return what;
  };
  const uint32_t unknown = bytes_of(pins.m_data, line * beat * 8, row_, row.count);
  if (unknown < row.count) return differs("byte " + std::to_string(unknown) + " of the row is not known", "unknown");
  for (uint32_t i = 0; i < row.count; ++i) {
    if (row_[i] == row.bytes[i]) continue;
    return differs("byte " + std::to_string(i) + " of the row is " + hex(row_[i]) + ", model " + hex(row.bytes[i]),
                   "mark");
  }
  for (uint32_t i = 0; i < beat; ++i) {
    if (bit(pins.m_keep, line * beat + i) == (i < row.count)) continue;
    return differs("tkeep bit " + std::to_string(i) + ", model keeps " + std::to_string(row.count), "keep");
  }
  if (bit(pins.m_last, line) != row.last) return differs(row.last ? "tlast is 0" : "tlast is 1", "length");
  const uint32_t length = number(pins.m_user, line * width, kPinLengthW);
  if (length != row.length) {
    return differs("tuser says " + std::to_string(length) + " bytes, model " + std::to_string(row.length), "length");
  }
  if (row.last && bit(pins.m_user, line * width + kPinLengthW) != row.error) {
    return differs(row.error ? "the error flag is 0" : "the error flag is 1", "error flag");
  }
  return {};
}

void Scoreboard::suspect(uint32_t line, const std::string& what, const std::string& kind) {
  Difference difference;
  difference.kind = kind;
  difference.port = line;
  difference.cycle = cycle_;
  difference.frame = model_.sends(line);
  difference.what = what;
  for (uint32_t port = line * build_.queues; port < (line + 1) * build_.queues; ++port) {
    const PortConfig& config = model_.config(port);
    if (!difference.state.empty()) difference.state += "; port " + std::to_string(port) + ": ";
    difference.state += model_.port(port).describe() + "; K " + std::to_string(config.k[0]) + " and " +
                        std::to_string(config.k[1]) + " bytes";
    if (config.limit_bytes) difference.state += ", limit " + std::to_string(*config.limit_bytes) + " bytes";
    if (config.limit_packets) difference.state += ", limit " + std::to_string(*config.limit_packets) + " packets";
  }
  suspect_.emplace(std::move(difference), last_left_[line]);
}

void Scoreboard::collect(uint32_t line, const WatchedPins& pins) {
  const size_t beat = build_.beat_bytes();
  uint32_t count = 0;
  while (count < beat && bit(pins.m_keep, line * beat + count)) ++count;
  bytes_of(pins.m_data, line * beat * 8, row_, count);
  leaving_[line].insert(leaving_[line].end(), row_.begin(), row_.end());
  if (!bit(pins.m_last, line)) return;
  if (suspect_ && !found_) found_ = suspect_->left(line, leaving_[line], known_);
  leaving_[line].clear();
}

}  // namespace truemark
