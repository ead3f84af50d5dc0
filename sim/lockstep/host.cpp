// SPDX-License-Identifier: BSD-3-Clause
#include "host.h"

#include <stdexcept>

#include "../engine/describe.h"
#include "../model/cycles/latencies.h"
#include "../model/registers.h"
#include "random_config.h"

namespace truemark {
namespace {

// A flush goes on behind other undertakings.
constexpr uint32_t kBusy =
    reg::status::kCommitBusy.mask() | reg::status::kSnapshotBusy.mask() | reg::status::kQueryBusy.mask();

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
  const bool acts = current_.address == reg::kCommand || current_.address == reg::kSeed;
  if (!acted_ && current_.write && acts && (answered || axil_.write_accepted())) {
    acted_ = true;
    act(cycle);
  }
  if (!answered) return;
  insert_at_ = 0;
  if (current_.answered) {
    const auto answered = std::move(current_.answered);
    answered(axil_.data(), axil_.error());
    return;
  }
  if (axil_.error()) throw std::runtime_error("SLVERR for register " + hex(current_.address));
  if (!current_.then) return;
  const auto then = std::move(current_.then);
  then(axil_.data());
}

// A command was accepted in this cycle: the golden side learns when it acts.
void Host::act(uint64_t cycle) {
  if (current_.address == reg::kSeed) {
    seed_ = current_.value;
    model_.seed(seed_, cycle + latency::kSeed);
    return;
  }
  if (current_.value & reg::command::kCommit.mask() && page_ < build_.ports &&
      shadow_.fault(build_, page_, model_.all_but(page_)) == reg::Fault::None) {
    model_.commit(page_, shadow_, cycle + latency::commit(build_.red, build_.codel));
  }
  if (current_.value & (reg::command::kFlush.mask() | reg::command::kSoftReset.mask()) && page_ < build_.ports) {
    model_.flush(page_, cycle + latency::kFlush);
  }
  if (current_.value & reg::command::kSoftReset.mask() && page_ < build_.ports)
    model_.soft_reset(page_, cycle + latency::kFlush);
  if (current_.value & reg::command::kClearWatermarks.mask() && page_ < build_.ports) {
    model_.clear_watermarks(page_, cycle + latency::kClear);
  }
  if (current_.value & reg::command::kSnapshot.mask()) model_.begin_history();
}

void Host::reset() {
  script_.clear();
  shadow_ = Shadow{};
  page_ = 0;
  seed_ = reg::kSeedReset;
}

void Host::take_base() {
  insert_at_ = 0;
  read(reg::kBadNoDestination + 4 * static_cast<uint32_t>(Bad::Reset), [this](uint32_t value) {
    if (value > 1) throw std::runtime_error("BAD_RESET is " + std::to_string(value) + " after power-up");
    resets_at_start_ = value;
  });
}

void Host::write(uint32_t address, uint32_t value) {
  script_.insert(script_.begin() + static_cast<std::ptrdiff_t>(insert_at_++), Access{true, address, value, {}, {}});
}

void Host::read(uint32_t address, std::function<void(uint32_t)> then) {
  script_.insert(script_.begin() + static_cast<std::ptrdiff_t>(insert_at_++),
                 Access{false, address, 0, std::move(then), {}});
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
  read(reg::kStatus, [this, then = std::move(then)](uint32_t status) mutable {
    if (status & kBusy) {
      wait_until_done(std::move(then));
    } else if (then) {
      then(status);
    }
  });
}

void Host::configure(uint32_t port, const Phase& phase) {
  insert_at_ = 0;
  const Shadow wanted = random_config(random_, build_, port, phase, spoiled_);
  for (const uint32_t address : Shadow::addresses(build_)) write(address, *wanted.read(address));
  const bool no_port = random_.one_in(40) && build_.ports < pkg::kMaxPorts;
  write(reg::kPage, no_port ? build_.ports : port);
  // The page changes for the golden side when the command can no longer meet the old one.
  read(reg::kPage, [this, wanted](uint32_t page) {
    page_ = page;
    shadow_ = wanted;
    command(reg::command::kCommit.mask());
    // (A reset may come before the answer: what is compared is what was committed.)
    wait_until_done([this, wanted, page](uint32_t status) {
      const reg::Fault fault =
          page < build_.ports ? wanted.fault(build_, page, model_.all_but(page)) : reg::Fault::Port;
      const auto answer = reg::status::kRefused.mask() | reg::status::kFault.mask();
      const uint32_t refused = reg::status::kRefused.put(fault != reg::Fault::None);
      const uint32_t expected = reg::status::kFault.put(static_cast<uint32_t>(fault), refused);
      coverage_.add("commit fault " + std::to_string(static_cast<int>(fault)));
      if (fault == reg::Fault::None) note_config(wanted.meaning());
      if (fault == reg::Fault::None && build_.queues > 1) {
        constexpr std::array modes = {"fixed", "by dscp", "by pcp", "by ecn", "by class_ece"};
        coverage_.add(std::string("queues ") + modes[static_cast<size_t>(wanted.queue_map().mode)]);
      }
      if ((status & answer) != expected) {
        throw std::runtime_error("STATUS after a commit: model " + hex(expected) + ", rtl " + hex(status));
      }
    });
  });
}

void Host::note_config(const PortConfig& config) {
  constexpr std::array laws = {"none", "step", "RED"};
  constexpr std::array spacings = {"memoryless", "uniform", "wait", "Linux"};
  if (config.noecn) coverage_.add("without ECN");
  if (config.mark_on_departure) coverage_.add("mark on departure");
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    coverage_.add(std::string("law ") + laws[static_cast<size_t>(config.law[slot])]);
    if (config.law[slot] != Law::Red) continue;
    const RedConfig& red = config.red[slot];
    const std::string spacing = spacings[static_cast<size_t>(red.spacing)];
    coverage_.add("RED " + spacing + (config.protect != 0 ? ", protection" : ""));
    if (red.gentle) coverage_.add("RED gentle");
    if (red.packets) coverage_.add("RED in packets");
    if (red.adaptive) coverage_.add("RED adaptive");
    if (red.min == red.max) coverage_.add("RED min = max");
    coverage_.add(std::string("RED scale ") + std::to_string(red.slope_scale));
  }
  const CodelConfig& codel = config.codel;
  if (!codel.on) return;
  coverage_.add(std::string("CoDel ") + (codel.ecn ? "with ECN" : "without ECN") +
                (config.protect != 0 ? ", protection" : ""));
  const std::array<std::pair<bool, const char*>, 8> switches = {{{codel.at_once, "at_once"},
                                                                 {codel.exempt_below, "exempt_below"},
                                                                 {codel.exempt_largest, "exempt_largest"},
                                                                 {codel.converge, "converge"},
                                                                 {codel.mark_from_now, "mark_from_now"},
                                                                 {codel.reentry_past, "reentry_past"},
                                                                 {codel.threshold_once, "threshold_once"},
                                                                 {codel.keep_first_above, "keep_first_above"}}};
  for (const auto& [is_set, name] : switches) {
    if (is_set) coverage_.add(std::string("CoDel ") + name);
  }
}

void Host::something(const Phase& phase) {
  insert_at_ = 0;
  const uint32_t port = random_.below(build_.ports);
  switch (random_.below(13)) {
    case 12:
      coverage_.add("seed");
      write(reg::kSeed, random_.one_in(8) ? 0 : static_cast<uint32_t>(random_.next()));
      break;
    case 0:
    case 1:
      write(reg::kPage, port);
      read(reg::kPage, [this](uint32_t page) {
        page_ = page;
        const bool soft = random_.one_in(3);
        coverage_.add(soft ? "soft reset" : "flush");
        command(soft ? reg::command::kSoftReset.mask() : reg::command::kFlush.mask());
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

}  // namespace truemark
