// SPDX-License-Identifier: GPL-2.0-only
#include "switch_pause.h"

#include <utility>

#include "ns3/simulator.h"

namespace lab {
namespace {

truemark::PauseRule rule_of(const Json& plan) {
  truemark::PauseRule rule{.above = threshold_of(plan), .xon = plan["xon"].natural()};
  if (plan.has("xon_offset")) rule.xon_offset = plan["xon_offset"].natural();
  return rule;
}

}  // namespace

truemark::Threshold threshold_of(const Json& plan) {
  if (plan.has("static")) return {.fixed = plan["static"].natural()};
  return {.exponent = static_cast<int>(plan["exponent"].number())};
}

NS_OBJECT_ENSURE_REGISTERED(PausedTxQueue);

ns3::TypeId SourceTag::GetTypeId() {
  static ns3::TypeId type = ns3::TypeId("lab::SourceTag").SetParent<ns3::Tag>().AddConstructor<SourceTag>();
  return type;
}

ns3::TypeId PausedTxQueue::GetTypeId() {
  static ns3::TypeId type =
      ns3::TypeId("lab::PausedTxQueue").SetParent<ns3::NetDeviceQueue>().AddConstructor<PausedTxQueue>();
  return type;
}

void PausedTxQueue::pause(bool paused) {
  paused_ = paused;
  // A queue that was not stopped by its device wakes nobody: so it is, and is woken.
  if (paused || NetDeviceQueue::IsStopped()) return;
  Stop();
  Wake();
}

SwitchPause::SwitchPause(uint64_t cells, const Json& plan)
    : levels_(cells, rule_of(plan)), source_{.headroom = plan["headroom"].natural()} {}

uint32_t SwitchPause::add(PausedLink link) {
  links_.push_back({std::move(link)});
  return static_cast<uint32_t>(levels_.add(source_));
}

void SwitchPause::store(uint32_t source, uint64_t cells) {
  levels_.store(source, cells);
  tell();
}

void SwitchPause::release(uint32_t source, uint64_t cells) {
  levels_.release(source, cells);
  tell();
}

// Says to every far end what has changed for it.
void SwitchPause::tell() {
  for (size_t number = 0; number < links_.size(); ++number) {
    Link& link = links_[number];
    const bool pause = levels_.xoff(number);
    if (pause == link.told) continue;
    link.told = pause;
    link.pauses += pause;
    if (!link.far_end) continue;
    ns3::Simulator::Schedule(ns3::NanoSeconds(static_cast<int64_t>(link.wire_ns() + link.reach_ns)),
                             [far_end = link.far_end, pause] { far_end->pause(pause); });
  }
}

uint64_t SwitchPause::held() const {
  uint64_t cells = 0;
  for (size_t number = 0; number < links_.size(); ++number) cells += levels_.held(number);
  return cells;
}

void SwitchPause::write(JsonWriter& out) const {
  out.open('{').pair("overruns", levels_.overruns()).key("links").open('[');
  for (size_t number = 0; number < links_.size(); ++number) {
    const Link& link = links_[number];
    out.open('{').pair("name", link.name).pair("watermark", levels_.watermark(number));
    out.pair("pauses", link.pauses).close('}');
  }
  out.close(']').close('}');
}

}  // namespace lab
