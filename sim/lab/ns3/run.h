// SPDX-License-Identifier: GPL-2.0-only
// One run: settings of ns-3, network, workload, results.
#pragma once

#include <string>

#include "json.h"

namespace lab {

inline constexpr int kStopStruck = 3;

int run(const Json& input, const std::string& result_path, const std::string& flows_path);

}  // namespace lab
