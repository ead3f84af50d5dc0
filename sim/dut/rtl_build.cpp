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

void require_same(const char* field, uint32_t asked, uint32_t built) {
  if (asked == built) return;
  throw std::invalid_argument("tm_open: this library was built with " + std::string(field) + " = " +
                              std::to_string(built) + ", not " + std::to_string(asked));
}

}  // namespace

void check_rtl_build(const tm_build& asked) {
  const tm_build any{};  // whatever the library was built with
  if (std::memcmp(&asked, &any, sizeof any) == 0) return;
  if (asked.ports != 0) require_same("ports", asked.ports, kRtlBuild.ports);
  if (asked.data_w != 0) require_same("data_w", asked.data_w, kRtlBuild.data_w);
  if (asked.rows != 0) require_same("rows", asked.rows, kRtlBuild.rows);
  if (asked.descriptors != 0) require_same("descriptors", asked.descriptors, kRtlBuild.descriptors);
  if (asked.max_frame != 0) require_same("max_frame", asked.max_frame, kRtlBuild.max_frame);
  require_same("store_and_forward", asked.store_and_forward, kRtlBuild.store_and_forward);
  require_same("flags_verdict", asked.flags_verdict, kRtlBuild.flags_verdict);
  require_same("ultra", asked.ultra, kRtlBuild.ultra);
  require_same("red", asked.red, kRtlBuild.red);
  require_same("codel", asked.codel, kRtlBuild.codel);
}

}  // namespace truemark
