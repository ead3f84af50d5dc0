// SPDX-License-Identifier: BSD-3-Clause
// Random packets: every header kind that parse distinguishes, right and wrong ones.
#pragma once

#include <cstdint>
#include <vector>

#include "../model/random.h"

namespace truemark {

// Makes `bytes` a packet of that length; headers that do not fit are cut off.
void random_packet(Random& random, uint32_t length, std::vector<uint8_t>& bytes);

}  // namespace truemark
