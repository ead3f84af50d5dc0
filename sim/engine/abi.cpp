// SPDX-License-Identifier: BSD-3-Clause
// The C interface: checks arguments, turns exceptions into error texts, and converts nothing else.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "engine.h"

struct tm_device {
  std::unique_ptr<truemark::Engine> engine;
  std::string error;
};

namespace {

template <typename Body>
int guarded(tm_device* device, Body body) {
  try {
    return body();
  } catch (const std::exception& error) {
    device->error = error.what();
  } catch (...) {
    device->error = "unknown error";
  }
  return TM_ERROR;
}

void check_address(const char* call, uint32_t address) {
  if (address % 4 == 0 && address < 0x1000) return;
  char text[96];
  std::snprintf(text, sizeof text, "%s: address 0x%x is not a multiple of 4 below 0x1000", call, address);
  throw std::invalid_argument(text);
}

[[noreturn]] void refuse(const char* call, const char* field, uint64_t value, const std::string& allowed) {
  throw std::invalid_argument(std::string(call) + ": " + field + " = " + std::to_string(value) +
                              ", allowed: " + allowed);
}

uint32_t lines_of(const tm_build& build) { return build.ports / build.queues; }

void check_port(const char* call, const tm_device* device, uint32_t port) {
  const uint32_t lines = lines_of(device->engine->build());
  if (port >= lines) refuse(call, "port", port, "0.." + std::to_string(lines - 1));
}

tm_frame checked(const tm_device* device, const tm_frame* given) {
  tm_frame frame = *given;
  const tm_build build = device->engine->build();
  const uint32_t beats = (frame.length + build.data_w / 8 - 1) / (build.data_w / 8);
  if (frame.data == nullptr) throw std::invalid_argument("tm_offer: data = NULL");
  if (frame.length == 0 || frame.length > 65535) refuse("tm_offer", "length", frame.length, "1..65535");
  if (frame.promised_length > 65535) refuse("tm_offer", "promised_length", frame.promised_length, "0..65535");
  if (frame.error > 1) refuse("tm_offer", "error", frame.error, "0, 1");
  if (frame.hole > beats) refuse("tm_offer", "hole", frame.hole, "0.." + std::to_string(beats));
  if (frame.source > 15) refuse("tm_offer", "source", frame.source, "0..15");
  if (frame.promised_length == 0) frame.promised_length = frame.length;
  frame.ports &= (1u << lines_of(build)) - 1;
  return frame;
}

}  // namespace

extern "C" {

tm_device* tm_open(const tm_build* build, char* error, size_t size) {
  std::string text = "out of memory";
  try {
    if (build == nullptr) throw std::invalid_argument("tm_open: build = NULL");
    auto device = std::make_unique<tm_device>();
    device->engine = truemark::make_engine(*build);
    return device.release();
  } catch (const std::exception& problem) {
    text = problem.what();
  }
  if (error != nullptr && size > 0) std::snprintf(error, size, "%s", text.c_str());
  return nullptr;
}

void tm_close(tm_device* device) { delete device; }

int tm_get_build(const tm_device* device, tm_build* build) {
  *build = device->engine->build();
  return TM_OK;
}

const char* tm_engine_name(const tm_device* device) { return device->engine->name(); }

const char* tm_last_error(const tm_device* device) { return device->error.c_str(); }

int tm_read(tm_device* device, uint32_t address, uint32_t* value) {
  return guarded(device, [&] {
    check_address("tm_read", address);
    const auto answer = device->engine->read(address);
    *value = answer.value_or(0);
    return answer ? TM_OK : TM_SLVERR;
  });
}

int tm_write(tm_device* device, uint32_t address, uint32_t value) {
  return guarded(device, [&] {
    check_address("tm_write", address);
    return device->engine->write(address, value) ? TM_OK : TM_SLVERR;
  });
}

int tm_offer(tm_device* device, uint64_t time_ns, const tm_frame* frame) {
  return guarded(device, [&] {
    device->engine->offer(time_ns, checked(device, frame));
    return TM_OK;
  });
}

int tm_take(tm_device* device, uint32_t port, uint64_t time_ns, uint8_t* buffer, size_t capacity,
            tm_departure* departure) {
  return guarded(device, [&] {
    check_port("tm_take", device, port);
    const uint32_t needed = device->engine->build().max_frame;
    if (capacity < needed) refuse("tm_take", "capacity", capacity, std::to_string(needed) + " and up");
    return device->engine->take(port, time_ns, {buffer, capacity}, *departure) ? 1 : 0;
  });
}

int tm_pause(tm_device* device, uint32_t port, uint32_t queues) {
  return guarded(device, [&] {
    check_port("tm_pause", device, port);
    device->engine->pause(port, queues);
    return TM_OK;
  });
}

int tm_advance(tm_device* device, uint64_t time_ns) {
  return guarded(device, [&] {
    device->engine->advance(time_ns);
    return TM_OK;
  });
}

int tm_next_event(tm_device* device, tm_event* event) {
  return guarded(device, [&] {
    const auto next = device->engine->next_event();
    if (next) *event = *next;
    return next ? 1 : 0;
  });
}

}  // extern "C"
