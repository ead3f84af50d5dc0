// SPDX-License-Identifier: BSD-3-Clause
// What a run met, by the golden side's accounts.
#pragma once

#include "coverage.h"
#include "world.h"

namespace truemark {

void collect(Coverage& coverage, const World& world, const Build& build);

}  // namespace truemark
