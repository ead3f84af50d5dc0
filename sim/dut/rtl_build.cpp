// SPDX-License-Identifier: BSD-3-Clause
#include "rtl_build.h"

#include <cstring>
#include <stdexcept>
#include <string>

// An assertion of the RTL that fails ends the run with its place; Verilator has printed its message by then.
void vl_stop(const char* file, int line, const char* scope) {
  throw std::runtime_error("RTL assertion failed: " + std::string(file) + ":" + std::to_string(line) + " in " + scope);
}

namespace truemark {
namespace {

struct Field {
  const char* name;
  uint32_t tm_build::* value;
  bool zero_asks_for_any = false;
};
constexpr Field kFields[] = {{"ports", &tm_build::ports, true},         {"data_w", &tm_build::data_w, true},
                             {"rows", &tm_build::rows, true},           {"descriptors", &tm_build::descriptors, true},
                             {"max_frame", &tm_build::max_frame, true}, {"ultra", &tm_build::ultra},
                             {"switches", &tm_build::switches},         {"queues", &tm_build::queues, true}};

}  // namespace

void check_rtl_build(const tm_build& asked) {
  const tm_build any{};  // whatever the library was built with
  if (std::memcmp(&asked, &any, sizeof any) == 0) return;
  for (const auto& [name, value, zero_asks_for_any] : kFields) {
    if (asked.*value == kRtlBuild.*value || (zero_asks_for_any && asked.*value == 0)) continue;
    throw std::invalid_argument("tm_open: this library was built with " + std::string(name) + " = " +
                                std::to_string(kRtlBuild.*value) + ", not " + std::to_string(asked.*value));
  }
}

}  // namespace truemark
