// SPDX-License-Identifier: GPL-2.0-only
#include "host_queue_disc.h"

#include "frame.h"

namespace lab {

NS_OBJECT_ENSURE_REGISTERED(HostQueueDisc);

ns3::TypeId HostQueueDisc::GetTypeId() {
  static ns3::TypeId type =
      ns3::TypeId("lab::HostQueueDisc").SetParent<ns3::QueueDisc>().AddConstructor<HostQueueDisc>();
  return type;
}

HostQueueDisc::HostQueueDisc() : QueueDisc(ns3::QueueDiscSizePolicy::NO_LIMITS) {}

void HostQueueDisc::setup(const Json& plan) {
  const auto quanta = plan.items();
  line_ = truemark::Ets(static_cast<unsigned>(quanta.size()));
  for (unsigned queue = 0; queue < quanta.size(); ++queue) {
    const auto quantum = static_cast<uint32_t>(quanta[queue].natural());
    line_.configure(queue, quantum == 0, quantum);
  }
  paused_.assign(quanta.size(), false);
}

bool HostQueueDisc::CheckConfig() {
  if (GetNQueueDiscClasses() > 0 || GetNPacketFilters() > 0) return false;
  while (GetNInternalQueues() < paused_.size()) AddInternalQueue(endless_queue());
  return GetNInternalQueues() == paused_.size() && !paused_.empty();
}

void HostQueueDisc::pause(uint32_t priority, bool paused) {
  paused_.at(priority) = paused;
  if (!paused) Run();
}

HostQueueDisc::Heads HostQueueDisc::see() {
  Heads heads(paused_.size());
  for (size_t queue = 0; queue < heads.size(); ++queue)
    if (const auto head = GetInternalQueue(queue)->Peek(); head && !paused_[queue]) heads[queue] = head->GetSize();
  line_.see(heads);
  return heads;
}

bool HostQueueDisc::DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) {
  const bool stored = GetInternalQueue(priority_of(static_cast<FrameItem&>(*item).GetHeader()))->Enqueue(item);
  see();
  return stored;
}

ns3::Ptr<ns3::QueueDiscItem> HostQueueDisc::DoDequeue() {
  const auto queue = line_.select(see());
  return queue ? GetInternalQueue(*queue)->Dequeue() : nullptr;
}

}  // namespace lab
