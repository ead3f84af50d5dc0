// SPDX-License-Identifier: BSD-3-Clause
// Random packets: every header kind that parse distinguishes, right and wrong ones.
#pragma once

#include <cstdint>
#include <vector>

#include "random.h"

namespace truemark {

// A packet of `length` bytes; headers that do not fit are cut off.
std::vector<uint8_t> random_packet(Random& random, uint32_t length);

}  // namespace truemark
