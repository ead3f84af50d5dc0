// SPDX-License-Identifier: BSD-3-Clause
#include "host.h"

#include <stdexcept>

#include "../engine/describe.h"
#include "../model/registers.h"
#include "latencies.h"

namespace truemark {
namespace {

constexpr uint32_t kBusy = 1u | 3u << 16;

// A configuration that traffic of this phase will bring to its edges; one in five is impossible.
Shadow random_shadow(Random& random, const Build& build, const Phase& phase) {
  const uint32_t storage = static_cast<uint32_t>(build.storage());
  const uint32_t length = phase.max_length;
  const auto near = [&](uint32_t multiples) {
    const uint32_t bytes = random.one_in(2) ? length * random.below(multiples) : random.below(multiples * length);
    return random.one_in(2) ? bytes : bytes + random.below(3) - (bytes > 0 ? 1 : 0);
  };
  Shadow shadow;
  uint32_t control = random.one_in(30) ? 0 : 1;
  const uint32_t k0 = std::min(near(12), storage), k1 = std::min(near(12), storage);
  uint32_t limit = std::max({near(30), k0, k1, 1u});
  limit = std::min(limit, storage);
  if (random.one_in(2)) control |= 2;
  if (random.one_in(3)) control |= 4;
  control |= (random.one_in(2) ? 0 : random.below(16)) << 4;
  control |= (random.chance(70) ? 1u : 0u) << 8 | (random.chance(50) ? 1u : 0u) << 10;
  control |= (random.one_in(6) ? 1u : 0u) << 12;
  uint32_t protect = build.flags_verdict && random.one_in(2) ? static_cast<uint32_t>(random.next()) & 0x3FFF : 0;
  uint32_t packets = random.between(1, build.descriptors);
  if (random.one_in(5)) {
    switch (random.below(7)) {
      case 0:
        limit = random.one_in(2) ? 0 : storage + 1;
        control |= 2;
        break;
      case 1:
        packets = random.one_in(2) ? 0 : build.descriptors + 1;
        control |= 4;
        break;
      case 2:
        control |= 2u << (random.one_in(2) ? 8 : 10);
        break;
      case 3:
        limit = k0 > 1 ? k0 - 1 : 1;
        control |= 2 | 1u << 8;
        break;
      case 4:
        limit = k1 > 1 ? k1 - 1 : 1;
        control |= 2 | 1u << 10;
        break;
      case 5:
        protect = 1u << random.below(14);
        control |= 5u << 8;
        break;
      default:
        control |= 8;
    }
  }
  shadow.write(reg::kControl, control);
  shadow.write(reg::kLimitBytes, limit);
  shadow.write(reg::kLimitPackets, packets);
  shadow.write(reg::kK0, k0);
  shadow.write(reg::kK1, k1);
  shadow.write(reg::kProtect, protect);
  return shadow;
}

// Where there is neither RED nor CoDel, nothing depends on their registers.
std::vector<uint32_t> used_registers(const Build& build) {
  std::vector<uint32_t> all = Shadow::addresses();
  if (!build.red && !build.codel) all.resize(6);
  return all;
}

}  // namespace

void Host::drive() {
  if (axil_.idle() && !script_.empty()) {
    current_ = std::move(script_.front());
    script_.pop_front();
    acted_ = false;
    if (current_.write) {
      axil_.start_write(current_.address, current_.value);
    } else {
      axil_.start_read(current_.address);
    }
  }
  axil_.drive();
}

void Host::observe(uint64_t cycle) {
  if (axil_.idle()) return;
  const bool answered = axil_.observe();
  if (!acted_ && current_.write && current_.address == reg::kCommand && (answered || axil_.write_accepted())) {
    acted_ = true;
    act(cycle);
  }
  if (!answered) return;
  insert_at_ = 0;
  if (current_.answered) {
    const Access access = current_;
    access.answered(axil_.data(), axil_.error());
  } else if (axil_.error()) {
    throw std::runtime_error("SLVERR for register " + hex(current_.address));
  }
}

// A command was accepted in this cycle: the golden side learns when it acts.
void Host::act(uint64_t cycle) {
  if (current_.value & reg::kCommit && page_ < build_.ports && shadow_.fault(build_) == reg::Fault::None) {
    world_.commit(page_, shadow_, cycle + latency::commit(build_.red, build_.codel));
  }
  if (current_.value & (reg::kFlush | reg::kSoftReset) && page_ < build_.ports) {
    world_.flush(page_, cycle + latency::kFlush);
  }
  if (current_.value & reg::kSoftReset && page_ < build_.ports) world_.soft_reset(page_, cycle + latency::kFlush);
  if (current_.value & reg::kClearWatermarks && page_ < build_.ports) {
    world_.clear_watermarks(page_, cycle + latency::kClear);
  }
  if (current_.value & reg::kSnapshot) world_.begin_history();
}

void Host::reset() {
  script_.clear();
  shadow_ = Shadow{};
  page_ = 0;
}

void Host::take_base() {
  insert_at_ = 0;
  read(reg::kBad + 4 * static_cast<uint32_t>(Bad::Reset), [this](uint32_t value) {
    if (value > 1) throw std::runtime_error("BAD_RESET is " + std::to_string(value) + " after power-up");
    resets_at_start_ = value;
  });
}

void Host::write(uint32_t address, uint32_t value) {
  script_.insert(script_.begin() + static_cast<std::ptrdiff_t>(insert_at_++), Access{true, address, value, {}});
}

void Host::read(uint32_t address, std::function<void(uint32_t)> then) {
  const auto answered = [address, then](uint32_t data, bool error) {
    if (error) throw std::runtime_error("SLVERR for register " + hex(address));
    then(data);
  };
  script_.insert(script_.begin() + static_cast<std::ptrdiff_t>(insert_at_++), Access{false, address, 0, answered});
}

void Host::expect(uint32_t address, uint32_t value, const std::string& name) {
  read(address, [=](uint32_t data) {
    if (data == value) return;
    throw std::runtime_error(name + " (register " + hex(address) + "): model " + std::to_string(value) + ", rtl " +
                             std::to_string(data));
  });
}

void Host::command(uint32_t bits) { write(reg::kCommand, bits); }

void Host::wait_until_done(std::function<void(uint32_t)> then) {
  read(reg::kStatus, [this, then](uint32_t status) {
    if (status & kBusy) {
      wait_until_done(then);
    } else if (then) {
      then(status);
    }
  });
}

void Host::configure(uint32_t port, const Phase& phase) {
  insert_at_ = 0;
  const Shadow wanted = random_shadow(random_, build_, phase);
  for (const uint32_t address : used_registers(build_)) write(address, *wanted.read(address));
  const bool no_port = random_.one_in(40) && build_.ports < 16;
  write(reg::kPage, no_port ? build_.ports : port);
  // The page changes for the golden side when the command can no longer meet the old one.
  read(reg::kPage, [this, wanted](uint32_t page) {
    page_ = page;
    shadow_ = wanted;
    command(reg::kCommit);
    wait_until_done([this](uint32_t status) {
      const reg::Fault fault = page_ < build_.ports ? shadow_.fault(build_) : reg::Fault::Port;
      const uint32_t expected = (fault != reg::Fault::None ? 2u : 0u) | static_cast<uint32_t>(fault) << 8;
      coverage_.add("commit fault " + std::to_string(static_cast<int>(fault)));
      if ((status & 0xFF02) != expected) {
        throw std::runtime_error("STATUS after a commit: model " + hex(expected) + ", rtl " + hex(status));
      }
    });
  });
}

void Host::something(const Phase& phase) {
  insert_at_ = 0;
  const uint32_t port = random_.below(build_.ports);
  switch (random_.below(12)) {
    case 0:
    case 1:
      write(reg::kPage, port);
      read(reg::kPage, [this](uint32_t page) {
        page_ = page;
        coverage_.add(random_.one_in(3) ? "soft reset" : "flush");
        command(random_.one_in(3) ? reg::kSoftReset : reg::kFlush);
        wait_until_done();
      });
      break;
    case 2:
    case 3:
    case 4:
      snapshot_and_query(3);
      break;
    case 5:
      strange_access();
      break;
    case 6:
      load_and_check(port);
      break;
    default:
      configure(port, phase);
  }
}

void Host::strange_access() {
  const uint32_t address = random_.one_in(4) ? 4 * random_.below(64) : 0x200 + 4 * random_.below((0x1000 - 0x200) / 4);
  if (Shadow{}.read(address)) return;
  const bool netfpga = address < reg::kNetfpgaEnd;
  coverage_.add(netfpga ? "access to NetFPGA's" : "access to nothing");
  const auto check = [=](uint32_t data, bool error) {
    if (error == netfpga) throw std::runtime_error("register " + hex(address) + ": wrong kind of answer");
    if (netfpga && data != reg::kNetfpgaValue)
      throw std::runtime_error("register " + hex(address) + " reads " + hex(data));
  };
  if (random_.one_in(2)) {
    script_.push_back({false, address, 0, check});
  } else {
    script_.push_back({true, address, static_cast<uint32_t>(random_.next()),
                       [check](uint32_t, bool error) { check(reg::kNetfpgaValue, error); }});
  }
}

void Host::load_and_check(uint32_t port) {
  coverage_.add("load");
  write(reg::kPage, port);
  read(reg::kPage, [this, port](uint32_t page) {
    page_ = page;
    command(reg::kLoad);
    wait_until_done([this, port](uint32_t) {
      for (const uint32_t address : used_registers(build_)) {
        expect(address, *world_.active(port).read(address), "loaded shadow");
      }
    });
  });
}

void Host::snapshot_and_query(unsigned queries) {
  coverage_.add("snapshot");
  command(reg::kSnapshot);
  wait_until_done();
  read(reg::kSnapshotTimeLow, [this](uint32_t low) { snapshot_low_ = low; });
  read(reg::kSnapshotTimeHigh, [this, queries](uint32_t high) {
    uint64_t cycle = 0;
    past_ = world_.past(uint64_t{high} << 32 | snapshot_low_, &cycle);
    for (unsigned i = 0; i < queries; ++i) {
      const uint32_t port = random_.below(build_.ports);
      write(reg::kPage, port);
      expect(reg::kSnapshotBytes, static_cast<uint32_t>(past_[port].bytes), "SNAPSHOT_BYTES");
      expect(reg::kSnapshotPackets, static_cast<uint32_t>(past_[port].packets), "SNAPSHOT_PACKETS");
      const unsigned mask = random_.one_in(3) ? random_.below(16) : 15;
      query(port, random_.below(16), mask, random_.below(16), random_.one_in(2) ? 0 : random_.below(16));
    }
  });
}

void Host::query(uint32_t port, unsigned code, unsigned code_mask, unsigned class_ece, unsigned class_ece_mask) {
  const Total sum = past_[port].counters.query(code, code_mask, class_ece, class_ece_mask);
  const std::string what =
      "port " + std::to_string(port) + " query " + hex(code | code_mask << 4 | class_ece << 8 | class_ece_mask << 12);
  write(reg::kQuery, code | code_mask << 4 | class_ece << 8 | class_ece_mask << 12);
  command(reg::kRunQuery);
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
    const PortCycles& cycles = world_.port(port);
    const Admit& admit = cycles.admit();
    const std::string name = "port " + std::to_string(port) + " ";
    write(reg::kPage, port);
    expect(reg::kOccupancyBytes, static_cast<uint32_t>(admit.bytes()), name + "OCCUPANCY_BYTES");
    expect(reg::kOccupancyPackets, static_cast<uint32_t>(admit.packets()), name + "OCCUPANCY_PACKETS");
    expect(reg::kWatermarkBytes, static_cast<uint32_t>(admit.watermark_bytes()), name + "WATERMARK_BYTES");
    expect(reg::kWatermarkPackets, static_cast<uint32_t>(admit.watermark_packets()), name + "WATERMARK_PACKETS");
    expect(reg::kWatermarkSojournLow, static_cast<uint32_t>(world_.watermark_sojourn(port)),
           name + "WATERMARK_SOJOURN");
    expect(reg::kWatermarkSojournHigh, static_cast<uint32_t>(world_.watermark_sojourn(port) >> 32),
           name + "WATERMARK_SOJOURN high");
    expect(reg::kCutShort, cycles.cut_short(), name + "CUT_SHORT");
  }
  for (unsigned kind = 0; kind < kBadKinds; ++kind) {
    const uint32_t base = static_cast<Bad>(kind) == Bad::Reset ? resets_at_start_ : 0;
    expect(reg::kBad + 4 * kind, base + world_.bad(static_cast<Bad>(kind)), "BAD counter " + std::to_string(kind));
  }
  if (random_.one_in(2)) {
    const uint32_t port = random_.below(build_.ports);
    write(reg::kPage, port);
    read(reg::kPage, [this](uint32_t page) {
      page_ = page;
      command(reg::kClearWatermarks);
      wait_until_done();
    });
  }
  snapshot_and_query(12);
}

}  // namespace truemark
