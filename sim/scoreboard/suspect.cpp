// SPDX-License-Identifier: BSD-3-Clause
#include "suspect.h"

#include <algorithm>

#include "../model/parse.h"

namespace truemark {
namespace {

constexpr uint64_t kPatience = 20'000;  // cycles
constexpr unsigned kLater = 64;         // frames in which one that was overtaken still may come

// Bytes that a mark may change.
std::vector<uint32_t> mark_bytes(std::span<const uint8_t> frame) {
  const Meta meta = parse(frame, static_cast<uint32_t>(frame.size()));
  if (meta.l3 == L3::None) return {};
  if (meta.l3 == L3::Ipv4) return {meta.l3_offset + 1, meta.l3_offset + 10, meta.l3_offset + 11};
  return {meta.l3_offset, meta.l3_offset + 1};
}

// The bytes in which two frames of the same length differ.
std::vector<uint32_t> differing(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  std::vector<uint32_t> at;
  for (uint32_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) at.push_back(i);
  }
  return at;
}

bool only_marked(std::span<const uint8_t> frame, const Known& known) {
  if (frame.size() != known.bytes.size()) return false;
  const auto may = mark_bytes(known.bytes);
  return std::ranges::all_of(differing(frame, known.bytes), [&](uint32_t at) { return std::ranges::count(may, at); });
}

std::string number(uint64_t frame) { return "frame " + std::to_string(frame); }

}  // namespace

std::optional<Difference> Suspect::left(uint32_t by, std::span<const uint8_t> frame, const std::deque<Known>& known) {
  if (by != port()) {
    const Known* due = find(due_, known);
    if (due == nullptr || due->ports >> by & 1 || !only_marked(frame, *due)) return std::nullopt;
    return as("departure port", due, number(due_) + " left by port " + std::to_string(by));
  }
  if (other_ == 0) return first(frame, known);
  const Known* due = find(due_, known);
  if (due != nullptr && only_marked(frame, *due)) {
    return as("order", due, number(other_) + " left before " + number(due_));
  }
  if (++later_ < kLater) return std::nullopt;
  return conclude(known);
}

std::optional<Difference> Suspect::first(std::span<const uint8_t> frame, const std::deque<Known>& known) {
  const Known* due = find(due_, known);
  if (due != nullptr && only_marked(frame, *due)) return as(difference_.kind, due, "");
  const auto found = [&](bool here) -> const Known* {
    const auto at = std::ranges::find_if(known, [&](const Known& each) {
      return (each.ports >> port() & 1) == here && each.id > (here ? last_left_ : 0) && only_marked(frame, each);
    });
    return at == known.end() ? nullptr : &*at;
  };
  if (const Known* other = found(true)) {
    if (due == nullptr && !(other->dropped >> port() & 1)) return as("timing", other, "");
    if (due == nullptr || other->id < due_)
      return as("drop", other, number(other->id) + " left, and was to be dropped");
    other_ = other->id;
    return std::nullopt;
  }
  if (const Known* other = found(false)) {
    return as("departure port", other, number(other->id) + " left here and is not for this port");
  }
  const bool twice = std::ranges::any_of(
      known, [&](const Known& each) { return each.ports >> port() & 1 && only_marked(frame, each); });
  if (twice) return as("order", due, "a frame left that had left before");
  if (due == nullptr) return as("drop", nullptr, "a frame left that never came in");
  if (frame.size() != due->bytes.size()) {
    return as("length", due,
              "it has " + std::to_string(frame.size()) + " bytes, and came with " + std::to_string(due->bytes.size()));
  }
  const auto at = differing(frame, due->bytes);
  return as(
      "payload", due,
      std::to_string(at.size()) + " bytes differ from what came, the first is byte " + std::to_string(at.front()));
}

std::optional<Difference> Suspect::passed(uint64_t cycle, const std::deque<Known>& known) {
  if (cycle < difference_.cycle + kPatience) return std::nullopt;
  return conclude(known);
}

Difference Suspect::conclude(const std::deque<Known>& known) {
  if (due_ == 0) return as("timing", nullptr, "");
  return as("drop", find(due_, known),
            number(due_) + " never left" + (other_ == 0 ? "" : ", " + number(other_) + " did in its place"));
}

Difference Suspect::as(const std::string& kind, const Known* frame, const std::string& more) {
  difference_.kind = kind;
  if (!more.empty()) difference_.what += "; " + more;
  if (frame != nullptr) {
    difference_.frame = frame->id;
    difference_.bytes = frame->bytes;
  }
  return difference_;
}

const Known* Suspect::find(uint64_t id, const std::deque<Known>& known) const {
  const auto at = std::ranges::find(known, id, &Known::id);
  return id == 0 || at == known.end() ? nullptr : &*at;
}

}  // namespace truemark
