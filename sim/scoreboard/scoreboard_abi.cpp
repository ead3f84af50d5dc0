// SPDX-License-Identifier: BSD-3-Clause
#include "scoreboard_abi.h"

#include <array>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "scoreboard.h"

using truemark::Scoreboard;

struct tms_board {
  explicit tms_board(const truemark::Build& build) : scoreboard(build) {}
  Scoreboard scoreboard;
  std::string report;
};

namespace {

// The words of a text, cut at its blanks.
template <size_t Count>
std::array<std::string_view, Count> words(const char* text) {
  std::array<std::string_view, Count> each;
  std::string_view rest(text);
  for (auto& word : each) {
    word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  return each;
}

truemark::BusPins bus_pins(const char* text) {
  std::istringstream from(text);
  truemark::BusPins pins;
  uint32_t what = 0;
  from >> std::hex >> what >> pins.write_address >> pins.write_data >> pins.write_strobe >> pins.read_address >>
      pins.read_data;
  pins.write = what & 1;
  pins.read = what & 2;
  pins.answer = what & 4;
  return pins;
}

int outcome(tms_board* board) {
  const auto& found = board->scoreboard.found();
  if (!found) return 0;
  constexpr const char* kDigits = "0123456789abcdef";
  board->report = found->kind + "\n" + std::to_string(found->port) + "\n" + std::to_string(found->cycle) + "\n" +
                  std::to_string(found->frame) + "\n" + found->what + "\n" + found->state + "\n";
  for (const uint8_t byte : found->bytes) board->report += {kDigits[byte >> 4], kDigits[byte & 15]};
  return 1;
}

// What a step ends with: the model may fail.
template <typename Step>
int outcome_of(tms_board* board, Step step) {
  try {
    step();
    return outcome(board);
  } catch (const std::exception& error) {
    board->report = error.what();
    return -1;
  }
}

}  // namespace

uint32_t tms_abi_version(void) { return TMS_ABI_VERSION; }

tms_board* tms_open(const tms_build* build) {
  truemark::Build own;
  own.ports = build->ports;
  own.data_w = build->data_w;
  own.rows = build->rows;
  own.descriptors = build->descriptors;
  own.max_frame = build->max_frame;
  own.queues = build->queues;
  return new tms_board(own.with(build->capabilities));
}

void tms_close(tms_board* board) { delete board; }

int tms_cycle(tms_board* board, uint32_t reset, uint64_t time_ns, uint32_t tx_enable, uint32_t ready, uint32_t valid,
              const char* source, const char* sinks, const char* bus) {
  truemark::WatchedPins pins;
  pins.reset = reset != 0;
  pins.time = time_ns;
  pins.tx_enable = tx_enable;
  pins.ready = ready;
  pins.valid = valid;
  if (source != nullptr) {
    const auto word = words<5>(source);
    pins.taken = true;
    pins.s_data = word[0];
    pins.s_keep = word[1];
    pins.s_last = word[2];
    pins.s_dest = word[3];
    pins.s_user = word[4];
  }
  if (sinks != nullptr) {
    const auto word = words<4>(sinks);
    pins.m_data = word[0];
    pins.m_keep = word[1];
    pins.m_last = word[2];
    pins.m_user = word[3];
  }
  if (bus != nullptr) pins.bus = bus_pins(bus);
  return outcome_of(board, [&] { board->scoreboard.cycle(pins); });
}

int tms_conclude(tms_board* board) {
  return outcome_of(board, [&] { board->scoreboard.conclude(); });
}

const char* tms_report(tms_board* board) { return board->report.c_str(); }

uint64_t tms_count(const tms_board* board, uint32_t which) {
  const Scoreboard& scoreboard = board->scoreboard;
  switch (which) {
    case 0:
      return scoreboard.frames();
    case 1:
      return scoreboard.left();
    case 2:
      return scoreboard.registers();
    default:
      return scoreboard.at_rest() ? 1 : 0;
  }
}
