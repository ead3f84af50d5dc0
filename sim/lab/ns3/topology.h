// SPDX-License-Identifier: GPL-2.0-only
// Topologies: racks of hosts below leaf switches, every leaf linked to every spine; a dumbbell of two leaves; a star; a
// fat tree, whose leaves and spines have a level of switches between them.
#pragma once

#include <memory>

#include "network.h"

namespace lab {

// Builds the network that `input` (the runner's JSON) describes.
std::unique_ptr<Network> build_network(const Json& input);

}  // namespace lab
