// SPDX-License-Identifier: GPL-2.0-only
#include "engine_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <stdexcept>
#include <utility>

namespace lab {
template <typename Function>
void EngineLibrary::find(Function& function, const char* name) {
  void* symbol = dlsym(handle_, name);
  if (!symbol) throw std::runtime_error(path_ + ": no engine library, it lacks " + name);
  function = reinterpret_cast<Function>(symbol);
}

EngineLibrary::EngineLibrary(const std::string& path)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)), path_(path) {
  if (!handle_) throw std::runtime_error(std::string("engine library: ") + dlerror());
  find(open, "tm_open");
  find(close, "tm_close");
  find(get_build, "tm_get_build");
  find(engine_name, "tm_engine_name");
  find(last_error, "tm_last_error");
  find(read, "tm_read");
  find(write, "tm_write");
  find(offer, "tm_offer");
  find(take, "tm_take");
  find(pause, "tm_pause");
  find(next_event, "tm_next_event");
}

EngineDevice::EngineDevice(std::shared_ptr<const EngineLibrary> library, const Json& build, const Json& plan,
                           uint32_t seed)
    : library_(std::move(library)) {
  tm_build wanted{};
  const auto field = [&](const char* name) { return static_cast<uint32_t>(build[name].natural()); };
  wanted.ports = field("ports");
  wanted.data_w = field("data_w");
  wanted.rows = field("rows");
  wanted.descriptors = field("descriptors");
  wanted.max_frame = field("max_frame");
  wanted.ultra = field("ultra");
  wanted.switches = field("switches");
  wanted.queues = field("queues");
  char error[512];
  device_ = library_->open(&wanted, error, sizeof error);
  if (!device_) throw std::runtime_error(library_->path() + ": " + error);
  tm_build built{};
  checked(library_->get_build(device_, &built), "tm_get_build");
  if (built.ports != built.queues)
    throw std::runtime_error(library_->path() + ": has " + std::to_string(built.ports / built.queues) +
                             " lines; the lab uses one");
  queues_ = built.queues;
  buffer_.resize(built.max_frame);
  write(static_cast<uint32_t>(plan["seed"].natural()), seed);
  configure(plan);
}

EngineDevice::~EngineDevice() {
  if (device_) library_->close(device_);
}

int EngineDevice::checked(int result, const char* call) const {
  if (result == TM_ERROR)
    throw std::runtime_error(library_->path() + ", " + call + ": " + library_->last_error(device_));
  return result;
}

void EngineDevice::write(uint32_t address, uint32_t value) {
  char text[96];
  std::snprintf(text, sizeof text, "write of 0x%x to register 0x%x", value, address);
  if (checked(library_->write(device_, address, value), text) == TM_SLVERR)
    throw std::runtime_error(library_->path() + ": " + text + " is answered with SLVERR");
}

void EngineDevice::configure(const Json& plan) {
  for (const Json& planned : plan["writes"].items()) {
    const auto address = static_cast<uint32_t>(planned.items().at(0).natural());
    write(address, static_cast<uint32_t>(planned.items().at(1).natural()));
    if (address != plan["command"].natural()) continue;
    uint32_t status = 0;
    checked(library_->read(device_, static_cast<uint32_t>(plan["status"].natural()), &status), "read of STATUS");
    if (status & plan["refused"].natural()) {
      char text[96];
      std::snprintf(text, sizeof text, "the commit was refused (STATUS 0x%x)", status);
      throw std::runtime_error(library_->path() + ": " + text);
    }
  }
}

tm_event EngineDevice::offer(uint64_t now, const uint8_t* data, uint32_t length) {
  const tm_frame frame{data, length, 0, 1, 0, 0, 0};
  checked(library_->offer(device_, now, &frame), "tm_offer");
  tm_event event{};
  if (checked(library_->next_event(device_, &event), "tm_next_event") != 1)
    throw std::runtime_error(library_->path() + ": a frame of " + std::to_string(length) + " bytes got no verdict");
  return event;
}

void EngineDevice::pause(uint32_t queues) { checked(library_->pause(device_, 0, queues), "tm_pause"); }

bool EngineDevice::take(uint64_t now, const uint8_t*& frame, tm_departure& departure) {
  frame = buffer_.data();
  return checked(library_->take(device_, 0, now, buffer_.data(), buffer_.size(), &departure), "tm_take") == 1;
}

}  // namespace lab
