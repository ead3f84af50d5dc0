// SPDX-License-Identifier: BSD-3-Clause
// What every engine can do, in C++; abi.cpp gives it the C interface of truemark.h.
//
// Failures are exceptions (std::exception) whose text says what, where and the offending value.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>

#include "../model/types.h"
#include "truemark.h"

namespace truemark {

class Engine {
 public:
  virtual ~Engine() = default;
  virtual const char* name() const = 0;
  virtual tm_build build() const = 0;
  // No value, or false: answered with SLVERR. The address is aligned and within the window.
  virtual std::optional<uint32_t> read(uint32_t address) = 0;
  virtual bool write(uint32_t address, uint32_t value) = 0;
  // The frame has been checked and its defaults are filled in.
  virtual void offer(uint64_t time, const tm_frame& frame) = 0;
  virtual bool take(uint32_t port, uint64_t time, std::span<uint8_t> buffer, tm_departure& departure) = 0;
  virtual void pause(uint32_t /*port*/, uint32_t /*queues*/) {
    throw std::runtime_error("tm_pause: the golden model pauses queues; an engine over the RTL does not");
  }
  virtual void advance(uint64_t time) = 0;
  virtual std::optional<tm_event> next_event() = 0;
};

// Each library has its own. `build` is checked and complete except for what only the library knows (RTL: zeros
// allowed).
std::unique_ptr<Engine> make_engine(const tm_build& build);

// Defaults in place of zeros; throws on a value out of range, naming the field.
tm_build complete(const tm_build& build);

// A complete build as the golden model has it.
constexpr Build model_build(const tm_build& build) {
  return Build{.ports = build.ports,
               .data_w = build.data_w,
               .rows = build.rows,
               .descriptors = build.descriptors,
               .max_frame = build.max_frame,
               .ultra = build.ultra != 0,
               .queues = build.queues}
      .with(build.switches);
}

}  // namespace truemark
