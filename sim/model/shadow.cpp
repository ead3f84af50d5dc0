// SPDX-License-Identifier: BSD-3-Clause
#include "shadow.h"

namespace truemark {

using reg::Fault;

const std::array<Shadow::Field, 6> Shadow::kFields = {{
    {reg::kControl, 0x1FFF, &Shadow::control_},
    {reg::kLimitBytes, 0xFFFFFF, &Shadow::limit_bytes_},
    {reg::kLimitPackets, 0xFFFFF, &Shadow::limit_packets_},
    {reg::kK0, 0xFFFFFF, &Shadow::k0_},
    {reg::kK1, 0xFFFFFF, &Shadow::k1_},
    {reg::kProtect, 0x3FFF, &Shadow::protect_},
}};

bool Shadow::write(uint32_t address, uint32_t value) {
  for (const Field& field : kFields) {
    if (field.address != address) continue;
    this->*field.value = value & field.mask;
    return true;
  }
  return false;
}

std::optional<uint32_t> Shadow::read(uint32_t address) const {
  for (const Field& field : kFields) {
    if (field.address == address) return this->*field.value;
  }
  return std::nullopt;
}

Fault Shadow::fault(const Build& build) const {
  const uint64_t largest = limits_bytes() ? limit_bytes_ : build.storage();
  if (limits_bytes() && (limit_bytes_ == 0 || limit_bytes_ > build.storage())) return Fault::LimitBytes;
  if (limits_packets() && (limit_packets_ == 0 || limit_packets_ > build.descriptors)) return Fault::LimitPackets;
  if (law(0) > 1 || law(1) > 1) return Fault::Law;
  if (law(0) == 1 && k0_ > largest) return Fault::K0;
  if (law(1) == 1 && k1_ > largest) return Fault::K1;
  if (!build.flags_verdict && law(slot_of(Ecn::NotEct)) == 1 && protect_ != 0) return Fault::Protect;
  if (control_ & 8) return Fault::Control;
  return Fault::None;
}

PortConfig Shadow::meaning() const {
  PortConfig config;
  config.enable = control_ & 1;
  if (limits_bytes()) config.limit_bytes = limit_bytes_;
  if (limits_packets()) config.limit_packets = limit_packets_;
  for (unsigned c = 0; c < 4; ++c) config.slot_of[c] = static_cast<uint8_t>(slot_of(static_cast<Ecn>(c)));
  config.law = {static_cast<Law>(law(0)), static_cast<Law>(law(1))};
  config.k = {k0_, k1_};
  config.protect = static_cast<uint16_t>(protect_);
  config.harddrop = control_ >> 12 & 1;
  return config;
}

}  // namespace truemark
