// SPDX-License-Identifier: BSD-3-Clause
#include "describe.h"

#include <cstdio>

#include "../model/parse.h"

namespace truemark {
namespace {

constexpr std::array kCodepoints = {"Not-ECT", "ECT(1)", "ECT(0)", "CE"};

template <size_t N>
const char* name_in(const std::array<const char*, N>& names, uint32_t index) {
  return index < N ? names[index] : "?";
}

}  // namespace

const char* outcome_name(uint32_t outcome) { return name_in(kOutcomeNames, outcome); }
const char* class_name(uint32_t class_id) { return name_in(kClassNames, class_id); }
const char* departure_name(uint32_t kind) { return name_in(std::to_array(kDepartureNames), kind); }

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string hex_dump(std::span<const uint8_t> bytes) {
  std::string text;
  char part[32];
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % 16 == 0) {
      std::snprintf(part, sizeof part, "%s    %04zx ", i ? "\n" : "", i);
      text += part;
    }
    std::snprintf(part, sizeof part, " %02x", bytes[i]);
    text += part;
  }
  return text + "\n";
}

std::string describe(const tm_frame& frame) {
  std::string text = std::to_string(frame.length) + " bytes to ports " + hex(frame.ports);
  if (frame.promised_length != frame.length) text += ", promised " + std::to_string(frame.promised_length);
  if (frame.hole) text += ", hole in beat " + std::to_string(frame.hole);
  if (frame.error) text += ", error bit";
  if (frame.source) text += ", by port " + std::to_string(frame.source);
  return text;
}

std::string describe(const tm_event& event) {
  return "port " + std::to_string(event.port) + ", " + std::to_string(event.length) + " bytes, " +
         class_name(event.class_id) + (event.ece ? " with ECE, " : ", ") + name_in(kCodepoints, event.ecn) + ": " +
         outcome_name(event.outcome) + " at " + std::to_string(event.time_ns) + " ns, queue " +
         std::to_string(event.bytes) + " bytes";
}

std::string describe(const tm_departure& departure) {
  return std::to_string(departure.length) + " bytes after " + std::to_string(departure.sojourn_ns) + " ns" +
         (departure.error ? ", error flag" : "") +
         (departure.kind != TM_DEPART_PLAIN ? std::string(", ") + departure_name(departure.kind) : "");
}

std::string describe_packet(std::span<const uint8_t> bytes) {
  const Meta meta = parse(bytes, static_cast<uint32_t>(bytes.size()));
  return std::to_string(bytes.size()) + " bytes, " + class_name(static_cast<uint32_t>(meta.class_id)) +
         (meta.ece ? " with ECE, " : ", ") + name_in(kCodepoints, static_cast<uint32_t>(meta.ecn)) + ", L3 header at " +
         std::to_string(meta.l3_offset) + ", TCP flags " + hex(meta.flags);
}

}  // namespace truemark
