// SPDX-License-Identifier: BSD-3-Clause
// Host: a program at the register interface, which reconfigures, flushes and takes snapshots while traffic runs and
// checks every answer against the golden side.
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "../dut/axil_master.h"
#include "../model/cycles/device_cycles.h"
#include "../model/random.h"
#include "coverage.h"
#include "traffic.h"

namespace truemark {

class Host {
 public:
  Host(const Build& build, Random& random, DeviceCycles& model, AxilMaster& axil, Coverage& coverage)
      : build_(build), random_(random), model_(model), axil_(axil), coverage_(coverage) {}

  // In each cycle: before the pins settle, and after.
  void drive();
  void observe(uint64_t cycle);
  bool idle() const { return script_.empty() && axil_.idle(); }
  void reset();

  // Before anything else: the resets in mid-frame that the random state at power-up may have looked like.
  void take_base();

  // ---- what it can be told to do; each is finished when idle() is true again
  void something(const Phase& phase);  // while traffic runs
  void configure(uint32_t port, const Phase& phase);
  void check_everything();  // while the device is quiet
  void clear_watermarks();  // of a port

 private:
  struct Access {
    bool write = false;
    uint32_t address = 0;
    uint32_t value = 0;
    // One of them or none is there. Only the second may be answered with an error.
    std::function<void(uint32_t data)> then;
    std::function<void(uint32_t data, bool error)> answered;
  };

  void write(uint32_t address, uint32_t value);
  void read(uint32_t address, std::function<void(uint32_t)> then);
  void expect(uint32_t address, uint32_t value, const std::string& name);
  void command(uint32_t bits);
  void wait_until_done(std::function<void(uint32_t status)> then = {});
  void snapshot_and_query(unsigned queries);
  void query(uint32_t port, unsigned code, unsigned code_mask, unsigned class_ece, unsigned class_ece_mask);
  void strange_access();
  void load_and_check(uint32_t port);
  void act(uint64_t cycle);
  void note_config(const PortConfig& config);

  Build build_;
  Random& random_;
  DeviceCycles& model_;
  AxilMaster& axil_;
  Coverage& coverage_;
  std::deque<Access> script_;
  size_t insert_at_ = 0;  // accesses added while one is answered come next, in order
  Access current_;
  bool acted_ = false;
  bool command_under_way_ = false;
  Shadow shadow_;
  uint32_t page_ = 0;
  uint32_t spoiled_ = 0;
  uint32_t seed_ = reg::kSeedReset;
  std::vector<DeviceCycles::Past> past_;
  uint32_t snapshot_low_ = 0;
  uint32_t resets_at_start_ = 0;
};

}  // namespace truemark
