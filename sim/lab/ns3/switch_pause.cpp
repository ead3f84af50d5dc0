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

void PausedTxQueue::pause(uint32_t, bool paused) {
  paused_ = paused;
  // A queue that was not stopped by its device wakes nobody: so it is, and is woken.
  if (paused || NetDeviceQueue::IsStopped()) return;
  Stop();
  Wake();
}

SwitchPause::SwitchPause(uint64_t cells, uint32_t priorities, const Json& plan)
    : levels_(cells, rule_of(plan)), sources_(priorities, {.lossless = false}) {
  for (const Json& lossless : plan["classes"].items())
    sources_.at(lossless.natural()) = {.headroom = plan["headroom"].natural()};
}

uint32_t SwitchPause::add(PausedLink link) {
  for (const auto& source : sources_) levels_.add(source);
  links_.push_back({std::move(link), std::vector<Group>(sources_.size())});
  return static_cast<uint32_t>(links_.size() - 1);
}

uint64_t SwitchPause::headroom() const {
  uint64_t cells = 0;
  for (const auto& source : sources_) cells += source.headroom;
  return cells * links_.size();
}

void SwitchPause::store(uint32_t source, uint32_t priority, uint64_t cells) {
  levels_.store(level_of(source, priority), cells);
  tell();
}

void SwitchPause::release(uint32_t source, uint32_t priority, uint64_t cells) {
  levels_.release(level_of(source, priority), cells);
  tell();
}

// Says to every far end what has changed for it.
void SwitchPause::tell() {
  for (size_t number = 0; number < links_.size(); ++number) {
    Link& link = links_[number];
    for (uint32_t priority = 0; priority < link.groups.size(); ++priority) {
      Group& group = link.groups[priority];
      const bool pause = levels_.xoff(level_of(number, priority));
      if (pause == group.told) continue;
      group.told = pause;
      group.pauses += pause;
      tell(link, priority, pause);
    }
  }
}

void SwitchPause::tell(const Link& link, uint32_t priority, bool pause) const {
  if (!link.far_end) return;
  ns3::Simulator::Schedule(ns3::NanoSeconds(static_cast<int64_t>(link.wire_ns() + link.reach_ns)),
                           [far_end = link.far_end, priority, pause] { far_end->pause(priority, pause); });
}

uint64_t SwitchPause::held() const {
  uint64_t cells = 0;
  for (size_t level = 0; level < links_.size() * sources_.size(); ++level) cells += levels_.held(level);
  return cells;
}

void SwitchPause::write(JsonWriter& out) const {
  out.open('{').pair("overruns", levels_.overruns()).key("links").open('[');
  for (size_t number = 0; number < links_.size(); ++number) {
    const Link& link = links_[number];
    for (uint32_t priority = 0; priority < link.groups.size(); ++priority) {
      out.open('{').pair("name", link.name);
      if (link.groups.size() > 1) out.pair("priority", uint64_t{priority});
      out.pair("watermark", levels_.watermark(level_of(number, priority)));
      out.pair("pauses", link.groups[priority].pauses).close('}');
    }
  }
  out.close(']').close('}');
}

}  // namespace lab
