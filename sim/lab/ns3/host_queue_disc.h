// SPDX-License-Identifier: GPL-2.0-only
// A host's queues, one for each priority and without a limit, where switches have several and may pause some.
//
// Which of them sends is the golden model's rule (truemark::Ets), set as at the ports of the switches.
#pragma once

#include <vector>

#include "../../model/ets.h"
#include "json.h"
#include "ns3/queue-disc.h"
#include "switch_pause.h"

namespace lab {

class HostQueueDisc : public ns3::QueueDisc, public Pausable {
 public:
  static ns3::TypeId GetTypeId();
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  HostQueueDisc();

  // `plan`: by queue, what it sends in a turn; 0: it is strict.
  void setup(const Json& plan);
  void pause(uint32_t priority, bool paused) override;

 private:
  using Heads = std::vector<std::optional<uint32_t>>;  // the length of the oldest frame of each queue
  bool DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) override;
  ns3::Ptr<ns3::QueueDiscItem> DoDequeue() override;
  bool CheckConfig() override;
  void InitializeParams() override {}
  // What waits and may be sent, of which the scheduler takes notice.
  Heads see();

  truemark::Ets line_{1};
  std::vector<bool> paused_;  // by queue
};

}  // namespace lab
