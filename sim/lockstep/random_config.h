// SPDX-License-Identifier: BSD-3-Clause
// Random configurations: such that the traffic of a phase brings every law to its edges; one in four is impossible.
#pragma once

#include "../model/random.h"
#include "../model/shadow.h"
#include "traffic.h"

namespace truemark {

// `port` is whose it may be; `spoiled` counts the impossible ones: what is wrong with them comes in turn.
Shadow random_config(Random& random, const Build& build, uint32_t port, const Phase& phase, uint32_t& spoiled);

}  // namespace truemark
