// SPDX-License-Identifier: BSD-3-Clause
#include "model_engine.h"

namespace truemark {

ModelEngine::ModelEngine(const tm_build& complete_build)
    : build_(complete_build), device_(model_build(complete_build)) {}

void ModelEngine::offer(uint64_t time, const tm_frame& frame) {
  device_.offer(
      time,
      {{frame.data, frame.length}, frame.promised_length, frame.ports, frame.error != 0, frame.hole, frame.source});
}

bool ModelEngine::take(uint32_t line, uint64_t time, std::span<uint8_t> buffer, tm_departure& departure) {
  const auto taken = device_.take(line, time, buffer);
  if (!taken) return false;
  departure = {time, taken->sojourn, taken->port, taken->length, 0, static_cast<uint32_t>(taken->kind)};
  return true;
}

std::optional<tm_event> ModelEngine::next_event() {
  const auto event = device_.next_event();
  if (!event) return std::nullopt;
  return tm_event{event->time,
                  event->port,
                  event->length,
                  static_cast<uint32_t>(event->meta.class_id),
                  event->meta.ece ? 1u : 0u,
                  static_cast<uint32_t>(event->meta.ecn),
                  static_cast<uint32_t>(event->outcome),
                  event->bytes};
}

}  // namespace truemark
