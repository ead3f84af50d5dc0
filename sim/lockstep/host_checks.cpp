// SPDX-License-Identifier: BSD-3-Clause
// What the host reads and holds against the golden side: registers, loaded configurations, snapshots and queries.
#include <stdexcept>

#include "../engine/describe.h"
#include "../model/registers.h"
#include "host.h"

namespace truemark {

void Host::strange_access() {
  const uint32_t address = random_.one_in(4) ? 4 * random_.below(64) : 0x200 + 4 * random_.below((0x1000 - 0x200) / 4);
  if (Shadow::has(build_, address)) return;
  const bool netfpga = address < reg::kNetfpgaEnd;
  coverage_.add(netfpga ? "access to NetFPGA's" : "access to nothing");
  const auto check = [=](uint32_t data, bool error) {
    if (error == netfpga) throw std::runtime_error("register " + hex(address) + ": wrong kind of answer");
    if (netfpga && data != reg::kNetfpgaValue)
      throw std::runtime_error("register " + hex(address) + " reads " + hex(data));
  };
  if (random_.one_in(2)) {
    script_.push_back({false, address, 0, {}, check});
  } else {
    script_.push_back({true, address, static_cast<uint32_t>(random_.next()), {}, [check](uint32_t, bool error) {
                         check(reg::kNetfpgaValue, error);
                       }});
  }
}

void Host::load_and_check(uint32_t port) {
  coverage_.add("load");
  write(reg::kPage, port);
  read(reg::kPage, [this, port](uint32_t page) {
    page_ = page;
    command(reg::command::kLoad.mask());
    wait_until_done([this, port](uint32_t) {
      for (const uint32_t address : Shadow::addresses(build_)) {
        expect(address, *model_.active(port).read(address), "loaded shadow");
      }
    });
  });
}

void Host::snapshot_and_query(unsigned queries) {
  coverage_.add("snapshot");
  command(reg::command::kSnapshot.mask());
  wait_until_done();
  read(reg::kSnapshotTimeLow, [this](uint32_t low) { snapshot_low_ = low; });
  read(reg::kSnapshotTimeHigh, [this, queries](uint32_t high) {
    uint64_t cycle = 0;
    past_ = model_.past(uint64_t{high} << 32 | snapshot_low_, &cycle);
    for (unsigned i = 0; i < queries; ++i) {
      const uint32_t port = random_.below(build_.ports);
      write(reg::kPage, port);
      expect(reg::kSnapshotBytes, static_cast<uint32_t>(past_[port].bytes), "SNAPSHOT_BYTES");
      expect(reg::kSnapshotPackets, static_cast<uint32_t>(past_[port].packets), "SNAPSHOT_PACKETS");
      const unsigned codes = Counters::has_high(build_) ? 32 : 16;
      const unsigned mask = random_.one_in(3) ? random_.below(codes) : codes - 1;
      query(port, random_.below(codes), mask, random_.below(16), random_.one_in(2) ? 0 : random_.below(16));
    }
  });
}

void Host::query(uint32_t port, unsigned code, unsigned code_mask, unsigned class_ece, unsigned class_ece_mask) {
  const Total sum = past_[port].counters.query(code, code_mask, class_ece, class_ece_mask);
  uint32_t asked = reg::query::kCode.put(code) | reg::query::kCodeMask.put(code_mask);
  asked |= reg::query::kClassEce.put(class_ece) | reg::query::kClassEceMask.put(class_ece_mask);
  asked |= reg::query::kCodeHigh.put(code >> 4) | reg::query::kCodeMaskHigh.put(code_mask >> 4);
  const std::string what = "port " + std::to_string(port) + " query " + hex(asked);
  write(reg::kQuery, asked);
  command(reg::command::kQuery.mask());
  wait_until_done([this, sum, what](uint32_t) {
    expect(reg::kSumPacketsLow, static_cast<uint32_t>(sum.packets), what + " packets");
    expect(reg::kSumPacketsHigh, static_cast<uint32_t>(sum.packets >> 32), what + " packets, high");
    expect(reg::kSumBytesLow, static_cast<uint32_t>(sum.bytes), what + " bytes");
    expect(reg::kSumBytesHigh, static_cast<uint32_t>(sum.bytes >> 32), what + " bytes, high");
  });
}

void Host::check_everything() {
  insert_at_ = 0;
  for (uint32_t port = 0; port < build_.ports; ++port) {
    const PortCycles& cycles = model_.port(port);
    const Admit& admit = cycles.admit();
    const std::string name = "port " + std::to_string(port) + " ";
    write(reg::kPage, port);
    expect(reg::kOccupancyBytes, static_cast<uint32_t>(admit.bytes()), name + "OCCUPANCY_BYTES");
    expect(reg::kOccupancyPackets, static_cast<uint32_t>(admit.packets()), name + "OCCUPANCY_PACKETS");
    expect(reg::kWatermarkBytes, static_cast<uint32_t>(admit.watermark_bytes()), name + "WATERMARK_BYTES");
    expect(reg::kWatermarkPackets, static_cast<uint32_t>(admit.watermark_packets()), name + "WATERMARK_PACKETS");
    expect(reg::kWatermarkSojournLow, static_cast<uint32_t>(model_.watermark_sojourn(port)),
           name + "WATERMARK_SOJOURN");
    expect(reg::kWatermarkSojournHigh, static_cast<uint32_t>(model_.watermark_sojourn(port) >> 32),
           name + "WATERMARK_SOJOURN high");
    expect(reg::kCutShort, cycles.cut_short(), name + "CUT_SHORT");
    if (build_.pool) {
      expect(reg::kPoolRefused, cycles.pool_refused(), name + "POOL_REFUSED");
      if (model_.empty()) expect(reg::kPoolCells, 0, name + "POOL_CELLS");
    }
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      const uint64_t average = build_.red ? cycles.red().average(slot) / average::kOne : 0;
      const uint32_t maxp = build_.red ? cycles.red().maxp(slot) : 0;
      expect(reg::kAverage0 + 4 * slot, static_cast<uint32_t>(average), name + "AVERAGE" + std::to_string(slot));
      expect(reg::kMaxp0 + 4 * slot, maxp, name + "MAXP" + std::to_string(slot));
    }
  }
  if (build_.pool) {
    expect(reg::kPoolFaults, 0, "POOL_FAULTS");
    expect(reg::kPoolWalking, 0, "POOL_WALKING");
    if (model_.empty()) {
      expect(reg::kPoolFree, build_.cells(), "POOL_FREE");
      expect(reg::kPoolHeld, 0, "POOL_HELD");
    }
  }
  if (build_.pfc && model_.empty()) {
    for (uint32_t port = 0; port < build_.ports; ++port) {
      write(reg::kPage, port);
      expect(reg::kPfcXoff, 0, "PFC_XOFF of port " + std::to_string(port));
    }
  }
  expect(reg::kSeed, seed_, "SEED");
  for (unsigned kind = 0; kind < kBadKinds; ++kind) {
    const uint32_t base = static_cast<Bad>(kind) == Bad::Reset ? resets_at_start_ : 0;
    expect(reg::kBadNoDestination + 4 * kind, base + model_.bad(static_cast<Bad>(kind)),
           "BAD counter " + std::to_string(kind));
  }
  if (random_.one_in(2)) clear_watermarks();
  snapshot_and_query(12);
}

void Host::clear_watermarks() {
  write(reg::kPage, random_.below(build_.ports));
  read(reg::kPage, [this](uint32_t page) {
    page_ = page;
    command(reg::command::kClearWatermarks.mask());
    wait_until_done();
  });
}

}  // namespace truemark
