// SPDX-License-Identifier: BSD-3-Clause
// The shadow configuration: the registers a host fills in, whether they make sense, and what they mean.
#pragma once

#include "registers.h"
#include "types.h"

namespace truemark {

class Shadow {
 public:
  // False: not a register of the shadow.
  bool write(uint32_t address, uint32_t value);
  std::optional<uint32_t> read(uint32_t address) const;

  // The first field, in the order of the fault codes, that makes the configuration impossible for this build.
  reg::Fault fault(const Build& build) const;

  PortConfig meaning() const;

 private:
  struct Field {
    uint32_t address;
    uint32_t mask;
    uint32_t Shadow::* value;
  };
  static const std::array<Field, 6> kFields;

  bool limits_bytes() const { return control_ >> 1 & 1; }
  bool limits_packets() const { return control_ >> 2 & 1; }
  unsigned slot_of(Ecn ecn) const { return control_ >> (4 + static_cast<unsigned>(ecn)) & 1; }
  unsigned law(unsigned slot) const { return control_ >> (8 + 2 * slot) & 3; }

  uint32_t control_ = 1;
  uint32_t limit_bytes_ = 0;
  uint32_t limit_packets_ = 0;
  uint32_t k0_ = 0;
  uint32_t k1_ = 0;
  uint32_t protect_ = 0;
};

}  // namespace truemark
