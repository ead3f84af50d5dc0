// SPDX-License-Identifier: GPL-2.0-only
#include "other_queues.h"

#include <string>

#include "frame.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/red-queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace lab {
namespace {

constexpr uint32_t kCe = 3;

using Item = ns3::Ptr<const ns3::QueueDiscItem>;

uint64_t now_ns() { return static_cast<uint64_t>(ns3::Simulator::Now().GetNanoSeconds()); }

FrameItem& frame_of(const Item& item) {
  return const_cast<FrameItem&>(static_cast<const FrameItem&>(*item));  // only its verdict is written
}

// RED marks an item before it enqueues or drops it: the mark is remembered in the item until then.
void watch(ns3::Ptr<ns3::RedQueueDisc> red, PortMeasures* measures) {
  red->TraceConnectWithoutContext("Mark", ns3::Callback<void, Item, const char*>([](Item item, const char*) {
                                    // A packet that came CE takes the signal as it is.
                                    Verdict& verdict = frame_of(item).verdict;
                                    verdict.outcome = verdict.ecn == kCe ? TM_CE_SIGNALLED : TM_MARK;
                                  }));
  red->TraceConnectWithoutContext("Enqueue", ns3::Callback<void, Item>([measures](Item item) {
                                    auto& frame = frame_of(item);
                                    frame.verdict = frame.judged(frame.verdict.outcome);
                                    measures->verdict(now_ns(), frame.verdict);
                                  }));
  red->TraceConnectWithoutContext(
      "DropBeforeEnqueue", ns3::Callback<void, Item, const char*>([measures](Item item, const char* reason) {
        const std::string why = reason;
        const uint32_t outcome = why == ns3::RedQueueDisc::UNFORCED_DROP ? TM_EARLY_PROBABILITY
                                 : why == ns3::RedQueueDisc::FORCED_DROP ? TM_EARLY_FORCED
                                                                         : TM_TAIL_BYTES;
        measures->verdict(now_ns(), frame_of(item).judged(outcome));
      }));
  red->TraceConnectWithoutContext(
      "Dequeue", ns3::Callback<void, Item>([measures](Item item) {
        const auto& frame = frame_of(item);
        const uint64_t wait = now_ns() - static_cast<uint64_t>(item->GetTimeStamp().GetNanoSeconds());
        measures->departure(now_ns(), frame.verdict, wait, frame.verdict.outcome == TM_MARK);
      }));
}

}  // namespace

ns3::Ptr<ns3::QueueDisc> make_red(const Json& plan, uint64_t rate, PortMeasures* measures) {
  const std::string limit = std::to_string(plan["limit_bytes"].natural()) + "B";
  auto red = ns3::CreateObjectWithAttributes<ns3::RedQueueDisc>(
      "MaxSize", ns3::StringValue(limit), "MinTh", ns3::DoubleValue(plan["min"].number()), "MaxTh",
      ns3::DoubleValue(plan["max"].number()), "QW", ns3::DoubleValue(plan["weight"].number()), "LInterm",
      ns3::DoubleValue(1 / plan["maxp"].number()));
  red->SetAttribute("Gentle", ns3::BooleanValue(plan["gentle"].flag()));
  red->SetAttribute("UseHardDrop", ns3::BooleanValue(false));
  red->SetAttribute("UseEcn", ns3::BooleanValue(true));
  red->SetAttribute("MeanPktSize", ns3::UintegerValue(plan["mean_packet"].natural()));
  red->SetAttribute("LinkBandwidth", ns3::DataRateValue(ns3::DataRate(rate)));
  if (plan["measured"].flag()) watch(red, measures);
  return red;
}

}  // namespace lab
