// SPDX-License-Identifier: GPL-2.0-only
// An engine library loaded by its path, and devices opened from it; every failure of the C interface is an exception.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../../engine/truemark.h"
#include "json.h"

namespace lab {

class EngineLibrary {
 public:
  explicit EngineLibrary(const std::string& path);
  const std::string& path() const { return path_; }

  decltype(&tm_open) open;
  decltype(&tm_close) close;
  decltype(&tm_get_build) get_build;
  decltype(&tm_engine_name) engine_name;
  decltype(&tm_last_error) last_error;
  decltype(&tm_read) read;
  decltype(&tm_write) write;
  decltype(&tm_offer) offer;
  decltype(&tm_take) take;
  decltype(&tm_pause) pause;
  decltype(&tm_next_event) next_event;

 private:
  template <typename Function>
  void find(Function& function, const char* name);
  void* handle_;
  std::string path_;
};

// One device of one line, with one queue or several, configured by the register writes that the host tool planned.
// `plan` holds them, and where commands are given and answered; `seed` is of its random words.
class EngineDevice {
 public:
  EngineDevice(std::shared_ptr<const EngineLibrary> library, const Json& build, const Json& plan, uint32_t seed);
  ~EngineDevice();
  EngineDevice(const EngineDevice&) = delete;
  EngineDevice& operator=(const EngineDevice&) = delete;

  const char* engine() const { return library_->engine_name(device_); }
  uint32_t queues() const { return queues_; }
  // The verdict on a frame offered now.
  tm_event offer(uint64_t now, const uint8_t* frame, uint32_t length);
  // None of these queues, by their bits, begins a frame until the next call.
  void pause(uint32_t queues);
  // The next frame, valid until the next call; false when the device has none to give.
  bool take(uint64_t now, const uint8_t*& frame, tm_departure& departure);

 private:
  int checked(int result, const char* call) const;
  void write(uint32_t address, uint32_t value);
  void configure(const Json& plan);
  std::shared_ptr<const EngineLibrary> library_;
  tm_device* device_ = nullptr;
  uint32_t queues_ = 1;
  std::vector<uint8_t> buffer_;
};

}  // namespace lab
