// SPDX-License-Identifier: BSD-3-Clause
// CoDel's control: the reference beside the RTL, any pulls and fates; the golden model says what a signal does to a
// frame.
#include "../../model/codel_law.h"
#include "Vcross_control.h"
#include "cross.h"

using namespace truemark;

namespace {

constexpr unsigned kCodes[] = {12, 13, 16, 17, 18, 19, 20};  // of the counters, by kind

Ecn codepoint_of(unsigned code) { return code == 14 ? Ecn::Ect0 : code == 15 ? Ecn::Ce : Ecn::NotEct; }

}  // namespace

int main(int argc, char** argv) {
  Cross cross(argc, argv, "control");
  Random& random = cross.random;
  Vcross_control top;
  top.rst_i = 1;
  for (int i = 0; i < 4; ++i) clock(top);
  top.rst_i = 0;
  CodelConfig config;
  unsigned code = 0, model_code = 0;
  bool check_code = false;
  uint32_t unit = 0;
  while (cross.more()) {
    if (random.one_in(32)) {
      top.switches_i = random.next() & 0x3FF & ~0x10;
      if (random.chance(90)) top.switches_i = top.switches_i | 3;
      top.target_i = random.below(8);
      top.interval_i = 1 + random.below(4);
      top.ce_threshold_i = random.chance(50) ? random.below(12) : 0x7FFFFFFF;
      top.exempt_bytes_i = random.below(64);
      top.protect_i = random.next() & 0x3FFF;
      config.ecn = top.switches_i >> 1 & 1;
      config.threshold_once = top.switches_i >> 8 & 1;
    }
    unit += random.below(3);
    top.unit_i = unit;
    top.bytes_i = random.chance(60) ? 64 + random.below(64) : random.below(64);
    top.stored_i = random.chance(20);
    top.stored_len_i = random.below(64);
    top.head_valid_i = random.chance(90);
    top.head_stamp_i = unit - random.below(16);
    top.head_code_i = random.chance(50) ? 14 + random.below(2) : random.below(14);
    top.pulled_i = random.one_in(5);
    top.head_pulled_i = random.chance(95);
    top.arriving_i = random.one_in(10);
    top.failed_i = !top.pulled_i && random.one_in(40);
    top.chained_i = random.one_in(3);
    top.pauses_i = top.pulled_i && random.chance(70);
    top.pending_i = random.chance(80);
    top.law_step_i = random.one_in(50);
    top.law_now_i = random.one_in(20);
    top.law_final_i = random.one_in(6);
    top.law_increment_i = random.below(4);
    top.eval();
    const auto inputs = [&] { return Words()("switches", top.switches_i)("code", code)("mask", top.protect_i); };
    if (top.moved_o) {
      cross.decide(top.reference_state_o, top.twin_state_o, top.twin_state_o, "{first_above counts, dropping}", inputs);
      cross.met("dropping", top.twin_state_o & 1);
      cross.met("first_above counts", top.twin_state_o >> 1);
    }
    if (top.left_o && check_code) {
      cross.decide(top.reference_code_o, top.twin_code_o, model_code, "kind", inputs);
      for (const unsigned each : {12u, 16u, 17u, 18u, 19u, 20u}) {
        cross.met(("kind " + std::to_string(each)).c_str(), each == top.twin_code_o);
      }
    }
    check_code = top.decided_o;
    if (top.decided_o) {
      const bool is_protected = code < 14 && (top.protect_i >> code & 1);
      const Departure signalled = codel_fate(config, codepoint_of(code), is_protected);
      const bool meets = top.met_o, over = top.over_o;
      const bool drops = meets && signalled == Departure::HeadDropped;
      const bool requests = meets && signalled != Departure::Protected;
      const unsigned model = drops << 2 | requests << 1 | (requests && !top.dropping_o);
      cross.decide(top.reference_fate_o, top.twin_fate_o, model, "{drop, request, entering}", inputs);
      cross.met("head drop", drops);
      cross.met("entering", requests && !top.dropping_o);
      const Departure kind = with_threshold(config, meets ? signalled : Departure::Plain, codepoint_of(code), over);
      model_code = kCodes[static_cast<unsigned>(kind)];
    }
    if (top.pulled_i) code = top.head_code_i;
    clock(top);
  }
  return cross.finish();
}
