// SPDX-License-Identifier: BSD-3-Clause
// Parse: what a frame's headers say. Odd headers never fail, they only decide the class.
#pragma once

#include <span>

#include "types.h"

namespace truemark {

// `bytes` are those that arrived (fewer than `length` if the frame ended early: what is missing reads as zero);
// `length` is the length the frame is judged by.
Meta parse(std::span<const uint8_t> bytes, uint32_t length);

}  // namespace truemark
