// SPDX-License-Identifier: BSD-3-Clause
// The step law: reference, RTL and golden model on the same B and K.
#include "../../model/admit.h"
#include "Vcross_step.h"
#include "cross.h"

using namespace truemark;

int main(int argc, char** argv) {
  Cross cross(argc, argv, "step");
  Vcross_step top;
  PortConfig config;
  config.law[0] = Law::Step;
  Meta meta;
  meta.ecn = Ecn::Ect0;
  while (cross.more()) {
    const uint32_t k = static_cast<uint32_t>(cross.number(24));
    const uint32_t bytes = static_cast<uint32_t>(cross.number(24, {k}));
    top.k_i = k;
    top.bytes_i = bytes;
    top.eval();
    Admit admit;
    admit.store(bytes);
    config.k[0] = k;
    const bool model = admit.judge(config, meta, 64, true, Signal::None) == Outcome::Mark;
    cross.decide(top.reference_o, top.twin_o, model, "signal", [&] { return Words()("B", bytes)("K", k); });
    cross.met("B = K", bytes == k);
    cross.met("B = K + 1", bytes == k + 1);
  }
  return cross.finish();
}
