// SPDX-License-Identifier: BSD-3-Clause
// Frames, events and packets in words, for messages.
#pragma once

#include <array>
#include <span>
#include <string>

#include "truemark.h"

namespace truemark {

inline constexpr std::array kOutcomeNames = {"pass",         "pass_ce",           "mark",         "ce_signalled",
                                             "protected",    "early_probability", "early_forced", "tail_bytes",
                                             "tail_packets", "no_room",           "disabled",     "aborted"};
inline constexpr std::array kClassNames = {"NON_IP", "OTHER_IP", "SYN_ACK", "SYN", "TCP_CTRL", "DATA", "ACK"};

// "?" for what there is not.
const char* outcome_name(uint32_t outcome);
const char* class_name(uint32_t class_id);
const char* departure_name(uint32_t kind);

std::string hex(uint64_t value);
std::string hex_dump(std::span<const uint8_t> bytes);
std::string describe(const tm_frame& frame);
std::string describe(const tm_event& event);
std::string describe(const tm_departure& departure);
// What the model's parser makes of it.
std::string describe_packet(std::span<const uint8_t> bytes);

}  // namespace truemark
