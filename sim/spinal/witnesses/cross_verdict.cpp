// SPDX-License-Identifier: BSD-3-Clause
// The verdict: reference, RTL and golden model on the same frames, limits, laws and masks.
#include <algorithm>
#include <deque>

#include "../../model/admit.h"
#include "Vcross_verdict.h"
#include "cross.h"

using namespace truemark;

namespace {

constexpr uint32_t kStorage = (1u << 24) - (1u << 14) - 1;
constexpr uint32_t kDescriptors = (1u << 20) - 3;

struct Case {
  PortConfig config;
  Meta meta;
  uint32_t length = 64;
  bool room = true, bytes_on = false, packets_on = false;
  uint32_t limit_bytes = 0, limit_packets = 0;
  std::array<bool, 2> signal{}, forced{};
};

Case random_case(Cross& cross, uint64_t held, uint64_t packets) {
  Random& random = cross.random;
  Case one;
  one.length = static_cast<uint32_t>(cross.number(14, {64, 1514, 9216}));
  one.room = !random.one_in(16);
  one.meta.ecn = static_cast<Ecn>(random.below(4));
  one.meta.class_id = static_cast<Class>(random.below(7));
  one.meta.ece = random.chance(50);
  PortConfig& config = one.config;
  config.enable = !random.one_in(16);
  one.bytes_on = random.chance(70);
  one.limit_bytes =
      static_cast<uint32_t>(std::min<uint64_t>(cross.number(24, {held + one.length, held, kStorage}), kStorage));
  one.packets_on = random.chance(50);
  one.limit_packets = static_cast<uint32_t>(std::min<uint64_t>(cross.number(20, {packets, packets + 1}), kDescriptors));
  if (one.bytes_on) config.limit_bytes = one.limit_bytes;
  if (one.packets_on) config.limit_packets = one.limit_packets;
  for (unsigned e = 0; e < 4; ++e) config.slot_of[e] = static_cast<uint8_t>(random.below(2));
  for (unsigned s = 0; s < 2; ++s) {
    config.law[s] = static_cast<Law>(random.below(3));
    config.k[s] = static_cast<uint32_t>(cross.number(24, {held}));
    one.signal[s] = random.chance(70);
    one.forced[s] = one.signal[s] && random.chance(50);
  }
  config.noecn = random.chance(20);
  config.harddrop = random.chance(30);
  config.protect = config.noecn ? 0 : static_cast<uint16_t>(random.next() & 0x3FFF);
  return one;
}

void apply(Vcross_verdict& top, const Case& one) {
  const PortConfig& config = one.config;
  top.len_i = one.length;
  top.room_i = one.room;
  top.ecn_i = static_cast<uint8_t>(one.meta.ecn);
  top.class_i = static_cast<uint8_t>(one.meta.class_id);
  top.ece_i = one.meta.ece;
  top.red_signal_i = one.signal[0] | one.signal[1] << 1;
  top.red_forced_i = one.forced[0] | one.forced[1] << 1;
  top.enable_i = config.enable;
  top.limit_bytes_on_i = one.bytes_on;
  top.limit_bytes_i = one.limit_bytes;
  top.limit_packets_on_i = one.packets_on;
  top.limit_packets_i = one.limit_packets;
  top.slot_of_i = config.slot_of[0] | config.slot_of[1] << 1 | config.slot_of[2] << 2 | config.slot_of[3] << 3;
  top.law_i = static_cast<unsigned>(config.law[0]) | static_cast<unsigned>(config.law[1]) << 2;
  top.k_i = config.k[0] | uint64_t{config.k[1]} << 24;
  top.noecn_i = config.noecn;
  top.harddrop_i = config.harddrop;
  top.protect_i = config.protect;
}

}  // namespace

int main(int argc, char** argv) {
  Cross cross(argc, argv, "verdict");
  Vcross_verdict top;
  Admit admit;
  std::deque<uint32_t> held;
  top.rst_i = 1;
  clock(top);
  top.rst_i = 0;
  top.judge_i = 1;
  Case next = random_case(cross, 0, 0);
  apply(top, next);
  clock(top);
  bool filling = true;
  while (cross.more()) {
    const Case one = next;
    // A queue that fills and empties, so that every length of it is met.
    if (admit.bytes() > kStorage - (1u << 15) || held.size() > 3000) filling = false;
    if (held.empty()) filling = true;
    const bool departs = !held.empty() && cross.random.chance(filling ? 20 : 95);
    top.depart_i = departs;
    top.depart_len_i = departs ? held.front() : 0;
    next = random_case(cross, admit.bytes() + one.length, admit.packets() + 1);
    if (filling && cross.random.chance(50)) next.length = (1u << 14) - 1;
    apply(top, next);
    top.eval();
    const unsigned slot = one.config.slot(one.meta.ecn);
    const Signal red = !one.signal[slot] ? Signal::None : one.forced[slot] ? Signal::Forced : Signal::Probabilistic;
    const Outcome outcome = admit.judge(one.config, one.meta, one.length, one.room, red);
    const unsigned model = static_cast<unsigned>(outcome) << 2 | is_stored(outcome) << 1 | (outcome == Outcome::Mark);
    const uint64_t bytes = admit.bytes(), packets = admit.packets();
    cross.decide(top.reference_o, top.twin_o, model, "{outcome, stored, marked}", [&] {
      return Words()("B", bytes)("P", packets)("length", one.length)("limit", one.bytes_on ? one.limit_bytes : ~0u)(
          "packets", one.packets_on ? one.limit_packets : ~0u)("slot", slot)(
          "law", static_cast<unsigned>(one.config.law[slot]))("K", one.config.k[slot])(
          "codepoint", static_cast<unsigned>(one.meta.ecn))("class", static_cast<unsigned>(one.meta.class_id))(
          "ece", one.meta.ece)("mask", one.config.protect)("no ECN", one.config.noecn)("harddrop", one.config.harddrop)(
          "room", one.room);
    });
    cross.check(top.bytes_o, top.bytes_o, bytes, "B", [] { return Words(); });
    cross.met("B + length = limit", one.bytes_on && bytes + one.length == one.limit_bytes);
    cross.met("B + length = limit + 1", one.bytes_on && bytes + one.length == one.limit_bytes + 1ull);
    cross.met("P = limit", one.packets_on && packets == one.limit_packets);
    cross.met("B = K", one.config.law[slot] == Law::Step && bytes == one.config.k[slot]);
    cross.met("protected", outcome == Outcome::Protected);
    cross.met("early by chance", outcome == Outcome::EarlyProbability);
    if (departs) {
      admit.remove(held.front());
      held.pop_front();
    }
    if (is_stored(outcome)) {
      admit.store(one.length);
      held.push_back(one.length);
    }
    clock(top);
  }
  return cross.finish();
}
