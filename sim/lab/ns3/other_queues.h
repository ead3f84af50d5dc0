// SPDX-License-Identifier: GPL-2.0-only
// ns-3's own RedQueueDisc as the queue under test, for comparison, measured like ours.
#pragma once

#include "json.h"
#include "measures.h"
#include "ns3/queue-disc.h"

namespace lab {

ns3::Ptr<ns3::QueueDisc> make_red(const Json& plan, uint64_t rate, PortMeasures* measures);

}  // namespace lab
