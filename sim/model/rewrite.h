// SPDX-License-Identifier: BSD-3-Clause
// Rewrite: set the CE codepoint in a frame that leaves marked, and keep the IPv4 header checksum as right as it was.
#pragma once

#include <span>

#include "types.h"

namespace truemark {

// `meta.l3` must not be None. Bytes that a frame cut short no longer has are left out.
void mark_ce(std::span<uint8_t> frame, const Meta& meta);

}  // namespace truemark
