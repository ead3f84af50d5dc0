// SPDX-License-Identifier: BSD-3-Clause
// Build parameters: defaults and ranges.
#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "engine.h"

namespace truemark {
namespace {

constexpr uint32_t kShallow = 300'000;  // bytes
constexpr uint32_t kMinStored = 60;     // the shortest frame Ethernet sends, without FCS

void require(bool good, const char* field, uint32_t value, const char* range) {
  if (good) return;
  throw std::invalid_argument("tm_open: " + std::string(field) + " = " + std::to_string(value) + ", allowed: " + range);
}

// Rows with which no mix of frames that Ethernet sends fills the storage before `bytes` are held: those that waste most
// end one byte behind a row.
uint32_t rows_for(uint32_t bytes, uint32_t beat) {
  uint32_t most = 0;
  for (uint32_t length = kMinStored; length <= kMinStored + 2 * beat; ++length) {
    most = std::max(most, (bytes / length + 1) * ((length + beat - 1) / beat));
  }
  return most + pkg::kSpareRows;
}

}  // namespace

tm_build complete(const tm_build& given) {
  tm_build build = given;
  if (build.ports == 0) build.ports = 5;
  if (build.data_w == 0) build.data_w = 256;
  if (build.max_frame == 0) build.max_frame = 9216;
  if (build.queues == 0) build.queues = 1;
  require(build.ports <= 16, "ports", build.ports, "1..16");
  require(std::has_single_bit(build.queues) && build.queues <= 8, "queues", build.queues, "1, 2, 4, 8");
  require(build.ports % build.queues == 0, "ports", build.ports, "a multiple of queues");
  require(std::has_single_bit(build.data_w) && build.data_w >= 64 && build.data_w <= 1024, "data_w", build.data_w,
          "64, 128, 256, 512, 1024");
  require(build.max_frame >= 64 && build.max_frame <= 16384 - build.data_w / 8, "max_frame", build.max_frame,
          "64..16384 - data_w/8");
  if (build.rows == 0) build.rows = rows_for(kShallow, build.data_w / 8);
  if (build.descriptors == 0) build.descriptors = std::min(build.rows, kShallow / kMinStored + 1);
  require(build.rows >= 2 && uint64_t{build.rows} * build.data_w / 8 < (1u << 25), "rows", build.rows,
          "2 and up, rows * data_w/8 below 32 MiB");  // room for 16 MB of the worst mix; of RTL, half of it
  require(build.descriptors < (1u << 20), "descriptors", build.descriptors, "1..1048575");
  require(build.ultra <= 1, "ultra", build.ultra, "0, 1");
  const Build model = model_build(build);
  require(model.red || !model.red_linux, "switches", build.switches, "red_linux with red");
  require(model.pool || !model.pfc, "switches", build.switches, "pfc with pool");
  require(!model.pfc || build.data_w >= 128, "data_w", build.data_w, "128 and up with pfc");
  require(!model.pool || build.ultra == 0, "ultra", build.ultra, "0 with pool");
  require(!model.pool || model.cells() > pkg::kUnreservedCells, "rows", build.rows, "with pool more than 8 cells");
  require(!model.pool || build.rows % (build.rows / model.cells()) == 0, "rows", build.rows,
          "with pool a multiple of the rows of a cell");
  build.switches = model.switches();
  return build;
}

}  // namespace truemark
