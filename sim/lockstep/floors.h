// SPDX-License-Identifier: BSD-3-Clause
// What a run met, by the golden model's accounts, and how often it must have.
#pragma once

#include "../model/cycles/device_cycles.h"
#include "coverage.h"

namespace truemark {

void collect(Coverage& coverage, const DeviceCycles& model, const Build& build);

// The floors of a run of so many frames.
void require(Coverage& coverage, const Build& build, uint64_t frames);
// Those that frames of limited lengths can meet.
void require_limited(Coverage& coverage);

}  // namespace truemark
